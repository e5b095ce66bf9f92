/* The operations of a call: kernels, memsets and copies, in stream order; and the counts file. */
#define _GNU_SOURCE
#include "access.h"
#include "lanes.h"
#include "trace.h"
#include "../findings/emulator.h"
#include "../scheduler/hooks.h"
#include "../scheduler/image.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLED_FROM = 4096, /* of a grid with more blocks every k-th is counted, */
    SAMPLE = 2048,       /* so that they are at least this many */
    TRACED_BLOCKS = 16,  /* of the multiprocessor's */
    LAST_BLOCKS = 64,    /* one of these ends last */
    TRACED_ITEMS = 300000,
    MOST_SHARED = 256, /* variables in shared memory */
    MOST_WARPS = 32,
};

/* ---- one kernel ------------------------------------------------------------------------- */

/* Each OS thread that runs blocks has its own, which lives as long as the process. */
struct worker {
    struct worker *next;
    struct tally sample, whole; /* of blocks that stand for others too, and of the others */
    struct block_trace trace;   /* of the block that runs, or of the last one */
    bool has_trace;             /* and it may be the block that ended last */
    uint64_t counted;
    bool shared_used[MOST_SHARED];
    struct request polled[MOST_WARPS]; /* each warp's last load in a loop */
    uint64_t work[MOST_WARPS], most;   /* what each did, and the most that one did in any block */
    /* the block that runs */
    struct tally *tally; /* NULL: it is only traced */
    bool traced, kept;
    uint64_t number, requests;
};

static struct {
    pthread_mutex_t mutex;
    struct worker *workers;
    bool calls, launch; /* this call is counted; a kernel of it runs */
    const struct emulator_launch *now;
    uint64_t blocks, stride;
    unsigned warps, budget;
    struct block_trace first[TRACED_BLOCKS];
    struct tally sum;
    uint64_t most;
} run = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static __thread struct worker *mine;

static struct worker *this_worker(void) {
    if (!mine) {
        mine = emulator_need(calloc(1, sizeof *mine));
        pthread_mutex_lock(&run.mutex);
        mine->next = run.workers;
        run.workers = mine;
        pthread_mutex_unlock(&run.mutex);
    }
    return mine;
}

static void note_shared(struct worker *w, const struct request *request) {
    const struct symbol *array = emulator_array_at(request->address[__builtin_ctz(request->mask)]);
    if (array && array - emulator_arrays.list < MOST_SHARED)
        w->shared_used[array - emulator_arrays.list] = true;
}

/* Whether the warp's lanes read again what they have just read in the turn before of the same loop:
 * they wait for other threads, and how often they ask depends on the machine. */
static bool is_poll(struct request *last, const struct request *request) {
    bool same = last->loop == request->loop && last->site == request->site &&
                last->turn + 1 == request->turn && !(request->mask & ~last->mask);
    for (uint32_t rest = request->mask; same && rest; rest &= rest - 1)
        same = last->address[__builtin_ctz(rest)] == request->address[__builtin_ctz(rest)];
    if (same)
        last->turn++;
    else
        *last = *request;
    return same;
}

/* What a warp of this block did. */
static void done(unsigned warp, const struct request *request) {
    struct worker *w = mine;
    struct tally *tally = w->tally;
    struct measure measure;
    if (request->space == LOCAL && request->kind <= ATOMIC) {
        request_measure(request, &measure);
        if (tally)
            tally_add(tally, request, &measure);
        return;
    }
    bool looks = request->kind == LOAD ||
                 (request->kind == ATOMIC && request->atomic == EMULATOR_ATOMIC_LOOK);
    if (looks && request->space == GLOBAL && request->loop && is_poll(&w->polled[warp], request))
        return;
    if (!looks && (request->kind <= ATOMIC || request->kind == BARRIER))
        w->polled[warp].loop = 0;
    w->work[warp] += request->kind <= ATOMIC ? 1 : request->kind == TURNS ? request->turn : 0;
    if (request->kind <= ATOMIC) {
        request_measure(request, &measure);
        w->requests++;
        request_touch(request, &measure);
        if (tally)
            tally_add(tally, request, &measure);
        if (request->space == SHARED)
            note_shared(w, request);
        else if (w->number == 0 && warp == 0)
            access_request(request, measure.sectors);
    } else if (tally) {
        tally_event(tally, request);
    }
    if (w->traced && request->kind != CONSTANT)
        trace_add(&w->trace, warp, request, request->kind <= ATOMIC ? &measure : NULL);
}

/* Which of the traced blocks this is, or -1: of those of multiprocessor 0 some from the whole grid,
 * since what blocks do may depend on where they are: late ones find a fuller hash table. */
static int traced_block(uint64_t number) {
    uint64_t multiprocessors = emulator_device.multiprocessors, place = number / multiprocessors;
    uint64_t places = (run.blocks + multiprocessors - 1) / multiprocessors;
    uint64_t traced = place * TRACED_BLOCKS / places;
    bool first = (traced * places + TRACED_BLOCKS - 1) / TRACED_BLOCKS == place;
    return number % multiprocessors == 0 && first ? (int)traced : -1;
}

void watch_begin_block(uint64_t number, unsigned threads) {
    if (!run.launch) {
        lanes_begin_block(IDLE, threads, NULL);
        return;
    }
    struct worker *w = this_worker();
    bool last = number + 1 == run.blocks;
    w->tally = last && run.stride > 1 ? &w->whole : number % run.stride == 0 ? &w->sample : NULL;
    w->kept = traced_block(number) >= 0;
    w->traced = w->kept || number + LAST_BLOCKS >= run.blocks;
    w->number = number;
    w->requests = 0;
    for (unsigned warp = 0; warp < run.warps; warp++)
        w->polled[warp].loop = w->work[warp] = 0;
    w->counted += w->tally != NULL;
    w->has_trace = w->traced && !w->kept;
    if (w->traced)
        trace_begin(&w->trace, number, run.warps, run.budget);
    bool followed = w->tally || w->traced || emulator_in_turn; /* blocks that take turns: all */
    lanes_begin_block(followed ? COUNTING : FOOTPRINT, threads, done);
}

void counted_end_block(void) {
    struct worker *w = mine;
    lanes_mode = IDLE;
    for (unsigned warp = 0; run.launch && warp < run.warps; warp++)
        w->most = w->work[warp] > w->most ? w->work[warp] : w->most;
    if (!run.launch || !w->traced)
        return;
    trace_end(&w->trace);
    if (w->kept) {
        run.first[traced_block(w->trace.block)] = w->trace;
        w->trace = (struct block_trace){0};
    }
}

/* ---- the counts file -------------------------------------------------------------------- */

static struct {
    char *file; /* where it goes; NULL: the next call is not counted */
    size_t size;
    size_t rows, columns;
    FILE *out; /* in memory, until it is whole */
    char *text;
    size_t length;
    unsigned operations;
    size_t items; /* of traces, that may still be written */
    bool overflow;
} output;

/* The sites of the kernel: counters that are the same to a reader. */
struct site {
    unsigned local; /* these come last: traces do not have them */
    unsigned line, loop, kind, space, bytes;
    struct counter sum;
};
static struct site sites[COUNTERS];
static unsigned site_count;

/* By the numbers that sites begin with. */
static int by_line(const void *a, const void *b) {
    enum { NUMBERS = 6 };
    const unsigned *x = a, *y = b;
    for (int i = 0; i < NUMBERS; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Its number; one more than there are: it is new. */
static unsigned find_site(const struct site *wanted) {
    unsigned i = 0;
    while (i < site_count && by_line(&sites[i], wanted))
        i++;
    return i;
}

static unsigned site_id(const struct request *request, bool *merged) {
    const struct site site = {.line = place_line(request->site),
                              .loop = request->loop,
                              .kind = request->kind,
                              .space = request->space,
                              .bytes = request->bytes};
    unsigned id = find_site(&site);
    *merged = id < site_count && sites[id].sum.merged;
    return id;
}

static void add_site(const struct counter *add) {
    const struct site site = {add->space == LOCAL,
                              place_line(add->site),
                              add->loop,
                              add->kind,
                              add->space,
                              add->bytes,
                              {0}};
    unsigned at = find_site(&site);
    if (at == site_count)
        sites[site_count++] = site;
    struct counter *sum = &sites[at].sum;
    sum->merged = add->merged && (sum->merged || !sum->figure[REQUESTS]);
    counter_add(sum, add);
}

static void write_sites(const struct tally *tally) {
    static const char *const kinds[] = {"load", "store", "atomic"};
    static const char *const spaces[] = {"global", "shared", "local"};
    memset(sites, 0, sizeof sites);
    site_count = 0;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (tally->counters[i].figure[REQUESTS]) {
            struct counter counter = tally->counters[i];
            counter_finish(&counter);
            add_site(&counter);
        }
    qsort(sites, site_count, sizeof *sites, by_line);
    for (unsigned i = 0; i < site_count; i++) {
        const struct site *s = &sites[i];
        fprintf(output.out, "site %u %u %u %u %s %s %u", output.operations, i, s->line, s->loop,
                kinds[s->kind], spaces[s->space], s->bytes);
        for (enum figure f = REQUESTS; f < FIGURES; f++)
            fprintf(output.out, " %lu", s->sum.figure[f]);
        fputc('\n', output.out);
    }
}

static uint64_t scaled(uint64_t value, double factor) {
    return (uint64_t)((double)value * factor + 0.5);
}

/* A sample stands for all blocks but the last. */
static void scale(struct tally *tally, double factor) {
    for (unsigned i = 0; i < COUNTERS; i++)
        for (enum figure f = REQUESTS; f < MOST; f++)
            tally->counters[i].figure[f] = scaled(tally->counters[i].figure[f], factor);
    struct hot_table *const tables[] = {&tally->addresses, &tally->near};
    for (unsigned t = 0; t < 2; t++)
        for (unsigned i = 0; i < HOT_ADDRESSES; i++) {
            struct hot *hot = &tables[t]->hot[i];
            hot->adds = scaled(hot->adds, factor);
            hot->requests = scaled(hot->requests, factor);
        }
    for (enum event e = BARRIERS; e < EVENTS; e++)
        tally->event[e] = scaled(tally->event[e], factor);
}

static uint64_t gather(void) {
    uint64_t counted = 0;
    for (struct worker *w = run.workers; w; w = w->next) {
        tally_merge(&run.sum, &w->sample);
        counted += w->counted;
        run.most = w->most > run.most ? w->most : run.most;
        w->counted = w->most = 0;
    }
    if (run.stride > 1)
        scale(&run.sum, (double)(run.blocks - 1) / (double)(counted - 1));
    for (struct worker *w = run.workers; w; w = w->next)
        tally_merge(&run.sum, &w->whole);
    return counted;
}

static size_t gather_shared(void) {
    size_t sum = 0;
    bool used[MOST_SHARED] = {false};
    for (struct worker *w = run.workers; w; w = w->next)
        for (unsigned i = 0; i < MOST_SHARED; i++) {
            used[i] |= w->shared_used[i];
            w->shared_used[i] = false;
        }
    for (unsigned i = 0; i < MOST_SHARED && i < emulator_arrays.count; i++)
        sum += used[i] ? emulator_arrays.list[i].size : 0;
    return sum;
}

/* The line that the kernel begins at, or 0. */
static const char *name_of(const struct emulator_launch *launch, unsigned *line) {
    *line = 0;
    const char *name = launch->kernel ? place_function(launch->kernel, line) : NULL;
    return name ? name : launch->name;
}

static void write_operation(uint64_t counted) {
    const struct emulator_launch *now = run.now;
    unsigned line;
    const char *name = name_of(now, &line);
    fprintf(output.out, "op %u kernel %u %u %u %u %u %u %u %zu %zu %d %lu %s\n", output.operations,
            now->line > 0 ? (unsigned)now->line : line, now->grid.x, now->grid.y, now->grid.z,
            now->block.x, now->block.y, now->block.z, gather_shared(), now->shared_bytes,
            now->overlaps != 0, counted, name);
}

/* Which of the operations before it this one comes after, if not all. */
static void write_order(cudaStream_t stream) {
    uint64_t before = streams_before(output.operations, stream);
    if (output.operations < 64 && ~before << (63 - output.operations) << 1)
        fprintf(output.out, "after %u %lx\n", output.operations, before);
}

static void write_sums(void) {
    uint64_t read, written, requests, near_requests;
    uint64_t adds = hottest(&run.sum.addresses, &requests);
    region_touched(&read, &written);
    fprintf(output.out, "memory %u %lu %lu\n", output.operations, read, written);
    if (requests)
        fprintf(output.out, "hot %u %lu %lu %lu\n", output.operations, adds, requests,
                hottest(&run.sum.near, &near_requests));
    const uint64_t *event = run.sum.event;
    fprintf(output.out, "sync %u %lu %lu %lu\n", output.operations, event[BARRIERS],
            event[OPERATIONS], event[FENCES]);
    fprintf(output.out, "most %u %lu %lu\n", output.operations, run.most, event[EMPTY_TURNS]);
    if (event[MATCHES] || event[GROUPS] || event[CONSTANTS])
        fprintf(output.out, "passes %u %lu %lu %lu %lu\n", output.operations, event[MATCHES],
                event[GROUPS], event[CONSTANTS], run.sum.constant_end - run.sum.constant_begin);
}

/* Of the blocks that ended last, the one that did most; NULL if its trace is kept already. */
static struct block_trace *last_trace(void) {
    struct block_trace *last = NULL;
    uint64_t most = 0;
    for (unsigned i = 0; i < TRACED_BLOCKS; i++)
        if (run.first[i].warp && run.first[i].block + LAST_BLOCKS >= run.blocks &&
            run.first[i].requests > most)
            most = run.first[i].requests;
    for (struct worker *w = run.workers; w; w = w->next) {
        if (w->has_trace && w->trace.requests > most) {
            most = w->trace.requests;
            last = &w->trace;
        }
        w->has_trace = false;
    }
    return last;
}

static void write_traces(void) {
    struct block_trace *last = last_trace();
    for (unsigned i = 0; i < TRACED_BLOCKS; i++)
        if (run.first[i].warp)
            output.items -= trace_write(&run.first[i], output.out, output.operations, site_id);
    if (last)
        output.items -= trace_write(last, output.out, output.operations, site_id);
    for (unsigned i = 0; i < TRACED_BLOCKS; i++)
        trace_free(&run.first[i]);
}

/* ---- what happens on the host ----------------------------------------------------------- */

void watch_begin_launch(const struct emulator_launch *launch) {
    if (!run.calls)
        return;
    run.launch = true;
    run.now = launch;
    run.blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    /* Odd, so that a pattern of blocks that repeats itself is met everywhere. */
    run.stride = run.blocks > SAMPLED_FROM ? run.blocks / SAMPLE / 2 * 2 + 1 : 1;
    unsigned line, threads = launch->block.x * launch->block.y * launch->block.z;
    run.warps = (threads + WARP - 1) / WARP;
    access_begin_launch(name_of(launch, &line), run.blocks, threads);
    uint64_t traced =
        (run.blocks + emulator_device.multiprocessors - 1) / emulator_device.multiprocessors;
    traced = (traced > TRACED_BLOCKS ? TRACED_BLOCKS : traced) + 1;
    run.budget = (unsigned)(output.items / 2 / (traced * run.warps));
    region_begin();
}

void watch_end_launch(void) {
    if (!run.launch)
        return;
    run.launch = false;
    uint64_t counted = gather();
    output.overflow |= run.sum.overflow;
    write_operation(counted);
    write_order(run.now->stream);
    write_sites(&run.sum);
    write_sums();
    write_traces();
    memset(&run.sum, 0, sizeof run.sum);
    run.most = 0;
    output.operations++;
}

void counted_copy(const void *from, size_t size, cudaStream_t stream) {
    if (!run.calls)
        return;
    fprintf(output.out, "op %u %s %zu\n", output.operations, from ? "copy" : "memset", size);
    write_order(stream);
    output.operations++;
}

void counted_next_call(char *file, size_t size) {
    output.file = file;
    output.size = size;
}

void counted_shape(size_t rows, size_t columns) {
    output.rows = rows;
    output.columns = columns;
}

void watch_begin_call(const void *input, size_t input_bytes, void *written, size_t output_bytes) {
    if (!output.file)
        return;
    access_begin_call(input, input_bytes, output.rows * output.columns, written, output_bytes);
    output.out = emulator_need(open_memstream(&output.text, &output.length));
    output.operations = 0;
    output.items = TRACED_ITEMS;
    output.overflow = false;
    fprintf(output.out, "histolab-counts 1\ngpu %s %u\ncall %zu %zu %zu %zu\n",
            emulator_device.name, emulator_device.multiprocessors, output.rows, output.columns,
            input_bytes, output_bytes);
    streams_begin_call();
    run.calls = true;
}

void watch_end_call(void) {
    if (!run.calls)
        return;
    run.calls = false;
    access_end_call();
    bool whole = !ferror(output.out) && fclose(output.out) == 0;
    const char *why = !whole            ? "no memory for the counts file"
                      : output.overflow ? "the step has too many places that access memory"
                      : output.length + 1 > output.size ? "the counts file would be too long"
                                                        : NULL;
    if (why)
        snprintf(output.file, output.size, "%s\n", why);
    else
        memcpy(output.file, output.text, output.length + 1);
    free(output.text);
    output.text = NULL;
    output.file = NULL;
}
