#define _GNU_SOURCE /* M_PI */
#include "fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/emulated.h"

struct fourier {
    size_t n;
    double complex *roots; /* exp(-2 pi i k / n), where n is a power of two */
    /* Bluestein: chirp[k] = exp(-pi i k^2 / n), and the transform of its conjugate, in `longer` */
    double complex *chirp, *spectrum, *work;
    struct fourier *longer;
};

/* Without the library's care for infinities, which takes longer than the product. */
static inline double complex times(double complex a, double complex b) {
    double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return fourier_pair(re, im);
}

void fourier_free(struct fourier *f) {
    if (f->longer)
        fourier_free(f->longer);
    free(f->roots);
    free(f->chirp);
    free(f->spectrum);
    free(f->work);
    free(f);
}

static void make_chirp(struct fourier *f) {
    size_t n = f->n, m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    f->longer = fourier_new(m);
    f->chirp = emulator_need(malloc(n * sizeof *f->chirp));
    f->spectrum = emulator_need(malloc(m * sizeof *f->spectrum));
    f->work = emulator_need(calloc(2 * m, sizeof *f->work));
    for (size_t k = 0; k < n; k++) {
        double turn = (double)(k * k % (2 * n)) / (double)n;
        f->chirp[k] = fourier_pair(cos(M_PI * turn), -sin(M_PI * turn));
        f->work[k] = f->work[(m - k) % m] = conj(f->chirp[k]);
    }
    fourier_line(f->longer, f->work, 1, f->spectrum, 0);
}

struct fourier *fourier_new(size_t n) {
    struct fourier *f = emulator_need(calloc(1, sizeof *f));
    f->n = n;
    if (n & (n - 1)) {
        make_chirp(f);
        return f;
    }
    f->roots = emulator_need(malloc(n * sizeof *f->roots));
    for (size_t k = 0; k < n; k++) {
        double turn = 2 * M_PI * (double)k / (double)n;
        f->roots[k] = fourier_pair(cos(turn), -sin(turn));
    }
    return f;
}

/* The even numbers, then the odd ones. */
static void halves(const struct fourier *f, size_t n, const double complex *in, size_t stride,
                   double complex *out, int inverse) {
    if (n == 1) {
        *out = *in;
        return;
    }
    double complex *odd = out + n / 2;
    halves(f, n / 2, in, 2 * stride, out, inverse);
    halves(f, n / 2, in + stride, 2 * stride, odd, inverse);
    for (size_t k = 0; k < n / 2; k++) {
        double complex root = f->roots[k * (f->n / n)], even = out[k];
        double complex turned = times(odd[k], inverse ? conj(root) : root);
        out[k] = even + turned;
        odd[k] = even - turned;
    }
}

/* The inverse is the conjugate of the conjugate's transform. */
static void by_chirp(const struct fourier *f, const double complex *in, size_t stride,
                     double complex *out, int inverse) {
    size_t n = f->n, m = f->longer->n;
    double complex *a = f->work, *b = f->work + m;
    memset(a, 0, m * sizeof *a);
    for (size_t k = 0; k < n; k++)
        a[k] = times(inverse ? conj(in[k * stride]) : in[k * stride], f->chirp[k]);
    fourier_line(f->longer, a, 1, b, 0);
    for (size_t k = 0; k < m; k++)
        b[k] = times(b[k], f->spectrum[k]) / (double)m;
    fourier_line(f->longer, b, 1, a, 1);
    for (size_t k = 0; k < n; k++) {
        out[k] = times(a[k], f->chirp[k]);
        if (inverse)
            out[k] = conj(out[k]);
    }
}

void fourier_line(const struct fourier *f, const double complex *in, size_t stride,
                  double complex *out, int inverse) {
    if (f->chirp)
        by_chirp(f, in, stride, out, inverse);
    else
        halves(f, f->n, in, stride, out, inverse);
}
