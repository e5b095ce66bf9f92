#include "lanes.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/emulator.h"
#include "../scheduler/fiber.h"
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"

enum {
    MOST_WARPS = EMULATOR_MAX_THREADS / WARP,
    MOST_CALLS = 32,    /* deeper ones are not told apart */
    MOST_LEVELS = 12,   /* and deeper positions are not put in order */
    TURNS_AT_ONCE = 16, /* of an outer loop, before other threads have their turns */
    LONG_LIST = 256,    /* then threads wait for each other at turns of inner loops too */
    NO_ADDRESS = 512,   /* with a kind: no access, which is told by its kind, space and size */
};

/* A call or a loop that a thread is in, or the access that it makes: its place in the code, which
 * is in the order of the source as far as is needed; and the turn of the loop. */
struct level {
    uint32_t place, turn;
};

/* A position in the program's run: from the outermost level to the innermost. */
struct position {
    uint32_t depth;
    struct level level[MOST_LEVELS];
};

/* Where a thread is. What each turn of a loop needs lies in one line of the cache, where the thread
 * is in no more than two calls and loops: there are a thousand threads. */
struct lane {
    _Alignas(64) uint64_t path; /* a hash of the calls, loops and turns that it is in */
    uintptr_t loaded;           /* the address of global memory that it has loaded last */
    struct node *cursor;        /* of the warp's list, that it has passed last; NULL: none */
    uint32_t loop, turn, depth;
    uint32_t acted; /* times: its accesses, and what it did without an address */
    uint32_t call_count;
    struct position position;   /* the calls, loops and turns */
    uint64_t calls[MOST_CALLS]; /* the paths before them */
    uint32_t searched;          /* `acted`, as it left an inner loop in which it acted */
    uint32_t asked;             /* `acted`, as it swapped nothing at this address, and found this */
    uintptr_t asked_for;
    uint64_t found;
};

struct warp {
    struct node *first; /* of its list */
    uint32_t count;
    uint32_t alive;  /* lanes that have not ended */
    uint32_t behind; /* how many of them have passed no node */
};

/* What a lane looks at lies in one line of the cache, before what only a new node needs. */
struct node {
    _Alignas(64) struct node *next;
    /* what the key is made of, where the lane that made the node was: others need not make it */
    const void *code;
    uint64_t path;
    uint32_t what, site;
    uint32_t stop;
    struct request request;
    uint64_t key;
    struct position position;
};
_Static_assert(offsetof(struct node, request.address) == 64, "the addresses begin the next line");

/* Nodes are taken from the system many at a time, and stay where they are. */
enum { CHUNK = 1024 };
struct chunk {
    struct node nodes[CHUNK];
    struct chunk *next;
};

/* Each OS thread has its own. */
struct state {
    /* Of the thread that runs: what each of its accesses asks for, in one place. */
    uintptr_t stack_begin, stack_bytes, shared_begin, shared_bytes;
    struct warp *warp;
    unsigned lane;             /* its number in the warp */
    struct region_used region; /* that this OS thread used last */
    struct lane lanes[EMULATOR_MAX_THREADS];
    struct warp warps[MOST_WARPS];
    struct node *free;            /* used, and no longer */
    struct chunk *chunks, *chunk; /* all, and the one that new nodes come from */
    uint32_t used, stamp;         /* of that one */
    unsigned threads, resumed;    /* of the block; the last that had let others run */
    void (*done)(unsigned warp, const struct request *request);
};

__thread enum mode lanes_mode;
__thread unsigned lanes_atomic;
static __thread struct state *state;
static __thread struct lane *here; /* NULL where nothing is counted */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* ---- lists ------------------------------------------------------------------------------ */

static struct node *new_node(struct state *s) {
    struct node *node = s->free;
    if (node) {
        s->free = node->next;
        return node;
    }
    if (!s->chunk || s->used == CHUNK) {
        struct chunk **next = s->chunk ? &s->chunk->next : &s->chunks;
        if (!*next) {
            *next = emulator_need(aligned_alloc(_Alignof(struct chunk), sizeof **next));
            (*next)->next = NULL;
        }
        s->chunk = *next;
        s->used = 0;
    }
    return &s->chunk->nodes[s->used++];
}

/* NULL comes first. */
static void push_level(struct position *position, const void *code) {
    extern const char __executable_start[]; /* the linker's: no program has 4 GiB behind it */
    uint32_t offset = code ? (uint32_t)((const char *)code - __executable_start) : 0;
    if (position->depth < MOST_LEVELS)
        position->level[position->depth] = (struct level){offset, 0};
    position->depth++;
}

/* No more of it than there is. */
static void copy_position(struct position *to, const struct position *from) {
    to->depth = from->depth;
    for (uint32_t i = 0; i < from->depth && i < MOST_LEVELS; i++)
        to->level[i] = from->level[i];
}

/* Whether the program reaches position a before b. */
static bool comes_before(const struct position *a, const struct position *b) {
    uint32_t depth = a->depth < b->depth ? a->depth : b->depth;
    for (uint32_t i = 0; i < depth && i < MOST_LEVELS; i++) {
        if (a->level[i].place != b->level[i].place)
            return a->level[i].place < b->level[i].place;
        if (a->level[i].turn != b->level[i].turn)
            return a->level[i].turn < b->level[i].turn;
    }
    return false;
}

static struct node **link_of(struct warp *warp, struct node *cursor) {
    return cursor ? &cursor->next : &warp->first;
}

/* The node behind the lane's cursor with the key of what it does; if there is none, a new one, in
 * the program's order: others may wait in a loop that this lane does not enter, or be past this. */
static __attribute__((noinline)) struct node *find_or_insert(struct state *s, uint32_t what,
                                                             uint32_t site, const void *code) {
    const uint64_t place = what < NO_ADDRESS ? place_spot(site) : ~(uint64_t)site;
    const uint64_t key = mix(here->path, place << 10 | what);
    struct node **link = link_of(s->warp, here->cursor);
    for (struct node *at = *link; at; at = at->next)
        if (at->key == key)
            return at;
    struct node *new = new_node(s);
    new->key = key;
    new->path = here->path;
    new->code = code;
    new->what = what;
    new->site = site;
    new->stop = 0;
    copy_position(&new->position, &here->position);
    push_level(&new->position, code);
    while (*link && comes_before(&(*link)->position, &new->position))
        link = &(*link)->next;
    new->next = *link;
    *link = new;
    s->warp->count++;
    new->request.mask = 0;
    new->request.loop = here->loop;
    new->request.turn = here->turn;
    return new;
}

/* The lane goes on to this node. */
static inline struct request *go_on(struct state *s, struct lane *lane, struct node *node,
                                    uint32_t site) {
    s->warp->behind -= lane->cursor == NULL;
    lane->cursor = node;
    node->request.mask |= 1u << s->lane;
    node->request.site = site;
    return &node->request;
}

/* The lane's next node, if it is of what the lane does here; NULL: that has to be looked for. */
static inline struct node *next_alike(const struct state *s, const struct lane *lane, uint32_t what,
                                      const void *code) {
    struct node *next = *link_of(s->warp, lane->cursor);
    return next && next->code == code && next->path == lane->path && next->what == what ? next
                                                                                        : NULL;
}

static struct request *advance(struct state *s, uint32_t what, const void *code) {
    struct node *node = next_alike(s, here, what, code);
    uint32_t site = node ? node->site : place_of_return(code);
    return go_on(s, here, node ? node : find_or_insert(s, what, site, code), site);
}

/* Finish what all lanes of the warp have passed. */
static void finish_passed(struct state *s, struct warp *warp) {
    if (warp->behind || !warp->first)
        return;
    const unsigned number = (unsigned)(warp - s->warps);
    struct lane *lanes = &s->lanes[(size_t)number * WARP];
    uint32_t stamp = ++s->stamp;
    struct node *node;
    for (uint32_t rest = warp->alive; rest; rest &= rest - 1)
        lanes[__builtin_ctz(rest)].cursor->stop = stamp;
    do {
        node = warp->first;
        if (node->request.kind != YIELD)
            s->done(number, &node->request);
        warp->first = node->next;
        warp->count--;
        node->next = s->free;
        s->free = node;
    } while (warp->first && node->stop != stamp);
    for (uint32_t rest = warp->alive; rest; rest &= rest - 1) {
        struct lane *lane = &lanes[__builtin_ctz(rest)];
        if (lane->cursor == node) {
            lane->cursor = NULL;
            warp->behind++;
        }
    }
}

/* ---- what threads do -------------------------------------------------------------------- */

/* A warp of one lane needs no list, if the others have left nothing in it. */
static bool is_alone(const struct warp *warp) {
    return !(warp->alive & (warp->alive - 1)) && !warp->first;
}

static struct request *request_of(struct state *s, struct request *alone, uint32_t what,
                                  const void *code) {
    return is_alone(s->warp) ? alone : advance(s, what, code);
}

static void finish_alone(struct state *s, struct request *request, const void *code) {
    request->mask = 1u << s->lane;
    request->site = place_of_return(code);
    request->loop = here->loop;
    request->turn = here->turn;
    s->done((unsigned)(s->warp - s->warps), request);
}

static bool is_constant(uintptr_t address) {
    return address >= (uintptr_t)__start_emulator_constant &&
           address < (uintptr_t)emulator_end_of_constant;
}

/* Only which sectors are used. */
static void note_footprint(uint64_t device, unsigned size, enum kind kind) {
    uint64_t first = device / SECTOR, last = (device + size - 1) / SECTOR;
    for (uint64_t sector = first; sector <= last; sector++) {
        unsigned bit = 1u << sector % (LINE / SECTOR);
        region_touch(sector * SECTOR / LINE * LINE, bit, kind);
    }
}

static inline uint32_t what_of(enum kind kind, enum space space, unsigned size) {
    return (unsigned)kind << 7 | space << 5 | size;
}

static void make_request(uint64_t address, unsigned size, enum kind kind, enum space space,
                         const void *return_address) {
    struct state *s = state;
    struct request alone,
        *request = request_of(s, &alone, what_of(kind, space, size), return_address);
    request->kind = (uint8_t)kind;
    request->space = (uint8_t)space;
    request->bytes = (uint8_t)size;
    request->atomic = (uint8_t)lanes_atomic;
    request->address[s->lane] = address;
    if (request == &alone)
        finish_alone(s, request, return_address);
}

/* What a kernel stores neither in memory of the device nor in its own reaches the host. */
static __attribute__((noinline)) void first_access(uintptr_t address, unsigned size, enum kind kind,
                                                   const void *return_address) {
    struct state *s = state;
    bool shared = address - emulator_shared_begin < emulator_shared_bytes;
    if (shared && (lanes_mode == FOOTPRINT || emulator_is_builtin(address)))
        return;
    uint64_t device =
        shared ? address - emulator_shared_begin : region_device_address(address, &s->region);
    if (!shared && !device) {
        if (kind != LOAD)
            __atomic_fetch_add(&emulator_host_bytes, size, __ATOMIC_RELAXED);
        else if (lanes_mode == COUNTING && is_constant(address))
            lanes_do(CONSTANT, address, return_address);
        return;
    }
    if (lanes_mode == FOOTPRINT) {
        note_footprint(device, size, kind);
        return;
    }
    here->loaded = kind == LOAD && !shared ? address : 0;
    here->acted++;
    make_request(device, size, kind, shared ? SHARED : GLOBAL, return_address);
}

/* A word of all lanes is a line: CUDA C++ Programming Guide, "Local Memory". Stacks begin at
 * different offsets, which does not count. */
static uint64_t local_address(const struct state *s, uintptr_t address) {
    uint64_t offset = address - s->stack_begin + fiber_offset(s->stack_begin);
    return offset / 4 * LINE + 4 * s->lane + offset % 4;
}

/* Most often another lane of the warp was there before. */
void lanes_access(uintptr_t address, unsigned size, enum kind kind, const void *return_address) {
    struct state *s = state;
    if (address - s->stack_begin < s->stack_bytes) {
        if (here && kind == STORE)
            make_request(local_address(s, address), size, kind, LOCAL, return_address);
        return;
    }
    const uint64_t in_shared = address - s->shared_begin, in_region = address - s->region.begin;
    bool shared = in_shared < s->shared_bytes;
    bool known = shared || (in_region < s->region.bytes && s->region.changes == region_changes);
    struct lane *lane = here;
    struct node *node =
        lane && known ? next_alike(s, lane, what_of(kind, shared, size), return_address) : NULL;
    if (!node) {
        first_access(address, size, kind, return_address);
        return;
    }
    lane->loaded = kind == LOAD && !shared ? address : 0;
    lane->acted++;
    struct request *request = go_on(s, lane, node, node->site);
    request->atomic = (uint8_t)lanes_atomic;
    request->address[s->lane] = shared ? in_shared : s->region.device + in_region;
}

void lanes_do(enum kind kind, uint64_t with, const void *return_address) {
    if (!here)
        return;
    here->acted += kind != YIELD && kind != CONSTANT;
    struct state *s = state;
    if (kind == YIELD && is_alone(s->warp))
        return;
    struct request alone, *request = request_of(s, &alone, NO_ADDRESS | kind, return_address);
    request->kind = (uint8_t)kind;
    request->address[s->lane] = with;
    if (request == &alone)
        finish_alone(s, request, return_address);
    else
        finish_passed(s, s->warp);
}

/* The block's other threads; and where blocks take turns, the others' once all threads have run. */
static void let_others_run(const void *site) {
    struct state *s = state;
    emulator_yield();
    bool again = emulator_thread <= s->resumed;
    s->resumed = emulator_thread;
    if (again && emulator_in_turn)
        emulator_pass_turn(site);
}

void lanes_before_atomic(uintptr_t address, bool decides, const void *return_address) {
    if (!here || state->threads == 1 || !(here->loaded == address || (decides && here->depth)))
        return;
    if (decides && here->depth && here->loaded == address && here->searched == here->acted)
        emulator_take_turns(return_address);
    lanes_do(YIELD, 0, return_address);
    unsigned atomic = lanes_atomic; /* others have theirs meanwhile */
    let_others_run(return_address);
    lanes_atomic = atomic;
}

bool lanes_ask_again(uintptr_t address, uint64_t seen, uint64_t value) {
    struct lane *lane = here;
    if (!lane || !lane->depth || address - emulator_shared_begin < emulator_shared_bytes)
        return false;
    bool again = lane->asked_for == address && lane->asked == lane->acted &&
                 (lane->found == seen) == (seen == value);
    lane->asked_for = seen == value ? address : 0;
    lane->asked = lane->acted + !again;
    lane->found = seen;
    return again;
}

/* ---- calls and loops -------------------------------------------------------------------- */

void lanes_enter(const void *caller) {
    if (!here)
        return;
    if (here->call_count < MOST_CALLS)
        here->calls[here->call_count] = here->path;
    here->call_count++;
    push_level(&here->position, caller);
    here->path = mix(here->path, (uintptr_t)caller);
}

void lanes_leave(void) {
    if (!here || !here->call_count)
        return;
    here->position.depth--;
    if (--here->call_count < MOST_CALLS)
        here->path = here->calls[here->call_count];
}

/* What front/loops.c puts into the step: a loop that a thread is in. */
struct emulator_loop {
    uint64_t path, base; /* before it, and of all its turns */
    uint32_t loop, turn, depth;
    uint32_t acted; /* before it */
    uint32_t end;   /* its last line */
};

void emulator_loop_begin(struct emulator_loop *loop, unsigned number, unsigned line, unsigned end) {
    struct lane *lane = here;
    if (!lane)
        return;
    *loop = (struct emulator_loop){.path = lane->path,
                                   .base = mix(lane->path, number),
                                   .loop = lane->loop,
                                   .turn = lane->turn,
                                   .depth = lane->depth,
                                   .acted = lane->acted,
                                   .end = end};
    lane->loop = line;
    lane->turn = 0;
    lane->depth++;
    push_level(&lane->position, __builtin_return_address(0));
    lane->path = mix(loop->base, 0);
}

/* Let other lanes catch up. A lane that has a node behind it is ahead of another one, which may
 * take two rounds where this one takes one; but it may also wait for something itself. */
static void wait_for_others(const struct lane *lane, const void *site) {
    enum { MOST_ROUNDS = 16 };
    for (int round = 0; state->threads > 1 && round < MOST_ROUNDS; round++) {
        let_others_run(site);
        if (!lane->cursor)
            break;
    }
}

void emulator_loop_turn(struct emulator_loop *loop) {
    struct lane *lane = here;
    if (!lane)
        return;
    lane->turn++;
    lane->path = mix(loop->base, lane->turn);
    if (lane->position.depth <= MOST_LEVELS)
        lane->position.level[lane->position.depth - 1].turn = lane->turn;
    if ((lane->turn % TURNS_AT_ONCE == 0 && (lane->depth == 1 || emulator_in_turn)) ||
        state->warp->count > LONG_LIST) {
        lanes_do(YIELD, 0, NULL);
        wait_for_others(lane, __builtin_return_address(0));
    }
}

/* Turns of a loop in which the lane did nothing that is counted: of the lane that took most. */
static void note_turns(struct lane *lane, uint32_t line, uint32_t end, uint32_t turns,
                       const void *code) {
    struct state *s = state;
    const uint64_t path = lane->path;
    lane->path = mix(path, line);
    struct request alone = {.mask = 1u << s->lane},
                   *request = request_of(s, &alone, NO_ADDRESS | TURNS, code);
    lane->path = path;
    bool first = !(request->mask & (request->mask - 1));
    request->kind = TURNS;
    request->loop = line;
    request->site = end;
    request->turn = first || turns > request->turn ? turns : request->turn;
    if (request == &alone)
        s->done((unsigned)(s->warp - s->warps), request);
}

void emulator_loop_end(struct emulator_loop *loop) {
    struct lane *lane = here;
    if (!lane)
        return;
    uint32_t line = lane->loop, turns = lane->turn;
    lane->path = loop->path;
    lane->loop = loop->loop;
    lane->turn = loop->turn;
    lane->depth = loop->depth;
    lane->position.depth--;
    if (lane->acted != loop->acted)
        lane->searched = lane->acted;
    else if (turns)
        note_turns(lane, line, loop->end, turns, __builtin_return_address(0));
}

/* ---- blocks and threads ----------------------------------------------------------------- */

void lanes_begin_block(enum mode mode, unsigned threads,
                       void (*done)(unsigned warp, const struct request *request)) {
    lanes_mode = mode;
    here = NULL;
    if (!state)
        state = memset(emulator_need(aligned_alloc(_Alignof(struct state), sizeof *state)), 0,
                       sizeof *state);
    struct state *s = state;
    s->threads = threads;
    s->resumed = UINT32_MAX;
    s->done = done;
    s->free = NULL;
    s->chunk = s->chunks;
    s->used = 0;
    for (unsigned w = 0; w * WARP < threads; w++) {
        unsigned lanes = threads - w * WARP;
        s->warps[w] = (struct warp){.alive = lanes < WARP ? (1u << lanes) - 1 : ~0u,
                                    .behind = lanes < WARP ? lanes : WARP};
    }
    for (unsigned i = 0; i < threads; i++) {
        struct lane *lane = &s->lanes[i];
        lane->loaded = lane->acted = lane->searched = 0;
        lane->path = lane->loop = lane->turn = lane->depth = 0;
        lane->call_count = lane->position.depth = 0;
        lane->cursor = NULL;
    }
}

/* Most often the next thread comes next, and finds its lane in the cache. */
void counted_resume(void) {
    here = NULL;
    if (lanes_mode == IDLE)
        return;
    struct state *s = state;
    s->stack_begin = emulator_stack_begin;
    s->stack_bytes = emulator_stack_bytes;
    s->shared_begin = emulator_shared_begin;
    s->shared_bytes = emulator_shared_bytes;
    s->warp = &s->warps[emulator_thread / WARP];
    s->lane = emulator_thread % WARP;
    if (lanes_mode == COUNTING)
        here = &s->lanes[emulator_thread];
    __builtin_prefetch(&s->lanes[emulator_thread + 1], 1);
}

void counted_end_thread(void) {
    if (!here)
        return;
    struct state *s = state;
    struct warp *warp = s->warp;
    warp->alive &= ~(1u << s->lane);
    warp->behind -= here->cursor == NULL;
    here = NULL;
    finish_passed(s, warp);
}
