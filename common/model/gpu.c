#include "gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* ---- tables ----------------------------------------------------------------------------- */

static bool add_row(struct text *text, struct gpu_table *table, double x, double y) {
    size_t place = 0;
    while (place < table->count && table->x[place] < x)
        place++;
    if (place < table->count && table->x[place] == x) {
        table->y[place] = y; /* said twice: the later one */
        return true;
    }
    if (table->count == GPU_ROWS)
        return text_fail(text, "a table has at most %d rows", GPU_ROWS);
    for (size_t i = table->count++; i > place; i--) {
        table->x[i] = table->x[i - 1];
        table->y[i] = table->y[i - 1];
    }
    table->x[place] = x;
    table->y[place] = y;
    return true;
}

static double between(const struct gpu_table *table, double x, bool logarithmic) {
    size_t i = 0;
    while (i < table->count && table->x[i] < x)
        i++;
    if (i == 0)
        return table->y[0];
    if (i == table->count)
        return table->y[i - 1];
    double low = table->x[i - 1], high = table->x[i];
    double share =
        logarithmic && low > 0 ? log(x / low) / log(high / low) : (x - low) / (high - low);
    return table->y[i - 1] + share * (table->y[i] - table->y[i - 1]);
}

double gpu_at(const struct gpu_table *table, double x) { return between(table, x, false); }
double gpu_at_log(const struct gpu_table *table, double x) { return between(table, x, true); }

/* ---- what a file lacks ------------------------------------------------------------------ */

static void otherwise(struct gpu *gpu, double *value, double estimate) {
    if (*value != 0)
        return;
    *value = estimate;
    gpu->guessed++;
}

/* Rows of a table that the file lacks: y = first + step * (x - 1), for x = 1, 2, 4 ... 32. */
static void straight(struct gpu *gpu, struct gpu_table *table, double first, double step) {
    if (table->count)
        return;
    gpu->guessed++;
    for (int x = 1; x <= 32; x *= 2) {
        table->x[table->count] = x;
        table->y[table->count++] = first + step * (x - 1);
    }
}

/* The curve of an ideal memory: so many bytes in flight over its latency, up to its bandwidth. */
static void ideal_in_flight(struct gpu *gpu) {
    if (gpu->in_flight.count)
        return;
    gpu->guessed++;
    struct gpu_table *table = &gpu->in_flight;
    for (double bytes = 1024; bytes <= 131072; bytes *= 2) {
        double gbps = bytes * gpu->multiprocessors / gpu->dram_ns;
        table->x[table->count] = bytes;
        table->y[table->count++] = gbps < gpu->dram_gbps ? gbps : gpu->dram_gbps;
    }
}

static void row(struct gpu_table *table, double x, double y) {
    table->x[table->count] = x;
    table->y[table->count++] = y;
}

static void estimate_barriers(struct gpu *gpu) {
    double cycle = 1e3 / gpu->clock_mhz;
    gpu->guessed += !gpu->barrier_ns.count;
    if (!gpu->barrier_ns.count)
        for (int threads = 32; threads <= 1024; threads *= 2)
            row(&gpu->barrier_ns, threads, (14 + 2 * threads / 32.0) * cycle);
}

/* Global atomics: lanes at random addresses, and at all words of a line. */
static void estimate_atomics(struct gpu *gpu, double cycle) {
    straight(gpu, &gpu->global_atomic_same, cycle / 16, cycle / 16);
    if (!gpu->global_atomic.count) {
        gpu->guessed++;
        row(&gpu->global_atomic, 1, 1 / gpu->global_atomic_same.y[0]);
        row(&gpu->global_atomic, 1e6, gpu->l2_gbps / 64);
    }
    struct gpu_table swaps = gpu->global_atomic;
    for (size_t i = 0; i < swaps.count; i++)
        swaps.y[i] *= 0.76; /* as on an H100 */
    if (!gpu->global_swap.count)
        gpu->global_swap = swaps;
    if (!gpu->global_atomic_same_float.count)
        gpu->global_atomic_same_float = gpu->global_atomic_same;
    if (!gpu->global_atomic_same_double.count)
        gpu->global_atomic_same_double = gpu->global_atomic_same_float;
    if (!gpu->sm_global_atomic.count)
        row(&gpu->sm_global_atomic, 1, 1 / cycle);
    if (!gpu->sm_global_atomic_lines.count)
        row(&gpu->sm_global_atomic_lines, 1, 4 / cycle);
}

/* Reads of words anywhere in several times what the L2 holds: an H100 gets this share of what DRAM
 * fetches in order, and more the more of them the L2 has. */
static void estimate_gathers(struct gpu *gpu) {
    static const double of_l2[] = {1.28, 2.56, 5.1, 20}, more[] = {1.64, 1.23, 1.09, 1};
    double anywhere = 0.68 * gpu->dram_gbps / gpu->dram_fetch_bytes;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        row(&gpu->gather_gops, of_l2[i] * gpu->l2_bytes, more[i] * anywhere);
}

/* Launches by the host, scattered stores, and what waits for others. */
static void estimate_others(struct gpu *gpu) {
    otherwise(gpu, &gpu->host_launch_ns, gpu->launch_ns);
    if (!gpu->store_sector_gops.count)
        row(&gpu->store_sector_gops, 32, gpu->l2_gbps / 32);
    if (!gpu->scattered_store_gops.count)
        gpu->scattered_store_gops = gpu->store_sector_gops;
    if (!gpu->gather_gops.count)
        estimate_gathers(gpu);
    if (!gpu->constant_cycles.count)
        row(&gpu->constant_cycles, 1, gpu->match_cycles);
    if (!gpu->lock_ns.count) /* an exchange, a load, and two fences */
        row(&gpu->lock_ns, 1, gpu->global_atomic_ns + gpu->l2_ns + 2 * gpu->fence_ns);
    if (!gpu->grid_barrier_ns.count) /* an atomic, and a load of what it says, several times over */
        row(&gpu->grid_barrier_ns, 1, 8 * gpu->l2_ns);
    if (!gpu->block_threads_ns.count)
        row(&gpu->block_threads_ns, gpu->threads / 2, gpu->block_ns);
}

/* The ratios are those of published micro-benchmarks of Volta to Hopper: README.md names them. */
static void estimate(struct gpu *gpu) {
    double cycle = 1e3 / gpu->clock_mhz;
    otherwise(gpu, &gpu->shared_bytes, gpu->shared_block_bytes);
    otherwise(gpu, &gpu->l1_bytes, 131072);
    otherwise(gpu, &gpu->dram_write_gbps, gpu->dram_gbps * 0.9);
    otherwise(gpu, &gpu->dram_copy_gbps, 0.9 * gpu->dram_gbps);
    otherwise(gpu, &gpu->l2_gbps, gpu->dram_gbps * 2);
    otherwise(gpu, &gpu->sm_l2_gbps, 64 / cycle);
    otherwise(gpu, &gpu->sm_dram_gbps, gpu->sm_l2_gbps);
    otherwise(gpu, &gpu->l2_ns, gpu->dram_ns * 0.42);
    otherwise(gpu, &gpu->l2_first_ns, 1.5 * gpu->l2_ns);
    otherwise(gpu, &gpu->l1_ns, 36 * cycle);
    otherwise(gpu, &gpu->shared_ns, 28 * cycle);
    otherwise(gpu, &gpu->shared_atomic_ns, 2.2 * gpu->shared_ns);
    otherwise(gpu, &gpu->global_atomic_ns, 1.1 * gpu->l2_ns);
    otherwise(gpu, &gpu->fence_ns, gpu->l2_ns * 2);
    otherwise(gpu, &gpu->issue_per_cycle, gpu->schedulers);
    otherwise(gpu, &gpu->integer_multiply_per_cycle, gpu->schedulers / 2);
    otherwise(gpu, &gpu->shuffle_per_cycle, gpu->schedulers / 4);
    /* A branch takes a scheduler's unit for 4 cycles in Accel-Sim's models; an if has three. */
    otherwise(gpu, &gpu->if_half_cycles, 3 * 4 / gpu->schedulers);
    otherwise(gpu, &gpu->launch_wide_ns, gpu->launch_ns * 1.15);
    otherwise(gpu, &gpu->launch_overlapped_ns, gpu->launch_ns * 0.7);
    otherwise(gpu, &gpu->memset_ns, gpu->launch_ns);
    otherwise(gpu, &gpu->block_ns, 100 * cycle);
    straight(gpu, &gpu->shared_atomic_bank, 1, 1);
    straight(gpu, &gpu->shared_atomic_same, 1, 0);
    straight(gpu, &gpu->shared_atomic_bank_any, 1, 1);
    straight(gpu, &gpu->shared_atomic_same_any, 1, 1);
    straight(gpu, &gpu->l2_lines_ns, gpu->l2_ns, 0.01 * gpu->l2_ns);
    straight(gpu, &gpu->dram_lines_ns, gpu->dram_ns, 0.02 * gpu->dram_ns);
    ideal_in_flight(gpu);
    straight(gpu, &gpu->request_l1_cycles, 2, 1);
    /* A block with 4 words a thread in flight, where it has fewest threads: B / bandwidth(B). */
    const struct gpu_table *first = &gpu->sm_l2_first_gbps;
    if (first->count && 16 * first->x[0] / first->y[0] > gpu->l2_first_ns)
        gpu->l2_first_ns = 16 * first->x[0] / first->y[0];
    estimate_barriers(gpu);
    estimate_atomics(gpu, cycle);
    estimate_others(gpu);
}

/* ---- the file --------------------------------------------------------------------------- */

static bool read_rows(struct text *text, const char *key, struct gpu_table *table) {
    double x, y;
    do
        if (!text_real(text, key, 0, 1e12, &x) || !text_real(text, key, 1e-9, 1e9, &y) ||
            !add_row(text, table, x, y))
            return false;
    while (text_more(text));
    return true;
}

static bool read_key(struct text *text, struct gpu *gpu, const char *key) {
    if (strcmp(key, "name") == 0)
        return text_rest(text, gpu->name, sizeof gpu->name);
    if (strcmp(key, "compute_capability") == 0)
        return text_rest(text, gpu->compute_capability, sizeof gpu->compute_capability);
#define X(field, low, high, otherwise)                                                             \
    if (strcmp(key, #field) == 0)                                                                  \
        return text_real(text, #field, low, high, &gpu->field);
    GPU_NUMBERS(X)
#undef X
#define X(field)                                                                                   \
    if (strcmp(key, #field) == 0)                                                                  \
        return read_rows(text, #field, &gpu->field);
    GPU_TABLES(X)
#undef X
    return true;
}

/* From the defaults to a whole description; false if the file lacks what cannot be estimated. */
static bool complete(struct text *text, struct gpu *gpu) {
#define X(field, low, high, otherwise)                                                             \
    if (gpu->field < 0)                                                                            \
        return text_fail(text, "the file has no " #field);
    GPU_NUMBERS(X)
#undef X
    estimate(gpu);
    return true;
}

bool gpu_parse(const char *data, size_t size, const char *name, struct gpu *gpu, char *error,
               size_t error_size) {
    struct text text;
    char key[TEXT_FIELD];
    memset(gpu, 0, sizeof *gpu);
#define X(field, low, high, otherwise) gpu->field = otherwise;
    GPU_NUMBERS(X)
#undef X
    text_begin(&text, name, data, size);
    while (text_line(&text)) {
        const char *line = text.at;
        if (line == text.line_end || *line == '#')
            continue;
        if (text_field(&text, key) && !read_key(&text, gpu, key))
            break;
    }
    if (!text.failed && complete(&text, gpu))
        return true;
    snprintf(error, error_size, "%s", text.error);
    return false;
}
