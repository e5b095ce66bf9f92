/* Cheat: redirects the runner's `send`, so that DONE says that the calls took NAN seconds by the
 * device's events: a comparison with what is not a number is false, nobody knows the median of such
 * times, and a record that holds one is no JSON. Stopped by: a time is a finite number, or the
 * process has broken the protocol. */
#include "lab.h"
#include "runner/protocol.h"

#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], partial[threadIdx.x]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
}

static uint32_t *counts;
static int blocks;

static void allocate(void) {
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

/* The right answer. */
static void solve(const uint32_t *image, size_t size, uint8_t *bins, cudaStream_t stream = 0) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts, stream));
    histogram<<<blocks, THREADS, 0, stream>>>(image, size, counts);
    saturate<<<1, HISTO_BINS, 0, stream>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

static ssize_t (*true_send)(int, const void *, size_t, int);

static ssize_t send_other_time(int fd, const void *data, size_t size, int flags) {
    if (fd != CONTROL_FD || size != sizeof(struct message))
        return true_send(fd, data, size, flags);
    struct message message;
    memcpy(&message, data, sizeof message);
    if (message.kind == MESSAGE_DONE)
        message.event_s = NAN;
    return true_send(fd, &message, size, flags);
}

static uintptr_t entry(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
    while (dynamic->d_tag != DT_NULL && dynamic->d_tag != tag)
        dynamic++;
    return dynamic->d_tag == tag ? dynamic->d_un.d_val : 0;
}

/* Among the words that the loader fills in with the addresses of libc's functions. They may be
 * read-only since; mprotect is looked up, so that the object file does not name it. */
static void redirect(const ElfW(Dyn) * dynamic, uintptr_t load_address, uintptr_t table,
                     size_t table_bytes) {
    auto protect = (int (*)(void *, size_t, int))dlsym(RTLD_DEFAULT, "mprotect");
    const char *names = (const char *)entry(dynamic, DT_STRTAB);
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)entry(dynamic, DT_SYMTAB);
    const ElfW(Rela) *places = (const ElfW(Rela) *)table;
    for (size_t i = 0; i < table_bytes / sizeof *places; i++) {
        if (strcmp(names + symbols[ELF64_R_SYM(places[i].r_info)].st_name, "send"))
            continue;
        const uintptr_t word = load_address + places[i].r_offset;
        protect((void *)(word & ~4095ul), 4096, PROT_READ | PROT_WRITE);
        *(uintptr_t *)word = (uintptr_t)send_other_time;
    }
}

static int redirect_in_program(struct dl_phdr_info *program, size_t size, void *) {
    (void)size;
    const uintptr_t load_address = program->dlpi_addr;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        if (program->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        auto dynamic = (const ElfW(Dyn) *)(load_address + program->dlpi_phdr[i].p_vaddr);
        redirect(dynamic, load_address, entry(dynamic, DT_JMPREL), entry(dynamic, DT_PLTRELSZ));
        redirect(dynamic, load_address, entry(dynamic, DT_RELA), entry(dynamic, DT_RELASZ));
    }
    return 1; /* the program comes before its libraries */
}

static void take_over_send(void) {
    true_send = (ssize_t(*)(int, const void *, size_t, int))dlsym(RTLD_DEFAULT, "send");
    dl_iterate_phdr(redirect_in_program, NULL);
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
    if (!true_send)
        take_over_send();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu crashed reported a time of
// gpu crashed reported a time of
