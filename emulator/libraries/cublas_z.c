/* cuBLAS's functions for complex numbers of double. */
#define LETTER Z
#define NORM_LETTERS Dz
#define SMALL_LETTER z
#define V cuDoubleComplex
#define T double complex
#define R double
#define WIDE double complex
#define IS_COMPLEX 1
#define CONJUGATE(x) conj(x)
#define ABSOLUTE(x) cabs(x)
#define ABS1(x) (fabs(creal(x)) + fabs(cimag(x)))
#include "cublas_vectors.h"
#include "cublas_matrices.h"
