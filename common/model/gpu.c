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
#define X(field, low, high)                                                                        \
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

/* False if the file lacks a figure: a newer benchmark measures it. */
static bool complete(struct text *text, struct gpu *gpu) {
#define X(field, low, high)                                                                        \
    if (gpu->field < 0)                                                                            \
        return text_fail(text, "the file has no " #field ": measure the GPU again");
    GPU_NUMBERS(X)
#undef X
#define X(field)                                                                                   \
    if (!gpu->field.count)                                                                         \
        return text_fail(text, "the file has no " #field ": measure the GPU again");
    GPU_TABLES(X)
#undef X
    /* A block with 4 words a thread in flight, where it has fewest threads: B / bandwidth(B). */
    const struct gpu_table *first = &gpu->sm_l2_first_gbps;
    if (16 * first->x[0] / first->y[0] > gpu->l2_first_ns)
        gpu->l2_first_ns = 16 * first->x[0] / first->y[0];
    return true;
}

bool gpu_parse(const char *data, size_t size, const char *name, struct gpu *gpu, char *error,
               size_t error_size) {
    struct text text;
    char key[TEXT_FIELD];
    memset(gpu, 0, sizeof *gpu);
#define X(field, low, high) gpu->field = -1;
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
