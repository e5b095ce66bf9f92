/* Explains what the emulator counted (a counts file: emulator/counted/files.md), and what the time
 * model predicts from it; below that, what each line of the source does. */
#include <math.h>
#include <string.h>

#include "inside.h"
#include "lines.h"
#include "lib/counters.h"
#include "lib/idea.h"
#include "lib/steps.h"
#include "model/predict.h"
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

/* The page is 80 columns wide: the text behind `first`, and on lines below it, behind an indent. */
static void print_wrapped(const char *first, const char *text, size_t indent) {
    const char *lines = wrapped(text, repeated(" ", indent), 80 - indent);
    printf("%s%s\n", first, *lines ? lines + indent : "");
}

static void print_fact(const char *title, const char *value, const char *meaning) {
    print_wrapped(say(*meaning ? "  %-18s %-16s " : "  %-18s %s", title, value), meaning, 38);
}

/* Of one launch, its accesses together. */
struct figures {
    double load_requests, load_sectors, store_requests, store_sectors; /* of global memory */
    double atomics, atomic_sectors;
    double wavefronts, conflicts, shared_atomics, shared_atomic_wavefronts, spills;
};

static void add_figures(struct figures *f, const struct accesses_fields *access) {
    bool atomic = same(access->kind, "atomic"), load = same(access->kind, "load");
    if (same(access->space, "shared")) {
        f->wavefronts += access->wavefronts;
        f->conflicts += access->conflicts;
        f->shared_atomics += atomic ? access->requests : 0;
        f->shared_atomic_wavefronts += atomic ? access->wavefronts : 0;
    } else if (same(access->space, "global")) {
        *(atomic ? &f->atomics : load ? &f->load_requests : &f->store_requests) += access->requests;
        *(atomic ? &f->atomic_sectors
          : load ? &f->load_sectors
                 : &f->store_sectors) += access->sectors;
    } else if (!atomic)
        f->spills += access->requests;
}

static void explain_occupancy(const struct launches_fields *launch) {
    double most = 100 * launch->occupancy;
    if (!isnan(most))
        print_fact("occupancy", say("%.0f %%", most),
                   say("of the warps that a multiprocessor can hold fit at once; %s",
                       most < 40 ? "too few to hide waits: use more threads a block, or "
                                   "more blocks"
                       : launch->waves < 0.5
                           ? "enough, but there are too few blocks to fill the GPU"
                           : "enough"));
}

/* What a mean number of sectors a request tells where nobody knows how wide the accesses are. */
static const char *sectors_in_words(double each, const char *what) {
    return each > 20   ? "uncoalesced: each lane of a warp touches a sector (32 bytes) of its own; "
                         "neighbouring lanes should touch neighbouring addresses"
           : each > 17 ? "partly uncoalesced"
           : each > 14 ? "ideal for 16 bytes a thread; for 4 bytes a thread, four times too many"
           : each > 9  ? "between: strided, or a mix of widths"
           : each > 7  ? "ideal for 8 bytes a thread; for 4 bytes a thread, twice too many"
           : each > 4.5 ? "a little more than 4: rows that start between sectors, or a mix"
           : each > 3.5 ? "ideal for 4 bytes a thread; for 1 byte a thread, four times too many"
           : each > 0.9 && each < 1.1
               ? "ideal for 1 byte a thread; else few lanes, or all at one address"
               : say("few lanes take part, or narrow %ss", what);
}

static void explain_sectors(const char *what, double requests, double sectors) {
    double each = sectors / requests;
    if (requests > 0)
        print_fact(say("sectors a %s", what), say("%.1f", each),
                   say("%s (%s requests)", sectors_in_words(each, what), many(requests)));
}

static void explain_atomics(const struct figures *f) {
    if (f->atomics > 0)
        print_fact("global atomics", many(f->atomics),
                   say("warps' instructions, %.1f sectors each; %s", f->atomic_sectors / f->atomics,
                       f->atomics > 1e5 ? "this many are slow: count in shared memory first"
                                        : "few enough"));
}

static void explain_shared(const struct figures *f) {
    double share = f->conflicts / f->wavefronts; /* those that conflicts added */
    if (f->shared_atomics > 0)
        print_fact("shared atomics", many(f->shared_atomics),
                   say("warps' instructions, %.1f wavefronts each",
                       f->shared_atomic_wavefronts / f->shared_atomics));
    if (f->wavefronts > 0)
        print_fact("bank conflicts", say("%.0f %%", 100 * share),
                   say("of %s wavefronts of shared memory; %s", many(f->wavefronts),
                       share < 0.1 ? "lanes seldom meet"
                       : share < 0.5
                           ? "lanes of a warp meet now and then in one of the 32 banks"
                           : "lanes mostly wait for each other: copies of the counters, or "
                             "fewer adds, help"));
}

/* "264 blocks", from "264,1,1": ones at the end tell nothing. */
static const char *extent_in_words(const char *extent, const char *what) {
    extent = without(extent, "(,1){1,2}$");
    return say("%s %s%s", replaced(extent, ",", " x "), what, same(extent, "1") ? "" : "s");
}

static void explain_launch(const struct call *call, const struct launches_fields *launch) {
    const struct counts_op *op = &call->predict.counts.ops[(size_t)launch->op];
    const struct predict_op *predicted =
        call->predict.ops ? &call->predict.ops[(size_t)launch->op] : NULL;
    struct figures figures = {0};
    double barriers =
        ratio_of(launch->barriers, launch->blocks * floor((launch->threads + 31) / 32));
    for (size_t a = 0; a < call->access_count; a++)
        if (call->accesses[a].op == launch->op)
            add_figures(&figures, &call->accesses[a]);
    print_wrapped(
        "",
        say("%s: %s of %s, %s%.0f bytes of shared memory a block", launch_name(launch->kernel),
            extent_in_words(launch->grid, "block"), extent_in_words(launch->block, "thread"),
            where_known(launch->registers, say("%.15g registers a thread, ", launch->registers)),
            (double)op->static_shared + op->dynamic_shared),
        0);
    if (predicted)
        print_fact("predicted",
                   say("%s us, limited by %s; not measured",
                       significant(1e6 * predicted->seconds, 3),
                       unit_of(predict_unit_name(predicted->limit)).words),
                   "");
    print_fact("memory", say("%s read", bytes_in_words(launch->read_bytes)),
               say("%s written, each byte counted once: the least that has to move",
                   bytes_in_words(launch->written_bytes)));
    explain_occupancy(launch);
    explain_sectors("load", figures.load_requests, figures.load_sectors);
    explain_sectors("store", figures.store_requests, figures.store_sectors);
    explain_atomics(&figures);
    explain_shared(&figures);
    if (figures.spills > 0)
        print_fact("spills", many(figures.spills),
                   "reads and writes of local memory: registers that did not fit, or arrays with "
                   "computed indices");
    if (barriers > 0)
        print_fact("barriers", say("%.3g a warp", barriers),
                   "at each, a warp waits for the slowest warp of its block");
}

/* The costliest kernel first, and of its launches only the largest: there may be thousands. */
static void print_launches(const struct call *call, const struct counted *counted) {
    for (size_t k = 0; k < counted->kernels; k++) {
        const struct kernel_sum *kernel = counted->kernel[k];
        fputs(k ? "\n" : "", stdout);
        explain_launch(call, kernel->largest);
        if (kernel->launches > 1)
            print_fact("launches", say("%zu", kernel->launches),
                       "of this kernel: these figures are of the largest, the lines below are of "
                       "all");
    }
}

/* ---- by line ---------------------------------------------------------------------------------- */

static void print_lines(const struct counted *counted, const char *source) {
    const char **text = lines_of_file(source);
    struct line_sum **line = NULL;
    size_t lines = count_lines(text), count = 0;
    for (size_t k = 0; k < counted->kernels; k++)
        for (size_t i = 0; i < counted->kernel[k]->lines; i++)
            append(line, count, counted->kernel[k]->line[i]);
    sort_stably(line, count, by_cost);
    if (count)
        printf("\nBy line of %s, the costliest first:\n", printable(base_name(source)));
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

/* desk/inside/profile, desk/run: GPU SOURCE STEP COUNTS [GPU-FILE [CODE]]
 * STEP may be "". */
int view_counted(int count, char **words) {
    struct call call = {0};
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
    double rows = (double)call.predict.counts.rows;
    const char *size = size_in_words(rows, (double)call.predict.counts.columns);
    printf("counted by the emulator, for %s%s\n\n", a_gpu(call.predict.counts.gpu),
           rows ? say(", %s", size) : "");
    print_launches(&call, &counted);
    print_lines(&counted, source);
    if (count > 4)
        print_prediction(&call.predict);
    print_idea(&call, step, gpu);
    return 0;
}
