/* cuBLAS's functions for double. */
#define LETTER D
#define NORM_LETTERS D
#define SMALL_LETTER d
#define V double
#define T double
#define R double
#define WIDE double
#define IS_COMPLEX 0
#define CONJUGATE(x) (x)
#define ABSOLUTE(x) fabs(x)
#define ABS1(x) fabs(x)
#include "cublas_vectors.h"
#include "cublas_matrices.h"
