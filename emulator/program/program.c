/* What is linked into a program of somebody's own, which has its own main: before that main and
 * before the constructors of its global objects, it asks the emulator for hazards, crashes and the
 * CPU time; when the program ends, it looks for memory that was not freed, and says in a line what
 * was seen.
 *
 * - EMULATOR_CHECK: how many seconds of CPU time each kernel is checked for (10); its launches
 * after that run unchecked. "all" checks all, "none" nothing.
 * - HISTOLAB_TOLD: the file that gets what there is to tell (told.h) in place of lines on stderr
 * - HISTOLAB_CPU_S: CPU time in seconds after which the program ends itself
 * - HISTOLAB_COUNTS: the file that gets what a GPU would count in all of the program, in its
 * counted build (counted/files.md)
 * - HISTOLAB_GPU: that GPU, as emulator_emulate takes it */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../findings/emulator.h"
#include "../findings/told.h"
#include "../include/emulated.h"

enum { FIRST = 101 }; /* the first priority that is not the compiler's own */
enum { SEEN = 32 };   /* hazards that are told on stderr */

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

/* ---- on stderr -------------------------------------------------------------------------- */

static const struct kind {
    const char *word;
    enum hazard_severity severity;
} kinds[HAZARD_KINDS] = {
#define HAZARD(name, word, severity, meaning, remedy) [HAZARD_##name] = {word, HAZARD_##severity},
#include "../findings/hazards.def"
#undef HAZARD
};

static struct hazard seen[SEEN];
static unsigned long faults;
static double check_s = 10;

static void keep_hazard(const struct hazard *hazard) {
    if (kinds[hazard->kind].severity == HAZARD_FAULT && faults++ < SEEN)
        seen[faults - 1] = *hazard;
}

/* FILE:LINE of a place in this program, or of the call of a header of the emulator's (driver.c)
 * that was inlined there; to be freed. */
static char *line_of(uint64_t pc) {
    char command[128], line[4096] = "";
    snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe 0x%llx 2>/dev/null",
             (int)getpid(), (unsigned long long)pc);
    FILE *pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe) && strstr(line, "/emulator/include/"))
        ;
    if (!*line)
        snprintf(line, sizeof line, "??:0");
    if (pipe)
        pclose(pipe);
    char *number = strrchr(line, ':'); /* behind it may come what is no part of the place */
    if (number)
        number[strcspn(number, " \n")] = '\0';
    char here[4096];
    size_t own = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool inside = own && strncmp(line, here, own) == 0 && line[own] == '/';
    const char *shown = inside ? line + own + 1 : line;
    return strdup(strncmp(shown, "./", 2) == 0 ? shown + 2 : shown);
}

static void say_hazard(const struct hazard *hazard) {
    fprintf(stderr, "emulator:   %s", kinds[hazard->kind].word);
    for (uint32_t i = 0; i < hazard->places; i++) {
        const struct hazard_place *place = &hazard->place[i];
        char *line = place->pc ? line_of(place->pc) : NULL;
        fprintf(stderr, "%s %s %s", i ? "," : ":", line ? line : "?", place->does);
        if (!place->on_host)
            fprintf(stderr, " (thread %u of block %u)", place->thread[0], place->block[0]);
        free(line);
    }
    fprintf(stderr, "%s%s%s%s\n", *hazard->array ? ": " : "", hazard->array,
            *hazard->note ? "; " : "", hazard->note);
}

/* How many launches, and how many of them were checked. */
static void say_seen(void) {
    unsigned long long checked = &emulator_checked_launches ? emulator_checked_launches : 0;
    if (!emulator_launches && !faults)
        return;
    fflush(stdout);
    fprintf(stderr, "emulator: %llu launch%s of kernels, ", emulator_launches,
            emulator_launches == 1 ? "" : "es");
    if (checked && checked < emulator_launches)
        fprintf(stderr,
                "%llu of them checked (%g s a kernel; EMULATOR_CHECK=all checks all): ", checked,
                check_s);
    else
        fputs(checked >= emulator_launches ? "checked: " : "not checked: ", stderr);
    if (faults)
        fprintf(stderr, "%lu hazard%s\n", faults, faults == 1 ? "" : "s");
    else
        fputs("nothing wrong was seen\n", stderr);
    for (unsigned long i = 0; i < faults && i < SEEN; i++)
        say_hazard(&seen[i]);
    if (faults > SEEN)
        fprintf(stderr, "emulator:   and %lu more\n", faults - SEEN);
}

static void say_crash(const struct crash *crash) {
    if (getpid() != process || !crash->signal)
        return;
    char *line = crash->frames ? line_of(crash->pc[0]) : NULL;
    fprintf(stderr, "emulator: signal %u (%s) at %s", crash->signal, strsignal((int)crash->signal),
            line ? line : "?");
    if (!crash->on_host)
        fprintf(stderr, ", thread %u of block %u", crash->thread[0], crash->block[0]);
    fprintf(stderr, "%s%s\n", *crash->words ? ": " : "", crash->words);
    say_seen();
}

static void choose_check(void) {
    const char *asked = getenv("EMULATOR_CHECK");
    if (asked)
        check_s = strcmp(asked, "all") == 0 ? -1 : strcmp(asked, "none") == 0 ? 0 : atof(asked);
    if (emulator_check_for)
        emulator_check_for(check_s);
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
    if (told_fd >= 0)
        tell(&told);
    else if (getpid() == process)
        say_seen();
}

__attribute__((constructor(FIRST))) static void begin(void) {
    const char *path = getenv("HISTOLAB_TOLD"), *cpu_s = getenv("HISTOLAB_CPU_S");
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a crash is seen */
    process = getpid();
    if (path) {
        told_fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
        if (told_fd < 0)
            cannot("open", path);
        unsetenv("HISTOLAB_TOLD");
    } else {
        choose_check();
    }
    emulator_on_hazard(path ? tell_hazard : keep_hazard);
    atexit(end);
    emulator_on_crash(path ? tell_crash : say_crash);
    if (cpu_s && atof(cpu_s) > 0)
        emulator_watch_time(atof(cpu_s), tell_ended);
    emulator_begin_step();
    begin_counts();
}
