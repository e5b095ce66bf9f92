/* Calls one step a few times, without a judge, for tools that look inside: a profiler, a memory
 * checker, a debugger. It makes the input, checks each answer, and says if one is wrong; nothing it
 * prints is a grade. Only the last call is shown to a profiler that waits for cudaProfilerStart.
 *
 * The cpu device's driver-counted writes what a GPU would count of the last call to the file that
 * HISTOLAB_COUNTS names: emulator/counted/files.md says what. GPU=h100 names another GPU
 * than h200, a file of common/gpus.
 *
 * It says what a call should not do (allocate, transfer, synchronize).
 *
 * usage: driver SIZE INPUT CALLS
 *   SIZE    graded, small (the awkward size that a grading checks first), ROWSxCOLUMNS, or a number
 *   INPUT   an input's name, or - for the one that belongs to the size
 *   CALLS   each is waited for
 * Exit status: 0 every answer right, 1 one was wrong, 2 wrong usage, 3 a CUDA call failed.
 */
#define _GNU_SOURCE
#include <cuda_profiler_api.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge/fault.h"
#include "judge/findings/hazards.h"
#include "judge/timing/layout.h"
#include "judge/options.h"
#include "judge/outputs.h"
#include "judge/findings/places.h"
#include "judge/strip.h"
#include "lab.h"
#include "problem.h"
#include "runner/host.h"
#include "runner/watch.h"

enum { RIGHT, WRONG, USAGE, FAILED, SEED = 1 };

static _Noreturn void end(int status, const char *text, const char *what) {
    fprintf(stderr, "driver: %s%s\n", text, what);
    exit(status);
}

void host_failed(int cuda_error, const char *text) {
    (void)cuda_error;
    end(FAILED, text, "");
}

/* The offset of a place in this program is of no use to a person: the line is, where addr2line can
 * tell it. */
static void print_place(const struct hazard_place *place) {
    char program[PATH_MAX] = {0};
    struct place found = {.file = "line", .line = place->line};
    fprintf(stderr, "  %.*s", (int)sizeof place->does, place->does);
    if (place->line || (readlink("/proc/self/exe", program, sizeof program - 1) > 0 &&
                        (places_of(program, &place->pc, 1, &found), found.line)))
        fprintf(stderr, " at %s:%u", found.file, found.line);
    if (place->on_host)
        fputs(", on the host\n", stderr);
    else
        fprintf(stderr, ", thread (%u,%u,%u) of block (%u,%u,%u)\n", place->thread[0],
                place->thread[1], place->thread[2], place->block[0], place->block[1],
                place->block[2]);
}

static void print_hazard(const struct hazard *hazard) {
    fprintf(stderr, "%s: %s: %s\n", hazard_severity_word(hazard_severity(hazard->kind)),
            hazard_word(hazard->kind), hazard_meaning(hazard->kind));
    for (uint32_t i = 0; i < hazard->places; i++)
        print_place(&hazard->place[i]);
    if (hazard->array[0] && hazard->indexed)
        fprintf(stderr, "  %s[%lld]\n", hazard->array, (long long)hazard->index);
    else if (hazard->array[0])
        fprintf(stderr, "  %s\n", hazard->array);
    if (hazard->note[0])
        fprintf(stderr, "  %s\n", hazard->note);
    fprintf(stderr, "  %s\n", hazard_remedy(hazard->kind));
}

/* What HISTOLAB_COUNTS asks for. */
enum { COUNTS_BYTES = 64 << 20 };
static char *counts;

/* The GPU that the emulator is to be, where it counts. */
static void emulate(void) {
    const char *gpu = getenv("GPU");
    char path[PATH_MAX];
    size_t size;
    if (!getenv("HISTOLAB_COUNTS"))
        return;
    snprintf(path, sizeof path, "common/gpus/%s.gpu", gpu && *gpu ? gpu : "h200");
    char *text = file_bytes(path, 1 << 20, &size);
    if (!text)
        end(USAGE, "GPU names a file of common/gpus, and there is no ", path);
    if (EMULATED)
        emulator_emulate(text);
    free(text);
    counts = calloc(1, COUNTS_BYTES);
    if (!counts)
        end(FAILED, "out of memory", "");
}

static void write_counts(void) {
    const char *path = getenv("HISTOLAB_COUNTS");
    if (!counts)
        return;
    if (strncmp(counts, "histolab-counts ", 16) != 0)
        end(FAILED, "nothing was counted: ", *counts ? counts : "this is not driver-counted");
    FILE *file = fopen(path, "w");
    bool written = file && fputs(counts, file) != EOF;
    if (!file || fclose(file) != 0 || !written)
        end(FAILED, "cannot write ", path);
}

/* A whole number from 1 on. */
static int number(const char *text) {
    int value = atoi(text);
    if (value < 1)
        end(USAGE, "CALLS is a whole number from 1 on, not ", text);
    return value;
}

static struct shape shape_of(const char *size) {
    struct shape shape;
    if (strcmp(size, "graded") == 0)
        return problem.shape;
    if (strcmp(size, "small") == 0)
        return problem.check_shape;
    if (!shape_read(size, &shape))
        end(USAGE, "a size is graded, small or ROWSxCOLUMNS, not ", size);
    if (!shape_small_enough(shape))
        end(USAGE, "a size has at most as many elements as common/lab.h says, not ", size);
    return shape;
}

/* A strip of one window. */
static struct strip draw(struct shape shape, const struct input *input) {
    struct strip strip = strip_plan(&problem, shape, 1, 1, 0);
    strip.elements = allocate(strip_bytes(&strip));
    input->fill(&strip, SEED);
    return strip;
}

/* In device memory, exactly as large as they are said to be, so that a checker sees every access
 * beside them. */
struct memory {
    void *window, *output;
};

static struct memory copy_to_device(const struct strip *strip) {
    size_t bytes = strip_window_bytes(strip);
    struct memory memory = {host_allocate(bytes),
                            host_allocate(outputs_bytes(&problem, strip->window))};
    CUDA_CHECK(cudaMemcpy(memory.window, strip_row(strip, 0), bytes, cudaMemcpyHostToDevice));
    return memory;
}

static void start_call(struct shape shape, const void *window, void *output) {
    struct host_call call = {.window = window,
                             .rows = shape.rows,
                             .columns = shape.columns,
                             .window_bytes = shape.rows * shape.columns * problem.element_bytes,
                             .output = output,
                             .output_bytes = outputs_bytes(&problem, shape)};
    if (!host_call_step(&call))
        fputs("remark: no kernel was launched in the call\n", stderr);
    for (struct hazard remark; watch_remark(&remark);)
        print_hazard(&remark);
}

/* One call of the step, whose output is put at `got`; a profiler that waits is shown it if `shown`.
 */
static void call_once(struct shape shape, const struct memory *memory, bool shown, void *got) {
    size_t bytes = outputs_bytes(&problem, shape);
    CUDA_CHECK(cudaMemset(memory->output, 0xA5, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    if (shown)
        CUDA_CHECK(cudaProfilerStart());
    if (EMULATED && shown && counts)
        EMULATOR_WATCH(counted_next_call, counts, COUNTS_BYTES);
    start_call(shape, memory->window, memory->output);
    host_check_step(cudaGetLastError(), "launching the step's kernels");
    host_check_step(cudaDeviceSynchronize(), "running the step's kernels");
    if (shown)
        CUDA_CHECK(cudaProfilerStop());
    CUDA_CHECK(cudaMemcpy(got, memory->output, bytes, cudaMemcpyDeviceToHost));
}

/* RIGHT or WRONG, which is told of the call with this number. */
static int judge(struct shape shape, const void *expected, const void *got, int call, int calls) {
    char why[256];
    if (!outputs_wrong(&problem, shape, expected, got, why, sizeof why))
        return RIGHT;
    fprintf(stderr, "driver: call %d of %d is wrong: %s\n", call, calls, why);
    return WRONG;
}

/* RIGHT, or WRONG where an answer is; the first that is wrong is told. */
static int call_often(struct shape shape, const struct memory *memory, int calls,
                      const void *expected) {
    void *got = allocate(outputs_bytes(&problem, shape));
    int status = RIGHT;
    for (int i = 1; i <= calls; i++) {
        call_once(shape, memory, i == calls, got);
        if (status == RIGHT)
            status = judge(shape, expected, got, i, calls);
    }
    free(got);
    return status;
}

int main(int count, char **arguments) {
    if (count != 4)
        end(USAGE, "usage: driver SIZE INPUT CALLS", "");
    const char *name = arguments[2];
    if (strcmp(name, "-") == 0)
        name = strcmp(arguments[1], "small") == 0 ? problem.check_input : problem.inputs[0].name;
    int calls = number(arguments[3]);
    if (EMULATED)
        emulator_on_hazard(print_hazard);
    emulate();
    const struct input *input = input_named(name);
    if (!input)
        end(USAGE, "there is no input ", name);
    struct strip strip = draw(shape_of(arguments[1]), input);
    void *index = problem.prepare(&strip),
         *expected = allocate(outputs_expected_bytes(&problem, strip.window));
    if (!index)
        end(FAILED, "out of memory", "");
    problem.expect(&strip, index, 0, expected);

    struct memory memory = copy_to_device(&strip);
    host_set_up(strip.window.rows, strip.window.columns);
    int status = call_often(strip.window, &memory, calls, expected);
    host_tear_down();
    write_counts();
    CUDA_CHECK(cudaFree(memory.window));
    CUDA_CHECK(cudaFree(memory.output));
    return status;
}
