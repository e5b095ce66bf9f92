/* cuBLAS's functions for double. */
#define LETTER D
#define SMALL_LETTER d
#define T double
#include "cublas_functions.h"
