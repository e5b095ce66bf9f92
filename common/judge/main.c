/* The judge: grades one step, or times the CPU's solutions, and writes records. See options.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "built.h"
#include "check.h"
#include "clock.h"
#include "counting/counted.h"
#include "timing/energy.h"
#include "fault.h"
#include "diagnosis/hint.h"
#include "timing/layout.h"
#include "timing/locks.h"
#include "options.h"
#include "outputs.h"
#include "findings/places.h"
#include "random.h"
#include "timing/read.h"
#include "record.h"
#include "timing/solutions.h"
#include "timing/stats.h"
#include "strip.h"
#include "timing/timing.h"
#include "timing/traffic.h"
#include "trial.h"

/* One of the calls first: a step that hangs or is wrong shows before all the others are made. Those
 * that the counted trial makes are not made twice. */
static void verify_step(struct trial *trial, struct count_run *counting, struct record *record) {
    struct sample first = {.calls = 1}, others = {.calls = trial->max_calls - 1};
    record->calls = trial->max_calls;
    if (trial_sample(trial, &first) && others.calls && !count_stands_in(counting, others.calls))
        trial_sample(trial, &others);
}

static bool always_right(const void *expected, const void *got, char *why, size_t why_size) {
    (void)expected, (void)got, (void)why, (void)why_size;
    return true;
}

/* A right answer for which less was read than the input has, by a counter of the GPU's: it was
 * known before. Some is left for the counter, and for what a cache holds. The counter is believed
 * where it showed what the reads of this run have read. */
static void check_traffic(const struct trial *trial, const struct options *options, double moved,
                          struct record *record) {
    static const double LEAST_SHARE = 0.7, READS_SHARE = 0.8, LEAST_BYTES = 1e9;
    double needed = (double)trial->calls_made * record->fields.bytes;
    bool must_read = options->kind == KIND_STEP && options->counted_share >= READS_SHARE &&
                     record->verdict.kind == VERDICT_PASS && !options->warm &&
                     !options->source.elements && !options->source.input->early_exit;
    if (needed < LEAST_BYTES)
        return;
    if (moved < 0 && must_read)
        record_note(record, "the GPU's counter of what its memory moves was silent");
    if (moved < 0)
        return;
    record->fields.dram_bytes = fmax(moved - trial->loaded_bytes, 1) / trial->calls_made;
    if (!must_read || moved >= LEAST_SHARE * needed)
        return;
    record->verdict.kind = VERDICT_FLAGGED;
    snprintf(record->verdict.detail, sizeof record->verdict.detail,
             "reads too little: by the GPU's own counter its memory moved %.4g MB a call, and a "
             "call has %.4g MB to read; what it did not read, it knew from before",
             record->fields.dram_bytes / 1e6, record->fields.bytes / 1e6);
}

/* The check. On a GPU a process takes a quarter of a second to find its device, and the graded
 * trial's strip takes nearly as long to draw: both go on during the check. On the cpu device only
 * the strip is drawn, and the counted trial made, from the tiny check on or, where a class is
 * graded, once the first checks are passed. False when the verdict has fallen; then the graded
 * trial is over, too. */
static bool check_meanwhile(struct trial *trial, const struct check_run *run) {
    struct check_run checks = *run;
    checks.next = trial;
    if (trial->timed && !trial->exclusive) {
        trial_begin(trial, run->built->runner);
        trial_draw_ahead(trial);
    }
    if (check(&checks))
        return true;
    trial_end(trial);
    free(trial->process.printed);
    return false;
}

/* How much work a sample is, of that which it has where nobody asks for more. */
static double times_usual(const struct options *options) {
    enum { USUAL_CALLS = 2 };
    struct shape usual = problem.cpu_shape;
    return (double)options->shape.rows * options->shape.columns * options->iterations /
           ((double)usual.rows * usual.columns * USUAL_CALLS);
}

/* What the graded trial's outputs are held against. */
static struct problem graded_problem(enum kind kind) {
    struct problem graded = kind == KIND_READ ? read_problem(&problem) : problem;
    if (kind == KIND_EMPTY || kind == KIND_KERNEL) {
        graded.right = always_right;
        graded.error = NULL;
        graded.recheck = NULL;
    }
    return graded;
}

/* Reads copy as much as steps do: they tell what that costs. */
static struct trial graded_trial(const struct problem *graded, const struct check_run *run,
                                 const char *gpu) {
    const struct options *options = run->options;
    const struct device *device = &run->record->device;
    struct shape told = shape_told(&problem, options->shape);
    struct trial trial = {.random = run->random,
                          .max_calls = layout_calls(options),
                          .slot_bytes = outputs_bytes(&problem, told),
                          .timeout_s = options->timeout_s,
                          .where_s = check_graded_cpu_s(options) * fmax(1, times_usual(options)),
                          .where_ends = !device_timed(device) && options->kind == KIND_STEP,
                          .deadline = run->deadline,
                          .timed = device_timed(device),
                          .exclusive = device->exclusive,
                          .gpu = gpu};
    trial_prepare(&trial, graded, layout_graded(graded, options, device), &options->source);
    if (kind_streams(options->kind))
        trial.shape = read_shape(&trial.strip);
    return trial;
}

static void conclude_graded(struct trial *trial, const struct check_run *run, const char *name) {
    char text[128];
    snprintf(text, sizeof text, "%s (%s, %zu x %zu)", name, run->record->fields.input,
             run->options->shape.rows, run->options->shape.columns);
    check_conclude(trial, run->options, text, run->record);
}

/* A trial of its own: it takes many more calls than samples have, so it has room for their outputs.
 */
static void take_energy(const struct check_run *run) {
    struct record *record = run->record;
    struct options longer = *run->options;
    struct check_run own = *run;
    longer.iterations = energy_calls(run->options, record);
    if (!longer.iterations)
        return;
    longer.source.seed = random_next(run->random);
    own.options = &longer;
    double error = record->error;
    struct problem graded = graded_problem(longer.kind);
    struct trial trial = graded_trial(&graded, &own, NULL);
    if (trial_start(&trial, run->built->runner))
        energy_measure(&trial, run->options, record);
    conclude_graded(&trial, run, "energy");
    record->error = fmax(error, record->error);
    if (record->verdict.kind != VERDICT_PASS) {
        record->samples = 0;
        record->energy = (struct energy_fields){0};
    }
}

/* Whether the judge's clock had to overrule the device's: timing.c notes it. */
static bool clocks_disagreed(const struct record *record) {
    return strstr(record->notes, "the judge's clock counts");
}

/* Others may have the GPU from here on. Its counter of traffic is behind by some tenths of a
 * second, and the process takes a while to end: the next one makes its context and its check
 * meanwhile, which move next to nothing. */
static void give_locks_back(const struct trial *trial, const struct options *options,
                            const struct record *record) {
    if (trial->verdict.kind == VERDICT_PASS && !clocks_disagreed(record) && !options->energy_s &&
        !trial->exclusive)
        locks_give_back();
}

/* Until what another step has moved has been counted. The descriptor of the lock, or -1. */
static int wait_for_counter(const struct options *options) {
    if (!options->counting_lock)
        return -1;
    int lock = open(options->counting_lock, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || flock(lock, LOCK_EX) != 0)
        fault("cannot lock %s", options->counting_lock);
    return lock;
}

/* Times or verifies, with what the GPU's memory moved meanwhile. */
static void measure(struct trial *trial, const struct check_run *run) {
    int lock = wait_for_counter(run->options);
    if (trial->timed)
        traffic_begin(run->record->device.is.spec_gbps);
    if (trial_start(trial, run->built->runner)) {
        if (trial->timed)
            time_step(trial, run->options, run->record);
        else
            verify_step(trial, run->counting, run->record);
    }
    give_locks_back(trial, run->options, run->record);
    conclude_graded(trial, run, "graded");
    check_traffic(trial, run->options, traffic_end(trial->idle_since_s), run->record);
    if (lock >= 0)
        close(lock);
}

/* What runs beside a right step can keep the judge from seeing the end of its calls, for as long as
 * others use all processors (measured: report/recorded/README.md). So a step whose clocks disagree
 * is measured anew, and the last time counts. Whoever turns back the device's clock gains nothing:
 * a measurement that is believed is one in which the clocks agree. */
static void measure_anew(const struct check_run *run, const struct record *before) {
    enum { MEASURED_MOST = 3 };
    const struct deadline deadline = run->deadline;
    double once_s = locks_clock() - (deadline.end_s - deadline.limit_s);
    for (int times = 2; times <= MEASURED_MOST && clocks_disagreed(run->record); times++) {
        if (deadline.limit_s && locks_clock() + 2 * once_s > deadline.end_s)
            return;
        struct options again = *run->options;
        struct check_run own = *run;
        again.source.seed = random_next(run->random);
        own.options = &again;
        struct problem graded = graded_problem(again.kind);
        struct trial trial = graded_trial(&graded, &own, NULL);
        *run->record = *before;
        measure(&trial, &own);
        record_note(run->record, "measured %d times, because the clocks disagreed before", times);
    }
}

static bool is_wrong(enum verdict_kind kind) {
    return kind == VERDICT_WRONG || kind == VERDICT_NONDETERMINISTIC || kind == VERDICT_CRASHED;
}

/* From the first input on, and with the whole time before it. */
static struct check_run run_of(const struct options *options, const struct built *built,
                               struct record *record, uint64_t *random) {
    *random = options->source.seed;
    return (struct check_run){.options = options,
                              .built = built,
                              .random = random,
                              .deadline = {options->limit_s, locks_clock() + options->limit_s},
                              .record = record};
}

/* Why it is wrong, of what all checks have found right (`checked`), and the samples have not. A
 * step that is there to be wrong needs no reason; its record says by how much. Then in how many
 * checks it is right, where that is wanted. */
static void explain_graded(const struct options *options, const struct built *built, bool checked,
                           struct record *record) {
    const enum verdict_kind kind = record->verdict.kind;
    struct check_run run;
    uint64_t random;
    if (checked && is_wrong(kind) && kind != record->intended) {
        run = run_of(options, built, record, &random);
        check_explain(&run);
    }
    if (options->shares && *options->submission && record->verdict.kind == VERDICT_WRONG) {
        run = run_of(options, built, record, &random);
        check_share(&run);
    }
}

/* What was built runs, and shows its verdict. What will be counted for a GPU is judged on that.
 * False where a check has. */
static bool run_built(const struct options *options, struct count_run *counting,
                      struct record *record) {
    uint64_t random;
    struct check_run run = run_of(options, counting->built, record, &random);
    run.counting = counting;
    bool counts = !device_timed(&record->device) && kind_counts(options->kind);
    struct trial trial = graded_trial(counting->graded, &run, counts ? counting->gpu->text : NULL);
    if (kind_checked(options->kind) && !check_meanwhile(&trial, &run))
        return false;
    const struct record before = *record;
    measure(&trial, &run);
    measure_anew(&run, &before);
    if (options->energy_s && trial.timed && record->verdict.kind == VERDICT_PASS)
        take_energy(&run);
    return true;
}

/* A read tells what is the most that memory gives, and what a sample costs besides its calls: the
 * most of all reads. */
static void tell_roof(const struct options *options, const struct record *record) {
    double gbps = record_gbps(record);
    if (!device_timed(&record->device) || record->verdict.kind != VERDICT_PASS)
        return;
    if (gbps > options->roof_gbps)
        options_tell(options, "roof-gbps", gbps);
    if (record->fields.overhead_s > options->overhead_s)
        options_tell(options, "overhead-seconds", record->fields.overhead_s);
    if (record->part_overhead_s > options->part_overhead_s)
        options_tell(options, "part-overhead-seconds", record->part_overhead_s);
    double share = record->fields.dram_bytes / record->fields.bytes;
    if (share > 0 && (!options->counted_share || share < options->counted_share))
        options_tell(options, "counted-share", share);
}

/* The first baseline tells what the GPU draws without calls. */
static void tell_idle(const struct options *options, const struct record *record) {
    if (options->kind != KIND_STEP && !options->idle_watts && record->energy.idle_watts > 0)
        options_tell(options, "idle-watts", record->energy.idle_watts);
}

static void set_detail(struct verdict *verdict, const char *text) {
    snprintf(verdict->detail, sizeof verdict->detail, "%s", text);
}

/* The verdict of what is in the directory, and what is counted of it. */
static void grade(const struct options *options, const struct counted_gpu *gpu,
                  struct record *record) {
    static struct built built;
    static struct count_run counting; /* large */
    struct verdict *verdict = &record->verdict;
    struct problem graded = graded_problem(options->kind);
    bool checked = !device_timed(&record->device) && kind_checked(options->kind);
    if (!built_find(&built, options->built, checked)) {
        verdict->kind = VERDICT_BUILD_FAILED;
        built_explain(options->built, options->log, verdict);
        if (options->detail)
            set_detail(verdict, options->detail);
        return;
    }
    built_explain(options->built, options->log, NULL);
    char flagged[sizeof verdict->detail] = "";
    if (options->kind == KIND_STEP)
        built_evidence(options->built, options->log, flagged, sizeof flagged);
    counting =
        (struct count_run){.gpu = gpu, .options = options, .graded = &graded, .built = &built};
    checked &= run_built(options, &counting, record);
    /* A right answer, but not one to be paid before a person has looked at the evidence. */
    if (verdict->kind == VERDICT_PASS && flagged[0]) {
        verdict->kind = VERDICT_FLAGGED;
        set_detail(verdict, flagged);
    }
    count_step(&counting, record);
    explain_graded(options, &built, checked, record);
    if (options->kind == KIND_READ)
        tell_roof(options, record);
    tell_idle(options, record);
}

/* Takes the elements of --image over. */
static void load_image(struct options *options) {
    char error[512];
    void *elements;
    if (!options->image)
        return;
    if (!problem.load)
        usage_error("%s reads no files: leave --image out", problem.function);
    if (!problem.load(options->image, &options->shape, &elements, error, sizeof error))
        usage_error("%s", error);
    options->source.elements = elements;
}

/* The size that belongs to it, where none was given; and it has to have room. */
static struct device look_at_device(struct options *options) {
    struct device device = device_read(options->device);
    if (options->shape.rows == SIZE_MAX)
        options->shape = device_timed(&device) ? problem.shape : problem.cpu_shape;
    if (options->verdict == VERDICT_PASS)
        layout_check_memory(options, &device);
    return device;
}

/* What is known before anything runs. The input's name has room for ", warm". */
static struct record begin_record(const struct options *options, const struct device *device,
                                  char *input, size_t input_size) {
    struct record record = {
        .fields.submission = options->submission,
        .fields.step = options->step,
        .fields.kind = options->kind == KIND_REFERENCE ? "baseline" : kind_word(options->kind),
        .fields.problem = problem.function,
        .fields.input = input,
        .fields.source_sha256 = options->source_sha256,
        .fields.histolab = options->histolab,
        .fields.harness = options->harness,
        .fields.timing = options->timing,
        .verdict.kind = options->verdict,
        .intended = options->intended,
        .error = -1,
        .device = *device,
        .iterations = options->iterations,
        .calls = options->iterations,
        .fields.has_energy = options->energy_s > 0,
        .seed = options->source.seed};
    record.shape = options->shape;
    if (device_timed(device) && options->kind != KIND_REFERENCE) {
        record.fields.samples_asked = options->samples;
        record.fields.budget_s = options->budget_s;
    }
    if (options->kind != KIND_EMPTY)
        record.fields.bytes =
            (double)options->shape.rows * options->shape.columns * problem.element_bytes;
    if (!kind_streams(options->kind))
        record.fields.written_bytes =
            outputs_written_bytes(&problem, shape_told(&problem, options->shape));
    if (options->kind == KIND_STEP)
        record.fields.reference_s = options->reference_s,
        record.fields.roof_gbps = options->roof_gbps;
    snprintf(input, input_size, "%s%s", options->image ? "image" : options->source.input->name,
             options->warm ? ", warm" : "");
    return record;
}

/* A step that was right in the checks can be too slow for the emulator, above all where much more
 * was asked for than usual. */
static void tell_slow(const struct options *options, struct record *record) {
    enum { FAR_MORE = 4 };
    const double times = times_usual(options);
    bool in_check = strstr(record->verdict.detail, "check ("); /* its size is its own */
    if (record->verdict.kind != VERDICT_TIMED_OUT || device_timed(&record->device) || in_check)
        return;
    if (times <= FAR_MORE)
        check_tell_slow(problem.check_shape, record->shape, record);
    else
        snprintf(record->diagnosis, sizeof record->diagnosis,
                 "On the cpu device each call is emulated, and this is %.0f times the usual work: "
                 "the step may be right. Use a smaller --size, fewer --iterations, or a longer "
                 "--timeout.",
                 times);
}

static bool is_unexplained(enum verdict_kind kind) {
    return is_wrong(kind) || kind == VERDICT_TIMED_OUT;
}

/* Right on this GPU, and not in the emulator's checks. A race is one on any GPU. What else is wrong
 * there, a person looks at: the emulated GPU is smaller, and may lack what this one has. */
static void doubt(struct record *record, const struct record *told) {
    const enum verdict_kind kind = told->verdict.kind;
    struct verdict *verdict = &record->verdict;
    if (kind == VERDICT_TIMED_OUT || kind == VERDICT_HARNESS_ERROR) {
        record_note(record, "the emulator's checks came to no end: %.400s", told->verdict.detail);
        return;
    }
    verdict->outcome = told->verdict.outcome;
    verdict->kind = kind == VERDICT_HAZARD ? VERDICT_HAZARD : VERDICT_FLAGGED;
    if (kind == VERDICT_HAZARD)
        record->samples = 0; /* a time of luck is none */
    snprintf(verdict->detail, sizeof verdict->detail, "right on this GPU; on the emulator%s: %.*s",
             kind == VERDICT_HAZARD ? "" : " it is not", (int)sizeof verdict->detail - 60,
             told->verdict.detail);
}

/* On a GPU nobody sees what a step does. The emulator runs the same file, and tells why it is
 * wrong, or that it was right by luck. */
static void look_closer(const struct options *options, struct record *record) {
    static struct built built;
    static struct record told; /* large */
    const bool passed = record->verdict.kind == VERDICT_PASS;
    if (!options->emulated || !device_timed(&record->device) ||
        !(passed || is_unexplained(record->verdict.kind)) ||
        !built_find(&built, options->emulated, true))
        return;
    /* Not where a crash, or what does not end, may have left the GPU in a bad state. */
    if (record->verdict.kind == VERDICT_WRONG || record->verdict.kind == VERDICT_NONDETERMINISTIC)
        locks_give_back();
    struct options own = *options;
    uint64_t random;
    told = *record;
    told.device = (struct device){.is.kind = "cpu"};
    told.verdict.kind = VERDICT_PASS;
    told.diagnosis[0] = '\0';
    told.hazards = (struct hazards){0};
    own.shape = told.shape = problem.cpu_shape;
    if (options->isolate)
        process_isolate(options->isolate, told.device.is.kind);
    struct check_run run = run_of(&own, &built, &told, &random);
    run.deadline = (struct deadline){0, 0};
    if (check(&run) && !(is_wrong(record->verdict.kind) && check_explain(&run))) {
        if (!passed)
            record_note(record, "on the emulator the same file is right in every check");
        return;
    }
    if (passed)
        doubt(record, &told);
    else
        record_note(record, "on the emulator: %.400s", told.verdict.detail);
    if (record->verdict.kind == VERDICT_PASS)
        return;
    if (!told.diagnosis[0])
        hint(&told.verdict, told.diagnosis, sizeof told.diagnosis);
    snprintf(record->diagnosis, sizeof record->diagnosis, "On the emulator, the same file: %.*s",
             (int)sizeof record->diagnosis - 40, told.diagnosis);
    hazards_add_all(&record->hazards, &told.hazards);
}

/* The harness, or a GPU that is lost, may be at fault: whoever has called the judge finds out. */
static bool is_unsettled(const struct record *record) {
    switch (record->verdict.kind) {
    case VERDICT_HARNESS_ERROR:
        return true;
    case VERDICT_CRASHED:
    case VERDICT_TIMED_OUT:
    case VERDICT_LAUNCH_FAILED:
        return device_timed(&record->device);
    default:
        return false;
    }
}

/* All but the reference: one record. */
static int judge(const struct options *options, const struct counted_gpu *gpu,
                 struct record *record) {
    struct verdict *verdict = &record->verdict;
    if (verdict->kind == VERDICT_PASS)
        grade(options, gpu, record);
    else if (options->detail)
        set_detail(verdict, options->detail);
    look_closer(options, record);
    tell_slow(options, record);
    if (!record->diagnosis[0])
        hint(verdict, record->diagnosis, sizeof record->diagnosis);
    record_append(record, options->unsettled && is_unsettled(record) ? options->unsettled
                                                                     : options->record);
    return verdict->kind == VERDICT_HARNESS_ERROR                               ? EXIT_HARNESS
           : verdict->kind == VERDICT_PASS || verdict->kind == record->intended ? EXIT_PASS
                                                                                : EXIT_NOT_PASSED;
}

int main(int argc, char **argv) {
    struct options options = options_default();
    if (getrandom(&options.source.seed, sizeof options.source.seed, 0) < 0)
        fault("cannot get a random seed");
    options_parse(argc, argv, &options);
    /* If grade.sh is stopped, so is the judge, and with it the runner (process.c). */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    load_image(&options);
    struct device device = {0};
    if (options.device)
        device = look_at_device(&options);
    const struct counted_gpu gpu = counted_gpu(&options);
    if (options.dry_run)
        return EXIT_PASS;
    char input[64];
    struct record record = begin_record(&options, &device, input, sizeof input);
    if (options.isolate) {
        process_isolate(options.isolate, record.device.is.kind);
        places_isolate(options.isolate);
    }
    locks_want(options.locks, options.place);
    if (options.kind != KIND_REFERENCE)
        return judge(&options, &gpu, &record);
    solutions_time(&options, &record);
    return EXIT_PASS;
}
