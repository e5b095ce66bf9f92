/* cuda_runtime_api.h has it. */
#include "cuda_runtime_api.h"
