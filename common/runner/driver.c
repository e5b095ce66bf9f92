/* Calls one step a few times, without a judge, for tools that look inside: a profiler, a memory
 * checker, a debugger. It makes the input, checks each answer, and says if one is wrong; nothing it
 * prints is a grade. Only the last call is shown to a profiler that waits for cudaProfilerStart.
 *
 * usage: driver SIZE INPUT CALLS
 *   SIZE   graded, small (the awkward size that a grading checks first), or ROWSxCOLUMNS
 *   INPUT  an input's name, or - for the one that belongs to the size
 * Exit status: 0 every answer right, 1 one was wrong, 2 wrong usage, 3 a CUDA call failed.
 */
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/strip.h"
#include "lab.h"
#include "problem.h"
#include "runner/call.h"

enum { RIGHT, WRONG, USAGE, FAILED, SEED = 1 };

static void end(int status, const char *text, const char *what) {
    fprintf(stderr, "driver: %s%s\n", text, what);
    exit(status);
}

void lab_check(cudaError_t status, const char *file, int line, const char *call) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "driver: %s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorName(status),
            cudaGetErrorString(status));
    exit(FAILED);
}

static int attribute(enum cudaDeviceAttr which) {
    int value;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int lab_multiprocessors(void) { return attribute(cudaDevAttrMultiProcessorCount); }

int lab_compute_capability(void) {
    return 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
           attribute(cudaDevAttrComputeCapabilityMinor);
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        end(FAILED, "out of memory", "");
    return memory;
}

static const struct input *input_named(const char *name) {
    for (const struct input *input = problem.inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    end(USAGE, "there is no input ", name);
    return NULL;
}

static struct shape shape_of(const char *size) {
    struct shape shape;
    char rest;
    if (strcmp(size, "graded") == 0)
        return problem.shape;
    if (strcmp(size, "small") == 0)
        return problem.check_shape;
    if (sscanf(size, "%zux%zu%c", &shape.rows, &shape.columns, &rest) != 2)
        end(USAGE, "a size is graded, small or ROWSxCOLUMNS, not ", size);
    return shape;
}

/* A strip of one window. */
static struct strip draw(struct shape shape, const struct input *input) {
    struct strip strip = strip_plan(&problem, shape, 1, 1, 0);
    strip.elements = allocate(strip_bytes(&strip));
    input->fill(&strip, SEED);
    return strip;
}

int main(int count, char **arguments) {
    if (count != 4)
        end(USAGE, "usage: driver SIZE INPUT CALLS", "");
    const char *name = arguments[2];
    if (strcmp(name, "-") == 0)
        name = strcmp(arguments[1], "small") == 0 ? problem.check_input : problem.inputs[0].name;
    int calls = atoi(arguments[3]);
    if (calls < 1)
        end(USAGE, "CALLS is a whole number from 1 on, not ", arguments[3]);
    struct strip strip = draw(shape_of(arguments[1]), input_named(name));

    void *index = problem.prepare(&strip);
    void *expected = allocate(problem.expected_bytes), *got = allocate(problem.output_bytes);
    if (!index)
        end(FAILED, "out of memory", "");
    problem.expect(&strip, index, 0, expected);

    /* Exactly as large as they are said to be, so that a checker sees every access beside them. */
    void *window, *output;
    size_t bytes = strip_window_bytes(&strip);
    CUDA_CHECK(cudaMalloc(&window, bytes ? bytes : 1));
    CUDA_CHECK(cudaMemcpy(window, strip_row(&strip, 0), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc(&output, problem.output_bytes));

    int status = RIGHT;
    char why[160];
    call_setup(strip.window.rows, strip.window.columns);
    for (int i = 1; i <= calls; i++) {
        CUDA_CHECK(cudaMemset(output, 0xA5, problem.output_bytes));
        CUDA_CHECK(cudaDeviceSynchronize());
        if (i == calls)
            CUDA_CHECK(cudaProfilerStart());
        call_step(window, strip.window.rows, strip.window.columns, output);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        if (i == calls)
            CUDA_CHECK(cudaProfilerStop());
        CUDA_CHECK(cudaMemcpy(got, output, problem.output_bytes, cudaMemcpyDeviceToHost));
        if (status == RIGHT && !problem.right(expected, got, why, sizeof why)) {
            fprintf(stderr, "driver: call %d of %d is wrong: %s\n", i, calls, why);
            status = WRONG;
        }
    }
    call_teardown();
    CUDA_CHECK(cudaFree(window));
    CUDA_CHECK(cudaFree(output));
    free(strip.elements);
    free(index);
    free(expected);
    free(got);
    return status;
}
