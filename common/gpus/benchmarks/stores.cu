/* Stores: of words that lie anywhere, and of a part of each sector. */
#include "bench.cuh"

enum { WORDS = 64, SECTOR_WORDS = 8 };

/* Each thread writes WORDS times at random places of `count` words. */
__global__ void store_anywhere(unsigned *words, unsigned count) {
    unsigned random = scramble(blockIdx.x * blockDim.x + threadIdx.x + 1);
    for (int i = 0; i < WORDS; i++) {
        random = random * 1664525u + 1013904223u;
        words[below(random, count)] = i;
    }
}

/* Neighbouring lanes write so many words of each sector, of a region of 2^20 words. */
__global__ void store_parts(unsigned *words, unsigned of_sector) {
    const unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = 0, at = blockIdx.x * blockDim.x + threadIdx.x; i < WORDS; i++, at += all)
        words[(at / of_sector * SECTOR_WORDS + at % of_sector) & ((1u << 20) - 1)] = i;
}

int main() {
    warm_up();
    const int blocks = 2 * multiprocessors();
    const double each = blocks * 1024.0 * WORDS;
    unsigned *words = allocate<unsigned>((size_t)1 << 28);
    for (unsigned megabytes : {4, 16, 32, 64, 256, 1024}) {
        const unsigned count = megabytes << 18;
        row("scattered_store_gops", megabytes * 1048576.0,
            each / event_ns([=] { store_anywhere<<<blocks, 1024>>>(words, count); }));
    }
    for (unsigned of_sector : {1, 2, 4, 8})
        row("store_sector_gops", 4 * of_sector,
            each / of_sector / event_ns([=] { store_parts<<<blocks, 1024>>>(words, of_sector); }));
}
