/* cuFFT: plans, and where their numbers lie. Everything is calculated in double. */
#include "cufft.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../include/emulated.h"
#include "fourier.h"

enum { MOST_PLANS = 1024, MOST_DIMENSIONS = 3 };

/* Where numbers of one side lie: element (x, y, z) of transform b at
 * b distance + ((x pitch[1] + y) pitch[2] + z) stride. */
struct layout {
    bool basic; /* the plan gave none: one after another */
    long pitch[MOST_DIMENSIONS], stride, distance;
};

struct plan {
    bool used;
    cufftType type;
    int rank, batch;
    size_t n[MOST_DIMENSIONS]; /* the last one is the innermost */
    struct layout in, out;
    cudaStream_t stream;
};

static struct plan plans[MOST_PLANS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

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
        layout.pitch[i] = embed[i];
    return layout;
}

/* What the plan is to be, if its sizes can be. */
static cufftResult read_plan(struct plan *plan, int rank, const int *n, cufftType type, int batch) {
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > MOST_DIMENSIONS || !n)
        return CUFFT_INVALID_VALUE;
    if (batch < 1)
        return CUFFT_INVALID_SIZE;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
        plan->n[i] = (size_t)n[i];
    }
    plan->rank = rank;
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
    pthread_mutex_lock(&mutex);
    int i = 1;
    while (i < MOST_PLANS && plans[i].used)
        i++;
    if (i < MOST_PLANS)
        plans[ *handle = i] = plan;
    pthread_mutex_unlock(&mutex);
    return i < MOST_PLANS ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
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
    size_t n[MOST_DIMENSIONS];
    struct layout layout;
};

static size_t last(const struct plan *plan) { return plan->n[plan->rank - 1]; }

/* halved: half a spectrum in the last dimension. In place, rows of reals are as long as spectra. */
static struct side side_of(const struct plan *plan, void *base, const struct layout *layout,
                           bool real, bool halved, bool in_place) {
    struct side side = {.base = base, .real = real, .layout = *layout};
    size_t row = halved ? last(plan) / 2 + 1 : last(plan), total = 1;
    side.single = plan->type == CUFFT_C2C || plan->type == CUFFT_R2C || plan->type == CUFFT_C2R;
    memcpy(side.n, plan->n, sizeof side.n);
    side.n[plan->rank - 1] = row;
    if (!layout->basic)
        return side;
    if (real && in_place)
        row = 2 * (last(plan) / 2 + 1);
    for (int i = 0; i < plan->rank; i++) {
        side.layout.pitch[i] = (long)(i == plan->rank - 1 ? row : plan->n[i]);
        total *= (size_t)side.layout.pitch[i];
    }
    side.layout.stride = 1;
    side.layout.distance = (long)total;
    return side;
}

static size_t element_bytes(const struct side *side) {
    return (side->single ? sizeof(float) : sizeof(double)) * (side->real ? 1 : 2);
}

/* Of transform 0, the element with these indices. */
static long offset_of(const struct plan *plan, const struct side *side, const size_t *index) {
    long at = 0;
    for (int i = 0; i < plan->rank; i++)
        at = at * (i ? side->layout.pitch[i] : 1) + (long)index[i];
    return at * side->layout.stride;
}

static struct emulator_use use_of(const struct plan *plan, const struct side *side, int writes) {
    size_t end[MOST_DIMENSIONS];
    for (int i = 0; i < plan->rank; i++)
        end[i] = side->n[i] - 1;
    size_t e = element_bytes(side), bytes = ((size_t)offset_of(plan, side, end) + 1) * e;
    return (struct emulator_use){side->base, bytes, (size_t)plan->batch,
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

static double complex get(const struct side *side, long at) {
    return side->real ? part(side, at) : fourier_pair(part(side, 2 * at), part(side, 2 * at + 1));
}

static void put(const struct side *side, long at, double complex value) {
    set_part(side, side->real ? at : 2 * at, creal(value));
    if (!side->real)
        set_part(side, 2 * at + 1, cimag(value));
}

/* The next index in the order of memory; false at the end. */
static bool next_index(int rank, const size_t *n, size_t *index) {
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < n[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static size_t flat(const struct plan *plan, const size_t *index) {
    size_t at = 0;
    for (int i = 0; i < plan->rank; i++)
        at = at * plan->n[i] + index[i];
    return at;
}

/* The whole of a transform's input; half a spectrum is completed by its conjugate. */
static void gather(const struct plan *plan, const struct side *from, long base,
                   double complex *to) {
    size_t index[MOST_DIMENSIONS] = {0};
    bool halved = from->n[plan->rank - 1] < last(plan);
    do {
        double complex value = get(from, base + offset_of(plan, from, index));
        to[flat(plan, index)] = value;
        if (!halved || !index[plan->rank - 1])
            continue;
        size_t mirror[MOST_DIMENSIONS] = {0};
        for (int i = 0; i < plan->rank; i++)
            mirror[i] = (plan->n[i] - index[i]) % plan->n[i];
        if (mirror[plan->rank - 1] >= from->n[plan->rank - 1])
            to[flat(plan, mirror)] = conj(value);
    } while (next_index(plan->rank, from->n, index));
}

static void scatter(const struct plan *plan, const struct side *to, long base,
                    const double complex *from) {
    size_t index[MOST_DIMENSIONS] = {0};
    do
        put(to, base + offset_of(plan, to, index), from[flat(plan, index)]);
    while (next_index(plan->rank, to->n, index));
}

/* ---- transforms ------------------------------------------------------------------------- */

/* Lines along one dimension. */
static void transform_dimension(const struct plan *plan, int dimension, double complex *data,
                                size_t total, int inverse) {
    size_t n = plan->n[dimension], stride = 1;
    for (int i = dimension + 1; i < plan->rank; i++)
        stride *= plan->n[i];
    struct fourier *f = fourier_new(n);
    double complex *line = emulator_need(malloc(n * sizeof *line));
    for (size_t i = 0; i < total / n; i++) {
        double complex *first = data + i / stride * stride * n + i % stride;
        fourier_line(f, first, stride, line, inverse);
        for (size_t k = 0; k < n; k++)
            first[k * stride] = line[k];
    }
    fourier_free(f);
    free(line);
}

static void transform(const struct plan *plan, const struct side *in, const struct side *out,
                      int inverse) {
    size_t total = 1;
    for (int i = 0; i < plan->rank; i++)
        total *= plan->n[i];
    double complex *data = emulator_need(malloc(total * sizeof *data));
    for (int b = 0; b < plan->batch; b++) {
        gather(plan, in, b * in->layout.distance, data);
        for (int i = 0; i < plan->rank; i++)
            transform_dimension(plan, i, data, total, inverse);
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
    transform(plan, &in, &out, direction == CUFFT_INVERSE);
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
