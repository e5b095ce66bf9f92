#include "look.h"

#include <math.h>
#include <string.h>

#include "judge/findings/hazards.h"
#include "judge/text.h"

uint32_t count_shown(const struct counting *counting, uint64_t count) {
    return count < counting->most ? count : counting->most;
}

uint32_t count_in(const struct counting *counting, const void *output, size_t bin) {
    if (counting->bin_bytes == 1)
        return ((const uint8_t *)output)[bin];
    uint32_t count;
    memcpy(&count, (const char *)output + bin * sizeof count, sizeof count);
    return count;
}

/* ---- sums --------------------------------------------------------------------------------- */

static double off(const struct look *look) { return fabs(look->got_sum - look->sum); }

/* No sum of so many numbers is whole by chance. */
static bool fits_whole(const struct look *look) {
    return look->got_sum != 0 && look->got_sum == floor(look->got_sum) &&
           fabs(look->got_sum) < 0x1p20 && off(look) > look->slack &&
           off(look) < 0.5 * fabs(look->sum);
}

/* What one float comes to that takes all numbers in turn. */
static double sum_in_turn(const struct look *look) {
    float sum = 0;
    for (size_t i = 0; i < look->size; i++) {
        float number;
        memcpy(&number, look->window + i * sizeof number, sizeof number);
        sum += number;
    }
    return sum;
}

/* Many, and off by little; or as far as adding one by one is, but for the order in which threads
 * come; or a float that takes numbers below 1 has come to where it no longer grows. */
static bool fits_rounding(const struct look *look) {
    enum { SLACKS = 4, MANY = 1 << 14 };
    if ((look->size >= MANY && off(look) <= SLACKS * look->slack) ||
        (look->got_sum == 0x1p24 && look->sum > 0x1p24))
        return true;
    const double drift = sum_in_turn(look) - look->sum;
    return fabs(drift) > look->slack && fabs(look->got_sum - look->sum - drift) <= fabs(drift) / 2;
}

/* ---- counts that overflow --------------------------------------------------------------- */

/* A wrong count of less than 256 stands only after one of 256 or more, or one that is itself wrong,
 * in the same four bins. Blocks may have limited their counts before, so that large ones need not
 * be what they should. */
static bool fits_spilt(const struct look *look) {
    enum { BYTE_END = 256, IN_WORD = 4, MOST_CARRIED = 16 };
    size_t spilt = 0;
    bool after = false;
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
    return wrong >= 2 && others && leaves_remainder(look);
}

static bool fits_16_bits(const struct look *look) { return lacks_multiples(look, 16); }

static bool fits_8_bits(const struct look *look) { return lacks_multiples(look, 8); }

/* Each count, of words, is too high by what a variable holds that nothing has set. */
static bool fits_unset(const struct look *look) {
    bool unset = false;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++) {
        if (look->got[bin] == look->right[bin])
            continue;
        if (!hazards_never_set(look->got[bin] - look->right[bin]))
            return false;
        unset = true;
    }
    return unset;
}

#define OVERFLOW(number, bits)                                                                     \
    "Large counts lack multiples of " number ", as where counters of " bits                        \
    " bits overflow, on the way or at the end. Usual cause: a count that is not clamped to the "   \
    "maximum before it is stored; counts, or partial counts, in too small a type, or added up "    \
    "too seldom (a counter of " bits " bits has to be emptied before it reaches " number "), or "  \
    "atomicInc, which goes on from its limit to 0."

/* ---- all of them -------------------------------------------------------------------------- */

/* In the order in which they are asked. What fits 16 bits fits 8 too, where less than 256 is left.
 */
static const struct rule {
    bool of_sums;
    bool (*fits)(const struct look *look);
    const char *text;
} rules[MOST_RULES] = {
    {true, fits_whole,
     "The sum is a whole number, and the input's numbers are not: fractions are lost on the way. "
     "Usual cause: partial sums in an array or a variable of a whole type, such as __shared__ int, "
     "or a cast to one."},
    {true, fits_rounding,
     "The sum is off by little: as rounding makes it where one float takes very many numbers, one "
     "by one (from 2^24 on it does not even grow by numbers below 1), or where numbers are cut on "
     "the way, as in fixed point. Add up floats in pairs, or a partial sum for each thread first."},
    {false, fits_unset,
     "Each wrong count is too high by what the emulator puts into every local variable at first: "
     "it begins in one that nothing has set to 0."},
    {false, fits_spilt,
     "Counts are too high only right after one of 256 or more in the same four bins: what does not "
     "fit a byte spills into the next byte of the packed word. Limit each count to 255 before you "
     "pack it, and add words so that each byte saturates: __vaddus4()."},
    {false, fits_16_bits, OVERFLOW("65536", "16")},
    {false, fits_8_bits, OVERFLOW("256", "8")},
};

/* Where nearly all bins are full, as they should be, many a rule would fit. */
static bool hardly_any_is_open(const struct look *look) {
    enum { FEW = 2 };
    const struct counting *counting = look->problem->counting;
    size_t open = 0;
    for (size_t bin = 0; bin < counting->bins; bin++)
        open += look->right[bin] < counting->most;
    return open <= FEW;
}

void findings_add(struct findings *findings, const struct look *look) {
    enum { FEWEST = 16 }; /* elements: of fewer, many a rule would fit */
    if (look->problem->counting && (look->size < FEWEST || hardly_any_is_open(look)))
        return;
    findings->any = true;
    for (size_t r = 0; r < MOST_RULES; r++)
        findings->ruled_out[r] |=
            rules[r].of_sums == (look->problem->counting != NULL) || !rules[r].fits(look);
}

const char *findings_name(const struct findings *findings) {
    size_t r = findings->any ? 0 : MOST_RULES;
    while (r < MOST_RULES && findings->ruled_out[r])
        r++;
    return r < MOST_RULES ? rules[r].text : "";
}
