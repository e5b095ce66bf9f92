#include "hazards.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "problem.h"
#include "judge/text.h"

static const struct {
    const char *word, *meaning, *remedy;
    enum hazard_severity severity;
} kinds[] = {
#define HAZARD(name, word, severity, meaning, remedy) {word, meaning, remedy, HAZARD_##severity},
#include "hazards.def"
#undef HAZARD
};

const char *hazard_word(enum hazard_kind kind) { return kinds[kind].word; }
enum hazard_severity hazard_severity(enum hazard_kind kind) { return kinds[kind].severity; }
const char *hazard_meaning(enum hazard_kind kind) { return kinds[kind].meaning; }
const char *hazard_remedy(enum hazard_kind kind) { return kinds[kind].remedy; }

const char *hazard_severity_word(enum hazard_severity severity) {
    return severity == HAZARD_FAULT ? "fault" : "remark";
}

/* ---- what is kept ----------------------------------------------------------------------- */

/* It ends, and is one line that a terminal shows as it stands. */
static void clean(struct sentence text) {
    text.at[text.size - 1] = '\0';
    text_clean(text.at, text.size);
}

/* A line where it is known; it may be that of several instructions. */
static bool same_place(const struct seen_hazard *a, size_t i, const struct seen_hazard *b,
                       size_t j) {
    const struct hazard_place *p = &a->hazard.place[i], *q = &b->hazard.place[j];
    if (p->on_host != q->on_host)
        return false;
    if (a->at[i].line && b->at[j].line)
        return a->at[i].line == b->at[j].line && strcmp(a->at[i].file, b->at[j].file) == 0;
    return p->pc == q->pc && p->line == q->line;
}

/* Of the same kind, on the same array, at the same places, whichever of two was noticed first: who
 * was there, and at which element, tells nothing new. */
static bool same_hazard(const struct seen_hazard *a, const struct seen_hazard *b) {
    const struct hazard *x = &a->hazard, *y = &b->hazard;
    if (x->kind != y->kind || x->places != y->places || strcmp(x->array, y->array) != 0)
        return false;
    if (x->places < 2)
        return !x->places || same_place(a, 0, b, 0);
    return (same_place(a, 0, b, 0) && same_place(a, 1, b, 1)) ||
           (same_place(a, 0, b, 1) && same_place(a, 1, b, 0));
}

/* What else is seen in freed memory follows from that; and where a block decides by a variable of
 * its own that it has not set, what it does beside other blocks. */
static bool follows(const struct hazard *what, const struct hazard *from) {
    if (from->kind == HAZARD_USE_AFTER_FREE)
        return what->kind != HAZARD_USE_AFTER_FREE;
    return (from->kind == HAZARD_UNINITIALIZED || from->kind == HAZARD_RACE_IN_BLOCK ||
            from->kind == HAZARD_RACE_IN_WARP) &&
           (what->kind == HAZARD_RACE_BETWEEN_BLOCKS ||
            what->kind == HAZARD_RACE_BETWEEN_LAUNCHES || what->kind == HAZARD_MISSING_FENCE) &&
           !from->allocated;
}

static void add(struct hazards *hazards, const struct seen_hazard *new) {
    struct hazard_list *list = &hazards->of[hazard_severity(new->hazard.kind)];
    for (size_t i = 0; i < list->count; i++)
        if (same_hazard(&list->seen[i], new))
            return;
    if (list->count == MOST_HAZARDS) {
        list->more++;
        return;
    }
    size_t at = list->count;
    while (at > 0 && follows(&list->seen[at - 1].hazard, &new->hazard))
        at--;
    memmove(&list->seen[at + 1], &list->seen[at], (list->count++ - at) * sizeof *new);
    list->seen[at] = *new;
}

bool hazards_add(struct hazards *hazards, const struct hazard *hazard) {
    struct seen_hazard new = {.hazard = *hazard};
    struct hazard *it = &new.hazard;
    if (it->kind >= HAZARD_KINDS || it->places > MOST_PLACES)
        return false;
    clean(TEXT(it->array));
    clean(TEXT(it->note));
    for (uint32_t i = 0; i < it->places; i++)
        clean(TEXT(it->place[i].does));
    add(hazards, &new);
    return true;
}

void hazards_add_all(struct hazards *hazards, const struct hazards *more) {
    const struct seen_hazard *seen;
    for (size_t n = 0; (seen = hazards_nth(more, n)); n++)
        add(hazards, seen);
    for (size_t severity = 0; severity <= HAZARD_FAULT; severity++)
        hazards->of[severity].more += more->of[severity].more;
}

const struct seen_hazard *hazards_nth(const struct hazards *hazards, size_t n) {
    const struct hazard_list *faults = &hazards->of[HAZARD_FAULT],
                             *remarks = &hazards->of[HAZARD_REMARK];
    if (n < faults->count)
        return &faults->seen[n];
    n -= faults->count;
    return n < remarks->count ? &remarks->seen[n] : NULL;
}

/* ---- their places ----------------------------------------------------------------------- */

void hazards_find_places(struct hazards *hazards, const char *program) {
    enum { MOST = 2 * MOST_HAZARDS * MOST_PLACES };
    uint64_t offsets[MOST];
    struct place found[MOST];
    struct hazards all = *hazards;
    const struct seen_hazard *seen;
    char file[128];
    size_t count = 0;
    for (size_t n = 0; (seen = hazards_nth(&all, n)); n++)
        for (uint32_t i = 0; i < seen->hazard.places; i++)
            offsets[count++] = seen->hazard.place[i].line ? 0 : seen->hazard.place[i].pc;
    places_of(program, offsets, count, found);

    snprintf(file, sizeof file, "%s.cu", problem.function);
    *hazards = (struct hazards){.of = {[HAZARD_REMARK] = {.more = all.of[HAZARD_REMARK].more},
                                       [HAZARD_FAULT] = {.more = all.of[HAZARD_FAULT].more}}};
    count = 0;
    for (size_t n = 0; (seen = hazards_nth(&all, n)); n++) {
        struct seen_hazard known = *seen;
        for (uint32_t i = 0; i < known.hazard.places; i++, count++) {
            uint32_t line = known.hazard.place[i].line;
            known.at[i] = line ? place_at_line(program, file, line) : found[count];
        }
        add(hazards, &known);
    }
}

/* ---- words for the first fault ---------------------------------------------------------- */

static void say_what(const struct hazard *hazard, struct sentence text) {
    long long index = hazard->index;
    text_add(text, "%s", hazard_word(hazard->kind));
    if (!hazard->array[0])
        return;
    if (!hazard->indexed)
        text_add(text, " on %s", hazard->array);
    else if (hazard->allocated || strchr(hazard->array, ' '))
        text_add(text, " on element %lld of %s", index, hazard->array);
    else
        text_add(text, " on %s[%lld]", hazard->array, index);
}

static void say_where(const struct seen_hazard *seen, struct sentence text) {
    for (uint32_t i = 0; i < seen->hazard.places; i++) {
        const struct place *at = &seen->at[i];
        text_add(text, "%s", i ? ", " : ": ");
        if (at->line)
            text_add(text, "%.100s:%u", place_file_name(at), at->line);
        else
            text_add(text, "an unknown line");
        text_add(text, " %s", seen->hazard.place[i].does);
    }
}

/* What became of the step besides. */
static void say_outcome(const struct verdict *verdict, struct sentence text) {
    if (verdict->kind == VERDICT_WRONG || verdict->kind == VERDICT_NONDETERMINISTIC)
        text_add(text, "; and outputs were wrong: %s", verdict->detail);
    else if (verdict->kind != VERDICT_PASS)
        text_add(text, "; then: %s", verdict->detail);
}

/* What can be said of some hazards instead of their kind's meaning and remedy. The first that fits
 * is taken: of a kind, words of the note, and what the two places do, in either order. */
static const struct {
    enum hazard_kind kind;
    const char *note, *does[2], *text;
} cases[] = {
    {.kind = HAZARD_RACE_BETWEEN_BLOCKS,
     .note = NOTE_FENCED,
     .text =
         "The hand-over between two blocks does not order these. Before a block takes its ticket, or sets "
         "its flag, all its threads have to write, pass __threadfence(), and meet at __syncthreads(). "
         "Only the block with the last ticket may go on, and all its threads have to learn that from one "
         "shared variable, behind another __syncthreads()."},
    {.kind = HAZARD_RACE_BETWEEN_BLOCKS,
     .note = NOTE_LANE_HEARD,
     .text =
         "Call __syncwarp() behind the shuffle: a shuffle or a vote passes a value on and orders no memory. "
         "What another block has written is ordered for the lane alone that took the ticket or saw the "
         "flag."},
    {.kind = HAZARD_RACE_BETWEEN_BLOCKS,
     .note = NOTE_WRITES_0,
     .text =
         "One block clears what other blocks use already. Blocks run in any order, and __syncthreads() "
         "orders the threads of one block only. Clear it before the launch, in every call: with "
         "cudaMemsetAsync, or in a kernel of its own. Or add to scratch memory, in which the last block leaves 0."},
    {.kind = HAZARD_RACE_BETWEEN_BLOCKS,
     .note = "",
     .does = {"writes", "updates"},
     .text =
         "One block sets an element that another block updates. Blocks run in any order, and "
         "__syncthreads() orders the threads of one block only: no barrier in this kernel helps. What "
         "is set before all blocks use it has to be set before the launch; what is added has to be "
         "added by an atomic operation in every block."},
    {.kind = HAZARD_RACE_IN_WARP,
     .note = NOTE_BOTH_VOLATILE,
     .does = {"writes", "writes"},
     .text =
         "Two lanes write one element, and one of the two values is lost: if each adds to it, use "
         "atomicAdd. Neither volatile nor __syncwarp() makes x = x + 1 one step."},
    {.kind = HAZARD_RACE_IN_WARP,
     .note = NOTE_BOTH_VOLATILE,
     .text =
         "Two lanes of a warp share data through volatile memory: __syncwarp() is missing. Until 2017 the "
         "lanes of a warp ran in lock step. Since Volta they no longer do, and volatile orders nothing "
         "between lanes. Each step of such code has to read into a register, "
         "pass __syncwarp(), write, and pass __syncwarp() again; or exchange registers by "
         "__shfl_down_sync()."},
    {.kind = HAZARD_MISSING_FENCE,
     .note = NOTE_SHARED_FLAG,
     .text =
         "A flag that tells the threads of a block what their own block is has to be in __shared__ "
         "memory. One in global memory is the same for all blocks: a block may see what another one "
         "has stored."},
    {.kind = HAZARD_RACE_BETWEEN_LAUNCHES,
     .note = NOTE_TWO_STREAMS,
     .text =
         "Work on two streams runs side by side: cudaEventRecord() in one, behind its work, and then "
         "cudaStreamWaitEvent() in the other, before what has to wait for it is launched. The order in "
         "which the host launches is no order between streams, and an event that was recorded earlier "
         "stands for less work."},
    {.kind = HAZARD_USE_AFTER_FREE,
     .note = NOTE_FREED_BEFORE,
     .text =
         "The tear-down has freed it, and the set-up after that has not allocated it again: cudaFree() "
         "leaves the pointer as it was, so it is not null. Allocate in every set-up, or set the pointer "
         "to NULL where its memory is freed."},
    {.kind = HAZARD_BARRIER_DIVERGENCE,
     .note = NOTE_ENDED,
     .text =
         "Threads that have left the loop or not taken the branch never come to this barrier: CUDA does "
         "not say what it then does. Every thread of the block has to pass it equally often: move the "
         "barrier out of the branch or the loop."},
    {.kind = HAZARD_MASK,
     .note = NOTE_NO_LANE,
     .text = "Launch whole warps, a multiple of 32 threads, or read only from lanes that exist."},
    {.kind = HAZARD_MASK,
     .note = NOTE_NO_PART,
     .text =
         "Its value is undefined: a lane that others read from has to be in the mask, and execute "
         "the operation, too. Let all lanes take part, with 0 where one has no element."},
    {.kind = HAZARD_OUT_OF_BOUNDS,
     .note = NOTE_ANOTHER_CALL,
     .text =
         "The index is not at fault: the kernel got an address of another call. Each call has an input "
         "and an output of its own; what was kept, such as a recorded graph, has to get them."},
    {.kind = HAZARD_OUT_OF_BOUNDS,
     .note = NOTE_NOT_ASKED,
     .text =
         "An extern __shared__ array has as many bytes as the third argument of the launch says, and it "
         "says none: kernel<<<blocks, threads, bytes>>>."},
    {.kind = HAZARD_LEAK,
     .note = NOTE_IN_CALL,
     .text =
         "Each call allocates this anew, and the tear-down cannot free them all. Allocate in the set-up, "
         "and free in the tear-down."},
    {.kind = HAZARD_OUT_OF_BOUNDS,
     .note = NOTE_IN_EACH_BLOCK,
     .text =
         "An access lies outside of a shared array. Each block has such an array of its own, so its "
         "index is never a thread's number among all threads. Else the index is computed wrongly, a "
         "bound is missing, or the array is too small."},
    {.kind = HAZARD_OUT_OF_BOUNDS,
     .note = NOTE_NULL,
     .text =
         "There is no array behind the pointer: allocate one in each set-up, before the pointer is "
         "used. A kernel gets the value that the pointer has at its launch."},
    {.kind = HAZARD_UNINITIALIZED,
     .note = "",
     .does = {DOES_NOTHING, ""},
     .text =
         "That line sets no byte: cudaMemset takes a pointer, a value and a number of bytes, in this "
         "order. Are two of them swapped, or is the size 0?"},
    {.kind = HAZARD_UNINITIALIZED,
     .note = NOTE_NOT_SET,
     .does = {"fills", ""},
     .text =
         "The memset or copy before it was too short. Its size is in bytes: a number of elements needs "
         "`* sizeof`, and sizeof of a pointer, or of a parameter that looks like an array, is 8."},
    {.kind = HAZARD_UNINITIALIZED,
     .note = NOTE_NO_THREAD_SETS,
     .text =
         "Threads of this block have to set it first, with a barrier behind: __shared__ memory begins "
         "with garbage, and a thread that has returned before sets nothing."},
    {.kind = HAZARD_UNINITIALIZED,
     .note = NOTE_NOT_SET,
     .text = "Part of the array is never set. Where each thread sets one element, there have to be "
             "as many threads as elements, and none may have returned; or a loop sets them all."},
};

static bool begins(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool does_these(const struct hazard *hazard, const char *const does[2]) {
    const char *a = hazard->place[0].does, *b = hazard->place[1].does;
    if (!does[0])
        return true;
    return hazard->places == 2 && ((begins(a, does[0]) && begins(b, does[1])) ||
                                   (begins(a, does[1]) && begins(b, does[0])));
}

/* Two threads of a block are in the same line. */
static bool is_in_one_line(const struct seen_hazard *seen) {
    const enum hazard_kind kind = seen->hazard.kind;
    return (kind == HAZARD_RACE_IN_WARP || kind == HAZARD_RACE_IN_BLOCK) && seen->at[0].line &&
           same_place(seen, 0, seen, 1);
}

static const char *const writes[] = {"writes", "writes"}, *const reads[] = {"reads", "writes"};

/* They write an element of the first fault's array, which others also read. */
static const struct seen_hazard *plain_addition(const struct hazard_list *faults) {
    const struct hazard *first = &faults->seen[0].hazard;
    for (size_t i = 0; i < faults->count && does_these(first, reads); i++) {
        const struct seen_hazard *seen = &faults->seen[i];
        const struct hazard *it = &seen->hazard;
        if (is_in_one_line(seen) && !it->note[0] && strcmp(it->array, first->array) == 0 &&
            does_these(it, writes))
            return seen;
    }
    return NULL;
}

/* x++ by threads of two blocks, whatever else orders these. */
static bool is_plain_update(const struct seen_hazard *seen) {
    return seen->hazard.kind == HAZARD_RACE_BETWEEN_BLOCKS && same_place(seen, 0, seen, 1) &&
           does_these(&seen->hazard, reads);
}

/* The first calls write their output, and a later one does not. */
static bool stops_writing(const struct verdict *verdict) {
    return strstr(verdict->detail, "nothing was written to the output") &&
           !strstr(verdict->detail, "call 0,");
}

/* A later call's work races more often than people think: the beginning of a sentence. */
static void say_calls(const struct seen_hazard *seen, struct sentence text) {
    if (!strstr(seen->hazard.note, NOTE_EARLIER_CALL))
        return;
    if (seen->at[0].line != seen->at[1].line)
        text_add(text, "Line %u is in an earlier call than line %u, and ", seen->at[1].line,
                 seen->at[0].line);
    else
        text_add(text, "The second is in an earlier call than the first, and ");
}

/* What is to be done, behind that beginning. */
static void say_remedy(const struct seen_hazard *seen, const char *remedy, struct sentence text) {
    const size_t begin = strlen(text.at);
    say_calls(seen, text);
    const size_t at = strlen(text.at);
    text_add(text, "%s", remedy);
    if (at > begin)
        text.at[at] = (char)tolower((unsigned char)text.at[at]);
}

/* What its note says of a hand-over, or of a lane, as a sentence. */
static void say_note(const struct hazard *hazard, struct sentence text) {
    const char *words = strstr(hazard->note, NOTE_FENCED "; ");
    if (words)
        words += strlen(NOTE_FENCED "; ");
    else if (strstr(hazard->note, NOTE_NO_LANE) || strstr(hazard->note, NOTE_NO_PART))
        words = strstr(hazard->note, "lane ");
    if (words)
        text_add(text, "%c%s. ", toupper((unsigned char)*words), words + 1);
}

/* -ftrivial-auto-var-init=pattern: gcc puts 0xfe into each byte, clang 0xaa. */
bool hazards_never_set(uint32_t word) { return word == 0xfefefefe || word == 0xaaaaaaaa; }

static bool is_never_set(const struct hazard *hazard) {
    return hazard->indexed && hazard->index >> 31 >= -1 && hazard->index >> 32 <= 0 &&
           hazards_never_set((uint32_t)hazard->index);
}

static void say_cause(const struct hazard_list *faults, const struct verdict *verdict,
                      struct sentence text) {
    const struct hazard *hazard = &faults->seen[0].hazard;
    const struct seen_hazard *addition = plain_addition(faults);
    if (addition) {
        const struct place *at = faults->seen[0].at, *other = &at[at->line == addition->at->line];
        const bool apart = other->line && other->line != addition->at->line;
        text_add(text, apart ? "%s lines %u and %u" : "%s line %u",
                 "Several threads read and write the same element in",
                 apart ? other->line : addition->at->line, addition->at->line);
        text_add(text,
                 ", and nothing orders them: for x++ or x += y use atomicAdd. It takes 32 bits or "
                 "more, no uint8_t. If it is no addition, each thread needs an element of its "
                 "own.");
        return;
    }
    const bool update = is_plain_update(&faults->seen[0]);
    if (strstr(hazard->note, NOTE_FENCED) && stops_writing(verdict) && !update) {
        text_add(
            text,
            "The first call writes its output, and a later one does not: the counter of tickets "
            "has to be 0 again at the end of every call. atomicInc(finished, gridDim.x - 1) sees "
            "to that, atomicAdd does not; else no block, or an early one, takes itself for the "
            "last.");
        return;
    }
    if (hazard->kind == HAZARD_OUT_OF_BOUNDS && is_never_set(hazard)) {
        text_add(text,
                 "The index is 0x%08x. The emulator puts that into every local variable at first: "
                 "nothing has set this one.",
                 (unsigned)hazard->index);
        return;
    }
    if (hazard->kind == HAZARD_OUT_OF_BOUNDS && hazard->indexed && hazard->index < 0 &&
        !strstr(hazard->note, NOTE_ANOTHER_CALL)) {
        text_add(text,
                 "The index is below 0. In a signed type, such as char or int8_t, a byte of 128 or "
                 "more is; a difference may be, too.");
        return;
    }
    const struct place *at = faults->seen[0].at;
    if (strstr(hazard->note, NOTE_AGAIN) && at[0].line != at[1].line) {
        text_add(
            text,
            "Line %u has written it before, in an earlier turn or call: %s is missing between "
            "line %u and the next time that line %u comes; if it never comes again, between lines "
            "%u and %u.",
            at[0].line, hazard->kind == HAZARD_RACE_IN_WARP ? "__syncwarp()" : "__syncthreads()",
            at[1].line, at[0].line, at[0].line, at[1].line);
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !update; i++)
        if (cases[i].kind == hazard->kind && strstr(hazard->note, cases[i].note) &&
            does_these(hazard, cases[i].does)) {
            say_note(hazard, text);
            say_remedy(&faults->seen[0], cases[i].text, text);
            return;
        }
    text_add(text, "%s ", hazard_meaning(hazard->kind));
    say_remedy(
        &faults->seen[0],
        is_in_one_line(&faults->seen[0]) && does_these(hazard, reads)
            /* no addition that is not atomic: a place that one reads and the other writes */
            ? "Several that add to one element (count++) need atomicAdd; where each reads what others "
              "wrote a turn before (a[t] += a[t + d]), each turn ends with __syncthreads(), in a warp "
              "with __syncwarp(). What others write in the same turn is read into a variable first, "
              "with a barrier before the write, too; or the index lets two threads overlap."
            : hazard_remedy(hazard->kind),
        text);
}

static void explain(const struct hazard_list *faults, const struct verdict *verdict,
                    char *diagnosis, size_t size) {
    char text[1024] = "";
    const bool stale = verdict->first_right && !is_plain_update(&faults->seen[0]);
    if (stale)
        text_add(TEXT(text), "%s ", diagnosis);
    say_cause(faults, verdict, TEXT(text));
    /* a copy that nobody waits for is never made: what it should have read tells nothing */
    if (diagnosis[0] && !stale && faults->seen[0].hazard.kind != HAZARD_UNFINISHED_COPY)
        text_add(TEXT(text), " %s", diagnosis);
    snprintf(diagnosis, size, "%s", text);
}

/* A remark that is the cause where the answer is wrong. */
static void explain_own_atomic(const struct hazard_list *remarks, char *diagnosis, size_t size) {
    char before[1024];
    snprintf(before, sizeof before, "%s", diagnosis);
    for (const struct seen_hazard *seen = remarks->seen; seen < remarks->seen + remarks->count;
         seen++)
        if (seen->hazard.kind == HAZARD_OWN_ATOMIC)
            snprintf(diagnosis, size,
                     "Line %u changes a variable of the thread's own by an atomic. %s %s",
                     seen->at[0].line, hazard_remedy(HAZARD_OWN_ATOMIC), before);
}

void hazards_settle(const struct hazards *hazards, struct verdict *verdict, char *diagnosis,
                    size_t diagnosis_size) {
    const struct hazard_list *faults = &hazards->of[HAZARD_FAULT];
    if (!faults->count && verdict->kind == VERDICT_WRONG)
        explain_own_atomic(&hazards->of[HAZARD_REMARK], diagnosis, diagnosis_size);
    if (!faults->count || verdict->kind == VERDICT_HARNESS_ERROR)
        return;
    const struct seen_hazard *first = &faults->seen[0];
    char text[sizeof verdict->detail] = "";
    const size_t others = faults->count - 1;
    say_what(&first->hazard, TEXT(text));
    say_where(first, TEXT(text));
    if (first->hazard.note[0])
        text_add(TEXT(text), " (%s)", first->hazard.note);
    if (others)
        text_add(TEXT(text), " (and %s%zu more)", faults->more ? "at least " : "", others);
    say_outcome(verdict, TEXT(text));
    explain(faults, verdict, diagnosis, diagnosis_size);
    memcpy(verdict->detail, text, sizeof text);
    verdict->outcome = verdict->kind;
    verdict->kind = VERDICT_HAZARD;
}
