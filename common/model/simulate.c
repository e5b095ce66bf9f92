#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks to simulate of a grid with many: these times as many as run at the same time, and at
 * least so many; the rest takes as long as the middle ones. */
enum { ROUNDS = 8, LEAST_BLOCKS = 16, MOST_CALLS_BLOCKS = 256 };

enum state { READY, AT_BARRIER, AT_DEPENDENCY, ENDED };

struct warp {
    const struct order *order;
    size_t next;
    size_t block; /* of struct machine's running blocks */
    unsigned scheduler;
    enum state state;
    double time; /* when it can go on */
    double weight;
    double ready[ORDER_SLOTS];
    struct memory_warp memory;
};

struct block {
    unsigned call, copy;
    size_t first_warp, warps;
    size_t alive, arrived;
    double last_arrival; /* when the barrier has taken it */
    bool triggered;
    bool in_use;
    double free_from; /* when another block may take its place */
};

struct call {
    uint64_t started, ended, triggered; /* blocks */
    double start, end;
    bool waits; /* for the calls before it, somewhere */
    bool may_start;
};

struct machine {
    const struct gpu *gpu;
    const struct simulate_kernel *kernel;
    const struct simulate_assumptions *assumptions;
    struct memory *memory;
    struct warp *warps;
    struct block *blocks; /* as many as can be resident */
    size_t *heap;         /* of warps that are ready, by their time */
    size_t heap_count;
    size_t warps_in_block; /* the most of any block */
    struct call *calls;
    uint64_t run;       /* blocks of each call that are simulated */
    double *block_ends; /* of the first call's blocks, in order */
    size_t block_end_count;
    double *scheduler_free; /* for each scheduler, and then for each unit of each */
    unsigned schedulers;
    double cycle, now, real; /* now: simulated; real: with weights */
    double live_weight;
    size_t live;
    double next_block; /* when the next block can start */
    double resident;   /* blocks that run at the same time */
    double turnover;   /* from a block's end to the start of the one that takes its place */
    double
        issued[1 + CODE_UNITS]; /* time of schedulers, and of their units, for all instructions */
    struct simulate_result *result;
    size_t steps;
};

static double later(double a, double b) { return a > b ? a : b; }

/* ---- ready warps ------------------------------------------------------------------------ */

static void push(struct machine *machine, size_t warp) {
    double time = machine->warps[warp].time;
    size_t i = machine->heap_count++;
    for (; i && machine->warps[machine->heap[(i - 1) / 2]].time > time; i = (i - 1) / 2)
        machine->heap[i] = machine->heap[(i - 1) / 2];
    machine->heap[i] = warp;
}

static size_t pop(struct machine *machine) {
    size_t top = machine->heap[0], last = machine->heap[--machine->heap_count], i = 0, child;
    while ((child = 2 * i + 1) < machine->heap_count) {
        if (child + 1 < machine->heap_count && machine->warps[machine->heap[child + 1]].time <
                                                   machine->warps[machine->heap[child]].time)
            child++;
        if (machine->warps[machine->heap[child]].time >= machine->warps[last].time)
            break;
        machine->heap[i] = machine->heap[child];
        i = child;
    }
    machine->heap[i] = last;
    return top;
}

/* ---- time ------------------------------------------------------------------------------- */

static void advance(struct machine *machine, double time) {
    if (time <= machine->now)
        return;
    double weight = machine->live ? machine->live_weight / (double)machine->live : 1;
    machine->real += (time - machine->now) * weight;
    machine->now = time;
}

/* ---- blocks ----------------------------------------------------------------------------- */

static const struct simulate_block *traced(const struct machine *machine, uint64_t number) {
    const struct simulate_kernel *kernel = machine->kernel;
    if (kernel->last && number + 1 == machine->run)
        return kernel->last;
    return &kernel->blocks[number % kernel->block_count];
}

static void start_block(struct machine *machine, unsigned call, size_t place, double time) {
    struct call *of = &machine->calls[call];
    const struct simulate_block *block = traced(machine, of->started);
    struct block *running = &machine->blocks[place];
    uint64_t copy = call * machine->run + of->started;
    *running = (struct block){.call = call,
                              .copy = (unsigned)(copy / machine->kernel->block_count),
                              .first_warp = place * machine->warps_in_block,
                              .warps = block->warps,
                              .alive = block->warps,
                              .in_use = true};
    if (machine->kernel->calls > 1)
        running->copy = (unsigned)copy;
    if (of->started++ == 0)
        of->start = time;
    for (size_t i = 0; i < block->warps; i++) {
        struct warp *warp = &machine->warps[running->first_warp + i];
        warp->order = &block->orders[i];
        warp->next = 0;
        warp->block = place;
        warp->scheduler = (unsigned)((running->first_warp + i) % machine->schedulers);
        warp->state = READY;
        warp->time = time;
        warp->weight = 1;
        memset(warp->ready, 0, sizeof warp->ready);
        machine->live++;
        machine->live_weight += 1;
        push(machine, running->first_warp + i);
    }
}

/* Start what can start. */
static void start_blocks(struct machine *machine) {
    const struct simulate_kernel *kernel = machine->kernel;
    size_t place = 0;
    for (unsigned call = 0; call < kernel->calls; call++) {
        struct call *of = &machine->calls[call];
        while (of->may_start && of->started < machine->run) {
            while (place < kernel->resident && machine->blocks[place].in_use)
                place++;
            if (place == kernel->resident)
                return;
            double time = later(later(machine->now, of->start),
                                later(machine->next_block, machine->blocks[place].free_from));
            machine->next_block = time + machine->gpu->block_ns;
            start_block(machine, call, place, time);
        }
    }
}

/* A block can do without the next call's blocks no longer: it has triggered, or ended. */
static void trigger(struct machine *machine, struct block *block) {
    if (block->triggered)
        return;
    block->triggered = true;
    unsigned call = block->call, next = call + 1;
    if (++machine->calls[call].triggered < machine->run || next >= machine->kernel->calls)
        return;
    machine->calls[next].may_start = true;
    machine->calls[next].start =
        later(machine->now, machine->calls[call].start +
                                machine->kernel->at_once * machine->gpu->launch_overlapped_ns);
    start_blocks(machine);
}

static bool call_ended(const struct machine *machine, unsigned call) {
    for (unsigned i = 0; i <= call; i++)
        if (machine->calls[i].ended < machine->run)
            return false;
    return true;
}

/* Warps of this call that wait for the calls before it. */
static void wake(struct machine *machine, unsigned call) {
    for (size_t i = 0; i < machine->kernel->resident; i++) {
        struct block *block = &machine->blocks[i];
        for (size_t w = 0; block->in_use && block->call == call && w < block->warps; w++) {
            struct warp *warp = &machine->warps[block->first_warp + w];
            if (warp->state != AT_DEPENDENCY)
                continue;
            warp->state = READY;
            warp->time = machine->calls[call - 1].end + machine->gpu->l2_ns;
            push(machine, block->first_warp + w);
        }
    }
}

static void end_block(struct machine *machine, struct block *block) {
    unsigned number = block->call; /* the block's place may soon be another one's */
    struct call *call = &machine->calls[number];
    if (number == 0)
        machine->block_ends[machine->block_end_count++] = machine->real;
    call->ended++;
    block->in_use = false;
    block->free_from = machine->now + machine->turnover;
    trigger(machine, block);
    if (call->ended == machine->run) {
        call->end = later(machine->now, sm_memory_drained(machine->memory));
        for (unsigned next = number + 1;
             next < machine->kernel->calls && call_ended(machine, next - 1); next++)
            wake(machine, next);
    }
    start_blocks(machine);
}

/* ---- barriers --------------------------------------------------------------------------- */

/* Warps arrive at a barrier one after the other, each in the time by which the benchmark, where all
 * come together, is longer for one warp more. */
static double arrival_ns(const struct machine *machine, const struct block *block) {
    const struct gpu_table *barrier = &machine->gpu->barrier_ns;
    return block->warps > 1 ? (gpu_at(barrier, 32.0 * (double)block->warps) - gpu_at(barrier, 32)) /
                                  (double)(block->warps - 1)
                            : 0;
}

static void arrive(struct machine *machine, struct warp *warp, struct block *block) {
    double took = arrival_ns(machine, block);
    warp->state = AT_BARRIER;
    block->arrived++;
    block->last_arrival = later(block->last_arrival, warp->time - took) + took;
}

static void release(struct machine *machine, struct block *block) {
    double wait = gpu_at(&machine->gpu->barrier_ns, 32);
    double weight = machine->live ? machine->live_weight / (double)machine->live : 1;
    machine->result->barriers_ns += wait * weight;
    for (size_t i = 0; i < block->warps; i++) {
        struct warp *warp = &machine->warps[block->first_warp + i];
        if (warp->state != AT_BARRIER)
            continue;
        warp->state = READY;
        warp->time = block->last_arrival + wait;
        push(machine, block->first_warp + i);
    }
    block->arrived = 0;
    block->last_arrival = 0;
}

static void end_warp(struct machine *machine, struct warp *warp) {
    struct block *block = &machine->blocks[warp->block];
    warp->state = ENDED;
    machine->live--;
    machine->live_weight -= warp->weight;
    if (--block->alive == 0)
        end_block(machine, block);
    else if (block->arrived == block->alive)
        release(machine, block);
}

/* ---- steps ------------------------------------------------------------------------------ */

/* Lanes of a multiprocessor that take a 64-bit float at a time: CUDA C++ Programming Guide,
 * throughput of arithmetic instructions, by compute capability. */
static double double_lanes(const struct gpu *gpu) {
    static const struct {
        const char *capability;
        double lanes;
    } known[] = {{"3.0", 8}, {"3.5", 64}, {"3.7", 64}, {"5.0", 4},  {"5.2", 4},  {"6.0", 32},
                 {"6.1", 4}, {"7.0", 32}, {"8.0", 32}, {"9.0", 64}, {"10.0", 64}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(gpu->compute_capability, known[i].capability) == 0)
            return known[i].lanes;
    return 2;
}

/* Cycles of a scheduler's unit for an instruction of a warp. */
static double unit_cycles(const struct gpu *gpu, enum code_unit unit) {
    switch (unit) {
    case CODE_INTEGERS: /* as wide as the one for multiplications: CUDA C++ Programming Guide */
    case CODE_MULTIPLICATIONS:
        return gpu->schedulers / gpu->integer_multiply_per_cycle;
    case CODE_BRANCHES: /* an if is made of three */
        return gpu->schedulers * gpu->if_half_cycles / 3;
    case CODE_DOUBLES:
        return gpu->schedulers * 32 / double_lanes(gpu);
    case CODE_CONSTANTS:
        return gpu->schedulers * gpu->constant_cycles.y[0];
    case CODE_LOCAL: /* each lane's words lie side by side */
        return gpu->schedulers * gpu_at(&gpu->request_l1_cycles, 1);
    case CODE_QUARTER:
    case CODE_WARP_OPERATIONS:
    case CODE_LOCAL_STORES:
    case CODE_LOCAL_WAITS:
    case CODE_CYCLES:
    case CODE_UNITS:
        break;
    }
    return 8; /* 16 lanes of a multiprocessor at a time, says the Programming Guide */
}

double simulate_apart(const struct gpu *gpu, const struct simulate_assumptions *assumptions) {
    return (1 + gpu->integer_add_cycles) / 2 * assumptions->apart;
}

/* Issue the instructions of a step; the warp's time becomes that of the last one. */
static void issue(struct machine *machine, struct warp *warp, const struct order_step *step) {
    double rate = machine->gpu->issue_per_cycle / machine->schedulers;
    double slots = step->instructions / rate * machine->cycle;
    double *free_at = &machine->scheduler_free[warp->scheduler * (1 + CODE_UNITS)];
    double start = later(warp->time, *free_at), end;
    *free_at = start + slots;
    machine->issued[0] += slots * warp->weight;
    double cycles = step->units[CODE_CYCLES] > 0
                        ? step->units[CODE_CYCLES] * machine->assumptions->apart
                        : step->instructions * simulate_apart(machine->gpu, machine->assumptions);
    end = start + later(slots, cycles * machine->cycle);
    if (step->units[CODE_LOCAL] > 0)
        end = later(end, sm_memory_local(machine->memory, start, step->units[CODE_LOCAL],
                                         step->units[CODE_LOCAL_STORES], warp->weight));
    for (int unit = 0; unit < CODE_LOCAL_STORES; unit++) {
        if (step->units[unit] <= 0)
            continue;
        if (unit == CODE_WARP_OPERATIONS) {
            end = later(end,
                        sm_memory_shuffle(machine->memory, start, step->units[unit], warp->weight));
            continue;
        }
        double took = step->units[unit] * unit_cycles(machine->gpu, unit) * machine->cycle;
        free_at[1 + unit] = later(start, free_at[1 + unit]) + took;
        machine->issued[1 + unit] += took * warp->weight;
        end = later(end, free_at[1 + unit]);
    }
    warp->time = end + step->units[CODE_LOCAL_WAITS] * sm_memory_local_ns(machine->memory);
}

static void request(struct machine *machine, struct warp *warp, const struct order_step *step) {
    const struct simulate_kernel *kernel = machine->kernel;
    const struct counts_item *item = &kernel->counts->items[step->item];
    const struct counts_site *site = &kernel->op->sites[item->site];
    unsigned copy = machine->blocks[warp->block].copy;
    double done = sm_memory_request(machine->memory, warp->time, kernel->counts, site, item, copy,
                                    step, &warp->memory, warp->weight);
    if (step->returns)
        warp->ready[step->slot] = done;
    else
        warp->time = later(warp->time, done);
}

static void set_weight(struct machine *machine, struct warp *warp, double weight) {
    machine->live_weight += weight - warp->weight;
    warp->weight = weight;
}

/* One step. Whether the warp can go on by itself. */
static bool run_step(struct machine *machine, struct warp *warp, const struct order_step *step) {
    struct block *block = &machine->blocks[warp->block];
    if (step->instructions > 0)
        issue(machine, warp, step);
    switch ((enum order_what)step->what) {
    case ORDER_MEMORY:
        request(machine, warp, step);
        return true;
    case ORDER_USE:
        warp->time = later(warp->time, warp->ready[step->slot]);
        warp->memory.cold = 0;
        return true;
    case ORDER_WARP_OPERATION:
        warp->time += machine->gpu->warp_operation_cycles * machine->cycle;
        return true;
    case ORDER_FENCE:
        sm_memory_fence(machine->memory);
        warp->time += machine->gpu->fence_ns;
        return true;
    case ORDER_GRID_BARRIER:
        sm_memory_fence(machine->memory);
        warp->time += gpu_at(&machine->gpu->grid_barrier_ns, machine->resident);
        return true;
    case ORDER_TRIGGER:
        if (machine->kernel->calls > 1)
            trigger(machine, block);
        return true;
    case ORDER_WEIGHT:
        set_weight(machine, warp, step->weight);
        return true;
    case ORDER_DEPENDENCY:
        machine->calls[block->call].waits = true;
        if (block->call == 0 || call_ended(machine, block->call - 1))
            return true;
        warp->state = AT_DEPENDENCY;
        return false;
    case ORDER_BARRIER:
        arrive(machine, warp, block);
        if (block->arrived == block->alive)
            release(machine, block);
        return false;
    case ORDER_INSTRUCTIONS:
        break;
    }
    return true;
}

/* Steps of one warp until its time has moved on. */
static void run_warp(struct machine *machine, size_t index) {
    struct warp *warp = &machine->warps[index];
    advance(machine, warp->time);
    double time = warp->time;
    while (warp->next < warp->order->count) {
        if (!run_step(machine, warp, &warp->order->steps[warp->next++]))
            return;
        machine->steps++;
        if (warp->time > time) {
            push(machine, index);
            return;
        }
    }
    end_warp(machine, warp);
}

/* ---- the whole -------------------------------------------------------------------------- */

/* As long as for blocks of this size or of a larger one, whichever is less: where many small ones
 * fit, the benchmark waits for their launches, which come on their own here. */
static double turnover_ns(const struct gpu *gpu, double threads) {
    const struct gpu_table *gap = &gpu->block_gap_ns;
    double least = gpu_at(gap, threads);
    for (size_t i = 0; i < gap->count; i++)
        least = gap->x[i] >= threads && gap->y[i] < least ? gap->y[i] : least;
    return least;
}

static uint64_t blocks_to_run(const struct simulate_kernel *kernel) {
    uint64_t most = (uint64_t)ROUNDS * kernel->resident;
    most = most < LEAST_BLOCKS ? LEAST_BLOCKS : most;
    return kernel->run < most ? kernel->run : most;
}

static bool machine_begin(struct machine *machine) {
    const struct simulate_kernel *kernel = machine->kernel;
    machine->run = blocks_to_run(kernel);
    machine->resident = (double)(kernel->run < kernel->resident ? kernel->run : kernel->resident);
    machine->turnover = turnover_ns(machine->gpu, 32.0 * (double)kernel->blocks[0].warps);
    machine->cycle = 1e3 / machine->gpu->clock_mhz;
    machine->schedulers = (unsigned)machine->gpu->schedulers;
    machine->warps_in_block = kernel->last ? kernel->last->warps : 1;
    for (size_t i = 0; i < kernel->block_count; i++)
        if (kernel->blocks[i].warps > machine->warps_in_block)
            machine->warps_in_block = kernel->blocks[i].warps;
    size_t warps = kernel->resident * machine->warps_in_block;
    machine->memory = sm_memory_new(machine->gpu, &kernel->memory);
    machine->warps = calloc(warps, sizeof *machine->warps);
    machine->heap = calloc(warps + 1, sizeof *machine->heap);
    machine->blocks = calloc(kernel->resident, sizeof *machine->blocks);
    machine->calls = calloc(kernel->calls, sizeof *machine->calls);
    machine->block_ends = calloc(machine->run, sizeof *machine->block_ends);
    machine->scheduler_free =
        calloc(machine->schedulers * (1 + CODE_UNITS), sizeof *machine->scheduler_free);
    return machine->memory && machine->warps && machine->heap && machine->blocks &&
           machine->calls && machine->block_ends && machine->scheduler_free;
}

static void machine_end(struct machine *machine) {
    sm_memory_free(machine->memory);
    free(machine->warps);
    free(machine->heap);
    free(machine->blocks);
    free(machine->calls);
    free(machine->block_ends);
    free(machine->scheduler_free);
}

static void scale(struct simulate_result *result, double factor) {
    struct memory_use *use = &result->use;
    double *figures[] = {
        &use->lsu_ns,      &use->shuffle_ns,    &use->shared_atomics_ns, &use->global_atomics_ns,
        &use->l2_bytes,    &use->dram_bytes,    &use->gathered_bytes,    &use->again_bytes,
        &result->issue_ns, &result->barriers_ns};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        *figures[i] *= factor;
}

/* One call's share, in the steady state. What a call does after it has waited for the one before
 * it, no other call does meanwhile: two calls never end closer to each other. */
static void conclude_calls(struct machine *machine) {
    const struct simulate_kernel *kernel = machine->kernel;
    struct simulate_result *result = machine->result;
    unsigned from = kernel->calls / 2, to = kernel->calls - 1;
    const struct call *calls = machine->calls;
    double alone = calls[to].waits ? calls[to].end - calls[from].end : 0;
    for (unsigned i = from; i < to; i++)
        alone = fmin(alone, calls[i + 1].end - calls[i].end);
    result->ns = later((calls[to].end - calls[from].end) / (to - from) / kernel->at_once, alone);
    result->ns *= machine->now > 0 ? machine->real / machine->now : 1;
    scale(result, 1 / (kernel->at_once * kernel->calls));
}

/* From the simulated blocks to all of them. */
static void conclude(struct machine *machine) {
    const struct simulate_kernel *kernel = machine->kernel;
    struct simulate_result *result = machine->result;
    double drained = later(machine->now, sm_memory_drained(machine->memory));
    result->use = *sm_memory_used(machine->memory);
    for (int unit = 0; unit <= CODE_UNITS; unit++)
        result->issue_ns = later(result->issue_ns, machine->issued[unit] / machine->schedulers);
    result->ns = machine->real + (drained - machine->now);
    unsigned resident = kernel->resident < machine->run ? kernel->resident : (unsigned)machine->run;
    result->barriers_ns /= resident;
    if (kernel->calls > 1)
        conclude_calls(machine);
    result->ns *= kernel->share;
    scale(result, kernel->share);
    if (kernel->run <= machine->run)
        return;
    size_t from = resident, to = machine->block_end_count - resident;
    double each =
        (machine->block_ends[to - 1] - machine->block_ends[from - 1]) / (double)(to - from);
    result->ns += kernel->share * each * (double)(kernel->run - machine->run);
    scale(result, (double)kernel->run / (double)machine->run);
}

bool simulate(const struct gpu *gpu, const struct simulate_kernel *kernel,
              const struct simulate_assumptions *assumptions, struct simulate_result *result) {
    struct machine machine = {
        .gpu = gpu, .kernel = kernel, .assumptions = assumptions, .result = result};
    memset(result, 0, sizeof *result);
    bool good = machine_begin(&machine);
    if (good) {
        machine.calls[0].may_start = true;
        start_blocks(&machine);
        while (machine.heap_count && machine.steps < SIMULATE_STEPS)
            run_warp(&machine, pop(&machine));
        good = !machine.heap_count;
        if (good)
            conclude(&machine);
    }
    machine_end(&machine);
    return good;
}
