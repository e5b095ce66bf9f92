#include "outputs.h"

#include <math.h>
#include <stdio.h>

#include "judge/text.h"

static size_t count(const struct problem *problem, struct shape window) {
    return problem->outputs ? problem->outputs(window) : 1;
}

size_t outputs_bytes(const struct problem *problem, struct shape window) {
    return count(problem, window) * problem->output_bytes;
}

size_t outputs_expected_bytes(const struct problem *problem, struct shape window) {
    return count(problem, window) * problem->expected_bytes;
}

size_t outputs_written_bytes(const struct problem *problem, struct shape window) {
    return problem->outputs ? outputs_bytes(problem, window) : 0;
}

size_t outputs_calls(const struct problem *problem, struct shape window, size_t wanted) {
    /* 64 outputs of 16 MiB. The judge may need four times as much. */
    static const size_t MOST_BYTES = 1 << 30;
    size_t bytes = outputs_written_bytes(problem, window);
    size_t room = bytes ? MOST_BYTES / bytes : wanted;
    return wanted < room ? wanted : room ? room : 1;
}

/* Where output i is: by row and column if there is one for each element of an image. */
static void tell_place(size_t i, size_t outputs, struct shape window, char *why, size_t why_size) {
    if (window.columns > 1 && outputs == window.rows * window.columns)
        snprintf(why, why_size, "output %zu (row %zu, column %zu): ", i, i / window.columns,
                 i % window.columns);
    else
        snprintf(why, why_size, "output %zu: ", i);
}

size_t outputs_wrong(const struct problem *problem, struct shape window, const void *expected,
                     const void *got, char *why, size_t why_size) {
    if (!problem->outputs)
        return !problem->right(expected, got, why, why_size);
    const char *right = expected, *output = got;
    size_t outputs = count(problem, window), wrong = 0;
    for (size_t i = 0; i < outputs; i++) {
        char text[160];
        if (problem->right(right + i * problem->expected_bytes, output + i * problem->output_bytes,
                           text, sizeof text))
            continue;
        if (wrong++ == 0) {
            tell_place(i, outputs, window, why, why_size);
            text_add((struct sentence){why, why_size}, "%s", text);
        }
    }
    return wrong;
}

double outputs_error(const struct problem *problem, struct shape window, const void *expected,
                     const void *got) {
    const char *right = expected, *output = got;
    double worst = -1;
    size_t outputs = problem->error ? count(problem, window) : 0;
    for (size_t i = 0; i < outputs; i++) {
        double error =
            problem->error(right + i * problem->expected_bytes, output + i * problem->output_bytes);
        if (isnan(error))
            return error;
        if (error > worst)
            worst = error;
    }
    return worst;
}
