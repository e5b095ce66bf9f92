/* cuda_runtime.h has the qualifiers. */
#include "cuda_runtime.h"
