/* Rules about how counts were kept: cut off, overflown, or of what is not to be counted. */
#include <ctype.h>
#include <stdio.h>

#include "judge/findings/hazards.h"
#include "judge/text.h"
#include "look.h"

/* ---- counts that overflow --------------------------------------------------------------- */

/* The more bits come first: what fits 16 fits 8 too, where less than 256 is left. */
static unsigned bits_of(size_t number) { return 16 >> number; }

/* A wrong count of less than 256 stands only after one of 256 or more, or one that is itself wrong,
 * in the same four bins. Blocks may have limited their counts before, so that large ones need not
 * be what they should. */
static bool fits_spilt(const struct look *look, size_t number) {
    enum { BYTE_END = 256, IN_WORD = 4, MOST_CARRIED = 16 };
    size_t spilt = 0;
    bool after = false;
    (void)number;
    if (look->problem->counting->bin_bytes != 1 || look->problem->counting->bins % IN_WORD)
        return false;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        bool wrong = look->got[bin] != look->right[bin];
        if (bin % IN_WORD == 0)
            after = false;
        if (wrong && look->counts[bin] < BYTE_END) {
            bool carried_on = look->counts[bin] + MOST_CARRIED >= BYTE_END;
            if (!after || (look->got[bin] < look->counts[bin] && !carried_on))
                return false;
            spilt++;
        }
        after = look->counts[bin] >= BYTE_END || (after && wrong);
    }
    return spilt >= 2;
}

/* 0 is what is left of a count by a modulus of any size. */
static bool leaves_remainder(const struct look *look) {
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++)
        if (look->got[bin] && look->got[bin] != look->right[bin])
            return true;
    return false;
}

/* What each wrong count lacks is a multiple of 2^bits: a smaller counter on the way lost it. Two
 * are wrong, or one by so much that it is not by chance. */
static bool lacks_multiples(const struct look *look, unsigned bits) {
    enum { SURE = 16, SURE_BITS = 16 };
    size_t wrong = 0;
    bool others = false; /* than those of just that count */
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        if (look->got[bin] == look->right[bin])
            continue;
        uint32_t missing = look->counts[bin] - look->got[bin];
        if (look->got[bin] > look->counts[bin] || missing & ((1u << bits) - 1))
            return false;
        wrong += bits >= SURE_BITS || missing >> bits > SURE ? 2 : 1;
        others |= look->counts[bin] != 1u << bits;
    }
    return wrong >= 2 && others;
}

/* Counters of so many bits are packed in words of 32: what overflows is carried into the next. */
static bool carries(const struct look *look, unsigned bits) {
    int64_t carried = 0, all = 0;
    size_t wrong = 0;
    if (look->problem->counting->most != UINT32_MAX)
        return false;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        if (bin % (32 / bits) == 0)
            carried = 0;
        int64_t over = (int64_t)look->counts[bin] + carried - look->got[bin];
        if (over < 0 || over & ((1 << bits) - 1))
            return false;
        wrong += look->counts[bin] != look->got[bin];
        carried = over >> bits;
        all += carried;
    }
    return all > 0 && wrong > 1;
}

static bool fits_overflow(const struct look *look, size_t number) {
    const unsigned bits = bits_of(number);
    return (bits >= 8 && lacks_multiples(look, bits) && leaves_remainder(look)) ||
           carries(look, bits);
}

static void say_overflow(const struct problem *problem, size_t number, struct words text) {
    const unsigned bits = bits_of(number);
    (void)problem;
    text_add(
        text,
        "Large counts lack multiples of %u, as where counters of %u bits overflow, on the "
        "way or at the end. Usual cause: a count that is not clamped to the maximum before it is stored; "
        "counts, or partial counts, in too small a type, or added up too seldom (a counter "
        "of %u bits has to be emptied before it reaches %u), or atomicInc, which goes on from its "
        "limit to 0.",
        1u << bits, bits, bits, 1u << bits);
}

/* ---- what should not be counted --------------------------------------------------------- */

/* The problem's own mistakes: which of them. */
static bool fits_mistake(const struct look *look, size_t number) {
    const struct counting *counting = look->problem->counting;
    const struct mistake *mistake = counting->mistakes;
    uint32_t counts[MOST_BINS] = {0};
    for (size_t n = 0; mistake && mistake->text && n < number; n++)
        mistake++;
    if (!mistake || !mistake->text)
        return false;
    for (size_t i = 0; i < look->size; i++) {
        size_t bin = mistake->bin_of(look->window + i * look->problem->element_bytes);
        if (bin < counting->bins)
            counts[bin]++;
    }
    for (size_t bin = 0; bin < counting->bins; bin++)
        if (count_shown(counting, counts[bin]) != look->got[bin])
            return false;
    return true;
}

static void say_mistake(const struct problem *problem, size_t number, struct words text) {
    text_add(text, "%s", problem->counting->mistakes[number].text);
}

static bool has_bin(const struct problem *problem, size_t value) {
    return problem->counting->bin_of(&(char){(char)value}) < problem->counting->bins;
}

/* The values from the one next to the bins' own, `first`, on to one that has no bin either. */
static void find_range(const struct problem *problem, size_t value, size_t *first, size_t *last) {
    *first = *last = value;
    while (*first && !has_bin(problem, *first - 1))
        --*first;
    while (*last + 1 < MOST_NUMBERS && !has_bin(problem, *last + 1))
        ++*last;
    *(*first ? last : first) = value;
}

/* One bin alone is wrong, by as many as there are elements of these values: too low where it is the
 * values' own, in which others are counted, and too high where they have none. */
static bool fits_values(const struct look *look, size_t first, size_t last) {
    const struct counting *counting = look->problem->counting;
    const char element = (char)first;
    size_t wrong = 0, times = 0;
    uint32_t off = 0;
    const bool left_out = has_bin(look->problem, first);
    for (size_t bin = 0; bin < counting->bins && wrong < 2; bin++) {
        const uint32_t right = look->right[bin], got = look->got[bin];
        if (got == right)
            continue;
        if (left_out && (bin != counting->bin_of(&element) || !got))
            return false;
        wrong++;
        off = left_out ? right - got : got - right;
    }
    for (size_t value = first; value <= last; value++)
        times += look->of_value[value];
    return wrong == 1 && times && off == times;
}

static bool fits_value(const struct look *look, size_t value) {
    return look->problem->element_bytes == 1 && fits_values(look, value, value);
}

static bool fits_range(const struct look *look, size_t value) {
    size_t first, last;
    if (look->problem->element_bytes != 1 || has_bin(look->problem, value))
        return false;
    find_range(look->problem, value, &first, &last);
    return fits_values(look, first, last);
}

static void say_character(size_t value, struct words text) {
    text_add(text, "%zu", value);
    if (isgraph((int)value))
        text_add(text, ", '%c',", (int)value);
}

static void say_value(const struct problem *problem, size_t value, struct words text) {
    const bool left_out = has_bin(problem, value);
    text_add(text, "%s %s of value ", left_out ? "No" : "Every", problem->element);
    say_character(value, text);
    text_add(text, left_out ? " is counted." : " is counted too: it is in no bin.");
}

static void say_range(const struct problem *problem, size_t value, struct words text) {
    size_t first, last;
    find_range(problem, value, &first, &last);
    text_add(text, "Every %s from ", problem->element);
    say_character(first, text);
    text_add(text, " to ");
    say_character(last, text);
    text_add(text, " is counted too: they are in no bin. A bound is missing, or wrong.");
}

/* Each count, of words, is too high by what a variable holds that nothing has set. */
static bool fits_unset(const struct look *look, size_t number) {
    bool unset = false;
    (void)number;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        if (look->got[bin] == look->right[bin])
            continue;
        if (!hazards_never_set(look->got[bin] - look->right[bin]))
            return false;
        unset = true;
    }
    return unset;
}

const struct rule rules_of_counts[] = {
    {1, .fits = fits_unset,
     .text = "Each wrong count is too high by what the emulator puts into every local variable at "
             "first: it begins in one that nothing has set to 0."},
    {1, .fits = fits_spilt,
     .text =
         "Counts are too high only right after one of 256 or more in the same four bins: what "
         "does not fit a byte spills into the next byte of the packed word. Limit each count to "
         "255 before you pack it, and add words so that each byte saturates: __vaddus4()."},
    {3, .fits = fits_overflow, .say = say_overflow},
    {8, .fits = fits_mistake, .say = say_mistake},
    {MOST_NUMBERS, .fits = fits_value, .needs_two = true, .say = say_value},
    {MOST_NUMBERS, .fits = fits_range, .needs_two = true, .say = say_range},
    {.numbers = 0},
};
