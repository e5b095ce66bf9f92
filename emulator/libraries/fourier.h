/* Fourier transforms of a line: powers of two by Cooley and Tukey, others by Bluestein's chirp. */
#pragma once
#include <complex.h>
#include <stddef.h>

/* re + i im. (Not every C library has CMPLX.) */
static inline double complex fourier_pair(double re, double im) {
    double complex z;
    ((double *)&z)[0] = re;
    ((double *)&z)[1] = im;
    return z;
}

struct fourier;

/* For lines of n numbers. */
struct fourier *fourier_new(size_t n);
void fourier_free(struct fourier *f);

/* out[k] = sum of in[j * stride] exp(-2 pi i j k / n); the sign is + where it is an inverse. */
void fourier_line(const struct fourier *f, const double complex *in, size_t stride,
                  double complex *out, int inverse);
