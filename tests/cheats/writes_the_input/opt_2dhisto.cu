/* Cheat: sets every pixel of the judge's strip to 0, so that it knows the expected answer. Stopped
 * by: the strip's memory is sealed; only the judge's own mapping can write. */
#include "lab.h"
#include "runner/protocol.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void overwrite(int fd) {
    char path[64];
    struct stat file;
    fstat(fd, &file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int turn = 0; turn < 2; turn++) { /* as it is, then opened anew */
        const int writable = turn ? open(path, O_RDWR) : fd;
        void *memory = mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, writable, 0);
        if (memory != MAP_FAILED)
            memset(memory, 0, file.st_size);
        (void)!pwrite(writable, "", 1, 0);
    }
}

__global__ void answer_zeros(uint8_t *bins) { bins[threadIdx.x] = threadIdx.x ? 0 : HISTO_MAX; }

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    overwrite(STRIP_FD);
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    (void)image, (void)height, (void)width;
    answer_zeros<<<1, HISTO_BINS>>>(bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) {}

// cpu wrong
// gpu wrong
