// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What `make run` links into a program of somebody's own, which has its own main: before that main
 * and before the constructors of its global objects, it asks the emulator for hazards, crashes and
 * the CPU time; when the program ends, it looks for memory that was not freed.
 *
 *   HISTOLAB_TOLD   the file that gets what there is to tell (told.h). Without it the program just
 *                   runs.
 *   HISTOLAB_CPU_S  CPU time in seconds after which the program ends itself
 *   HISTOLAB_COUNTS the file that gets what a GPU would count in all of the program, in its counted
 *                   build (emulator/counted/counts.h)
 *   HISTOLAB_GPU    that GPU: a file of common/gpus */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emulator.h"
#include "emulated.h"
#include "told.h"

enum { FIRST = 101 }; /* the first priority that is not the compiler's own */

/* The analysis looks for this: names that are not local are the program's own. */
extern const char emulator_runs_program[];
const char emulator_runs_program[] = "";

static int told_fd = -1;
static pid_t process;

/* Also in a signal's handler. A child that the program has forked tells nothing. */
static void tell(struct told *told) {
    if (getpid() != process)
        return;
    told->launches = emulator_launches;
    ssize_t written = write(told_fd, told, sizeof *told);
    (void)written; /* a full disk: the program's own end is still told */
}

static void tell_hazard(const struct hazard *hazard) {
    struct told told = {.kind = TOLD_HAZARD, .hazard = *hazard};
    tell(&told);
}

/* A call of exit() is the end of main too. */
static void tell_crash(const struct crash *crash) {
    struct told told = {.kind = TOLD_CRASH, .crash = *crash};
    if (crash->signal || !crash->on_host)
        tell(&told);
}

static void tell_ended(const struct where *where) {
    struct told told = {.kind = TOLD_ENDED, .where = *where};
    tell(&told);
    if (getpid() == process)
        kill(process, SIGKILL);
}

/* What the counted build writes: from the beginning of the program to its end it is one call. */
enum { COUNTS_BYTES = 64 << 20, GPU_BYTES = 64 << 10 };
static const char *counts_path;
static char *counts;

static void cannot(const char *what, const char *path) {
    fprintf(stderr, "cannot %s %s\n", what, path);
    _exit(3);
}

static void begin_counts(void) {
    const char *path = getenv("HISTOLAB_GPU");
    FILE *file = path ? fopen(path, "r") : NULL;
    static char gpu[GPU_BYTES];
    counts_path = getenv("HISTOLAB_COUNTS");
    if (!counts_path || !counted_next_call)
        return;
    counts = calloc(1, COUNTS_BYTES);
    if (!file || !counts || !fread(gpu, 1, sizeof gpu - 1, file))
        cannot("read", path ? path : "HISTOLAB_GPU");
    fclose(file);
    emulator_emulate(gpu);
    counted_next_call(counts, COUNTS_BYTES);
    emulator_begin_call(NULL, 0, NULL, 0);
}

static void end_counts(void) {
    if (!counts)
        return;
    emulator_end_call();
    FILE *file = fopen(counts_path, "w");
    bool written = file && fputs(counts, file) != EOF;
    if (!file || fclose(file) != 0 || !written)
        cannot("write", counts_path);
}

/* After the program's own destructors. */
static void end(void) {
    struct told told = {.kind = TOLD_EXIT};
    if (!emulator_in_kernel()) {
        emulator_end_step();
        end_counts();
    }
    tell(&told);
}

__attribute__((constructor(FIRST))) static void begin(void) {
    const char *path = getenv("HISTOLAB_TOLD"), *cpu_s = getenv("HISTOLAB_CPU_S");
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a crash is seen */
    if (!path)
        return;
    told_fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (told_fd < 0)
        cannot("open", path);
    process = getpid();
    unsetenv("HISTOLAB_TOLD");
    emulator_on_hazard(tell_hazard);
    atexit(end);
    emulator_on_crash(tell_crash);
    if (cpu_s && atof(cpu_s) > 0)
        emulator_watch_time(atof(cpu_s), tell_ended);
    emulator_begin_step();
    begin_counts();
}
