#include "facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"
#include "judge/text.h"
#include "reading.h"

enum { THREADS = 1 << 16, WARP = 32, ELEMENTS = 1 << 13, FEW = 16 };

/* What a thread has read since it stored something, and what that was. */
struct account {
    double sum, last; /* last: read */
    float stored;
    uint32_t at; /* of its last read, which counts once */
    uint8_t array, reads;
    bool unknown; /* a number that it has read is */
};

struct flow {
    const struct wrong_call *call;
    struct sentence text;
    struct account *of; /* threads */
};

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b)); }

static bool is_of_block(const struct flow *flow, const struct thread_use *use) {
    return use->array != OF_INPUT && flow->call->reads->array[use->array].of_block;
}

/* The sum of the numbers of a use; NAN: of wide ones only those of the input are known. */
static double numbers_of(const struct flow *flow, const struct thread_use *use) {
    const size_t first = use->at / sizeof(float), count = use->bytes / sizeof(float);
    double sum = 0;
    if (use->array != OF_INPUT)
        return count == 1 ? (double)noted_float(use->value) : (double)NAN;
    for (size_t i = first; i < first + count; i++)
        sum += i < noted_size(flow->call)
                   ? (double)((const float *)(const void *)flow->call->window)[i]
                   : (double)NAN;
    return sum;
}

static void take_read(const struct flow *flow, const struct thread_use *use) {
    struct account *of = &flow->of[use->thread];
    const double sum = numbers_of(flow, use);
    if (of->reads && of->array == use->array && of->at == use->at)
        return;
    of->unknown |= isnan(sum);
    of->last = isnan(sum) ? 0 : sum;
    of->sum += of->last;
    of->array = use->array;
    of->at = use->at;
    of->reads = 1;
}

static void close_account(struct account *of) { *of = (struct account){.stored = of->stored}; }

/* Of the threads of the same warp. */
static double sum_of_warp(const struct flow *flow, uint32_t thread, bool *unknown) {
    const struct account *first = &flow->of[thread / WARP * WARP];
    double sum = 0;
    for (size_t lane = 0; lane < WARP; lane++) {
        sum += first[lane].sum;
        *unknown |= first[lane].unknown;
    }
    return sum;
}

/* False: what is stored is what its thread, or its warp, has read in all. */
static bool say_store(struct flow *flow, const struct thread_use *use) {
    struct account *of = &flow->of[use->thread], *lane = of - use->thread % WARP;
    const double value = noted_float(use->value);
    bool unknown = of->unknown;
    /* An atomic operation reads what it then replaces. */
    const bool replaces = of->array == use->array && of->at == use->at;
    const bool own = !isnormal((float)value) || is_near(value, of->sum) ||
                     is_near(value, of->sum + of->stored) ||
                     (replaces && is_near(value, of->sum - of->last));
    const double warp = sum_of_warp(flow, use->thread, &unknown);
    const bool odd = !own && !unknown && !is_near(value, warp) && warp != 0;
    if (odd) {
        const bool alone = is_near(warp, of->sum);
        noted_say_line(use, flow->call->program, flow->text);
        text_add(flow->text,
                 " stores %g in element %zu of %.*s (thread %u of block %u), where %s has read %g",
                 value, use->at / sizeof(float), USED_NAME,
                 flow->call->reads->array[use->array].name, use->thread % OF_BLOCK,
                 use->thread / OF_BLOCK, alone ? "it" : "its warp", warp);
        const double times = round(value / warp);
        const bool multiple = times > 1 && is_near(value, times * warp);
        text_add(flow->text, multiple ? ": %g times that is stored." : ".", times);
        if (!alone)
            text_add(flow->text, " This thread has read %g since its last store.", of->sum);
    }
    for (size_t i = 0; !own && i < WARP; i++)
        close_account(&lane[i]);
    close_account(of);
    of->stored = noted_float(use->value);
    return odd;
}

/* The first store that is not what was read. */
static bool say_odd_store(struct flow *flow) {
    const struct wrong_call *call = flow->call;
    const struct thread_use *first = call->reads->use, *end = noted_end(call->reads);
    bool said = false;
    flow->of = allocate(THREADS * sizeof *flow->of);
    for (const struct thread_use *use = first; use < end && !said; use++) {
        if (use->writes && is_of_block(flow, use) && use->bytes == sizeof(float) &&
            fpclassify(noted_float(use->value)) == FP_SUBNORMAL)
            break; /* whole numbers */
        if (use == first || use->launch != use[-1].launch)
            memset(flow->of, 0, THREADS * sizeof *flow->of);
        if (use->thread == (uint32_t)OF_HOST || use->bytes < sizeof(float))
            continue;
        if (use->thread >= THREADS)
            break;
        if (!use->writes)
            take_read(flow, use);
        else if (noted_stores(use) && use->bytes == sizeof(float))
            said = say_store(flow, use);
    }
    free(flow->of);
    return said;
}

/* ---- numbers that others do not read -------------------------------------------------------- */

/* A number that stands in an array of a block. */
struct number {
    const struct thread_use *store;
    bool read;
};

/* Of one array, in one block of one launch. */
struct balance {
    struct number at[ELEMENTS];
    bool lost[ELEMENTS]; /* was never read */
    double off;          /* what that makes of the sum */
    double left; /* what its threads have read elsewhere, less what they have stored there */
    uint64_t lost_stores[FEW]; /* the first places that differ, of what was never read */
    size_t losses, places;
    uint32_t only; /* of all losses only those of what was stored there; 0: all */
};

static void end_number(struct balance *balance, size_t i) {
    const struct number *number = &balance->at[i];
    const double value = number->store ? noted_float(number->store->value) : 0;
    if (value != 0 && !number->read && (!balance->only || balance->only == number->store->pc)) {
        balance->off -= value;
        balance->losses++;
        balance->places = places_add(balance->lost_stores, balance->places, FEW, number->store->pc);
        balance->lost[i] = true;
    }
    balance->at[i] = (struct number){0};
}

static void weigh(const struct flow *flow, const struct thread_use *first, uint32_t block,
                  unsigned array, uint32_t only, struct balance *balance) {
    const struct thread_use *end = noted_end(flow->call->reads);
    memset(balance, 0, sizeof *balance);
    balance->only = only;
    for (const struct thread_use *use = first; use < end && use->launch == first->launch; use++) {
        const size_t i = use->at / sizeof(float);
        if (use->thread / OF_BLOCK != block || use->bytes < sizeof(float))
            continue;
        if (use->array != array) {
            balance->left += use->writes ? -(double)noted_float(use->value) : numbers_of(flow, use);
        } else if (i < ELEMENTS && !use->writes) {
            balance->at[i].read = true;
        } else if (i < ELEMENTS) {
            end_number(balance, i);
            balance->at[i].store = use;
        }
    }
    for (size_t i = 0; i < ELEMENTS; i++)
        end_number(balance, i);
}

/* "Elements 3 and 4 are stored in warps, in line 9, and not read before the block ends: ..." */
static void say_balance(struct flow *flow, unsigned array, const struct balance *balance) {
    const struct wrong_call *call = flow->call;
    char elements[120] = "", lines[80] = "";
    reading_name(balance->lost, (struct shape){call->places[array], 1}, "element", TEXT(elements));
    text_add(flow->text, "%s stored in %.*s", elements, USED_NAME, call->reads->array[array].name);
    if (reading_say_lines(call->program, balance->lost_stores, balance->places, TEXT(lines)))
        text_add(flow->text, ", in %s", lines);
    text_add(flow->text, ", and not read before %s: %s %g.",
             balance->losses > 1 ? "something else is stored there or the block ends"
                                 : "the block ends",
             balance->losses > 1 ? "they come to" : "it is", -balance->off);
}

/* What was lost is what is missing. */
static bool is_missing(const struct balance *balance) {
    return balance->off != 0 && is_near(balance->off, -balance->left);
}

/* The last stores of a sum by pairs are read by nobody, say: they need not be what is missing. */
static void weigh_places(const struct flow *flow, const struct thread_use *first, uint32_t block,
                         unsigned array, struct balance *balance) {
    enum { TRIES = 4 };
    uint64_t stores[TRIES] = {0};
    weigh(flow, first, block, array, 0, balance);
    memcpy(stores, balance->lost_stores, sizeof stores);
    for (size_t i = 0; i < TRIES && stores[i] && !is_missing(balance); i++)
        weigh(flow, first, block, array, (uint32_t)stores[i], balance);
}

/* In the first block whose numbers are all accounted for by that. */
static bool say_unbalanced(struct flow *flow) {
    enum { BLOCKS = 8 };
    const struct wrong_call *call = flow->call;
    struct balance *balance = allocate(sizeof *balance);
    const struct thread_use *first = call->reads->use, *end = noted_end(call->reads);
    for (const struct thread_use *use = first; use < end && !flow->text.at[0]; use++) {
        bool begins = use == first || use->launch != use[-1].launch;
        for (unsigned i = BLOCKS; begins && i < USED_ARRAYS * BLOCKS && !flow->text.at[0]; i++) {
            const unsigned array = i / BLOCKS;
            if (!call->reads->array[array].of_block || call->places[array] < 2 ||
                call->places[array] > ELEMENTS)
                continue;
            weigh_places(flow, use, i % BLOCKS, array, balance);
            if (is_missing(balance))
                say_balance(flow, array, balance);
        }
    }
    free(balance);
    return flow->text.at[0];
}

bool flow_describe(const struct wrong_call *of, struct sentence text) {
    text.at[0] = '\0';
    if (!noted_all(of) || !of->problem->summing)
        return false;
    struct flow flow = {.call = of, .text = text};
    return say_odd_store(&flow) || say_unbalanced(&flow);
}
