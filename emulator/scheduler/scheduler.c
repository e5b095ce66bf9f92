/* Runs kernels: blocks on a pool of OS threads ("workers"), the threads of a block on fibers.
 *
 * A fiber takes the next thread of the block that has not started, runs it to its end, and takes
 * the next one: without barriers the whole block is a plain loop. Only when a thread must wait does
 * it keep its fiber, whose stack holds the thread's variables, and another fiber goes on. */
#define _GNU_SOURCE
#include "scheduler.h"
#include "../findings/emulator.h"
#include "fiber.h"
#include "frames.h"
#include "hooks.h"

#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LANES = EMULATOR_WARP,
    MAX_WARPS = EMULATOR_MAX_THREADS / LANES,
    /* A cooperative launch needs a worker for each block that the device can hold. */
    MAX_WORKERS = EMULATOR_MOST_MULTIPROCESSORS * EMULATOR_MOST_BLOCKS,
    /* Other launches use at most this many workers: 16 full blocks are as many threads as the
     * device can hold, and each thread needs two of the 65530 mappings that Linux allows. */
    MAX_USUAL_WORKERS = 16,
    CHECKED_WORKERS = 4, /* blocks that the checked build interleaves */
    COUNTED_WORKERS = 2, /* what waits in a loop asks the more often, the more blocks run at once */
    WARP_RUN = 256,      /* warp operations until other warps have their turn, see release */
};

/* grid.sync()'s own barriers stand for one line of their own. */
static const unsigned GRID_LINE = UINT32_MAX;

enum wait { RUNNING, AT_BARRIER, AT_WARP, AT_ACTIVEMASK };

/* One line of the cache: a warp operation reads and writes those of all its lanes. */
struct thread {
    _Alignas(64) struct thread *next; /* in the queue where it waits */
    struct fiber *fiber;              /* where it waits */
    uint3 index;
    unsigned short number;   /* in the block */
    unsigned char wait;      /* enum wait */
    unsigned char operation; /* enum emulator_warp_operation */
    unsigned mask, argument; /* what it contributes to a warp operation */
    uint64_t value, result;  /* and what it gets */
    union {
        unsigned width;   /* of a shuffle */
        uint64_t *values; /* EMULATOR_GATHER puts them there */
        const void *site; /* of __activemask */
    };
};

struct queue {
    struct thread *first, *last;
};

struct warp {
    unsigned alive;   /* lanes that exist and have not exited */
    unsigned waiting; /* lanes in a warp operation */
    bool differ;      /* they may not all be in the same one, with the same mask */
    unsigned met;     /* how often lanes have met in one */
};

struct worker {
    pthread_t os_thread;
    unsigned number;
    struct fiber home;     /* the OS thread's own stack */
    struct fiber *running; /* the current one */
    struct fiber *idle;    /* fibers that hold no thread */
    struct fiber *fibers[EMULATOR_MAX_THREADS + 1];
    unsigned fiber_count;

    struct thread threads[EMULATOR_MAX_THREADS];
    struct warp warps[MAX_WARPS];
    const void *sites[EMULATOR_MAX_THREADS]; /* where each thread last waited, or let others run */
    struct thread *current;
    uint3 block; /* blockIdx */
    unsigned total, started, alive;
    uint3 next_index;
    struct queue ready, barrier, activemask;
    unsigned arrived, votes;                   /* at the block's barrier, so far */
    unsigned released_arrived, released_votes; /* when the barrier last opened */
    unsigned warp_run;                         /* counts warp operations, see release */
    unsigned opened, warp_met, most_met;       /* for emulator_meetings */
    bool stuck;

    /* taking turns, see emulator_pass_turn */
    bool runnable, in_turn;
    sem_t turn;
};

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread char emulator_dynamic_shared[EMULATOR_SHARED_MOST] __attribute__((aligned(128)));
__thread uintptr_t emulator_shared_begin, emulator_shared_bytes;
__thread uintptr_t emulator_stack_begin, emulator_stack_bytes;
__thread unsigned emulator_thread;
static __thread struct worker *this_worker;

void (*emulator_on_worker)(void);

/* The launch that the pool works on. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t work, done, grid;
    struct worker *workers[MAX_WORKERS]; /* 0 is the thread that launches */
    unsigned count;                      /* workers that exist */
    const struct emulator_launch *launch;
    unsigned last_line;  /* of the latest launch: it outlives `launch` */
    uint64_t generation; /* counts launches, so that a worker recognizes a new one */
    _Atomic unsigned participants;
    unsigned busy;
    uint64_t blocks;
    atomic_ullong next_block;
    atomic_bool failed;
    _Atomic cudaError_t failure; /* why, if it is not that threads wait for ever */
    /* grid.sync() */
    unsigned at_grid_barrier, left_grid;
    uint64_t grid_barriers;
    _Atomic unsigned turn;    /* the one worker that may run, where they take turns */
    unsigned to_begin, begun; /* of the blocks that take turns in the counted build */
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .grid = PTHREAD_COND_INITIALIZER};

static bool is_checked(void) { return racy_resume; }
static bool is_counted(void) { return counted_resume; }

atomic_bool emulator_in_turn;
static bool takes_turns(void) { return is_checked() || emulator_in_turn; }

/* The thread that launches runs no blocks: its thread-local variables are the program's. */
static bool is_watched(void) { return is_checked() || is_counted(); }

/* ---- threads of a block ----------------------------------------------------------------- */

static void push(struct queue *queue, struct thread *thread) {
    thread->next = NULL;
    if (queue->first)
        queue->last->next = thread;
    else
        queue->first = thread;
    queue->last = thread;
}

static struct thread *pop(struct queue *queue) {
    struct thread *thread = queue->first;
    if (thread)
        queue->first = thread->next;
    return thread;
}

static void append(struct queue *queue, struct queue *tail) {
    if (!tail->first)
        return;
    if (queue->first)
        queue->last->next = tail->first;
    else
        queue->first = tail->first;
    queue->last = tail->last;
    tail->first = NULL;
}

static void open_barrier(struct worker *w) {
    w->released_arrived = w->arrived;
    w->released_votes = w->votes;
    w->arrived = w->votes = 0;
    w->opened++;
    EMULATOR_WATCH(watch_barrier);
    append(&w->ready, &w->barrier);
}

static void block_thread_main(void);

static struct fiber *take_fiber(struct worker *w) {
    struct fiber *fiber = w->idle;
    if (fiber) {
        w->idle = fiber->next;
        return fiber;
    }
    fiber = fiber_new();
    fiber_prepare(fiber, block_thread_main);
    w->fibers[w->fiber_count++] = fiber;
    return fiber;
}

/* The first thread of the warp that `t` waits for and that waits elsewhere, or NULL. */
static const struct thread *elsewhere(const struct worker *w, const struct thread *t) {
    unsigned first = t->number / LANES * LANES;
    for (unsigned i = first; i < first + LANES && i < w->total; i++) {
        const struct thread *u = &w->threads[i];
        bool same = u->wait == AT_WARP && u->mask == t->mask && w->sites[i] == w->sites[t->number];
        if (t->mask >> i % LANES & 1 && u->wait != RUNNING && !same)
            return u;
    }
    return NULL;
}

/* Tell the checked build of a pair of threads that wait for each other: a lane and one that its
 * mask names, or else two that wait at different places. */
static void tell_stuck(const struct worker *w) {
    const struct thread *some = NULL, *other = NULL;
    for (unsigned i = 0; i < w->total; i++) {
        const struct thread *t = &w->threads[i];
        const struct thread *u = t->wait == AT_WARP ? elsewhere(w, t) : NULL;
        if (u) {
            watch_mask(i, w->sites[i], u->number, w->sites[u->number], t->mask,
                       "a lane that it names waits elsewhere");
            return;
        }
        if (t->wait != RUNNING && !some)
            some = t;
        else if (t->wait != RUNNING && !other && w->sites[i] != w->sites[some->number])
            other = t;
    }
    if (some)
        watch_deadlock(some->number, w->sites[some->number], other ? other->number : 0,
                       other ? w->sites[other->number] : NULL);
}

static void report_stuck(struct worker *w) {
    if (watch_deadlock)
        tell_stuck(w);
    const struct emulator_launch *launch = pool.launch;
    unsigned at_barrier = 0, at_warp = 0, exited = w->total - w->alive;
    fprintf(stderr, "emulator: deadlock in kernel %s (launched at line %d), block (%u, %u, %u):",
            launch->name, launch->line, blockIdx.x, blockIdx.y, blockIdx.z);
    for (unsigned i = 0; i < w->total; i++) {
        at_barrier += w->threads[i].wait == AT_BARRIER;
        at_warp += w->threads[i].wait == AT_WARP;
    }
    if (exited)
        fprintf(stderr, " %u threads have ended,", exited);
    if (at_barrier)
        fprintf(stderr, " %u wait at __syncthreads,", at_barrier);
    if (at_warp)
        fprintf(stderr, " %u wait for lanes of their warp,", at_warp);
    fprintf(stderr, " and none can continue\n");
}

/* Give each thread that waits at __activemask the lanes that wait at the same call, and release
 * all of them. Called when nothing else can run: every lane that can arrive has arrived. */
static bool release_activemask(struct worker *w) {
    if (!w->activemask.first)
        return false;
    for (struct thread *t = w->activemask.first; t; t = t->next) {
        unsigned first = t->number / LANES * LANES;
        t->result = 0;
        for (unsigned i = first; i < first + LANES && i < w->total; i++)
            if (w->threads[i].wait == AT_ACTIVEMASK && w->threads[i].site == t->site)
                t->result |= 1u << (i - first);
    }
    append(&w->ready, &w->activemask);
    return true;
}

/* The fiber to run when the current one cannot go on: a ready thread's, a new thread's, or home. */
static struct fiber *next_fiber(struct worker *w) {
    if (!w->ready.first) {
        if (w->started < w->total)
            return take_fiber(w);
        if (!release_activemask(w)) {
            if (w->alive) {
                report_stuck(w);
                w->stuck = true;
            }
            return &w->home;
        }
    }
    return pop(&w->ready)->fiber;
}

static void go_to(struct worker *w, struct fiber *to) {
    struct fiber *from = w->running;
    if (from == to)
        return;
    w->running = to;
    const struct thread *soon = w->ready.first;
    if (soon)
        fiber_expect(soon->fiber);
    if (soon && soon->next)
        __builtin_prefetch(soon->next->fiber);
    fiber_switch(from, to);
}

static void become(struct worker *w, struct thread *t) {
    w->current = t;
    emulator_thread = t->number;
    threadIdx = t->index;
    t->wait = RUNNING;
    emulator_stack_begin = (uintptr_t)w->running->stack;
    emulator_stack_bytes = FIBER_STACK;
    EMULATOR_WATCH(racy_resume);
    EMULATOR_WATCH(counted_resume);
}

/* The current thread is in a queue. Run others until somebody takes it from there. */
static void park(struct worker *w) {
    struct thread *t = w->current;
    t->fiber = w->running;
    go_to(w, next_fiber(w));
    become(w, t);
}

static void release_warp(struct worker *w, unsigned warp);

static void start_thread(struct worker *w) {
    struct thread *t = &w->threads[w->started];
    t->number = (unsigned short)w->started++;
    t->index = w->next_index;
    if (++w->next_index.x == blockDim.x) {
        w->next_index.x = 0;
        if (++w->next_index.y == blockDim.y) {
            w->next_index.y = 0;
            w->next_index.z++;
        }
    }
    become(w, t);
}

static void end_thread(struct worker *w) {
    struct thread *t = w->current;
    struct warp *warp = &w->warps[t->number / LANES];
    EMULATOR_WATCH(watch_pause);
    EMULATOR_WATCH(counted_end_thread);
    w->current = NULL;
    warp->alive &= ~(1u << t->number % LANES);
    w->alive--;
    if (w->arrived && w->arrived == w->alive)
        open_barrier(w);
    if (warp->waiting)
        release_warp(w, t->number / LANES);
}

static void block_thread_main(void) {
    struct worker *w = this_worker;
    const struct emulator_launch *launch;
    for (;;) {
        launch = pool.launch;
        while (w->started < w->total) {
            start_thread(w);
            launch->run(launch->arguments);
            end_thread(w);
        }
        /* No thread is left to start: this fiber is free. It continues here in another block. */
        struct fiber *fiber = w->running;
        struct fiber *next = next_fiber(w);
        fiber->next = w->idle;
        w->idle = fiber;
        go_to(w, next);
    }
}

void emulator_yield(void) { emulator_yield_at(__builtin_return_address(0)); }

void emulator_yield_at(const void *site) {
    struct worker *w = this_worker;
    if (w && w->current)
        w->sites[w->current->number] = site;
    if (!w || !w->current || (!w->ready.first && w->started == w->total))
        return;
    w->current->fiber = w->running;
    push(&w->ready, w->current);
    struct thread *t = w->current;
    /* Prefer to start a new thread, or a thread would only ever see the work of those before it. */
    go_to(w, w->started < w->total ? take_fiber(w) : pop(&w->ready)->fiber);
    become(w, t);
}

/* ---- barriers of a block ---------------------------------------------------------------- */

static void barrier(int predicate, unsigned line, const void *site) {
    struct worker *w = this_worker;
    EMULATOR_WATCH(watch_arrive, line, site);
    w->sites[w->current->number] = site;
    w->votes += predicate != 0;
    if (++w->arrived == w->alive) { /* do not wait for threads that have ended */
        open_barrier(w);
    } else {
        w->current->wait = AT_BARRIER;
        push(&w->barrier, w->current);
        park(w);
    }
}

void emulator_syncthreads(unsigned line) { barrier(0, line, __builtin_return_address(0)); }

struct emulator_votes emulator_syncthreads_vote(int predicate, unsigned line) {
    barrier(predicate, line, __builtin_return_address(0));
    return (struct emulator_votes){this_worker->released_votes, this_worker->released_arrived};
}

/* ---- warps ------------------------------------------------------------------------------ */

/* The lane that a shuffle reads in a segment of `width` lanes, or -1 for the caller's value. */
static int shuffle_source(const struct thread *t) {
    unsigned lane = t->number % LANES, first = lane & ~(t->width - 1), last = first + t->width - 1;
    unsigned argument = t->argument;
    if (t->operation == EMULATOR_SHUFFLE)
        return (int)(first | (argument & (t->width - 1)));
    if (t->operation == EMULATOR_SHUFFLE_UP)
        return argument <= lane - first ? (int)(lane - argument) : -1;
    if (t->operation == EMULATOR_SHUFFLE_DOWN)
        return argument <= last - lane ? (int)(lane + argument) : -1;
    return (lane ^ argument) <= last ? (int)(lane ^ argument) : -1;
}

/* What is undefined on a device: a value that nobody can mistake for a right one. */
static const uint64_t UNDEFINED = 0xDEADDEADDEADDEADu;

static uint64_t combine(enum emulator_warp_operation operation, uint64_t a, uint64_t b) {
    const bool less = a < b, less_signed = (int32_t)a < (int32_t)b;
    return operation == EMULATOR_ADD          ? (uint32_t)(a + b)
           : operation == EMULATOR_MIN        ? (less ? a : b)
           : operation == EMULATOR_MAX        ? (less ? b : a)
           : operation == EMULATOR_MIN_SIGNED ? (less_signed ? a : b)
           : operation == EMULATOR_MAX_SIGNED ? (less_signed ? b : a)
           : operation == EMULATOR_AND        ? a & b
           : operation == EMULATOR_OR         ? a | b
                                              : a ^ b;
}

static uint64_t shuffled(const struct thread *lanes, unsigned present, const struct thread *t) {
    int source = shuffle_source(t);
    if (source < 0)
        return t->value;
    if (present >> source & 1)
        return lanes[source].value;
    if (watch_mask) {
        const struct worker *w = this_worker;
        char what[120], why[80] = NOTE_NO_PART;
        if (t->number / LANES * LANES + (unsigned)source >= w->total)
            snprintf(why, sizeof why, NOTE_NO_LANE "%u thread%s (line %d)", w->total,
                     w->total == 1 ? "" : "s", pool.launch->line);
        snprintf(what, sizeof what, "lane %u takes the value of lane %d, %s", t->number % LANES,
                 source, why);
        watch_mask(t->number, this_worker->sites[t->number], 0, NULL, t->mask, what);
    }
    return UNDEFINED;
}

/* Give each lane the lanes that have its value: one value after the other. */
static void match_any(struct thread *lanes, unsigned present) {
    for (unsigned left = present, alike; left; left &= ~alike) {
        uint64_t value = lanes[__builtin_ctz(left)].value;
        alike = 0;
        for (unsigned rest = left; rest; rest &= rest - 1)
            if (lanes[__builtin_ctz(rest)].value == value)
                alike |= rest & -rest;
        for (unsigned rest = alike; rest; rest &= rest - 1)
            lanes[__builtin_ctz(rest)].result = alike;
    }
}

/* Give each lane the values of all lanes in `mask`, the lowest lane's first. */
static void gather(struct thread *lanes, unsigned present, unsigned mask) {
    uint64_t values[LANES];
    unsigned count = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        values[count++] = present >> lane & 1 ? lanes[lane].value : UNDEFINED;
    }
    for (unsigned rest = present; rest; rest &= rest - 1)
        memcpy(lanes[__builtin_ctz(rest)].values, values, count * sizeof *values);
}

/* The one result of an operation that gives all lanes the same. */
static uint64_t common_result(const struct thread *lanes, unsigned present,
                              enum emulator_warp_operation operation) {
    uint64_t first = lanes[__builtin_ctz(present)].value, all = first;
    unsigned ballot = 0;
    for (unsigned rest = present; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t value = lanes[lane].value;
        if (operation <= EMULATOR_BALLOT)
            ballot |= (unsigned)(value != 0) << lane;
        else if (operation == EMULATOR_MATCH_ALL)
            ballot |= (unsigned)(value == first) << lane;
        else if (rest != present)
            all = combine(operation, all, value);
    }
    return operation == EMULATOR_ANY         ? ballot != 0
           : operation == EMULATOR_ALL       ? ballot == present
           : operation == EMULATOR_BALLOT    ? ballot
           : operation == EMULATOR_MATCH_ALL ? (ballot == present ? present : 0)
                                             : all;
}

/* All lanes in `present` have arrived: give each its result. */
static void finish_operation(struct thread *lanes, unsigned present,
                             enum emulator_warp_operation operation, unsigned mask) {
    if (operation == EMULATOR_SYNC) {
        EMULATOR_WATCH(watch_warp_barrier, lanes->number / LANES, present);
    } else if (operation == EMULATOR_MATCH_ANY) {
        match_any(lanes, present);
    } else if (operation == EMULATOR_GATHER) {
        gather(lanes, present, mask);
    } else if (operation <= EMULATOR_SHUFFLE_XOR) {
        for (unsigned rest = present; rest; rest &= rest - 1) {
            struct thread *t = &lanes[__builtin_ctz(rest)];
            t->result = shuffled(lanes, present, t);
        }
    } else {
        uint64_t result = common_result(lanes, present, operation);
        for (unsigned rest = present; rest; rest &= rest - 1)
            lanes[__builtin_ctz(rest)].result = result;
    }
}

/* Make the lanes that have met ready, but for the one that runs. They come next, before other
 * warps, because their stacks are in the cache. Now and then they come last, so that a warp that
 * waits for another one does not wait for ever; in the checked build always, to mix the warps. */
static void release(struct worker *w, struct thread *lanes, unsigned met) {
    struct queue released = {NULL, NULL};
    for (unsigned rest = met; rest; rest &= rest - 1) {
        struct thread *t = &lanes[__builtin_ctz(rest)];
        if (t != w->current)
            push(&released, t);
    }
    if (is_checked() || ++w->warp_run % WARP_RUN == 0) {
        append(&w->ready, &released);
    } else {
        append(&released, &w->ready);
        w->ready = released;
    }
}

/* All lanes that `t` waits for are at the same operation. */
static bool all_arrived(const struct warp *warp, const struct thread *lanes,
                        const struct thread *t) {
    unsigned present = t->mask & warp->alive;
    if (present & ~warp->waiting)
        return false;
    if (!(present >> t->number % LANES & 1)) /* a mask without the caller: never */
        return false;
    for (unsigned rest = warp->differ ? present : 0; rest; rest &= rest - 1) {
        const struct thread *other = &lanes[__builtin_ctz(rest)];
        if (other->operation != t->operation || other->mask != t->mask)
            return false;
    }
    return true;
}

/* They have: finish it, and let them continue. */
static __attribute__((noinline)) void meet(struct worker *w, struct warp *warp,
                                           struct thread *lanes, const struct thread *t) {
    unsigned present = t->mask & warp->alive;
    finish_operation(lanes, present, t->operation, t->mask);
    warp->waiting &= ~present;
    if (++warp->met > w->warp_met)
        w->warp_met = warp->met;
    release(w, lanes, present);
}

/* The thread waits with the others of its warp. */
static void arrive(struct warp *warp, const struct thread *lanes, const struct thread *t) {
    if (!warp->waiting) {
        warp->differ = false;
    } else {
        const struct thread *other = &lanes[__builtin_ctz(warp->waiting)];
        warp->differ |= other->operation != t->operation || other->mask != t->mask;
    }
    warp->waiting |= 1u << t->number % LANES;
}

/* A lane has ended: it may be the last one that others waited for. */
static void release_warp(struct worker *w, unsigned number) {
    struct warp *warp = &w->warps[number];
    struct thread *lanes = &w->threads[number * LANES];
    for (unsigned lane = 0; lane < LANES; lane++)
        if (warp->waiting >> lane & 1 && all_arrived(warp, lanes, &lanes[lane]))
            meet(w, warp, lanes, &lanes[lane]);
}

/* Checked build: a lane arrives at a warp operation. */
static void watch_warp(struct worker *w, unsigned mask, const void *site) {
    unsigned number = w->current->number;
    w->sites[number] = site;
    watch_pause();
    if (!(mask >> number % LANES & 1))
        watch_mask(number, site, 0, NULL, mask, "it does not name the lane that calls");
}

uint64_t emulator_warp(enum emulator_warp_operation operation, unsigned mask, uint64_t value,
                       unsigned argument, unsigned width) {
    struct worker *w = this_worker;
    struct thread *t = w->current;
    struct warp *warp = &w->warps[t->number / LANES];
    struct thread *lanes = &w->threads[t->number / LANES * LANES];
    if (watch_mask)
        watch_warp(w, mask, __builtin_return_address(0));
    EMULATOR_WATCH(counted_warp_operation, operation, mask, value, __builtin_return_address(0));
    t->operation = (unsigned char)operation;
    t->mask = mask;
    t->value = value;
    t->argument = argument;
    if (operation != EMULATOR_GATHER)
        t->width = width;
    arrive(warp, lanes, t);
    if (all_arrived(warp, lanes, t)) {
        meet(w, warp, lanes, t);
    } else {
        t->wait = AT_WARP;
        park(w);
    }
    return t->result;
}

void emulator_warp_gather(unsigned mask, uint64_t value, uint64_t *values) {
    this_worker->current->values = values;
    emulator_warp(EMULATOR_GATHER, mask, value, 0, LANES);
}

__attribute__((noinline)) unsigned emulator_lanes_at(const void *site) {
    struct worker *w = this_worker;
    struct thread *t = w->current;
    t->wait = AT_ACTIVEMASK;
    t->site = site ? site : __builtin_return_address(0);
    push(&w->activemask, t);
    park(w);
    return (unsigned)t->result;
}

void emulator_returns(void) { EMULATOR_WATCH(watch_returns); }

/* Out of line: gcc cannot instrument a fence for the checked build. */
void emulator_fence(int device_wide) {
    atomic_thread_fence(memory_order_seq_cst);
    EMULATOR_WATCH(watch_fence, device_wide, __builtin_return_address(0));
}

/* In a graded step's kernels it is no clock, but each look takes as long: how slow the build is,
 * and so which it is, does not show. */
uint64_t emulator_nanoseconds(void) {
    static atomic_ullong looks;
    enum { LOOK_NS = 100 };
    struct timespec now;
    if (!emulator_any_program && emulator_in_kernel())
        return LOOK_NS * ++looks;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *emulator_thread_stack(void) {
    const struct worker *w = this_worker;
    return w && w->current ? w->running->stack : NULL;
}

unsigned emulator_lane(void) { return this_worker->current->number % LANES; }

int emulator_in_kernel(void) { return this_worker && this_worker->current; }

int emulator_is_cooperative(void) { return pool.launch->cooperative; }

/* ---- workers ---------------------------------------------------------------------------- */

/* The threads of a block that cannot continue are still on their fibers: forget them. */
static void abandon_fibers(struct worker *w) {
    w->idle = NULL;
    for (unsigned i = 0; i < w->fiber_count; i++) {
        fiber_prepare(w->fibers[i], block_thread_main);
        w->fibers[i]->next = w->idle;
        w->idle = w->fibers[i];
    }
}

static void run_block(struct worker *w, uint64_t number) {
    const struct emulator_launch *launch = pool.launch;
    gridDim = launch->grid;
    blockDim = launch->block;
    blockIdx.x = (unsigned)(number % gridDim.x);
    blockIdx.y = (unsigned)(number / gridDim.x % gridDim.y);
    blockIdx.z = (unsigned)(number / gridDim.x / gridDim.y);
    w->block = blockIdx;
    w->total = w->alive = blockDim.x * blockDim.y * blockDim.z;
    w->started = 0;
    w->next_index = (uint3){0, 0, 0};
    w->ready.first = w->barrier.first = w->activemask.first = NULL;
    w->arrived = w->votes = w->opened = w->warp_met = 0;
    w->stuck = false;
    for (unsigned i = 0; i * LANES < w->total; i++) {
        unsigned lanes = w->total - i * LANES;
        w->warps[i].alive = lanes >= LANES ? ~0u : (1u << lanes) - 1;
        w->warps[i].waiting = w->warps[i].met = 0;
    }
    EMULATOR_WATCH(racy_begin_block, number);
    EMULATOR_WATCH(watch_begin_block, number, w->total);
    w->running = &w->home;
    go_to(w, take_fiber(w));
    w->current = NULL;
    if (w->opened + w->warp_met > w->most_met)
        w->most_met = w->opened + w->warp_met;
    EMULATOR_WATCH(counted_end_block);
    if (w->stuck) {
        abandon_fibers(w);
        pool.failed = true;
    }
}

/* Give the turn to the next worker that can run. Only who has it does. A mutex would wake that
 * worker twice: when it is signalled, and when it gets the mutex. */
static void hand_over(void) {
    for (unsigned i = 1; i <= pool.participants; i++) {
        unsigned next = (pool.turn + i) % pool.participants;
        if (pool.workers[next]->runnable) {
            pool.turn = next;
            sem_post(&pool.workers[next]->turn);
            return;
        }
    }
}

static void await_turn(struct worker *w) {
    while (pool.turn != w->number)
        sem_wait(&w->turn);
}

void emulator_pass_turn(const void *site) {
    struct worker *w = this_worker;
    if (pool.participants < 2)
        return;
    w->sites[w->current->number] = site;
    if (pool.turn == w->number)
        hand_over();
    await_turn(w);
}

static unsigned most_in_turn(void) {
    return pool.blocks < MAX_USUAL_WORKERS ? (unsigned)pool.blocks : MAX_USUAL_WORKERS;
}

/* The thread that launches is told, and has more workers join. What others have begun is first. */
void emulator_take_turns(const void *site) {
    if (pool.launch->cooperative || pool.blocks < 2 || emulator_in_turn)
        return;
    pthread_mutex_lock(&pool.mutex);
    if (!emulator_in_turn) {
        pool.turn = this_worker->number;
        emulator_in_turn = true;
        pthread_cond_signal(&pool.done);
    }
    while (pool.participants < most_in_turn())
        pthread_cond_wait(&pool.work, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
    emulator_pass_turn(site);
}

/* Let all blocks leave grid.sync(). The caller holds pool.mutex. */
static void open_grid_barrier(void) {
    EMULATOR_WATCH(watch_grid_sync);
    pool.at_grid_barrier = 0;
    pool.grid_barriers++;
    for (unsigned i = 0; i < pool.participants; i++)
        pool.workers[i]->runnable = true;
    pthread_cond_broadcast(&pool.grid);
}

/* Find blocks that wait at grid.sync() for one that has ended. The caller holds pool.mutex. */
static void check_grid_barrier(void) {
    if (pool.at_grid_barrier && pool.left_grid &&
        pool.at_grid_barrier + pool.left_grid == pool.blocks) {
        fprintf(stderr,
                "emulator: deadlock in kernel %s (launched at line %d): %u blocks wait in "
                "grid.sync(), %u have ended\n",
                pool.launch->name, pool.launch->line, pool.at_grid_barrier, pool.left_grid);
        pool.failed = true;
        open_grid_barrier();
    }
}

static void wait_for_grid(struct worker *w) {
    pthread_mutex_lock(&pool.mutex);
    uint64_t mine = pool.grid_barriers;
    const bool last = ++pool.at_grid_barrier == pool.blocks;
    if (last) {
        open_grid_barrier();
    } else {
        w->runnable = false;
        check_grid_barrier();
        while (!is_checked() && pool.grid_barriers == mine)
            pthread_cond_wait(&pool.grid, &pool.mutex);
    }
    pthread_mutex_unlock(&pool.mutex);
    if (is_checked() && !last) {
        hand_over();
        await_turn(w);
    }
}

void emulator_grid_sync(void) {
    struct worker *w = this_worker;
    barrier(0, GRID_LINE, __builtin_return_address(0));
    /* One thread waits for the other blocks: the first that is alive. */
    unsigned first = 0;
    while (!w->warps[first].alive)
        first++;
    if (w->current->number == first * LANES + (unsigned)__builtin_ctz(w->warps[first].alive)) {
        EMULATOR_WATCH(counted_grid_barrier, __builtin_return_address(0));
        wait_for_grid(w);
    }
    if (pool.failed && pool.left_grid) { /* it cannot continue: abandon the block */
        w->stuck = true;
        go_to(w, &w->home);
    }
    barrier(0, GRID_LINE, __builtin_return_address(0));
}

void emulator_fail_kernel(cudaError_t error) {
    struct worker *w = this_worker;
    pool.failure = error;
    w->stuck = true; /* abandon the block */
    go_to(w, &w->home);
    abort(); /* it never comes here */
}

/* What threads leave on their stacks is no memory that the host has. */
static void leave_nothing(struct worker *w) {
    size_t used = watch_end_blocks ? watch_end_blocks() : 0;
    for (unsigned i = 0; used && i < w->fiber_count; i++)
        fiber_spoil(w->fibers[i], used);
}

/* The next block. Where blocks take turns in the counted build, as many as there are workers begin
 * together, once all before them have ended, like a GPU's first ones: threads that link lists which
 * nobody has linked yet make longer ones. */
static uint64_t begin_block(struct worker *w) {
    while (emulator_in_turn && !pool.to_begin && pool.begun && pool.next_block < pool.blocks) {
        hand_over();
        await_turn(w);
    }
    if (emulator_in_turn && pool.next_block < pool.blocks) {
        pool.to_begin = (pool.begun ? pool.to_begin : pool.participants) - 1;
        pool.begun++;
        w->in_turn = true;
    }
    return pool.next_block++;
}

static void end_block(struct worker *w) {
    if (takes_turns())
        await_turn(w);
    pool.begun -= w->in_turn;
    w->in_turn = false;
}

/* Work on the launch until no block is left. */
static void take_blocks(struct worker *w) {
    if (takes_turns())
        await_turn(w);
    if (pool.launch->cooperative)
        run_block(w, w->number);
    else
        for (uint64_t block; (block = begin_block(w)) < pool.blocks && !pool.failed;) {
            run_block(w, block);
            end_block(w);
        }
    emulator_stack_bytes = 0;
    leave_nothing(w);
    pthread_mutex_lock(&pool.mutex);
    while (takes_turns() && pool.turn != w->number) { /* since others began to */
        pthread_mutex_unlock(&pool.mutex);
        await_turn(w);
        pthread_mutex_lock(&pool.mutex);
    }
    pool.left_grid++;
    if (w->most_met > emulator_meetings)
        emulator_meetings = w->most_met;
    w->most_met = 0;
    if (pool.launch->cooperative)
        check_grid_barrier();
    w->runnable = false;
    if (takes_turns())
        hand_over();
    if (--pool.busy == 0)
        pthread_cond_signal(&pool.done);
    pthread_mutex_unlock(&pool.mutex);
}

/* Find the thread-local variables of the program itself; those of libraries lie elsewhere. */
static int find_thread_locals(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)unused;
    if (size < sizeof *info)
        return 1;
    uintptr_t inside = (uintptr_t)emulator_dynamic_shared;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = (uintptr_t)info->dlpi_tls_data;
        if (header->p_type == PT_TLS && begin && inside - begin < header->p_memsz) {
            emulator_shared_begin = begin;
            emulator_shared_bytes = header->p_memsz;
            return 1;
        }
    }
    return 0;
}

static void become_worker(struct worker *w) {
    this_worker = w;
    emulator_shared_begin = (uintptr_t)emulator_dynamic_shared;
    emulator_shared_bytes = sizeof emulator_dynamic_shared;
    dl_iterate_phdr(find_thread_locals, NULL);
}

static void *worker_main(void *argument) {
    struct worker *w = argument;
    uint64_t seen = 0;
    if (emulator_on_worker)
        emulator_on_worker();
    become_worker(w);
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        while (pool.generation == seen || w->number >= pool.participants)
            pthread_cond_wait(&pool.work, &pool.mutex);
        seen = pool.generation;
        pthread_mutex_unlock(&pool.mutex);
        EMULATOR_WATCH(emulator_kernel_thread, 1);
        take_blocks(w);
        EMULATOR_WATCH(emulator_kernel_thread, 0);
        pthread_mutex_lock(&pool.mutex);
    }
    return NULL;
}

static int start_worker(struct worker *w) {
    EMULATOR_WATCH(emulator_starts_worker, 1);
    int status = pthread_create(&w->os_thread, NULL, worker_main, w);
    EMULATOR_WATCH(emulator_starts_worker, 0);
    return status;
}

/* Have at least `count` workers. */
static void grow_pool(unsigned count) {
    for (; pool.count < count; pool.count++) {
        struct worker *w = emulator_need(aligned_alloc(_Alignof(struct worker), sizeof *w));
        memset(w, 0, sizeof *w);
        w->number = pool.count;
        sem_init(&w->turn, 0, 0);
        pool.workers[pool.count] = w;
        if ((pool.count > 0 || is_watched()) && start_worker(w))
            emulator_give_up("cannot start a thread");
    }
}

/* More workers work on the launch that is under way. The caller holds pool.mutex. */
static void let_join(void) {
    unsigned count = most_in_turn();
    if (count <= pool.participants)
        return;
    grow_pool(count);
    for (unsigned i = pool.participants; i < count; i++)
        pool.workers[i]->runnable = true;
    pool.busy += count - pool.participants;
    pool.participants = count;
    pthread_cond_broadcast(&pool.work);
}

static unsigned usual_workers(void) {
    static unsigned count;
    if (!count) {
        const char *wanted = getenv("HISTOLAB_THREADS");
        long n = wanted ? atol(wanted) : sysconf(_SC_NPROCESSORS_ONLN);
        long most = is_counted() && !wanted ? COUNTED_WORKERS : MAX_USUAL_WORKERS;
        count = n < 1 ? 1 : n > most ? (unsigned)most : (unsigned)n;
    }
    return is_checked() ? CHECKED_WORKERS : count;
}

/* ---- where the threads are -------------------------------------------------------------- */

int emulator_runs_here(pthread_t *other) {
    const struct worker *w = this_worker;
    if (!pool.busy) /* the host's code */
        return 1;
    unsigned turn = pool.turn;
    if (is_checked()) {
        *other = pool.workers[turn]->os_thread;
        return w && w->number == turn;
    }
    if (w && w->current)
        return 1;
    for (unsigned i = 0; i < pool.participants; i++)
        if (pool.workers[i]->current) {
            *other = pool.workers[i]->os_thread;
            return pthread_equal(*other, pthread_self());
        }
    return 1;
}

/* A thread that does not run: to the group of its place. */
static void add_to_group(struct where *where, const struct worker *w, const struct thread *t) {
    uint64_t pc = frames_offset((uintptr_t)w->sites[t->number] - 1);
    struct where_group *group = where->group;
    uint32_t waits = t->wait != RUNNING;
    while (group < where->group + where->groups && (group->pc != pc || group->waits != waits))
        group++;
    if (group == where->group + WHERE_GROUPS)
        return;
    if (group == where->group + where->groups) {
        where->groups++;
        group->pc = pc;
        group->waits = waits;
        memcpy(group->block, &w->block, sizeof group->block);
        memcpy(group->thread, &t->index, sizeof group->thread);
    }
    group->threads++;
    if (w->number < WHERE_BLOCKS)
        group->blocks |= (uint64_t)1 << w->number;
}

int emulator_find_threads(struct where *where) {
    const struct worker *here = this_worker;
    where->launch_line = pool.last_line;
    if (pool.busy) {
        uint64_t begun = pool.next_block;
        where->grid = pool.blocks;
        where->ended = begun > pool.busy ? begun - pool.busy : 0;
    }
    where->on_host = !here || !here->current;
    if (!where->on_host) {
        memcpy(where->block, &blockIdx, sizeof where->block);
        memcpy(where->thread, &threadIdx, sizeof where->thread);
        where->blocks = here->number < WHERE_BLOCKS ? (uint64_t)1 << here->number : 0;
    }
    for (unsigned i = 0; pool.busy && i < pool.participants; i++) {
        const struct worker *w = pool.workers[i];
        if (!w->current)
            continue;
        for (unsigned j = 0; j < w->started; j++) {
            const struct thread *t = &w->threads[j];
            /* Of other OS threads' current threads the place is known in the checked build. */
            bool runs = t == w->current && (w == here || !is_checked());
            if (!runs && w->warps[j / LANES].alive >> j % LANES & 1)
                add_to_group(where, w, t);
        }
    }
    return !pool.busy || !where->on_host;
}

unsigned long long emulator_launches;
unsigned long long emulator_launch_bit, emulator_next_bit, emulator_of_blocks, emulator_meetings;
struct emulator_widest emulator_widest;

void emulator_note_launch(dim3 grid, dim3 block) {
    unsigned blocks = grid.x * grid.y * grid.z, threads = block.x * block.y * block.z;
    emulator_launches++;
    emulator_launch_bit = emulator_next_bit;
    if (emulator_next_bit << 1)
        emulator_next_bit <<= 1;
    if (blocks > 1)
        emulator_of_blocks |= emulator_launch_bit;
    if ((size_t)blocks * threads > (size_t)emulator_widest.blocks * emulator_widest.threads)
        emulator_widest = (struct emulator_widest){blocks, threads};
}

cudaError_t emulator_run(const struct emulator_launch *launch) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    unsigned workers = usual_workers();
    if (launch->cooperative || workers > blocks)
        workers = (unsigned)blocks;
    pthread_mutex_lock(&one_at_a_time);
    grow_pool(workers);
    /* The OS thread that launches is worker 0. If another one was before, its fibers may hold
     * addresses of the other's thread-local variables. In a build that watches it only waits. */
    struct worker *mine = is_watched() ? NULL : pool.workers[0];
    if (mine) {
        if (!pthread_equal(mine->os_thread, pthread_self())) {
            mine->os_thread = pthread_self();
            abandon_fibers(mine);
        }
        become_worker(mine);
    }
    pool.launch = launch;
    pool.last_line = (unsigned)launch->line;
    pool.blocks = blocks;
    pool.next_block = 0;
    pool.failed = false;
    pool.failure = cudaErrorLaunchTimeout;
    pthread_mutex_lock(&pool.mutex);
    pool.participants = workers;
    pool.busy = workers;
    pool.at_grid_barrier = pool.left_grid = 0;
    pool.turn = pool.to_begin = pool.begun = 0;
    for (unsigned i = 0; i < workers; i++)
        pool.workers[i]->runnable = true;
    pool.generation++;
    if (workers > 1 || !mine)
        pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
    if (mine)
        take_blocks(mine);
    pthread_mutex_lock(&pool.mutex);
    while (pool.busy) {
        if (emulator_in_turn)
            let_join();
        pthread_cond_wait(&pool.done, &pool.mutex);
    }
    emulator_in_turn = false;
    pthread_mutex_unlock(&pool.mutex);
    cudaError_t status = pool.failed ? pool.failure : cudaSuccess;
    this_worker = NULL;
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}
