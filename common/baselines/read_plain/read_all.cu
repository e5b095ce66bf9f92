/* A streaming read with nothing but wide loads. */
enum { THREADS = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, UNROLL = 8 };
#define OVERLAP 0
#include "baselines/read_all.cuh"
