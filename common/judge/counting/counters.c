#define _GNU_SOURCE
#include "counters.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/fault.h"
#include "model/predict.h"
#include "judge/findings/places.h"
#include "problem.h"

/* Of the process that reads: several times what the largest counts file takes. */
enum { READING_S = 30 };

/* ---- in the process that reads ---------------------------------------------------------- */

static void copy_text(char *to, size_t size, const char *from) { snprintf(to, size, "%s", from); }

/* "264", or "16x8" where there is more than one dimension. */
static void put_extent(char text[48], const uint32_t extent[3]) {
    int length = snprintf(text, 48, "%" PRIu32, extent[0]);
    if (extent[1] > 1 || extent[2] > 1)
        length += snprintf(text + length, 48 - length, "x%" PRIu32, extent[1]);
    if (extent[2] > 1)
        snprintf(text + length, 48 - length, "x%" PRIu32, extent[2]);
}

static void take_launch(const struct counts_op *op, size_t n, const struct predict_op *predicted,
                        struct counters *counters) {
    enum { SECTOR_BYTES = 32 };
    if (op->what != COUNTS_KERNEL)
        return;
    counters->read_bytes += (double)SECTOR_BYTES * op->read_sectors;
    if (counters->launches == MOST_LAUNCHES)
        return;
    struct launch_texts *texts = &counters->of_launch[counters->launches];
    counters->launch[counters->launches++] =
        (struct launches_fields){.op = n,
                                 .line = op->line,
                                 .blocks = counts_blocks(op),
                                 .threads = counts_threads(op),
                                 .registers = predicted->registers < 0 ? 0 : predicted->registers,
                                 .shared_bytes = op->static_shared + op->dynamic_shared,
                                 .waves = predicted->waves,
                                 .occupancy = predicted->occupancy,
                                 .counted_blocks = op->counted_blocks,
                                 .barriers = op->barriers,
                                 .read_bytes = (double)SECTOR_BYTES * op->read_sectors,
                                 .written_bytes = (double)SECTOR_BYTES * op->written_sectors,
                                 .hot_adds = op->hot_adds,
                                 .overlaps = op->overlaps ? RECORD_TRUE : RECORD_FALSE};
    put_extent(texts->grid, op->grid);
    put_extent(texts->block, op->block);
    copy_text(texts->kernel, sizeof texts->kernel, op->name);
}

struct access {
    size_t op;
    const struct counts_site *site;
};

/* How long it keeps the memory system busy, roughly: what is asked of the L2, what passes through
 * shared memory, and the atomics that wait for each other. */
static double cost(const struct counts_site *site) {
    double atomics = site->kind == COUNTS_ATOMIC ? site->same : 0;
    return (double)site->sectors + site->wavefronts + atomics;
}

static int costlier_first(const void *a, const void *b) {
    const struct access *x = a, *y = b;
    double more = cost(y->site) - cost(x->site);
    if (more != 0)
        return more > 0 ? 1 : -1;
    return x->op != y->op ? (x->op > y->op) - (x->op < y->op)
                          : (x->site > y->site) - (x->site < y->site);
}

static void take_access(const struct counts *counts, const struct access *from,
                        struct accesses_fields *access, struct access_texts *texts) {
    const struct counts_site *site = from->site;
    *access = (struct accesses_fields){.op = from->op, .line = site->line, COUNTS_FIGURES(site)};
    copy_text(texts->kernel, sizeof texts->kernel, counts->ops[from->op].name);
    copy_text(texts->kind, sizeof texts->kind, counts_kind_name(site->kind));
    copy_text(texts->space, sizeof texts->space, counts_space_name(site->space));
}

static void take_accesses(const struct counts *counts, struct counters *counters) {
    size_t count = 0;
    for (size_t n = 0; n < counts->op_count; n++)
        count += counts->ops[n].site_count;
    struct access *all = allocate(count * sizeof *all);
    count = 0;
    for (size_t n = 0; n < counts->op_count; n++)
        for (size_t i = 0; i < counts->ops[n].site_count; i++)
            all[count++] = (struct access){n, &counts->ops[n].sites[i]};
    qsort(all, count, sizeof *all, costlier_first);
    for (; counters->accesses < count && counters->accesses < MOST_ACCESSES; counters->accesses++)
        take_access(counts, &all[counters->accesses], &counters->access[counters->accesses],
                    &counters->of_access[counters->accesses]);
    free(all);
}

static void take_prediction(const struct predict *predicted, struct counters *counters) {
    counters->predicted_s = predicted->seconds;
    counters->low_s = predicted->low;
    counters->high_s = predicted->high;
    counters->with_code = predicted->with_code;
    copy_text(counters->limit, sizeof counters->limit, predict_unit_name(predicted->limit));
    for (int unit = 0; unit < PREDICT_UNITS && counters->shares < MOST_SHARES; unit++) {
        if (unit == PREDICT_LATENCY)
            continue; /* no unit that is busy */
        copy_text(counters->unit[counters->shares], sizeof *counters->unit,
                  predict_unit_name(unit));
        counters->share[counters->shares++].share = predicted->shares[unit];
    }
}

/* NULL where there is no text. */
static FILE *open_text(const char *text) {
    return text && *text ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : NULL;
}

static bool predict_from(const struct counters_texts *texts, const char *code,
                         struct predict *predicted, struct counters *counters) {
    FILE *counts = open_text(texts->counts), *gpu = open_text(texts->gpu);
    if (!counts || !gpu) {
        copy_text(counters->error, sizeof counters->error, "nothing was counted");
        return false;
    }
    return predict(counts, gpu, open_text(code), NULL, predicted, counters->error,
                   sizeof counters->error);
}

/* The process ends after this, and what is open or allocated with it. */
static bool read_all(const struct counters_texts *texts, struct counters *counters) {
    struct predict predicted;
    if (!(texts->code && predict_from(texts, texts->code, &predicted, counters)) &&
        !predict_from(texts, NULL, &predicted, counters))
        return false;
    const struct counts *counts = &predicted.counts;
    copy_text(counters->gpu, sizeof counters->gpu, texts->gpu_name);
    counters->counted.rows = counts->rows;
    counters->counted.columns = counts->columns;
    for (size_t n = 0; n < counts->op_count; n++)
        take_launch(&counts->ops[n], n, &predicted.ops[n], counters);
    take_accesses(counts, counters);
    take_prediction(&predicted, counters);
    return true;
}

/* ---- in the judge ----------------------------------------------------------------------- */

/* Has a process read the texts, and takes what it has left in the memory that both share. False
 * where that fails or takes too long. */
static bool read_apart(const struct counters_texts *texts, struct counters *counters) {
    const struct rlimit seconds = {READING_S, READING_S};
    const size_t bytes = sizeof *counters;
    struct counters *shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2], status;
    if (shared == MAP_FAILED || pipe2(ends, O_CLOEXEC) < 0)
        fault("cannot share memory with what reads the counts");
    fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0)
        fault("cannot start a process that reads the counts");
    if (pid == 0) {
        setrlimit(RLIMIT_CPU, &seconds);
        shared->there = read_all(texts, shared);
        _exit(0);
    }
    close(ends[1]);
    /* The other end is closed when the process ends; it may have to share its CPU. */
    const bool ended = poll(&(struct pollfd){.fd = ends[0]}, 1, 2 * READING_S * 1000) > 0;
    close(ends[0]);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    memcpy(counters, shared, bytes);
    munmap(shared, bytes);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The text, which ends in its room. */
static const char *end_in(char *text, size_t room) {
    text[room - 1] = '\0';
    return text;
}
#define SOUND(text) end_in(text, sizeof(text))

/* What came is only bytes, whatever happened to the process that wrote them. */
static void make_sound(struct counters *counters) {
    counters->launches = counters->launches > MOST_LAUNCHES ? MOST_LAUNCHES : counters->launches;
    counters->accesses = counters->accesses > MOST_ACCESSES ? MOST_ACCESSES : counters->accesses;
    counters->shares = counters->shares > MOST_SHARES ? MOST_SHARES : counters->shares;
    SOUND(counters->error), SOUND(counters->limit);
    counters->counted.gpu = SOUND(counters->gpu);
    counters->counted.calls = 1;
    for (size_t i = 0; i < counters->launches; i++) {
        struct launches_fields *launch = &counters->launch[i];
        struct launch_texts *texts = &counters->of_launch[i];
        launch->kernel = SOUND(texts->kernel);
        launch->grid = SOUND(texts->grid);
        launch->block = SOUND(texts->block);
        launch->overlaps = launch->overlaps == RECORD_TRUE ? RECORD_TRUE : RECORD_FALSE;
    }
    for (size_t i = 0; i < counters->accesses; i++) {
        struct access_texts *texts = &counters->of_access[i];
        counters->access[i].kernel = SOUND(texts->kernel);
        counters->access[i].source = SOUND(texts->source);
        counters->access[i].kind = SOUND(texts->kind);
        counters->access[i].space = SOUND(texts->space);
    }
    for (size_t i = 0; i < counters->shares; i++)
        counters->share[i].unit = SOUND(counters->unit[i]);
}

struct counters *counters_of(const struct counters_texts *texts) {
    struct counters *counters = allocate(sizeof *counters);
    if (!read_apart(texts, counters)) {
        *counters = (struct counters){0};
        snprintf(counters->error, sizeof counters->error,
                 "the counts could not be read within %d s", READING_S);
    }
    make_sound(counters);
    return counters;
}

void counters_find_sources(struct counters *counters, const char *program) {
    char file[128];
    snprintf(file, sizeof file, "%s.cu", problem.function);
    for (size_t i = 0; i < counters->accesses; i++) {
        double line = fmin(fmax(counters->access[i].line, 0), 1e9); /* it is only bytes, too */
        struct place place = place_at_line(program, file, line);
        copy_text(counters->of_access[i].source, sizeof counters->of_access[i].source, place.text);
    }
}

void record_counters(const struct counters *counters, size_t iterations,
                     struct record_fields *fields) {
    if (!counters || !counters->there)
        return;
    fields->counted = &counters->counted;
    fields->launches = (struct record_objects){counters->launch, counters->launches};
    fields->accesses = (struct record_objects){counters->access, counters->accesses};
    fields->has_counted = fields->has_launches = fields->has_accesses = true;
    if (!(counters->predicted_s > 0 && isfinite(counters->predicted_s)))
        return;
    fields->predicted_s = counters->predicted_s * iterations;
    fields->predicted_ci90_s[0] = counters->low_s * iterations;
    fields->predicted_ci90_s[1] = counters->high_s * iterations;
    fields->predicted_gpu = counters->gpu;
    fields->predicted_limit = counters->limit;
    fields->predicted_shares = (struct record_shares){counters->share, counters->shares};
    fields->predicted_with = counters->with_code ? "machine code" : "source";
    fields->has_predicted_s = fields->has_predicted_ci90_s = fields->has_predicted_gpu = true;
    fields->has_predicted_limit = fields->has_predicted_shares = fields->has_predicted_with = true;
}
