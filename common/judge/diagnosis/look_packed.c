/* Rules about counts that are cut to bytes on the way: wrapped around, spilt into the next byte of
 * a word, taken from the wrong counter. Blocks may have limited their counts before, so that large
 * ones need not be what they should. */
#include <stdlib.h>

#include "look.h"

enum { BYTE_END = 256, HALF_BITS = 16, IN_WORD = 4, MOST_CARRIED = 16 };

static bool is_of_bytes(const struct look *look) {
    return look->problem->counting->bin_bytes == 1 && look->problem->counting->bins % IN_WORD == 0;
}

/* A wrong count of less than 256 stands only after one of 256 or more, or one that is itself wrong,
 * in the same four bins. */
static bool is_spilt(const struct look *look) {
    size_t spilt = 0;
    bool after = false;
    if (!is_of_bytes(look))
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

static bool name_spilt(const struct scene *scene) {
    return say(
        scene,
        "Counts are too high only right after one of 256 or more in the same four bins: what "
        "does not fit a byte spills into the next byte of the packed word. Limit each count "
        "to %u before you pack it, and add words so that each byte saturates: __vaddus4().",
        scene->problem->counting->most);
}

/* The same of fields of 16 bits: too high by no more than what is carried. */
static bool is_spilt_from_half(const struct look *look) {
    size_t spilt = 0;
    for (size_t bin = 0; is_of_bytes(look) && bin < look->problem->counting->bins; bin++) {
        if (look->got[bin] == look->right[bin] || look->counts[bin] >> HALF_BITS)
            continue;
        if (bin % IN_WORD == 0 || look->got[bin] < look->right[bin] ||
            look->got[bin] - look->right[bin] > look->counts[bin - 1] >> HALF_BITS)
            return false;
        spilt++;
    }
    return spilt > 0;
}

/* Byte j of word w is the count of bin w + j, where it should be that of 4 w + j. */
static bool is_from_number(const struct look *look) {
    if (!is_of_bytes(look))
        return false;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++)
        if (look->got[bin] != look->right[bin / IN_WORD + bin % IN_WORD])
            return false;
    return true;
}

const struct rule rules_of_packed[] = {
    {OF_COUNTS, .is = is_from_number,
     .text = "Word w holds the counts of bins w to w + 3. It should hold those of 4 * w to "
             "4 * w + 3: the index of the first of four counts is the word's number times 4."},
    {OF_COUNTS, .is = is_spilt, .name = name_spilt},
    {OF_COUNTS, .is = is_spilt_from_half,
     .text =
         "A count is too high only right after one of 65536 or more in the same four bins: what "
         "does not fit 16 bits spills into the next field of the packed word. Limit each count "
         "before you pack it."},
    {.of = 0},
};
