/* cuFFT: plans, where their numbers lie, and transforms. Everything is calculated in double. */
#define _GNU_SOURCE /* M_PI */
#include "cufft.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../include/emulated.h"

enum { MOST_PLANS = 1 << 16, X = 0, Y, Z, DIMENSIONS };

/* Where numbers of one side lie: element (x, y, z) of transform b at
 * b distance + ((x pitch[Y] + y) pitch[Z] + z) stride. */
struct layout {
    bool basic; /* the plan gave none: one after another */
    long pitch[DIMENSIONS], stride, distance;
};

/* One of fewer dimensions has 1 for the first ones. */
struct plan {
    bool used;
    cufftType type;
    int batch;
    size_t n[DIMENSIONS];
    struct layout in, out;
    cudaStream_t stream;
};

static struct plan plans[MOST_PLANS];

static struct plan *find(cufftHandle handle) {
    return handle > 0 && handle < MOST_PLANS && plans[handle].used ? &plans[handle] : NULL;
}

/* ---- plans ------------------------------------------------------------------------------ */

#define CHANGE(name, parameters, change)                                                           \
    cufftResult name parameters {                                                                  \
        struct plan *plan = find(handle);                                                          \
        if (plan)                                                                                  \
            change;                                                                                \
        return plan ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;                                          \
    }
CHANGE(cufftDestroy, (cufftHandle handle), plan->used = false)
CHANGE(cufftSetStream, (cufftHandle handle, cudaStream_t stream), plan->stream = stream)

static bool is_type(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}

static struct layout layout_of(int rank, const int *embed, int stride, int distance) {
    struct layout layout = {.basic = !embed, .stride = stride, .distance = distance};
    for (int i = 0; embed && i < rank; i++)
        layout.pitch[DIMENSIONS - rank + i] = embed[i];
    return layout;
}

/* What the plan is to be, if its sizes can be. */
static cufftResult read_plan(struct plan *plan, int rank, const int *n, cufftType type, int batch) {
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > DIMENSIONS || !n)
        return CUFFT_INVALID_VALUE;
    if (batch < 1)
        return CUFFT_INVALID_SIZE;
    plan->n[X] = plan->n[Y] = 1;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
        plan->n[DIMENSIONS - rank + i] = (size_t)n[i];
    }
    plan->type = type;
    plan->batch = batch;
    return CUFFT_SUCCESS;
}

cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch) {
    struct plan plan = {.used = true};
    cufftResult result = handle ? read_plan(&plan, rank, n, type, batch) : CUFFT_INVALID_VALUE;
    if (result)
        return result;
    plan.in = layout_of(rank, inembed, istride, idist);
    plan.out = layout_of(rank, onembed, ostride, odist);
    static _Atomic int count = 1; /* no handle is used twice */
    const int i = count++;
    if (i >= MOST_PLANS)
        return CUFFT_ALLOC_FAILED;
    plans[ *handle = i] = plan;
    return CUFFT_SUCCESS;
}

cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch) {
    return cufftPlanMany(handle, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type) {
    return cufftPlanMany(handle, 2, (int[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type) {
    return cufftPlanMany(handle, 3, (int[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1);
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* One side of a call. */
struct side {
    char *base;
    bool real, single; /* single: float */
    size_t row;        /* the numbers of the last dimension; of half a spectrum fewer */
    struct layout layout;
};

/* halved: half a spectrum in the last dimension. In place, rows of reals are as long as spectra. */
static struct side side_of(const struct plan *plan, void *base, const struct layout *layout,
                           bool real, bool halved, bool in_place) {
    const size_t *n = plan->n, half = n[Z] / 2 + 1, row = halved ? half : n[Z];
    struct side side = {.base = base, .real = real, .row = row, .layout = *layout};
    side.single = plan->type == CUFFT_C2C || plan->type == CUFFT_R2C || plan->type == CUFFT_C2R;
    if (layout->basic) {
        const long pitch = (long)(real && in_place ? 2 * half : row);
        side.layout = (struct layout){.pitch = {[Y] = (long)n[Y], [Z] = pitch},
                                      .stride = 1,
                                      .distance = (long)(n[X] * n[Y]) * pitch};
    }
    return side;
}

static size_t element_bytes(const struct side *side) {
    return (side->single ? sizeof(float) : sizeof(double)) * (side->real ? 1 : 2);
}

/* Of transform 0, the element with these indices. */
static long offset_of(const struct side *side, size_t x, size_t y, size_t z) {
    const struct layout *layout = &side->layout;
    return (((long)x * layout->pitch[Y] + (long)y) * layout->pitch[Z] + (long)z) * layout->stride;
}

static struct emulator_use use_of(const struct plan *plan, const struct side *side, int writes) {
    const size_t e = element_bytes(side);
    const long last = offset_of(side, plan->n[X] - 1, plan->n[Y] - 1, side->row - 1);
    return (struct emulator_use){side->base, ((size_t)last + 1) * e, (size_t)plan->batch,
                                 side->layout.distance * (long)e, writes};
}

/* A number of the side, or a half of a complex one. */
static double part(const struct side *side, long at) {
    return side->single ? (double)((const float *)side->base)[at]
                        : ((const double *)side->base)[at];
}

static void set_part(const struct side *side, long at, double value) {
    if (side->single)
        ((float *)side->base)[at] = (float)value;
    else
        ((double *)side->base)[at] = value;
}

/* re + i im. (Not every C library has CMPLX.) */
static inline double complex pair(double re, double im) {
    double complex z;
    ((double *)&z)[0] = re;
    ((double *)&z)[1] = im;
    return z;
}

static double complex get(const struct side *side, long at) {
    return side->real ? part(side, at) : pair(part(side, 2 * at), part(side, 2 * at + 1));
}

static void put(const struct side *side, long at, double complex value) {
    set_part(side, side->real ? at : 2 * at, creal(value));
    if (!side->real)
        set_part(side, 2 * at + 1, cimag(value));
}

/* The whole of a transform's input; half a spectrum is completed by its conjugate. */
static void gather(const struct plan *plan, const struct side *from, long base,
                   double complex *to) {
    const size_t *n = plan->n;
    for (size_t i = 0; i < n[X] * n[Y] * from->row; i++) {
        size_t x = i / from->row / n[Y], y = i / from->row % n[Y], z = i % from->row;
        double complex value = get(from, base + offset_of(from, x, y, z));
        to[(x * n[Y] + y) * n[Z] + z] = value;
        if (z && n[Z] - z >= from->row)
            to[((n[X] - x) % n[X] * n[Y] + (n[Y] - y) % n[Y]) * n[Z] + n[Z] - z] = conj(value);
    }
}

static void scatter(const struct plan *plan, const struct side *to, long base,
                    const double complex *from) {
    const size_t *n = plan->n;
    for (size_t i = 0; i < n[X] * n[Y] * to->row; i++) {
        size_t x = i / to->row / n[Y], y = i / to->row % n[Y], z = i % to->row;
        put(to, base + offset_of(to, x, y, z), from[(x * n[Y] + y) * n[Z] + z]);
    }
}

/* ---- transforms ------------------------------------------------------------------------- */

/* Without the library's care for infinities, which takes longer than the product. */
static inline double complex times(double complex a, double complex b) {
    double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return pair(re, im);
}

/* A line, by Cooley and Tukey: out[k] = sum of in[j * stride] r^(j k), where r, of which r^n is 1,
 * is roots[apart] and its power k roots[k * apart]. Where n is p m it is p lines of m numbers, p
 * the least of n's factors. `work` has room for p. */
static void transform_line(size_t n, const double complex *in, size_t stride, double complex *out,
                           const double complex *roots, size_t apart, double complex *work) {
    if (n == 1) {
        *out = *in;
        return;
    }
    size_t p = 2;
    while (n % p)
        p++;
    const size_t m = n / p;
    for (size_t i = 0; i < p; i++)
        transform_line(m, in + i * stride, stride * p, out + i * m, roots, apart * p, work);
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < p; i++)
            work[i] = times(out[k + i * m], roots[i * k * apart]);
        for (size_t j = 0; j < p; j++) {
            double complex sum = work[0];
            for (size_t i = 1; i < p; i++)
                sum += times(work[i], roots[i * j % p * m * apart]);
            out[k + j * m] = sum;
        }
    }
}

/* Lines along one dimension. */
static void transform_dimension(const struct plan *plan, int dimension, double complex *data,
                                size_t total, int direction) {
    size_t n = plan->n[dimension], stride = 1;
    for (int i = dimension + 1; i < DIMENSIONS; i++)
        stride *= plan->n[i];
    double complex *roots = emulator_need(malloc(3 * n * sizeof *roots)), *line = roots + n;
    for (size_t k = 0; k < n; k++) {
        double turn = 2 * M_PI * (double)k / (double)n;
        roots[k] = pair(cos(turn), direction * sin(turn));
    }
    for (size_t i = 0; n > 1 && i < total / n; i++) {
        double complex *first = data + i / stride * stride * n + i % stride;
        transform_line(n, first, stride, line, roots, 1, line + n);
        for (size_t k = 0; k < n; k++)
            first[k * stride] = line[k];
    }
    free(roots);
}

static void transform(const struct plan *plan, const struct side *in, const struct side *out,
                      int direction) {
    size_t total = plan->n[X] * plan->n[Y] * plan->n[Z];
    double complex *data = emulator_need(malloc(total * sizeof *data));
    for (int b = 0; b < plan->batch; b++) {
        gather(plan, in, b * in->layout.distance, data);
        for (int i = X; i < DIMENSIONS; i++)
            transform_dimension(plan, i, data, total, direction);
        scatter(plan, out, b * out->layout.distance, data);
    }
    free(data);
}

static cufftResult execute(const char *function, cufftHandle handle, cufftType type, void *from,
                           void *to, int direction) {
    const struct plan *plan = find(handle);
    if (!plan)
        return CUFFT_INVALID_PLAN;
    if (plan->type != type)
        return CUFFT_INVALID_TYPE;
    if (!from || !to || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z;
    bool to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    struct side in = side_of(plan, from, &plan->in, from_real, to_real, from == to);
    struct side out = side_of(plan, to, &plan->out, to_real, from_real, from == to);
    struct emulator_use uses[] = {use_of(plan, &in, 0), use_of(plan, &out, 1)};
    if (emulator_library_uses(function, plan->stream, uses, 2, 0))
        return CUFFT_EXEC_FAILED;
    transform(plan, &in, &out, direction);
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    return execute(__func__, plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
    return execute(__func__, plan, CUFFT_Z2Z, in, out, direction);
}
#define EXECUTE(type, In, Out, direction)                                                          \
    cufftResult cufftExec##type(cufftHandle plan, In *in, Out *out) {                              \
        return execute(__func__, plan, CUFFT_##type, in, out, direction);                          \
    }
EXECUTE(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
EXECUTE(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)
