/* CUDA's types for the host are in one header here. */
#include "cuda_runtime_api.h"
