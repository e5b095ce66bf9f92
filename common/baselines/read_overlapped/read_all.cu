/* A streaming read whose launches overlap: small blocks, so that those of four calls fit. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 1, CALLS_AT_A_TIME = 4, UNROLL = 4 };
#define OVERLAP 1
#include "baselines/read_all.cuh"
