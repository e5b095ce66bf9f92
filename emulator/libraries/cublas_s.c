/* cuBLAS's functions for float. */
#define LETTER S
#define NORM_LETTERS S
#define SMALL_LETTER s
#define V float
#define T float
#define R float
#define WIDE double
#define IS_COMPLEX 0
#define CONJUGATE(x) (x)
#define ABSOLUTE(x) fabsf(x)
#define ABS1(x) fabsf(x)
#include "cublas_vectors.h"
#include "cublas_matrices.h"
