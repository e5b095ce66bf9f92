/* Explains what the emulator counted (a counts file: emulator/counted/files.md), and what the time
 * model predicts from it; below that, what each line of the source does. */
#include <math.h>
#include <string.h>

#include "inside.h"
#include "lib/counters.h"
#include "lib/idea.h"
#include "lib/steps.h"
#include "model/predict.h"
#include "profile.h"
#include "views/views.h"

/* What was counted and predicted of a call; no `ops` where nothing was predicted. */
struct call {
    struct predict predict;
    struct launches_fields *launches; /* the kernels */
    struct accesses_fields *accesses;
    size_t launch_count, access_count;
};

/* ---- reading ---------------------------------------------------------------------------------- */

static const char *extent_of(const unsigned size[3]) {
    return say("%u,%u,%u", size[0], size[1], size[2]);
}

static void add_launch(struct call *call, const struct counts_op *op, size_t number) {
    const struct predict_op *predicted = call->predict.ops ? &call->predict.ops[number] : NULL;
    struct launches_fields launch = {
        .op = number,
        .line = op->line,
        .grid = extent_of(op->grid),
        .block = extent_of(op->block),
        .blocks = counts_blocks(op),
        .threads = counts_threads(op),
        .overlaps = op->overlaps ? RECORD_TRUE : RECORD_FALSE,
        .kernel = printable(say("%s", op->name)),
        .registers = predicted && predicted->registers >= 0 ? predicted->registers : NAN,
        .waves = predicted ? predicted->waves : NAN,
        .occupancy = predicted ? predicted->occupancy : NAN,
        .barriers = op->barriers,
        .read_bytes = 32.0 * op->read_sectors,
        .written_bytes = 32.0 * op->written_sectors,
        .hot_adds = op->hot_adds};
    append(call->launches, call->launch_count, launch);
}

static void add_access(struct call *call, const struct counts_site *site, size_t number) {
    struct accesses_fields access = {.op = number,
                                     .line = site->line,
                                     .kind = counts_kind_name(site->kind),
                                     .space = counts_space_name(site->space),
                                     COUNTS_FIGURES(site),
                                     .kernel = call->launches[call->launch_count - 1].kernel,
                                     .source = ""};
    append(call->accesses, call->access_count, access);
}

/* Of a counts file alone, or predicted, with a GPU's file and maybe one of machine code. What is
 * wrong, or "". */
static const char *read_call(struct call *call, char **names, int count) {
    char error[300];
    const char *text = file_text(names[0]);
    FILE *file[3] = {NULL};
    const char *const in_messages[] = {names[0], names[1], names[2]};
    if (!text)
        return say("cannot read %s", names[0]);
    for (int i = 0; i < count; i++)
        if (!(file[i] = fopen(names[i], "r")))
            return say("cannot read %s", names[i]);
    bool read =
        count == 1
            ? counts_parse(text, strlen(text), names[0], &call->predict.counts, error, sizeof error)
            : predict(file[0], file[1], file[2], in_messages, &call->predict, error, sizeof error);
    for (int i = 0; i < count; i++)
        fclose(file[i]);
    if (!read)
        return say("%s", error);
    for (size_t n = 0; n < call->predict.counts.op_count; n++) {
        const struct counts_op *op = &call->predict.counts.ops[n];
        if (op->what == COUNTS_KERNEL)
            add_launch(call, op, n);
        for (size_t i = 0; i < op->site_count; i++)
            add_access(call, &op->sites[i], n);
    }
    return "";
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
    const struct counts_op *op = &call->predict.counts.ops[(size_t)launch->op];
    const struct predict_op *predicted =
        call->predict.ops ? &call->predict.ops[(size_t)launch->op] : NULL;
    struct figures f = {.kernel = launch_name(launch->kernel),
                        .grid = launch->grid,
                        .block = launch->block,
                        .registers = launch->registers,
                        .static_shared = op->static_shared,
                        .dynamic_shared = op->dynamic_shared,
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
    if (predicted)
        f.predicted = say("%s us, limited by %s", significant(1e6 * predicted->seconds, 3),
                          unit_of(predict_unit_name(predicted->limit)).words);
    for (size_t a = 0; a < call->access_count; a++)
        if (call->accesses[a].op == launch->op)
            add_figures(&f, &call->accesses[a]);
    return f;
}

/* The costliest kernel first, and of its launches only the largest: there may be thousands. */
static void print_launches(const struct call *call, const struct counted *counted) {
    for (size_t k = 0; k < counted->kernels; k++) {
        const struct kernel_sum *kernel = counted->kernel[k];
        struct figures figures = figures_of(call, (size_t)(kernel->largest - call->launches));
        fputs(k ? "\n" : "", stdout);
        explain(&figures);
        if (kernel->launches > 1)
            print_fact("launches", say("%zu", kernel->launches),
                       "of this kernel: these figures are of the largest, the lines below are of "
                       "all");
    }
}

/* ---- by line ---------------------------------------------------------------------------------- */

static void print_lines(const struct counted *counted, const char *source, bool alone) {
    const char **text = lines_of_file(source);
    struct line_sum **line = NULL;
    size_t lines = count_lines(text), count = 0;
    for (size_t k = 0; k < counted->kernels; k++)
        for (size_t i = 0; i < counted->kernel[k]->lines; i++)
            append(line, count, counted->kernel[k]->line[i]);
    sort_stably(line, count, by_cost);
    if (count)
        printf("\nBy line of %s, the costliest first%s:\n", printable(base_name(source)),
               alone ? ", as the emulator counts it" : "");
    for (size_t i = 0; i < count && i < 12; i++) {
        const struct accesses_fields *is = &line[i]->is;
        const char *here = is->line >= 1 && is->line <= lines ? text[(size_t)is->line - 1] : "";
        here += strspn(here, " \t");
        printf("  line %s %s\n", pad(is->line ? plain_number(is->line) : "?", 4), clip(here, 68));
        const char *words = line_in_words(line[i]); /* some name their requests */
        print_wrapped(
            repeated(" ", 12),
            strstr(words, " requests") ? words : say("%s; %s requests", words, many(is->requests)),
            12);
    }
}

static void print_prediction(const struct predict *predicted) {
    puts("");
    print_wrapped("",
                  say("predicted for %s: %s, limited by %s; not measured", a_gpu(predicted->gpu),
                      predicted_in_words(1e6 * predicted->seconds, 1e6 * predicted->low,
                                         1e6 * predicted->high),
                      unit_of(predict_unit_name(predicted->limit)).words),
                  0);
    if (!predicted->with_code)
        puts("Without nvcc and nvdisasm the machine code is unknown: the interval is wider.");
}

static void print_idea(const struct call *call, const char *step, const char *gpu) {
    struct counted_fields counted = {.gpu = gpu, .rows = 1, .columns = 1};
    struct row row = {.elements = 1,
                      .r = {.step = step,
                            .counted = &counted,
                            .bytes = call->predict.counts.input_bytes,
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

/* desk/inside/profile, desk/run: [--alone] GPU SOURCE STEP COUNTS [GPU-FILE [CODE]]
 * --alone: only the lines, to go below what a GPU counted. STEP may be "". */
int view_counted(int count, char **words) {
    struct call call = {0};
    bool alone = take_option("alone", &count, &words);
    if (count < 4 || count > 6)
        return 2;
    const char *gpu = words[0], *source = words[1], *step = words[2];
    char *files[3] = {words[3], count > 4 ? words[4] : NULL, count > 5 ? words[5] : NULL};
    const char *wrong = read_call(&call, files, count - 3);
    if (*wrong) {
        fprintf(stderr, "%s\n", printable(wrong));
        return 3;
    }
    struct counted counted = sum_up((struct record_objects){call.launches, call.launch_count},
                                    (struct record_objects){call.accesses, call.access_count}, gpu);
    if (!alone) {
        double rows = (double)call.predict.counts.rows;
        const char *size = size_in_words(rows, (double)call.predict.counts.columns);
        printf("counted without a GPU, for %s%s\n\n", a_gpu(call.predict.counts.gpu),
               rows ? say(", %s", size) : "");
        print_launches(&call, &counted);
    }
    print_lines(&counted, source, alone);
    if (count > 4)
        print_prediction(&call.predict);
    print_idea(&call, step, gpu);
    return 0;
}
