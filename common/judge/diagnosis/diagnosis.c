#include "diagnosis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "judge/fault.h"
#include "look.h"
#include "judge/outputs.h"
#include "reading.h"
#include "judge/strip.h"
#include "judge/text.h"

/* Wrong calls that are looked at closely: each takes several passes over its window. */
enum { MOST_LOOKS = 3 };

struct diagnosis {
    const struct problem *problem;
    const struct strip *strip;
    size_t calls, wrong_calls;
    unsigned char poison;
    bool fresh;
    enum races races;
    struct reads *reads;
    const char *program;
    enum reading reading;
    enum adding adding;
    bool flows; /* the trace is of a sum, and tells more than most rules */
    char read[480], added[300], total[300], lost[200], trace[500],
        full[200];                       /* what all of that tells */
    char *expected;                      /* of all calls */
    size_t expected_bytes, output_bytes; /* of one */
    bool *wrong;
    size_t looks;
    struct findings findings;
    bool first_right; /* once it is named */

    /* Only while a name is looked for. */
    const char *outputs, *again;
    size_t slot_bytes;
};

struct diagnosis *diagnosis_begin(const struct problem *problem, const struct strip *strip,
                                  size_t calls, unsigned char poison, bool fresh) {
    struct diagnosis *diagnosis = allocate(sizeof *diagnosis);
    size_t expected_bytes = outputs_expected_bytes(problem, strip->window);
    *diagnosis = (struct diagnosis){.problem = problem,
                                    .strip = strip,
                                    .calls = calls,
                                    .poison = poison,
                                    .fresh = fresh,
                                    .expected = allocate(calls * expected_bytes),
                                    .expected_bytes = expected_bytes,
                                    .output_bytes = outputs_bytes(problem, strip->window),
                                    .wrong = allocate(calls * sizeof(bool))};
    memset(diagnosis->wrong, 0, calls * sizeof(bool));
    return diagnosis;
}

void diagnosis_end(struct diagnosis *diagnosis) {
    free(diagnosis->reads);
    free(diagnosis->expected);
    free(diagnosis->wrong);
    free(diagnosis);
}

static size_t elements_of(struct shape shape) { return shape.rows * shape.columns; }

void diagnosis_races(struct diagnosis *diagnosis, enum races races) { diagnosis->races = races; }

void diagnosis_reads(struct diagnosis *diagnosis, struct reads *reads, const char *program) {
    diagnosis->reads = reads;
    diagnosis->program = program;
}

void *diagnosis_expected(struct diagnosis *diagnosis, size_t call) {
    return diagnosis->expected + call * diagnosis->expected_bytes;
}

/* ---- one wrong call --------------------------------------------------------------------- */

static void look_at_counts(struct look *look, const void *expected, const void *got) {
    const struct counting *counting = look->problem->counting;
    for (size_t i = 0; i < look->size; i++) {
        size_t bin = counting->bin_of(look->window + i * look->problem->element_bytes);
        if (bin < counting->bins)
            look->counts[bin]++;
    }
    for (size_t bin = 0; bin < counting->bins; bin++) {
        look->right[bin] = count_in(counting, expected, bin);
        look->got[bin] = count_in(counting, got, bin);
    }
}

static bool look_at_sum(struct look *look, const void *expected, const void *got) {
    float sum;
    memcpy(&sum, got, sizeof sum);
    look->got_sum = sum;
    look->sum = look->problem->summing->sum(expected);
    look->slack = look->problem->summing->slack(expected);
    return isfinite(sum);
}

static const void *expected(const struct diagnosis *d, size_t call) {
    return d->expected + call * d->expected_bytes;
}

/* What is read again is not what is wrong where counts are too low, and none is too high. */
static void drop_again(struct diagnosis *d, size_t call, const void *got) {
    const struct counting *counting = d->problem->counting;
    bool low = false;
    if (d->reading != READING_ODD || !counting)
        return;
    for (size_t i = 0; i < elements_of(d->strip->window); i++)
        if (!d->reads->of[i].times)
            return;
    for (size_t bin = 0; bin < counting->bins; bin++) {
        const uint32_t right = count_in(counting, expected(d, call), bin),
                       count = count_in(counting, got, bin);
        if (count > right)
            return;
        low |= count < right;
    }
    if (!low)
        return;
    d->reading = READING_ONCE;
    snprintf(d->read, sizeof d->read, "Every %s is read.", d->problem->element);
}

/* What the run did. */
static void take_facts(struct diagnosis *d, size_t call, size_t row, const void *got) {
    struct wrong_call of = {.reads = d->reads,
                            .problem = d->problem,
                            .program = d->program,
                            .window = strip_row(d->strip, row),
                            .shape = d->strip->window,
                            .expected = expected(d, call),
                            .got = got};
    if (of.reads)
        noted_measure(&of);
    d->adding = adding_describe(&of, TEXT(d->added));
    d->reading = reading_describe(&of, d->adding == ADDING_RIGHT ? d->added : "", TEXT(d->read));
    drop_again(d, call, got);
    const bool goes_on = d->adding != ADDING_STRAY && d->reading == READING_ONCE;
    if (goes_on && d->races == RACES_NONE)
        totals_describe(&of, TEXT(d->total));
    if (d->problem->counting)
        totals_overflow(&of, TEXT(d->full));
    if (d->races == RACES_NONE)
        totals_never_read(&of, TEXT(d->lost));
    if (!goes_on || d->races != RACES_NONE)
        return;
    d->flows = flow_describe(&of, TEXT(d->trace));
    if (d->flows)
        d->lost[0] = '\0'; /* that says it */
    else
        trace_describe(&of, TEXT(d->trace));
}

void diagnosis_wrong(struct diagnosis *diagnosis, size_t call, size_t row, const void *got) {
    const struct problem *problem = diagnosis->problem;
    const struct strip *strip = diagnosis->strip;
    diagnosis->wrong[call] = true;
    if (diagnosis->wrong_calls++ == 0)
        take_facts(diagnosis, call, row, got);
    if (diagnosis->looks == MOST_LOOKS || (!problem->counting && !problem->summing))
        return;
    struct look *look = allocate(sizeof *look);
    *look = (struct look){.problem = problem,
                          .window = strip_row(strip, row),
                          .size = strip->window.rows * strip->window.columns};
    if (problem->counting)
        look_at_counts(look, diagnosis_expected(diagnosis, call), got);
    if (problem->counting || look_at_sum(look, diagnosis_expected(diagnosis, call), got)) {
        findings_add(&diagnosis->findings, look);
        diagnosis->looks++;
    }
    free(look);
}

/* ---- all outputs, side by side ---------------------------------------------------------- */

static const void *output(const struct diagnosis *d, size_t call) {
    return d->outputs + call * d->slot_bytes;
}

static const void *output_again(const struct diagnosis *d, size_t call) {
    return d->again + call * d->slot_bytes;
}

static bool is_right(const struct diagnosis *d, const void *expected, const void *got) {
    char why[256];
    return !outputs_wrong(d->problem, d->strip->window, expected, got, why, sizeof why);
}

static bool holds(const struct diagnosis *d, const void *output, unsigned char byte) {
    for (size_t i = 0; i < d->output_bytes; i++)
        if (((const unsigned char *)output)[i] != byte)
            return false;
    return true;
}

/* Every wrong call's output consists of this byte. */
static bool all_wrong_hold(const struct diagnosis *d, unsigned char byte) {
    for (size_t call = 0; call < d->calls; call++)
        if (d->wrong[call] && !holds(d, output(d, call), byte))
            return false;
    return true;
}

/* The very first call is right, and no other. Made again, it is wrong too. */
static bool only_first_right(const struct diagnosis *d) {
    return d->fresh && d->calls >= 4 && !d->wrong[0] && d->wrong_calls == d->calls - 1 &&
           (!d->again || !is_right(d, expected(d, 0), output_again(d, 0)));
}

/* Rules of this kind: does the pattern fit, and what to say of it. */
static bool sum_unwritten(const struct diagnosis *d) {
    return d->problem->summing && d->wrong_calls == d->calls && all_wrong_hold(d, d->poison);
}

static bool reads_twice(const struct diagnosis *d) {
    for (size_t i = 0; d->reading == READING_ODD && i < elements_of(d->strip->window); i++)
        if (d->reads->of[i].times > 1)
            return true;
    return false;
}

/* Every bin of a wrong call holds the most that it can, and not every bin should. In the small
 * check there is no reason to exit early: there it has other causes, where all is read. */
static bool all_saturated(const struct diagnosis *d) {
    const struct counting *counting = d->problem->counting;
    return counting && counting->most == UINT8_MAX && counting->bin_bytes == 1 &&
           (elements_of(d->strip->window) > elements_of(d->problem->check_shape) ||
            d->reading == READING_ODD) &&
           !reads_twice(d) && all_wrong_hold(d, UINT8_MAX);
}

/* The output is that of the call before with this call's counts, or numbers, added. */
static bool adds_on(const struct diagnosis *d, size_t call) {
    const void *before = output(d, call - 1), *now = expected(d, call), *got = output(d, call);
    const struct counting *counting = d->problem->counting;
    if (counting) {
        for (size_t bin = 0; bin < counting->bins; bin++) {
            uint64_t sum = (uint64_t)count_in(counting, before, bin) + count_in(counting, now, bin);
            if (count_in(counting, got, bin) != count_shown(counting, sum))
                return false;
        }
        return true;
    }
    float sum_before, sum;
    memcpy(&sum_before, before, sizeof sum_before);
    memcpy(&sum, got, sizeof sum);
    double right = sum_before + d->problem->summing->sum(now);
    return fabs(sum - right) <= d->problem->summing->slack(now) + fabs(right) * 0x1p-24;
}

/* The first call of all is right, and the second is the first that can tell. */
static bool never_cleared(const struct diagnosis *d) {
    bool known = d->problem->counting || d->problem->summing;
    if (!known || !d->fresh || d->wrong[0] || d->wrong_calls < 2)
        return false;
    for (size_t call = 1; call < d->calls; call++)
        if (!adds_on(d, call))
            return false;
    return true;
}

/* ---- too high, too low ------------------------------------------------------------------ */

/* Do the same calls made again give other outputs? Sums may round in another order. */
static bool changes(const struct diagnosis *d, size_t call) {
    if (d->problem->counting)
        return memcmp(output(d, call), output_again(d, call), d->output_bytes) != 0;
    float first, second;
    memcpy(&first, output(d, call), sizeof first);
    memcpy(&second, output_again(d, call), sizeof second);
    return !(fabs(first - second) <= 2 * d->problem->summing->slack(expected(d, call)));
}

/* A race shows in the very first call as well as in others; what a call leaves behind does not. */
static bool unstable(const struct diagnosis *d) {
    if (!d->again || (!d->problem->counting && !d->problem->summing))
        return false;
    for (size_t call = 0; call < d->calls; call++)
        if (d->wrong[call] && changes(d, call))
            return d->wrong[0];
    return false;
}

/* ---- naming ----------------------------------------------------------------------------- */

/* Before the rules of single outputs (look.h): what only shows over several calls. */
static const char *over_calls(const struct diagnosis *d) {
    if (sum_unwritten(d))
        return "The output still holds what it held before the call. Either nothing was written to "
               "it, or the sum was added to it. It holds garbage before each call, so every call "
               "has to set it to 0 first.";
    if (all_saturated(d))
        return "Every bin is 255, though some have less. Usual cause: a call ends early before "
               "every block has voted in this call, or a block votes with less than its share of "
               "255, rounded up, in some bin.";
    if (never_cleared(d))
        return "Each call's answer is added to that of the calls before. Usual cause: memory that "
               "is set to 0 only once, not in every call, or that the previous call does not leave "
               "at 0.";
    return "";
}

const char diagnosis_unordered[] =
    "No race was seen: what comes out depends on the order in which blocks or threads run. Look "
    "where one of them decides by a counter, a vote or a flag that others change meanwhile: another "
    "one may see it before or after that, and decide otherwise.";

/* Behind those rules. */
static const char *side_by_side(const struct diagnosis *d) {
    if (d->first_right)
        return "Only the first call of all is right. Usual cause: a call leaves something behind "
               "that the next one finds: scratch memory, or a flag, a counter or a ticket that is "
               "not reset.";
    if (d->races == RACES_UNKNOWN && unstable(d))
        return "The same calls made again give different outputs: threads race. Usual causes: an "
               "update of memory that several threads share without an atomic (bins[v]++); a "
               "__syncthreads() that is missing before others' results are read, or memory is "
               "cleared or overwritten; memory that a kernel clears while other blocks use it, or "
               "that is never set.";
    return "";
}

/* Where facts say more. */
static void drop_causes(char *text) {
    char *causes = strstr(text, " Usual cause");
    if (causes)
        *causes = '\0';
}

/* What the outputs tell, where nothing that the run did explains them. */
static void name_by_rule(const struct diagnosis *d, struct sentence text) {
    const char *rule = findings_name(&d->findings);
    text_sentence(text, rule[0] || d->adding == ADDING_STRAY ? rule : side_by_side(d));
}

/* What the run did: which elements it did not read once, what came of them, and
 * which it counted that have no bin. */
static void name_facts(const struct diagnosis *d, struct sentence text) {
    bool odd = d->reading == READING_ODD, stray = d->adding == ADDING_STRAY;
    if (odd)
        text_sentence(text, d->read);
    else
        text_sentence(text, d->lost[0] && !stray ? d->lost : d->total);
    if (stray)
        text_sentence(text, d->added);
}

/* Outputs that nobody wrote, or that are of another call, come first; then what the run did; then
 * what a rule foretells. */
bool diagnosis_name(struct diagnosis *d, const char *outputs, const char *again, size_t slot_bytes,
                    char *words, size_t size) {
    const struct sentence text = {words, size};
    d->outputs = outputs;
    d->again = again;
    d->slot_bytes = slot_bytes;
    words[0] = '\0';
    if (!d->wrong_calls)
        return false;
    d->first_right = only_first_right(d);
    char rule[1024] = "", facts[900] = "";
    bool of_sum = d->problem->summing;
    text_sentence(TEXT(rule), over_calls(d));
    bool first = rule[0];
    if (all_wrong_hold(d, d->poison) && d->wrong[0] &&
        totals_no_output(&(struct wrong_call){.reads = d->reads, .program = d->program}, text))
        return true;
    if (!first && !d->first_right && d->full[0]) {
        text_sentence(text, d->full);
        if (d->reading == READING_ODD)
            text_sentence(text, d->read);
        return true;
    }
    if (!first && !strstr(d->trace, CUT_TO_A_BYTE))
        name_by_rule(d, TEXT(rule));
    bool once = d->reading == READING_ONCE && d->races == RACES_NONE && d->adding != ADDING_STRAY &&
                (of_sum || !rule[0]);
    if (once || d->flows || (d->trace[0] && d->first_right) || (d->total[0] && !first))
        drop_causes(rule);
    name_facts(d, TEXT(facts));
    const bool traced = d->flows || (d->first_right && !first);
    if (traced && !of_sum)
        text_sentence(text, d->trace);
    first |= d->total[0] && d->reading != READING_ODD; /* it tells less */
    text_sentence(text, first ? rule : facts);
    text_sentence(text, first ? facts : rule);
    if (!traced || of_sum)
        text_sentence(text, d->trace);
    if (!words[0] && d->races == RACES_NONE && unstable(d))
        text_sentence(text, diagnosis_unordered);
    if (once && !d->total[0])
        text_sentence(text, d->read);
    return words[0];
}

bool diagnosis_first_right(const struct diagnosis *diagnosis) { return diagnosis->first_right; }
