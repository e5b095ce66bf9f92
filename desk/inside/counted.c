/* Explains what the emulator counted (a counts file: emulator/counted/files.md), and what the time
 * model predicts from it; below that, what each line of the source does. */
#include <math.h>
#include <string.h>

#include "lib/counters.h"
#include "lib/idea.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "model/predict.h"
#include "views/views.h"

/* A kernel with all of its launches, and what one line of source does in it, as a student thinks of
 * them. */
struct kernel {
    double cost;
    const struct counts_op *largest; /* with the most blocks */
    const struct predict_op *predicted;
    size_t launches;
    double hot_adds;
};
struct line {
    double cost;
    struct accesses_fields is; /* sums; `most` is the largest */
    const struct kernel *of;
};

/* What was counted and predicted of a call; no `ops` where nothing was predicted. */
struct call {
    struct predict predict;
    double multiprocessors;
    struct launches_fields *launches; /* what the step's idea is looked for in */
    struct accesses_fields *accesses;
    size_t launch_count, access_count;
    struct kernel **kernel;
    struct line **line;
    size_t kernels, lines;
    struct map known; /* kernels by name; lines by what they do */
};

/* ---- sums ------------------------------------------------------------------------------------- */

static const char *name_of(const struct counts_op *op) {
    return printable(launch_name(say("%s", op->name)));
}

static struct kernel *add_launch(struct call *call, const struct counts_op *op, size_t number) {
    struct kernel *kernel = found(&call->known, name_of(op), sizeof *kernel);
    const struct predict_op *predicted = call->predict.ops ? &call->predict.ops[number] : NULL;
    struct launches_fields launch = {.op = number,
                                     .line = op->line,
                                     .blocks = counts_blocks(op),
                                     .threads = counts_threads(op),
                                     .overlaps = op->overlaps ? RECORD_TRUE : RECORD_FALSE,
                                     .kernel = name_of(op),
                                     .waves = predicted ? predicted->waves : NAN,
                                     .barriers = op->barriers,
                                     .read_bytes = 32.0 * op->read_sectors,
                                     .written_bytes = 32.0 * op->written_sectors};
    append(call->launches, call->launch_count, launch);
    if (!kernel->launches++)
        append(call->kernel, call->kernels, kernel);
    if (!kernel->largest || launch.blocks > counts_blocks(kernel->largest)) {
        kernel->largest = op;
        kernel->predicted = predicted;
    }
    kernel->hot_adds = fmax(kernel->hot_adds, op->hot_adds);
    return kernel;
}

/* Roughly how many cycles of one multiprocessor an access takes. Divided by the multiprocessors
 * that work at once, it decides what is shown first, and nothing else; the time is for the model to
 * predict (common/model). */
static double cost_of(const struct accesses_fields *access) {
    bool atomic = same(access->kind, "atomic");
    if (same(access->space, "shared"))
        return access->wavefronts + (atomic ? access->same / 4 : 0);
    if (atomic)
        return 2 * access->lanes;
    if (same(access->space, "local"))
        return access->lanes * access->bytes / 32;
    return 1.5 * access->sectors;
}

static void add_access(struct call *call, struct kernel *kernel, const struct counts_op *op,
                       const struct counts_site *site, size_t number) {
    struct accesses_fields access = {.op = number,
                                     .line = site->line,
                                     .kind = counts_kind_name(site->kind),
                                     .space = counts_space_name(site->space),
                                     COUNTS_FIGURES(site),
                                     .kernel = name_of(op),
                                     .source = ""};
    const char *key = say("%s %s %s %s\034%s", plain_number(access.line), access.kind, access.space,
                          plain_number(access.bytes), access.kernel);
    struct line *line = found(&call->known, key, sizeof *line);
    double cost = cost_of(&access) / fmax(1, fmin(counts_blocks(op), call->multiprocessors));
    append(call->accesses, call->access_count, access);
    if (!line->of) {
        *line = (struct line){.of = kernel, .is = access};
        append(call->line, call->lines, line);
    } else {
        line->is.requests += access.requests;
        line->is.lanes += access.lanes;
        line->is.sectors += access.sectors;
        line->is.wavefronts += access.wavefronts;
        line->is.conflicts += access.conflicts;
        line->is.same += access.same;
        line->is.most = fmax(line->is.most, access.most);
    }
    line->cost += cost;
    kernel->cost += cost;
}

/* Of kernels, and of lines: the costliest first. */
static int by_cost(const void *a, const void *b) {
    const double *one = a, *other = b;
    return *one < *other ? 1 : *one > *other ? -1 : 0;
}

static void sum_up(struct call *call) {
    for (size_t n = 0; n < call->predict.counts.op_count; n++) {
        const struct counts_op *op = &call->predict.counts.ops[n];
        struct kernel *kernel = op->what == COUNTS_KERNEL ? add_launch(call, op, n) : NULL;
        for (size_t i = 0; kernel && i < op->site_count; i++)
            add_access(call, kernel, op, &op->sites[i], n);
    }
    sort_stably(call->kernel, call->kernels, by_cost);
    sort_stably(call->line, call->lines, by_cost);
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
    sum_up(call);
    return "";
}

/* ---- kernels ---------------------------------------------------------------------------------- */

static const char *bytes_in_words(double bytes) {
    return bytes >= 1e6   ? say("%.1f MB", bytes / 1e6)
           : bytes >= 1e4 ? say("%.1f kB", bytes / 1e3)
                          : plural(bytes, "byte");
}

/* "264 blocks", "16 x 16 threads": ones at the end tell nothing. */
static const char *extent_in_words(const unsigned size[3], const char *what) {
    const char *extent = size[2] > 1   ? say("%u x %u x %u", size[0], size[1], size[2])
                         : size[1] > 1 ? say("%u x %u", size[0], size[1])
                                       : say("%u", size[0]);
    return say("%s %s%s", extent, what, same(extent, "1") ? "" : "s");
}

static void put_prediction(struct page *page, const struct predict_op *predicted, double threads) {
    enum { WARP = 32 };
    double most = 100 * predicted->occupancy;
    fact(page, "predicted",
         say("%s us, limited by %s; not measured", significant(1e6 * predicted->seconds, 3),
             unit_of(predict_unit_name(predicted->limit)).words));
    fact(page, "occupancy",
         say("%.0f %% of the warps that a multiprocessor can hold fit at once; %s", most,
             most < 40 ? "too few to hide waits: use more threads a block, or more blocks"
             : threads < WARP
                 ? say("but of each warp's %d lanes %.0f idle: use at least %d threads a block",
                       WARP, WARP - threads, WARP)
             : predicted->waves < 0.5 ? "enough, but there are too few blocks to fill the GPU"
                                      : "enough"));
}

/* Of its launches only the largest: there may be thousands. */
static void put_kernel(struct page *page, const struct kernel *kernel) {
    const struct counts_op *op = kernel->largest;
    const struct predict_op *predicted = kernel->predicted;
    double warps = counts_blocks(op) * ceil(counts_threads(op) / 32.0);
    paragraph(page, say("%s: %s of %s, %s%.0f bytes of shared memory a block", name_of(op),
                        extent_in_words(op->grid, "block"), extent_in_words(op->block, "thread"),
                        predicted && predicted->registers >= 0
                            ? say("%d registers a thread, ", (int)predicted->registers)
                            : "",
                        (double)op->static_shared + op->dynamic_shared));
    page->margin = "  ";
    if (kernel->launches > 1)
        fact(page, "launches",
             say("%zu of this kernel; these figures are of the largest, the lines below of all",
                 kernel->launches));
    if (predicted)
        put_prediction(page, predicted, counts_threads(op));
    fact(page, "memory",
         say("%s read, %s written, each byte counted once: the least that has to move",
             bytes_in_words(32.0 * op->read_sectors), bytes_in_words(32.0 * op->written_sectors)));
    if (op->barriers > 0)
        fact(page, "barriers",
             say("%.3g a warp; at each, a warp waits for the slowest warp of its block",
                 op->barriers / warps));
    page->margin = "";
    blank_line(page);
}

/* ---- lines ------------------------------------------------------------------------------------ */

static const char *a_request(const struct accesses_fields *line, double sum) {
    return say("%.1f", known(ratio_of(sum, line->requests)));
}

static const char *meeting_in_words(const struct accesses_fields *line) {
    return line->most > 1 ? say("%s lanes per address", a_request(line, line->same))
                          : "one lane per address";
}

/* The bytes that lanes asked for, against the 32 bytes of each sector that moves. */
static const char *coalescing_in_words(const struct accesses_fields *line) {
    double used = ratio_of(line->lanes * line->bytes, 32 * line->sectors);
    if (ratio_of(line->lanes, line->requests) < 16)
        return say("%s of 32 lanes take part", a_request(line, line->lanes));
    if (used > 1.5)
        return "lanes share what they read";
    if (used > 0.75 || !(ratio_of(line->sectors, line->requests) > 1.5))
        return "coalesced";
    return say("%s coalesced, %.1f of 32 bytes used", used > 0.4 ? "partly" : "not",
               known(32 * used));
}

static const char *shared_in_words(const struct accesses_fields *line) {
    double share = ratio_of(line->conflicts, line->wavefronts);
    const char *conflicts = share > 0.025 ? say(", %.0f %% conflicts", 100 * share) : "";
    bool atomic = same(line->kind, "atomic");
    return say("shared %ss, %s wavefronts a request%s%s%s", line->kind,
               a_request(line, line->wavefronts), conflicts, atomic ? ", " : "",
               atomic ? meeting_in_words(line) : "");
}

/* What it does: "loads 4 bytes a lane, 4.0 sectors a request: coalesced". */
static const char *line_in_words(const struct line *line) {
    const struct accesses_fields *is = &line->is;
    if (same(is->space, "local"))
        return "local memory: registers that did not fit, or arrays with computed indices";
    if (same(is->space, "shared"))
        return shared_in_words(is);
    if (same(is->kind, "atomic"))
        return say("global atomics, %s%s", meeting_in_words(is),
                   line->of->hot_adds > 1
                       ? say(", %s adds on the busiest", many(line->of->hot_adds))
                       : "");
    return say("%ss %s a lane, %s sectors a request: %s", is->kind, plural(is->bytes, "byte"),
               a_request(is, is->sectors), coalescing_in_words(is));
}

static void put_lines(struct page *page, const struct call *call, const char *source) {
    enum { MOST_LINES = 12 };
    const char **text = lines_of_file(source);
    size_t lines = count_lines(text);
    if (call->lines)
        paragraph(page, say("By line of %s, the costliest first:", base_name(source)));
    for (size_t i = 0; i < call->lines && i < MOST_LINES; i++) {
        const struct accesses_fields *is = &call->line[i]->is;
        const char *here = is->line >= 1 && is->line <= lines ? text[(size_t)is->line - 1] : "";
        here += strspn(here, " \t");
        preformatted(page, say("  line %s %s", pad(is->line ? plain_number(is->line) : "?", 4),
                               clip(here, 68)));
        page->margin = "            ";
        paragraph(page, say("%s; %s requests", line_in_words(call->line[i]), many(is->requests)));
        page->margin = "";
    }
}

/* ---- the page --------------------------------------------------------------------------------- */

static void put_predicted(struct page *page, const struct predict *predicted) {
    blank_line(page);
    paragraph(page, say("predicted for %s: %s, limited by %s; not measured", a_gpu(predicted->gpu),
                        predicted_in_words(1e6 * predicted->seconds, 1e6 * predicted->low,
                                           1e6 * predicted->high),
                        unit_of(predict_unit_name(predicted->limit)).words));
    if (!predicted->with_code)
        paragraph(page,
                  "Without nvcc and nvdisasm the machine code is unknown: the interval is wider.");
}

static void put_idea(struct page *page, const struct call *call, const char *step,
                     const char *gpu) {
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
    blank_line(page);
    paragraph(page, same(idea, "there")
                        ? "The step's idea is there, as far as its counters tell."
                        : say("The step's idea is missing: %s %s.", short_name(step), idea));
}

/* desk/inside/profile, desk/run: GPU SOURCE STEP COUNTS [GPU-FILE [CODE]]
 * STEP may be "". */
int view_counted(int count, char **words) {
    if (count < 4 || count > 6)
        return 2;
    const char *gpu = words[0], *source = words[1], *step = words[2];
    struct call call = {.multiprocessors = gpu_fact(gpu, "multiprocessors")};
    struct page *page = new_page();
    char *files[3] = {words[3], count > 4 ? words[4] : NULL, count > 5 ? words[5] : NULL};
    const char *wrong = read_call(&call, files, count - 3);
    if (*wrong) {
        fprintf(stderr, "%s\n", printable(wrong));
        return 3;
    }
    double rows = (double)call.predict.counts.rows;
    const char *size = size_in_words(rows, (double)call.predict.counts.columns);
    page->columns = 80;
    paragraph(page, say("counted by the emulator, for %s%s", a_gpu(call.predict.counts.gpu),
                        rows ? say(", %s", size) : ""));
    blank_line(page);
    for (size_t k = 0; k < call.kernels; k++)
        put_kernel(page, call.kernel[k]);
    put_lines(page, &call, source);
    if (count > 4)
        put_predicted(page, &call.predict);
    put_idea(page, &call, step, gpu);
    write_page(page, TEXT_PAGE, stdout);
    return 0;
}
