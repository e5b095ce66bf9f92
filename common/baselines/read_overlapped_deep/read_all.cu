/* A streaming read whose launches overlap, with more loads in flight and fewer calls. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 1, CALLS_AT_A_TIME = 2, UNROLL = 8 };
#define OVERLAP 1
#include "baselines/read_all.cuh"
