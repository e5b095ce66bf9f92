// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE /* M_PI */
#include "fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_PRIME = 61 };

struct fourier {
    size_t n;
    double complex *roots; /* exp(-2 pi i k / n); NULL with a chirp */
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

static size_t smallest_prime(size_t n) {
    for (size_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

static size_t largest_prime(size_t n) {
    size_t p = 1;
    for (; n > 1; n /= p)
        p = smallest_prime(n);
    return p;
}

void fourier_free(struct fourier *f) {
    if (!f)
        return;
    fourier_free(f->longer);
    free(f->roots);
    free(f->chirp);
    free(f->spectrum);
    free(f->work);
    free(f);
}

static int make_chirp(struct fourier *f) {
    size_t n = f->n, m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    f->longer = fourier_new(m);
    f->chirp = malloc(n * sizeof *f->chirp);
    f->spectrum = malloc(m * sizeof *f->spectrum);
    f->work = calloc(2 * m, sizeof *f->work);
    if (!f->longer || !f->chirp || !f->spectrum || !f->work)
        return 0;
    for (size_t k = 0; k < n; k++) {
        double turn = (double)(k * k % (2 * n)) / (double)n;
        f->chirp[k] = fourier_pair(cos(M_PI * turn), -sin(M_PI * turn));
        f->work[k] = f->work[(m - k) % m] = conj(f->chirp[k]);
    }
    fourier_line(f->longer, f->work, 1, f->spectrum, 0);
    return 1;
}

struct fourier *fourier_new(size_t n) {
    struct fourier *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->n = n;
    int good;
    if (largest_prime(n) > LARGEST_PRIME) {
        good = make_chirp(f);
    } else {
        good = (f->roots = malloc(n * sizeof *f->roots)) != NULL;
        for (size_t k = 0; good && k < n; k++) {
            double turn = 2 * M_PI * (double)k / (double)n;
            f->roots[k] = fourier_pair(cos(turn), -sin(turn));
        }
    }
    if (good)
        return f;
    fourier_free(f);
    return NULL;
}

static inline double complex root(const struct fourier *f, size_t k, int inverse) {
    return inverse ? conj(f->roots[k]) : f->roots[k];
}

/* p transforms of m numbers each, one after another in `out`, become one of p m. */
static void combine(const struct fourier *f, size_t p, size_t m, double complex *out, int inverse) {
    size_t n = p * m, apart = f->n / n; /* of the roots of n among those of f->n */
    double complex parts[LARGEST_PRIME];
    for (size_t k = 0; k < m; k++) {
        for (size_t r = 0; r < p; r++)
            parts[r] = times(out[r * m + k], root(f, r * k * apart, inverse));
        if (p == 2) {
            out[k] = parts[0] + parts[1];
            out[k + m] = parts[0] - parts[1];
            continue;
        }
        for (size_t q = 0; q < p; q++) {
            double complex sum = parts[0];
            for (size_t r = 1; r < p; r++)
                sum += times(parts[r], root(f, r * q % p * m * apart, inverse));
            out[q * m + k] = sum;
        }
    }
}

static void mixed_radix(const struct fourier *f, size_t n, const double complex *in, size_t stride,
                        double complex *out, int inverse) {
    if (n == 1) {
        *out = *in;
        return;
    }
    size_t p = smallest_prime(n), m = n / p;
    for (size_t r = 0; r < p; r++)
        mixed_radix(f, m, in + r * stride, stride * p, out + r * m, inverse);
    combine(f, p, m, out, inverse);
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
        mixed_radix(f, f->n, in, stride, out, inverse);
}
