/* CUDA has this part in a header of its own. */
#include "cuda_runtime.h"
