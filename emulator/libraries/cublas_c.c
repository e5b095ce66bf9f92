/* cuBLAS's functions for complex numbers of float. */
#define LETTER C
#define NORM_LETTERS Sc
#define SMALL_LETTER c
#define V cuComplex
#define T float complex
#define R float
#define WIDE double complex
#define IS_COMPLEX 1
#define CONJUGATE(x) conjf(x)
#define ABSOLUTE(x) cabsf(x)
#define ABS1(x) (fabsf(crealf(x)) + fabsf(cimagf(x)))
#include "cublas_vectors.h"
#include "cublas_matrices.h"
