/* cuBLAS's functions for float. */
#define LETTER S
#define SMALL_LETTER s
#define T float
#include "cublas_functions.h"
