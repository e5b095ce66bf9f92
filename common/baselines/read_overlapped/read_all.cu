/* A streaming read whose launches overlap. */
enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 8 };
#define OVERLAP 1
#include "baselines/read_all.cuh"
