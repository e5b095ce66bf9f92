/* Rules about how counts were kept: cut off, overflown, put into the wrong bin or into none. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "look.h"

/* ---- counts that overflow, or stop where they should not -------------------------------- */

static bool fits_wrap(const struct look *look, size_t bits) {
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++)
        if (look->got[bin] != (look->counts[bin] & ((1u << bits) - 1)))
            return false;
    return true;
}

/* What fits 16 bits fits 8 bits too, where less than 256 is left. */
static struct range find_wrap(const struct look *look, struct range inside) {
    for (size_t bits = 16; bits >= 8; bits -= 8)
        if (within(inside, bits) && fits_wrap(look, bits))
            return only(bits);
    return NO_RANGE;
}

static bool name_wrap(const struct scene *scene) {
    unsigned modulus = 1u << scene->range.low;
    const char *cure = scene->problem->counting->most < modulus
                           ? "limit it in a wider type first, then store it"
                           : "use a wider type";
    return say(scene,
               "Counts wrap around at %u: every output is the true count modulo %u. Usual cause: "
               "a count is kept in %zu bits; %s.",
               modulus, modulus, scene->range.low, cure);
}

/* Two counts must be cut off: one could be anything. */
static struct range find_stop(const struct look *look, struct range inside) {
    size_t bins = look->problem->counting->bins, cut = 0;
    uint32_t stop = 0;
    for (size_t bin = 0; bin < bins; bin++)
        if (look->got[bin] > stop)
            stop = look->got[bin];
    for (size_t bin = 0; bin < bins; bin++) {
        if (look->got[bin] != (look->right[bin] < stop ? look->right[bin] : stop))
            return NO_RANGE;
        cut += look->right[bin] > stop;
    }
    return stop && cut >= 2 && within(inside, stop) ? only(stop) : NO_RANGE;
}

static bool name_stop(const struct scene *scene) {
    uint32_t most = scene->problem->counting->most;
    if (most == UINT32_MAX)
        return say(
            scene,
            "Counts stop at %zu. Usual cause: they are limited, or kept in too few bits with "
            "saturation; these counts must not saturate.",
            scene->range.low);
    return say(scene,
               "Counts stop at %zu, not at %u. Usual cause: the limit itself, or `<` and `<=` "
               "confused in the comparison with it.",
               scene->range.low, most);
}

/* What each wrong count lacks is a multiple of 2^bits: a smaller counter on the way lost it. Two
 * are wrong, or one by so much that it is not by chance. */
static bool fits_overflow(const struct look *look, size_t bits) {
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
static bool fits_carry(const struct look *look, size_t bits) {
    int64_t carried = 0, carries = 0;
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
        carries += carried;
    }
    return carries > 0 && wrong > 1;
}

static struct range find_overflow(const struct look *look, struct range inside) {
    for (size_t bits = 16; bits >= 4; bits /= 2)
        if (within(inside, bits) &&
            ((bits >= 8 && fits_overflow(look, bits)) || fits_carry(look, bits)))
            return only(bits);
    return NO_RANGE;
}

static bool name_overflow(const struct scene *scene) {
    return say(
        scene,
        "Large counts lack multiples of %u: counters of %zu bits overflow on the way. Usual "
        "cause: partial counts in too small a type, or added up too seldom; a counter of %zu bits "
        "has to be emptied before it reaches %u.",
        1u << scene->range.low, scene->range.low, scene->range.low, 1u << scene->range.low);
}

/* ---- counts in the wrong place, or in none ---------------------------------------------- */

/* Bin b holds what belongs into b ^ mask: four counts of a word in reverse order, for one. */
static bool fits_swap(const struct look *look, size_t mask) {
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++)
        if (look->got[bin] != look->right[bin ^ mask])
            return false;
    return true;
}

static struct range find_swap(const struct look *look, struct range inside) {
    size_t bins = look->problem->counting->bins;
    for (size_t mask = 1; mask < bins && (bins & (bins - 1)) == 0; mask++)
        if (within(inside, mask) && fits_swap(look, mask))
            return only(mask);
    return NO_RANGE;
}

static bool name_swap(const struct scene *scene) {
    size_t mask = scene->range.low;
    if ((mask & (mask + 1)) == 0)
        return say(scene,
                   "Counts are in reverse order in groups of %zu bins. Usual cause: the order in "
                   "which counts are packed into a word: on a GPU the lowest byte comes first.",
                   mask + 1);
    return say(scene,
               "Bins are swapped: bin b holds the count of bin b ^ %zu. Usual cause: the index of "
               "a bin where it is packed, or unpacked.",
               mask);
}

static bool is_zeros_unwritten(const struct look *look) {
    const struct counting *counting = look->problem->counting;
    uint32_t poison = count_of_poison(counting, look->poison);
    for (size_t bin = 0; bin < counting->bins; bin++)
        if (look->got[bin] != (look->right[bin] ? look->right[bin] : poison))
            return false;
    return true;
}

static bool is_added_to_poison(const struct look *look) {
    const struct counting *counting = look->problem->counting;
    uint32_t poison = count_of_poison(counting, look->poison);
    uint32_t mask = counting->bin_bytes == 1 ? 0xff : UINT32_MAX;
    for (size_t bin = 0; bin < counting->bins; bin++)
        if (look->got[bin] != ((poison + look->counts[bin]) & mask))
            return false;
    return true;
}

/* The problem's own mistakes: which of them. */
static bool fits_mistake(const struct look *look, const struct mistake *mistake) {
    struct tally tally = tally_begin(look, false);
    for (size_t i = 0; i < look->size && !tally.over; i++) {
        size_t bin = mistake->bin_of(look->window + i * look->problem->element_bytes);
        if (bin < look->problem->counting->bins)
            tally_bin(&tally, bin, 1);
    }
    return tally_fits(&tally);
}

static struct range find_mistake(const struct look *look, struct range inside) {
    const struct mistake *mistakes = look->problem->counting->mistakes;
    for (size_t n = 0; mistakes && mistakes[n].text; n++)
        if (within(inside, n) && fits_mistake(look, &mistakes[n]))
            return only(n);
    return NO_RANGE;
}

static bool name_mistake(const struct scene *scene) {
    return say(scene, "%s", scene->problem->counting->mistakes[scene->range.low].text);
}

/* ---- a value that is counted and has no bin, or has one and is not counted ----------------- */

static bool has_bin(const struct problem *problem, size_t value) {
    return problem->counting->bin_of(&(char){(char)value}) < problem->counting->bins;
}

/* One bin alone is wrong, by as much as there are elements of that value; it is the value's own,
 * and other values are counted there, where the value has one. */
static bool fits_value(const struct look *look, size_t value) {
    const struct counting *counting = look->problem->counting;
    const char element = (char)value;
    size_t wrong = 0, off = 0, times = 0;
    if (look->problem->element_bytes != 1)
        return false;
    const bool left_out = has_bin(look->problem, value);
    for (size_t bin = 0; bin < counting->bins; bin++) {
        if (look->got[bin] == look->right[bin])
            continue;
        if (left_out && (bin != counting->bin_of(&element) || !look->got[bin]))
            return false;
        wrong++;
        off = left_out ? look->right[bin] - look->got[bin] : look->got[bin] - look->right[bin];
    }
    if (wrong != 1)
        return false;
    for (size_t i = 0; i < look->size; i++)
        times += look->window[i] == element;
    return times && off == times;
}

struct shown {
    char text[8];
};

/* Behind the value's number, where it is one that can be seen: ", 'a',". */
static struct shown show(int value) {
    struct shown shown = {""};
    if (isgraph(value))
        snprintf(shown.text, sizeof shown.text, ", '%c',", value);
    return shown;
}

static bool name_value(const struct scene *scene) {
    const int value = (int)scene->range.low;
    const bool left_out = has_bin(scene->problem, scene->range.low);
    return scene->looks > 1 &&
           say(scene,
               left_out ? "No %s of value %d%s is counted."
                        : "Every %s of value %d%s is counted too: it is in no bin.",
               scene->problem->element, value, show(value).text);
}

/* Bins `first` to `last` of every `of`. */
struct part {
    size_t of, first, last;
};

/* By the number of the guess: parts of two, of four and so on. */
static struct part part_of(size_t guess) {
    enum { MOST = 16 };
    for (size_t of = 2; of <= MOST; of *= 2)
        for (size_t first = 0; first < of; first++)
            for (size_t last = first; last < of; last++)
                if (!guess-- && last - first + 1 < of)
                    return (struct part){of, first, last};
    return (struct part){0, 0, 0};
}

/* Those bins, and no others, are wrong, wherever there is something to count. */
static bool fits_part(const struct look *look, size_t guess) {
    const struct part part = part_of(guess);
    size_t wrong = 0, right = 0;
    for (size_t bin = 0; part.of && bin < look->problem->counting->bins; bin++) {
        bool in = bin % part.of >= part.first && bin % part.of <= part.last;
        bool differs = look->got[bin] != look->right[bin];
        if (differs ? !in : in && look->right[bin])
            return false;
        wrong += differs;
        right += !in && look->right[bin];
    }
    return wrong >= 4 && right >= 4;
}

static bool name_part(const struct scene *scene) {
    const struct part part = part_of(scene->range.low);
    return say(
        scene,
        "Of every %zu bins, counted from 0, only %zu to %zu are wrong. Usual cause: where counts "
        "are packed into a word or taken out of it: a shift by as many bits as its type has, "
        "or by too few; a mask; a part that is never stored.",
        part.of, part.first, part.last);
}

/* Some elements of several bins are counted in the bin behind theirs, or the one before; not where
 * most bins on the way are right: then it is one farther away. Where they are all that have one
 * value, that is the number, doubled; else VALUES. */
enum { VALUES = 256 };

static size_t value_of(const struct look *look, size_t bin, uint64_t count) {
    uint64_t counts[VALUES] = {0};
    for (size_t i = 0; look->problem->element_bytes == 1 && i < look->size; i++)
        counts[(unsigned char)look->window[i]]++;
    for (unsigned value = 0; value < VALUES; value++)
        if (count && counts[value] == count &&
            look->problem->counting->bin_of(&(unsigned char){(unsigned char)value}) == bin)
            return value;
    return VALUES;
}

static size_t moved(const struct look *look, bool down) {
    const size_t bins = look->problem->counting->bins;
    size_t of = 0, right = 0, value = VALUES;
    int64_t here = 0;
    for (size_t i = 0; i < bins; i++) {
        const size_t bin = down ? bins - 1 - i : i;
        here += (int64_t)look->counts[bin] - look->got[bin];
        if (here < 0 || here > look->counts[bin])
            return 0;
        right += here > 0 && look->counts[bin] == look->got[bin];
        if (here > 0 && of++ == 0)
            value = value_of(look, bin, (uint64_t)here);
    }
    return !here && of > 2 * right ? 2 * value + down + 1 : 0;
}

static struct range find_moved(const struct look *look, struct range inside) {
    for (int down = 0; look->problem->counting->most == UINT32_MAX && down < 2; down++) {
        const size_t number = moved(look, down);
        if (number && within(inside, number))
            return only(number);
    }
    return NO_RANGE;
}

static bool name_moved(const struct scene *scene) {
    const int value = (int)(scene->range.low - 1) / 2;
    const char *where = scene->range.low % 2 ? "behind" : "before",
               *element = scene->problem->element;
    if (value == VALUES)
        return say(scene, "Some %ss are counted in the bin %s their own.", element, where);
    return say(scene, "Each %s of value %d%s is counted in the bin %s its own.", element, value,
               show(value).text, where);
}

const struct rule rules_of_bins[] = {
    {OF_COUNTS, .is = is_added_to_poison,
     .text = "The counts were added to what the output held before the call. It holds garbage "
             "then: set it to zero first, in every call."},
    {OF_COUNTS, .is = is_zeros_unwritten,
     .text = "Bins that count nothing are not written, and keep the garbage that the output "
             "held before the call. A count of 0 has to be written too."},
    {OF_COUNTS, .find = find_wrap, .name = name_wrap},
    {OF_COUNTS, .find = find_stop, .name = name_stop},
    {OF_COUNTS, .find = find_overflow, .name = name_overflow},
    {OF_COUNTS, .find = find_mistake, .name = name_mistake},
    {OF_COUNTS, .fits = fits_value, .guesses = MOST_GUESSES, .name = name_value},
    {OF_COUNTS, .find = find_moved, .name = name_moved},
    {OF_COUNTS, .find = find_swap, .name = name_swap},
    {OF_COUNTS, .fits = fits_part, .guesses = MOST_GUESSES, .name = name_part},
    {.of = 0},
};
