// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Explains what the emulator counted (a counts file: emulator/counted/counts.h), and what
 * build/predict says of it; below that, what each line of the source does. The counts may lack the
 * traces, which only the model reads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "lib/counters.h"
#include "lib/idea.h"
#include "lib/steps.h"
#include "lib/text.h"
#include "profile.h"
#include "views/views.h"

/* What build/predict says of one launch. */
struct launch {
    double static_shared, dynamic_shared;
    double seconds; /* NAN: nothing */
    const char *limit;
};

struct call {
    const char *gpu; /* as the counts file has it */
    double input_bytes;
    struct launches_fields *launches;
    struct accesses_fields *accesses;
    struct launch *more; /* of launches */
    size_t launch_count, access_count;
    struct map launch_of; /* by the operation's number */
    struct map predicted; /* of the call, by their keys */
};

/* ---- reading ---------------------------------------------------------------------------------- */

static const char *three_of(const struct words *words, size_t at) {
    return say("%s,%s,%s", word_of(words, at), word_of(words, at + 1), word_of(words, at + 2));
}

static double volume(const struct words *words, size_t at) {
    return number_of(words, at) * number_of(words, at + 1) * number_of(words, at + 2);
}

static void add_launch(struct call *call, const struct words *words) {
    size_t i = call->launch_count++;
    call->launches = keep_more(call->launches, i, sizeof *call->launches);
    call->more = keep_more(call->more, i, sizeof *call->more);
    call->launches[i] =
        (struct launches_fields){.op = number_of(words, 1),
                                 .line = number_of(words, 3),
                                 .grid = three_of(words, 4),
                                 .block = three_of(words, 7),
                                 .blocks = volume(words, 4),
                                 .threads = volume(words, 7),
                                 .overlaps = number_of(words, 12) ? RECORD_TRUE : RECORD_FALSE,
                                 .kernel = words_from(words, 14),
                                 .registers = NAN,
                                 .waves = NAN,
                                 .occupancy = NAN,
                                 .barriers = NAN,
                                 .read_bytes = NAN,
                                 .written_bytes = NAN,
                                 .hot_adds = NAN};
    call->more[i] = (struct launch){number_of(words, 10), number_of(words, 11), NAN, ""};
    *find(&call->launch_of, word_of(words, 1)) = (void *)(i + 1);
}

/* Of the launch that a line is about; -1 where it is none's. */
static long launch_at(struct call *call, const struct words *words) {
    return (long)(size_t)*find(&call->launch_of, word_of(words, 1)) - 1;
}

static void add_access(struct call *call, const struct words *words, long launch) {
    size_t i = call->access_count++;
    call->accesses = keep_more(call->accesses, i, sizeof *call->accesses);
    call->accesses[i] =
        (struct accesses_fields){.op = number_of(words, 1),
                                 .line = number_of(words, 3),
                                 .kind = word_of(words, 5),
                                 .space = word_of(words, 6),
                                 .bytes = number_of(words, 7),
                                 .requests = number_of(words, 8),
                                 .lanes = number_of(words, 9),
                                 .sectors = number_of(words, 10),
                                 .lines = number_of(words, 11),
                                 .wavefronts = number_of(words, 12),
                                 .conflicts = number_of(words, 13),
                                 .same = number_of(words, 14),
                                 .most = number_of(words, 15),
                                 .kernel = launch < 0 ? "" : call->launches[launch].kernel,
                                 .source = ""};
}

static void take_counts(struct call *call, const struct words *words) {
    const char *what = word_of(words, 0);
    long at = launch_at(call, words);
    struct launches_fields none, *launch = at < 0 ? &none : &call->launches[at];
    if (strcmp(what, "gpu") == 0)
        call->gpu = word_of(words, 1);
    else if (strcmp(what, "call") == 0)
        call->input_bytes = number_of(words, 3);
    else if (strcmp(what, "op") == 0 && strcmp(word_of(words, 2), "kernel") == 0)
        add_launch(call, words);
    else if (strcmp(what, "memory") == 0) {
        launch->read_bytes = 32 * number_of(words, 2);
        launch->written_bytes = 32 * number_of(words, 3);
    } else if (strcmp(what, "hot") == 0)
        launch->hot_adds = number_of(words, 2);
    else if (strcmp(what, "sync") == 0)
        launch->barriers = number_of(words, 2);
    else if (strcmp(what, "site") == 0)
        add_access(call, words, at);
}

/* Lines of a key and its value, and for each operation N: op N KEY VALUE. */
static void take_prediction(struct call *call, const struct words *words) {
    const char *key = word_of(words, 2);
    long at = launch_at(call, words);
    if (strcmp(word_of(words, 0), "op") != 0)
        *find(&call->predicted, word_of(words, 0)) = (void *)words_from(words, 1);
    else if (at < 0)
        return;
    else if (strcmp(key, "seconds") == 0)
        call->more[at].seconds = number_of(words, 3);
    else if (strcmp(key, "limit") == 0)
        call->more[at].limit = word_of(words, 3);
    else if (strcmp(key, "waves") == 0)
        call->launches[at].waves = number_of(words, 3);
    else if (strcmp(key, "occupancy") == 0)
        call->launches[at].occupancy = number_of(words, 3);
    else if (strcmp(key, "registers") == 0)
        call->launches[at].registers = number_of(words, 3);
}

static const char *predicted(struct call *call, const char *key) {
    const char *value = *find(&call->predicted, key);
    return value ? value : "";
}

static void read_file(struct call *call, const char *path,
                      void (*take)(struct call *call, const struct words *words)) {
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words words = words_of(printable(*line));
        take(call, &words);
    }
}

/* ---- launches --------------------------------------------------------------------------------- */

static void add_figures(struct figures *f, const struct accesses_fields *access) {
    bool atomic = strcmp(access->kind, "atomic") == 0, load = strcmp(access->kind, "load") == 0;
    double *requests = atomic ? &f->atom_requests : load ? &f->load_requests : &f->store_requests;
    double *sectors = atomic ? &f->atom_sectors : load ? &f->load_sectors : &f->store_sectors;
    if (strcmp(access->space, "shared") == 0) {
        f->wavefronts += access->wavefronts;
        f->conflicts += access->conflicts;
        f->shared_atomics += atomic ? access->requests : 0;
        f->shared_atomic_wavefronts += atomic ? access->wavefronts : 0;
    } else if (strcmp(access->space, "global") == 0) {
        *requests += access->requests;
        *sectors += access->sectors;
    } else if (!atomic)
        *(load ? &f->local_loads : &f->local_stores) += access->requests;
}

static struct figures figures_of(const struct call *call, size_t i) {
    const struct launches_fields *launch = &call->launches[i];
    const struct launch *more = &call->more[i];
    struct figures f = {.kernel = launch_name(launch->kernel),
                        .grid = launch->grid,
                        .block = launch->block,
                        .registers = launch->registers,
                        .static_shared = more->static_shared,
                        .dynamic_shared = more->dynamic_shared,
                        .waves = launch->waves,
                        .time_ns = NAN,
                        .dram_percent = NAN,
                        .l2_hit_percent = NAN,
                        .active_percent = NAN,
                        .possible_percent = 100 * launch->occupancy,
                        .read_bytes = launch->read_bytes,
                        .written_bytes = launch->written_bytes,
                        .barriers_a_warp = ratio_of(
                            launch->barriers, launch->blocks * floor((launch->threads + 31) / 32))};
    if (!isnan(more->seconds))
        f.predicted = say("%s us, limited by %s", significant(1e6 * more->seconds, 3),
                          limit_in_words(more->limit));
    for (size_t a = 0; a < call->access_count; a++)
        if (call->accesses[a].op == launch->op)
            add_figures(&f, &call->accesses[a]);
    return f;
}

/* How many launches of the same kernel there are, if this is the largest of them; else 0. */
static size_t launches_of_largest(const struct counted *counted, const struct launches_fields *of) {
    for (size_t k = 0; k < counted->kernels; k++)
        if (counted->kernel[k]->largest == of)
            return counted->kernel[k]->launches;
    return 0;
}

/* by_kernel: of each kernel's launches only the largest, as a program may launch thousands. */
static void print_launches(const struct call *call, const struct counted *counted, bool by_kernel) {
    bool any = false;
    for (size_t i = 0; i < call->launch_count; i++) {
        size_t launches = by_kernel ? launches_of_largest(counted, &call->launches[i]) : 1;
        if (!launches)
            continue;
        struct figures figures = figures_of(call, i);
        fputs(any ? "\n" : "", stdout);
        any = true;
        explain(&figures);
        if (launches > 1)
            print_fact("launches", say("%zu", launches),
                       "of this kernel: these figures are of the largest, the lines below are of "
                       "all");
    }
}

/* ---- by line ---------------------------------------------------------------------------------- */

static const char *what_it_is(const struct accesses_fields *line) {
    bool atomic = strcmp(line->kind, "atomic") == 0;
    return say("%s %ss%s", line->space, line->kind,
               atomic ? "" : say(", %s", plural(line->bytes, "byte")));
}

static const char *what_each_takes(const struct accesses_fields *line) {
    bool shared = strcmp(line->space, "shared") == 0, atomic = strcmp(line->kind, "atomic") == 0;
    if (strcmp(line->space, "local") == 0)
        return "";
    return say(" of %s %s%s%s", a_request(line, shared ? line->wavefronts : line->sectors),
               shared ? "wavefronts" : "sectors", atomic ? ", " : "",
               atomic ? meeting_in_words(line) : "");
}

static int by_cost(const void *a, const void *b) {
    const struct line_sum *one = a, *other = b;
    return one->cost < other->cost ? 1 : one->cost > other->cost ? -1 : 0;
}

static void print_lines(const struct counted *counted, const char *source, bool alone) {
    const char **text = lines_of_file(source);
    struct line_sum **line = NULL;
    size_t lines = 0, count = 0;
    for (size_t k = 0; k < counted->kernels; k++)
        for (size_t i = 0; i < counted->kernel[k]->lines; i++) {
            line = keep_more(line, count, sizeof *line);
            line[count++] = counted->kernel[k]->line[i];
        }
    sort_stably(line, count, by_cost);
    while (text[lines])
        lines++;
    if (count)
        printf("\nBy line of %s, the costliest first%s:\n", printable(base_name(source)),
               alone ? ", as the emulator counts it" : "");
    for (size_t i = 0; i < count && i < 12; i++) {
        const struct accesses_fields *is = &line[i]->is;
        const char *here = is->line >= 1 && is->line <= lines ? text[(size_t)is->line - 1] : "";
        here += strspn(here, " \t");
        printf("  line %s %s\n", pad(is->line ? plain_number(is->line) : "?", 4), clip(here, 68));
        print_wrapped(
            repeated(" ", 12),
            say("%s: %s requests%s", what_it_is(is), many(is->requests), what_each_takes(is)), 12);
    }
}

static void print_prediction(struct call *call) {
    const char *seconds = predicted(call, "seconds");
    if (!*seconds)
        return;
    puts("");
    print_wrapped("",
                  say("predicted for %s: %s, limited by %s; not measured",
                      a_gpu(predicted(call, "gpu")),
                      predicted_in_words(1e6 * atof(seconds), 1e6 * atof(predicted(call, "low")),
                                         1e6 * atof(predicted(call, "high"))),
                      limit_in_words(predicted(call, "limit"))),
                  0);
    if (strcmp(predicted(call, "with"), "source") == 0)
        puts("Without nvcc and nvdisasm the machine code is unknown: the interval is wider.");
}

static void print_idea(const struct call *call, const char *step, const char *gpu) {
    struct counted_fields counted = {.gpu = gpu, .rows = 1, .columns = 1};
    struct row row = {.elements = 1,
                      .r = {.step = step,
                            .counted = &counted,
                            .bytes = call->input_bytes,
                            .launches = {call->launches, call->launch_count},
                            .accesses = {call->accesses, call->access_count}}};
    const char *idea = call->launch_count ? idea_of(&row) : "";
    if (!*idea)
        return;
    puts("");
    print_wrapped("",
                  strcmp(idea, "there") == 0
                      ? "The step's idea is there, as far as its counters tell."
                      : say("The step's idea is missing: %s %s.", short_name(step), idea),
                  0);
}

/* desk/inside/profile, desk/run: [--alone] [--by-kernel] GPU SOURCE STEP COUNTS [PREDICTED]
 * --alone: only the lines, to go below what a GPU counted. STEP may be "". */
int view_counted(int count, char **words) {
    struct call call = {.gpu = "", .input_bytes = NAN};
    bool alone = take_option("alone", &count, &words);
    bool by_kernel = take_option("by-kernel", &count, &words);
    if (count < 4 || count > 5)
        return 2;
    const char *gpu = words[0], *source = words[1], *step = words[2];
    read_file(&call, words[3], take_counts);
    if (count == 5)
        read_file(&call, words[4], take_prediction);
    struct counted counted = sum_up((struct record_objects){call.launches, call.launch_count},
                                    (struct record_objects){call.accesses, call.access_count}, gpu);
    if (!alone) {
        printf("counted without a GPU, for %s\n\n", a_gpu(call.gpu));
        print_launches(&call, &counted, by_kernel);
    }
    print_lines(&counted, source, alone);
    if (!alone)
        print_prediction(&call);
    print_idea(&call, step, gpu);
    return 0;
}
