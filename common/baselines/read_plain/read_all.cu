/* A streaming read with nothing but wide loads. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 4, CALLS_AT_A_TIME = 1, UNROLL = 4 };
#define OVERLAP 0
#include "baselines/read_all.cuh"
