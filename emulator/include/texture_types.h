/* cuda_runtime_api.h has them. */
#include "cuda_runtime_api.h"
