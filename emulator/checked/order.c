#include "order.h"

#include <obstack.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = EMULATOR_WARP, WARPS = EMULATOR_MAX_THREADS / EMULATOR_WARP };

/* ---- operations of the host ------------------------------------------------------------- */

/* All is known of the last operations only. Older ones count as ordered: hardly one still runs. */
enum { STREAMS = 32, RECENT_OPERATIONS = 256 };

/* How many operations of each stream are known to be over. */
struct progress {
    uint32_t done[STREAMS];
};

static struct stream {
    cudaStream_t handle;
    bool blocking; /* ordered with the default stream */
    uint32_t made_pc, count;
    struct progress known;
} streams[STREAMS] = {{.blocking = true}}; /* the first is the default stream */
static unsigned stream_count = 1;

static struct event {
    cudaEvent_t handle;
    struct progress known;
} events[64];
static unsigned event_count;

static struct progress host_knows;

static struct recent {
    struct operation operation;
    unsigned stream;
    uint32_t index; /* in its stream, from 1 */
    bool overlaps, kernel;
} recent[RECENT_OPERATIONS];

struct operation order_now;

/* NULL: it is none of the last ones. */
static struct recent *recent_of(uint32_t number) {
    struct recent *found = &recent[number % RECENT_OPERATIONS];
    return found->operation.number == number ? found : NULL;
}

static void join(struct progress *to, const struct progress *from) {
    for (int i = 0; i < STREAMS; i++)
        if (from->done[i] > to->done[i])
            to->done[i] = from->done[i];
}

static unsigned stream_index(cudaStream_t handle) {
    if (!handle || handle == cudaStreamLegacy)
        return 0;
    for (unsigned i = 1; i < stream_count; i++)
        if (streams[i].handle == handle)
            return i;
    watch_stream(handle, true); /* cudaStreamPerThread, at its first use */
    return stream_count - 1;
}

void watch_stream(cudaStream_t handle, int blocking) {
    unsigned i = 1;
    while (i < stream_count && streams[i].handle != handle)
        i++;
    if (i == STREAMS) /* more than we follow: the last one stands for all of them */
        i = STREAMS - 1;
    uint32_t count = i < stream_count ? streams[i].count : 0; /* an address that is used again */
    streams[i] = (struct stream){handle, blocking, memory_caller(), count, {{0}}};
    if (i == stream_count)
        stream_count++;
}

static void default_stream_rule(unsigned index) {
    struct progress *known = &streams[index].known;
    if (index == 0) {
        for (unsigned i = 1; i < stream_count; i++)
            if (streams[i].blocking && known->done[i] < streams[i].count)
                known->done[i] = streams[i].count;
    } else if (streams[index].blocking) {
        join(known, &streams[0].known);
        known->done[0] = streams[0].count;
    }
}

static bool is_over(uint32_t number, const struct progress *known) {
    const struct recent *one = recent_of(number);
    return !one || one->index <= known->done[one->stream];
}

/* The lowest number of an operation that may still run. */
static uint32_t first_unordered(const struct progress *known) {
    uint32_t number = order_now.number;
    uint32_t oldest = number > RECENT_OPERATIONS ? number - RECENT_OPERATIONS + 1 : 1;
    for (uint32_t i = oldest; i < number; i++)
        if (!is_over(i, known))
            return i;
    return number;
}

/* The first of the kernels directly before this one in its stream that this one may overlap: it
 * overlaps the last, and further ones where that overlaps the one before it. */
static uint32_t first_overlapped(unsigned stream) {
    uint32_t first = order_now.number;
    for (uint32_t i = first - 1; i > 0 && first - i < 8; i--) {
        const struct recent *one = recent_of(i);
        if (!one || one->stream != stream || !one->kernel)
            break;
        first = i;
        if (!one->overlaps)
            break;
    }
    return first;
}

/* The stream of order_now, and the first operation there that it may overlap. */
static unsigned stream_now;
static uint32_t overlaps_from;

bool order_may_overlap(uint32_t number) {
    return number >= overlaps_from && number < order_now.number &&
           !order_streams_differ(number, order_now.number);
}

bool order_streams_differ(uint32_t number, uint32_t other) {
    const struct recent *a = recent_of(number), *b = recent_of(other);
    return a && b && a->stream != b->stream;
}

void order_begin_operation(cudaStream_t handle, const struct emulator_launch *launch) {
    unsigned index = stream_index(handle);
    struct stream *stream = &streams[index];
    bool overlaps = launch && launch->overlaps;
    join(&stream->known, &host_knows);
    default_stream_rule(index);
    stream->known.done[index] = stream->count;
    order_now = (struct operation){.number = order_now.number + 1};
    order_now.ordered_below = first_unordered(&stream->known);
    stream_now = index;
    overlaps_from = overlaps ? first_overlapped(index) : order_now.number;
    if (launch) {
        order_now.grid = launch->grid;
        order_now.block = launch->block;
    }
    recent[order_now.number % RECENT_OPERATIONS] = (struct recent){.operation = order_now,
                                                                   .stream = index,
                                                                   .index = ++stream->count,
                                                                   .overlaps = overlaps,
                                                                   .kernel = launch != NULL};
}

/* Like another launch, after this one in its stream: it orders all threads of the launch. */
void watch_grid_sync(void) {
    struct recent whole = *recent_of(order_now.number);
    struct stream *stream = &streams[whole.stream];
    bool all = order_now.ordered_below == order_now.number;
    bool overlaps = overlaps_from < order_now.number;
    stream->known.done[whole.stream] = stream->count;
    order_now.number++;
    if (all)
        order_now.ordered_below = order_now.number;
    if (all || !overlaps)
        overlaps_from = order_now.number;
    whole.operation = order_now;
    whole.index = ++stream->count;
    recent[order_now.number % RECENT_OPERATIONS] = whole;
}

const struct operation *order_operation(uint32_t number) {
    const struct recent *found = recent_of(number);
    return found ? &found->operation : NULL;
}

static struct progress of_stream(cudaStream_t handle) {
    unsigned index = stream_index(handle);
    default_stream_rule(index);
    struct progress all = streams[index].known;
    all.done[index] = streams[index].count;
    return all;
}

static struct event *event_of(cudaEvent_t handle) {
    for (unsigned i = 0; i < event_count; i++)
        if (events[i].handle == handle)
            return &events[i];
    if (event_count == sizeof events / sizeof *events)
        event_count = 0; /* forget: a wait for one of those orders nothing */
    events[event_count] = (struct event){.handle = handle};
    return &events[event_count++];
}

void watch_event(cudaEvent_t event, cudaStream_t stream) {
    struct progress known = of_stream(stream);
    event_of(event)->known = known;
}

void watch_wait(cudaStream_t stream, cudaEvent_t event) {
    join(&streams[stream_index(stream)].known, &event_of(event)->known);
}

static uint32_t before_call; /* an operation of the default stream */

/* The last operations before the first call, and before the one that is under way. */
static uint32_t before_first, before_this;
static bool called;

void order_begin_call(void) {
    before_call = ++streams[0].count;
    before_this = order_now.number;
    before_first = called ? before_first : before_this;
    called = true;
}

bool order_in_earlier_call(uint32_t number) {
    return number > before_first && number <= before_this;
}

uint32_t order_too_early(void) {
    const struct stream *stream = &streams[stream_now];
    return stream_now && stream->known.done[0] < before_call ? stream->made_pc : 0;
}

uint32_t order_unjoined(void) {
    struct progress known = of_stream(NULL);
    join(&known, &host_knows);
    for (unsigned i = 0; i < RECENT_OPERATIONS; i++)
        if (recent[i].kernel && recent[i].index > known.done[recent[i].stream])
            return streams[recent[i].stream].made_pc;
    return 0;
}

void watch_host_waits(cudaStream_t stream, cudaEvent_t event) {
    if (stream || event) {
        struct progress known = event ? event_of(event)->known : of_stream(stream);
        join(&host_knows, &known);
        return;
    }
    for (unsigned i = 0; i < stream_count; i++)
        host_knows.done[i] = streams[i].count;
}

bool order_host_knows(uint32_t number) { return is_over(number, &host_knows); }

/* What the host itself knows, while a function of a stream runs. */
static struct progress host_knew;

void watch_begin_host_function(cudaStream_t stream) {
    order_begin_operation(stream, NULL);
    host_knew = host_knows;
    host_knows = of_stream(stream);
}

void watch_end_host_function(void) { host_knows = host_knew; }

bool order_operation_before(const struct access *a, bool waited) {
    const uint32_t number = a->launch;
    if (!waited && number >= overlaps_from)
        return false;
    return number < order_now.ordered_below || is_over(number, &streams[stream_now].known);
}

/* ---- sets of releases ------------------------------------------------------------------- */

/* Numbers of releases of this launch. Emptied by order_end_launch, all at once. */
struct set {
    uint64_t *words;
    uint32_t count;     /* of words */
    uint32_t launch;    /* that it is about */
    uint64_t version;   /* another one after each change, and no two sets have the same */
    uint64_t joined[2]; /* versions of the sets that were joined to it last */
};

static uint64_t versions;

/* Memory that is given back when the launch ends. */
static struct obstack arena;
static void *arena_first;

static void *new_chunk(size_t bytes) { return emulator_need(malloc(bytes)); }
#define obstack_chunk_alloc new_chunk
#define obstack_chunk_free free

__attribute__((constructor)) static void arena_begin(void) {
    enum { CHUNK = 1 << 20 };
    obstack_begin(&arena, CHUNK);
    arena_first = obstack_alloc(&arena, 0);
}

static void *arena_take(size_t bytes) { return memset(obstack_alloc(&arena, bytes), 0, bytes); }

static uint32_t arena_launch = 1; /* counts launches: a set of another one is empty */

static bool set_empty(const struct set *set) {
    return set->launch != arena_launch || set->count == 0;
}

static void set_grow(struct set *set, uint32_t words) {
    if (set->launch != arena_launch)
        *set = (struct set){.launch = arena_launch};
    if (set->count >= words)
        return;
    uint32_t count = words + words / 2 + 1;
    uint64_t *grown = arena_take(count * sizeof *grown);
    if (set->count)
        memcpy(grown, set->words, set->count * sizeof *grown);
    set->words = grown;
    set->count = count;
}

static void set_add(struct set *set, uint32_t number) {
    set_grow(set, number / 64 + 1);
    uint64_t *word = &set->words[number / 64], bit = (uint64_t)1 << number % 64;
    if (*word & bit)
        return;
    *word |= bit;
    set->version = ++versions;
}

static bool set_has(const struct set *set, uint32_t number) {
    return !set_empty(set) && number / 64 < set->count &&
           set->words[number / 64] >> number % 64 & 1;
}

static void set_join(struct set *to, const struct set *from) {
    if (set_empty(from))
        return;
    /* Not from->count: sets that are joined in turns would make each other larger and larger. */
    uint32_t words = from->count;
    while (words > 0 && !from->words[words - 1])
        words--;
    set_grow(to, words);
    if (to->joined[0] == from->version || to->joined[1] == from->version)
        return;
    uint64_t added = 0;
    for (uint32_t i = 0; i < words; i++) {
        added |= from->words[i] & ~to->words[i];
        to->words[i] |= from->words[i];
    }
    to->joined[1] = to->joined[0];
    to->joined[0] = from->version;
    if (added)
        to->version = ++versions;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* What a fence covers: of the block all before an epoch, of the thread all below a clock, of its
 * warp all below the clocks of its lanes. */
struct fence {
    uint32_t epoch, clock;
    const uint32_t *lanes; /* NULL: no __syncwarp so far */
};

enum scope { DEVICE_WIDE, ANY_SCOPE, SCOPES };

struct thread_order {
    bool waited;                /* for the kernel before, in a programmatic dependent launch */
    struct fence fence[SCOPES]; /* the last; clock 0: none */
    uint32_t release;           /* the last one + 1, to be used again while nothing has changed */
    uint32_t released_clock;
    const uint32_t *released_fenced, *released_lanes;
    struct set known, pending;
};

/* What a block has published, and how it covers accesses. */
struct release {
    uint32_t block, thread, before; /* before: number + 1 of the block's release before this one */
    uint32_t epoch;                 /* of the block when it was made */
    struct fence fence[SCOPES];     /* the thread's last */
    const uint32_t *fenced; /* clocks that the block's threads had fenced at its last barrier */
    uint32_t fenced_count;
};

/* A write that other blocks may take as a sign that data is there. */
struct signal {
    uintptr_t address;
    uint32_t block, thread, epoch, clock, number;
    bool is_store;
};

enum { HEARD = 8, SIGNALS = 4096 };

struct block_order {
    uint32_t number, epoch;
    unsigned threads;
    uint32_t clock[EMULATOR_MAX_THREADS]; /* each access asks for its thread's */
    struct thread_order thread[EMULATOR_MAX_THREADS];
    uint32_t lane_knows[WARPS][LANES][LANES];
    bool warp_synced[WARPS];
    const uint32_t *fenced;
    bool any_fence, fences_since_barrier, any_set, any_waited;
    struct set known, pending;
    struct {
        uintptr_t address;
        unsigned signals; /* that had been given by then */
    } heard[HEARD];
    unsigned heard_count;
    struct signal *only_update; /* the epoch's only atomic update so far */
    unsigned updates;           /* in this epoch */
};

static __thread struct block_order *mine;

static struct {
    struct release *list;
    uint32_t count;
    size_t capacity;
    uint32_t *last_of_block; /* number + 1 */
    uint32_t block_capacity;
    struct set *syncs;
    uint32_t sync_count;
    size_t sync_capacity;
    struct signal signals[SIGNALS];
    unsigned signal_count;
} launch_order;

void order_begin_block(uint32_t number, unsigned threads) {
    if (!mine)
        mine = emulator_need(calloc(1, sizeof *mine));
    struct block_order *b = mine;
    memset(b->thread, 0, threads * sizeof *b->thread);
    for (unsigned i = 0; i < threads; i++)
        b->clock[i] = 1;
    for (unsigned i = 0; i * LANES < threads; i++)
        if (b->warp_synced[i])
            memset(b->lane_knows[i], 0, sizeof b->lane_knows[i]);
    memset(b->warp_synced, 0, sizeof b->warp_synced);
    b->number = number;
    b->threads = threads;
    b->epoch = 1;
    b->fenced = NULL;
    b->any_fence = b->fences_since_barrier = b->any_set = b->any_waited = false;
    b->known = b->pending = (struct set){0};
    b->heard_count = b->updates = 0;
    b->only_update = NULL;
}

void order_end_launch(void) {
    obstack_free(&arena, arena_first);
    arena_launch++;
    launch_order.count = launch_order.sync_count = 0;
    launch_order.signal_count = 0;
    if (launch_order.block_capacity)
        memset(launch_order.last_of_block, 0,
               launch_order.block_capacity * sizeof *launch_order.last_of_block);
}

static void join_fences(struct block_order *b) {
    uint32_t *fenced = arena_take(b->threads * sizeof *fenced);
    for (unsigned i = 0; i < b->threads; i++)
        fenced[i] = b->thread[i].fence[DEVICE_WIDE].clock;
    b->fenced = fenced;
    b->fences_since_barrier = false;
}

void order_barrier(void) {
    struct block_order *b = mine;
    b->epoch++;
    b->updates = 0;
    b->only_update = NULL;
    if (b->fences_since_barrier)
        join_fences(b);
    /* What one thread has waited for is visible to the grid: the barrier passes it on. */
    for (unsigned i = 0; b->any_waited && i < b->threads; i++)
        b->thread[i].waited = true;
    b->any_waited = false;
    if (!b->any_set)
        return;
    for (unsigned i = 0; i < b->threads; i++) {
        set_join(&b->known, &b->thread[i].known);
        set_join(&b->pending, &b->thread[i].pending);
    }
}

/* The lanes that have met know what each of them has acquired. */
static void join_acquired(struct thread_order *warp, unsigned lanes) {
    struct thread_order *first = &warp[__builtin_ctz(lanes)];
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        set_join(&first->known, &warp[__builtin_ctz(rest)].known);
        set_join(&first->pending, &warp[__builtin_ctz(rest)].pending);
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        set_join(&warp[__builtin_ctz(rest)].known, &first->known);
        set_join(&warp[__builtin_ctz(rest)].pending, &first->pending);
    }
}

/* A lane's fence covers what the others had fenced when they met, as at a barrier of the block. */
static void join_fences_of_lanes(struct thread_order *warp, unsigned lanes, enum scope scope) {
    uint32_t fenced[LANES] = {0};
    const uint32_t *joined = NULL;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct fence *own = &warp[lane].fence[scope];
        for (unsigned i = 0; own->lanes && i < LANES; i++)
            fenced[i] = own->lanes[i] > fenced[i] ? own->lanes[i] : fenced[i];
        fenced[lane] = own->clock > fenced[lane] ? own->clock : fenced[lane];
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        struct fence *own = &warp[__builtin_ctz(rest)].fence[scope];
        if (!own->clock || (own->lanes && memcmp(own->lanes, fenced, sizeof fenced) == 0))
            continue;
        if (!joined)
            joined = memcpy(arena_take(sizeof fenced), fenced, sizeof fenced);
        own->lanes = joined;
    }
}

void order_warp_barrier(unsigned warp, unsigned lanes) {
    struct block_order *b = mine;
    uint32_t all[LANES] = {0};
    if (b->any_set)
        join_acquired(&b->thread[warp * LANES], lanes);
    if (b->fences_since_barrier)
        for (enum scope scope = DEVICE_WIDE; scope < SCOPES; scope++)
            join_fences_of_lanes(&b->thread[warp * LANES], lanes, scope);
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t *knows = b->lane_knows[warp][lane];
        knows[lane] = ++b->clock[warp * LANES + lane];
        for (unsigned i = 0; i < LANES; i++)
            all[i] = knows[i] > all[i] ? knows[i] : all[i];
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        memcpy(b->lane_knows[warp][__builtin_ctz(rest)], all, sizeof all);
    b->warp_synced[warp] = true;
}

void order_fence(unsigned thread, bool device_wide) {
    struct block_order *b = mine;
    struct thread_order *t = &b->thread[thread];
    unsigned warp = thread / LANES;
    struct fence fence = {.epoch = b->epoch, .clock = ++b->clock[thread]};
    if (b->warp_synced[warp])
        fence.lanes = memcpy(arena_take(LANES * sizeof *fence.lanes),
                             b->lane_knows[warp][thread % LANES], LANES * sizeof *fence.lanes);
    t->fence[ANY_SCOPE] = fence;
    if (device_wide)
        t->fence[DEVICE_WIDE] = fence;
    b->any_fence = b->fences_since_barrier = true;
    set_join(&t->known, &t->pending);
    set_join(&t->known, &b->pending);
    b->any_set |= !set_empty(&t->known);
}

bool order_has_fenced(unsigned thread) {
    return mine->any_fence && mine->thread[thread].fence[ANY_SCOPE].clock != 0;
}

void order_dependency_wait(unsigned thread) {
    mine->thread[thread].waited = true;
    mine->any_waited = true;
}

void order_stamp(struct access *access, unsigned thread) {
    access->launch = order_now.number;
    access->block = mine->number;
    access->epoch = mine->epoch;
    access->clock = mine->clock[thread];
    access->thread = (uint16_t)thread;
}

/* ---- release and acquire ---------------------------------------------------------------- */

static bool covers(const struct release *release, const struct access *a, uint32_t reader) {
    const struct fence *fence = &release->fence[reader == release->block ? ANY_SCOPE : DEVICE_WIDE];
    return a->epoch < fence->epoch || (a->thread == release->thread && a->clock < fence->clock) ||
           (fence->lanes && a->thread / LANES == release->thread / LANES &&
            a->clock < fence->lanes[a->thread % LANES]) ||
           (release->fenced && a->thread < release->fenced_count &&
            a->clock < release->fenced[a->thread]);
}

/* Does the reader know of the release? */
static bool knows(const struct thread_order *t, uint32_t number, bool strong) {
    const struct block_order *b = mine;
    return set_has(&b->known, number) || set_has(&t->known, number) ||
           (strong && (set_has(&b->pending, number) || set_has(&t->pending, number)));
}

static bool acquired(const struct access *a, const struct thread_order *t, bool strong) {
    const struct block_order *b = mine;
    bool heard = !set_empty(&b->known) || !set_empty(&t->known) ||
                 (strong && (!set_empty(&b->pending) || !set_empty(&t->pending)));
    if (!heard || a->block >= launch_order.block_capacity)
        return false; /* it knows of no release, of whatever block */
    for (uint32_t next = launch_order.last_of_block[a->block]; next;) {
        const struct release *release = &launch_order.list[next - 1];
        if (release->epoch < a->epoch)
            return false; /* this one and those before it were made before the access */
        if (covers(release, a, mine->number) && knows(t, next - 1, strong))
            return true;
        next = release->before;
    }
    return false;
}

/* Does another lane of the thread's warp? */
static bool lane_knows_of(unsigned thread, uint32_t number) {
    const unsigned first = thread / LANES * LANES;
    for (unsigned i = first; i < first + LANES && i < mine->threads; i++)
        if (knows(&mine->thread[i], number, true))
            return true;
    return false;
}

enum heard_of order_signal(const struct access *a, unsigned thread) {
    const struct thread_order *t = &mine->thread[thread];
    enum heard_of heard = SIGNAL_NONE;
    uint32_t next = a->block < launch_order.block_capacity && a->launch == order_now.number
                        ? launch_order.last_of_block[a->block]
                        : 0;
    for (const struct release *release; next; next = release->before) {
        release = &launch_order.list[next - 1];
        if (release->epoch < a->epoch)
            continue;
        if (knows(t, next - 1, true))
            return release->epoch == a->epoch && release->thread != a->thread ? SIGNAL_EARLY
                                                                              : SIGNAL_HEARD;
        if (lane_knows_of(thread, next - 1))
            heard = SIGNAL_OF_LANE;
    }
    return heard;
}

bool order_before(const struct access *a, unsigned thread, bool strong) {
    const struct block_order *b = mine;
    const struct thread_order *t = &b->thread[thread];
    if (a->launch != order_now.number)
        return order_operation_before(a, t->waited);
    if (a->block == b->number) {
        if (a->thread == thread || a->epoch < b->epoch)
            return true;
        if (a->thread / LANES == thread / LANES &&
            a->clock < b->lane_knows[thread / LANES][thread % LANES][a->thread % LANES])
            return true;
    }
    return launch_order.count && acquired(a, t, strong);
}

static uint32_t new_release(struct block_order *b, unsigned thread) {
    launch_order.list = emulator_grow(launch_order.list, launch_order.count, &launch_order.capacity,
                                      sizeof *launch_order.list);
    if (b->number >= launch_order.block_capacity) {
        uint32_t capacity = 2 * b->number + 64;
        launch_order.last_of_block = emulator_need(
            realloc(launch_order.last_of_block, capacity * sizeof *launch_order.last_of_block));
        memset(launch_order.last_of_block + launch_order.block_capacity, 0,
               (capacity - launch_order.block_capacity) * sizeof *launch_order.last_of_block);
        launch_order.block_capacity = capacity;
    }
    uint32_t number = launch_order.count++;
    launch_order.list[number] = (struct release){.block = b->number,
                                                 .thread = thread,
                                                 .epoch = b->epoch,
                                                 .before = launch_order.last_of_block[b->number],
                                                 .fenced = b->fenced,
                                                 .fenced_count = b->threads};
    memcpy(launch_order.list[number].fence, b->thread[thread].fence,
           sizeof launch_order.list[number].fence);
    launch_order.last_of_block[b->number] = number + 1;
    return number;
}

/* The release that a strong write of this thread makes now. False: it has fenced nothing. */
static bool release_of(struct block_order *b, unsigned thread, uint32_t *number) {
    struct thread_order *t = &b->thread[thread];
    const struct fence *last = &t->fence[ANY_SCOPE];
    if (!last->clock && !b->fenced)
        return false;
    if (!t->release || t->released_clock != last->clock || t->released_fenced != b->fenced ||
        t->released_lanes != last->lanes) {
        t->release = new_release(b, thread) + 1;
        t->released_clock = last->clock;
        t->released_fenced = b->fenced;
        t->released_lanes = last->lanes;
    }
    *number = t->release - 1;
    return true;
}

static struct set *sync_of(struct cell *cell, bool make) {
    if (cell->more && cell->more->sync_launch == arena_launch && cell->more->sync)
        return &launch_order.syncs[cell->more->sync - 1];
    if (!make)
        return NULL;
    struct cell_more *more = cell_more(cell);
    launch_order.syncs = emulator_grow(launch_order.syncs, launch_order.sync_count,
                                       &launch_order.sync_capacity, sizeof *launch_order.syncs);
    more->sync = ++launch_order.sync_count;
    more->sync_launch = arena_launch;
    launch_order.syncs[more->sync - 1] = (struct set){0};
    return &launch_order.syncs[more->sync - 1];
}

/* Note a write that may be a signal: a store, or the only atomic update of its block between two
 * barriers. Histograms update many words there, and mean nothing by it. */
static void note_signal(struct block_order *b, uintptr_t address, unsigned thread, bool update) {
    if (update && ++b->updates > 1) {
        if (b->only_update && (b->only_update->address != address))
            b->only_update->address = 0;
        if (!b->only_update || b->only_update->address != address)
            return;
    }
    const unsigned number = launch_order.signal_count++;
    struct signal *signal = &launch_order.signals[number % SIGNALS];
    *signal =
        (struct signal){address, b->number, thread, b->epoch, b->clock[thread], number, !update};
    if (update)
        b->only_update = signal;
}

void order_release(struct cell *cell, uintptr_t address, unsigned thread, bool replaces) {
    struct block_order *b = mine;
    struct thread_order *t = &b->thread[thread];
    uint32_t number;
    note_signal(b, address, thread, !replaces);
    if (replaces && cell->more && cell->more->sync_launch == arena_launch)
        cell->more->sync = 0;
    bool any = release_of(b, thread, &number);
    if (!any && set_empty(&b->known) && set_empty(&t->known))
        return;
    struct set *sync = sync_of(cell, true);
    if (any)
        set_add(sync, number);
    set_join(sync, &b->known);
    set_join(sync, &t->known);
}

void order_acquire(struct cell *cell, uintptr_t address, unsigned thread) {
    struct block_order *b = mine;
    const struct set *sync = sync_of(cell, false);
    b->heard[b->heard_count % HEARD].address = address;
    b->heard[b->heard_count++ % HEARD].signals = launch_order.signal_count;
    if (!sync || set_empty(sync))
        return;
    set_join(&b->thread[thread].pending, sync);
    b->any_set = true;
}

static unsigned signals_known(void) {
    return launch_order.signal_count < SIGNALS ? launch_order.signal_count : SIGNALS;
}

static const struct signal *find_signal(const struct access *a, uintptr_t used) {
    const struct block_order *b = mine;
    unsigned heard = b->heard_count < HEARD ? b->heard_count : HEARD;
    for (unsigned i = 0; i < signals_known(); i++) {
        const struct signal *signal = &launch_order.signals[i];
        bool after = signal->address && signal->address != used && signal->block == a->block &&
                     (a->epoch < signal->epoch ||
                      (a->thread == signal->thread && a->clock <= signal->clock));
        for (unsigned j = 0; after && j < heard; j++)
            if (b->heard[j].address == signal->address && b->heard[j].signals > signal->number)
                return signal;
    }
    return NULL;
}

bool order_signalled(const struct access *a, uintptr_t used) { return find_signal(a, used); }

uintptr_t order_shared_flag(const struct access *a, uintptr_t used) {
    const struct signal *signal = find_signal(a, used), *other = launch_order.signals;
    for (unsigned i = 0; signal && signal->is_store && i < signals_known(); i++, other++)
        if (other->address == signal->address && other->block != signal->block && other->is_store)
            return signal->address;
    return 0;
}
