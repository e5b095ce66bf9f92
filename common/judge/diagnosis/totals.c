#include "facts.h"

#include <limits.h>
#include <string.h>

#include "judge/findings/places.h"
#include "judge/text.h"

static uint64_t count_all(const struct wrong_call *of) {
    uint64_t all = 0;
    for (size_t i = 0; i < noted_size(of); i++)
        all += noted_has_bin(of, i);
    return all;
}

/* An adder whose additions all go to one place may be for a ticket: where no other one goes to
 * several places of the array, or behind the bins. */
static bool counts_in(const struct wrong_call *of, const struct adder *adder, size_t array) {
    bool others = false;
    if (!adder->pc || adder->array != array)
        return false;
    for (const struct adder *other = of->reads->adder; other < of->reads->adder + MOST_ADDERS;
         other++)
        others |= other->pc && other->array == array && other->elsewhere;
    return adder->elsewhere || (others && adder->at / adder->bytes < of->problem->counting->bins);
}

/* What was added to the array. False: it does not have a place of its own for each bin, or
 * something was taken from it. */
static bool add_up(const struct wrong_call *of, size_t array, uint64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++) {
        const struct adder *adder = &of->reads->adder[i];
        if (!counts_in(of, adder, array))
            continue;
        size_t places = of->reads->array[array].bytes / adder->bytes;
        const bool takes = adder->bytes <= sizeof adder->amounts &&
                           adder->amounts >> (CHAR_BIT * adder->bytes - 1) & 1;
        if (takes || adder->packed == ADDS_PACKED || places < of->problem->counting->bins)
            return false;
        *sum += adder->total;
    }
    return *sum > 0;
}

static size_t say_lines(const struct wrong_call *of, size_t array, struct words text) {
    uint64_t pcs[MOST_ADDERS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++)
        if (counts_in(of, &of->reads->adder[i], array))
            pcs[count++] = of->reads->adder[i].pc;
    return reading_say_lines(of->program, pcs, count, text);
}

static void describe(const struct wrong_call *of, size_t array, uint64_t sum, uint64_t all,
                     struct words text) {
    char lines[80] = "";
    size_t count = say_lines(of, array, TEXT(lines));
    text_add(text, "In all, %s%s %llu to %.*s, where %llu %ss are to be counted.",
             count ? lines : "the kernels", count > 1 || !count ? " add" : " adds",
             (unsigned long long)sum, USED_NAME, of->reads->array[array].name,
             (unsigned long long)all, of->problem->element);
}

/* Where counts end at a limit, additions beyond it may be left out. */
void totals_describe(const struct wrong_call *of, struct words text) {
    text.at[0] = '\0';
    if (!of->reads || !of->problem->counting)
        return;
    const bool limited = of->problem->counting->most < UINT32_MAX;
    uint64_t all = count_all(of), sum;
    for (size_t array = 1; array < USED_ARRAYS; array++)
        if (add_up(of, array, &sum) && (limited ? sum > all : sum != all))
            return describe(of, array, sum, all, text);
}

/* What was added later may have shown that it is no field. */
bool totals_overflow(const struct wrong_call *of, struct words text) {
    enum { BITS = 8 };
    text.at[0] = '\0';
    for (size_t i = 0; of->reads && i < MOST_ADDERS && !text.at[0]; i++) {
        const struct adder *adder = &of->reads->adder[i];
        if (!adder->pc || !adder->full_bits ||
            adder->full_bits != reads_field_bits(adder->amounts, adder->bytes))
            continue;
        const unsigned bits = adder->full_bits, fields = adder->bytes * BITS / bits;
        const bool last = adder->full_number + 1u >= fields;
        const unsigned line = places_line(of->program, adder->pc);
        if (line)
            text_add(text, "In line %u a", line);
        text_add(text,
                 "%s field of %u bits overflows: of the %u that share element %zu of %.*s, that of "
                 "bits %u to %u passes %llu, and %s.",
                 text.at[0] ? "" : "A", bits, fields, adder->full_at / (size_t)adder->bytes,
                 USED_NAME, of->reads->array[adder->array].name, adder->full_number * bits,
                 (adder->full_number + 1u) * bits - 1,
                 (unsigned long long)((UINT64_C(1) << bits) - 1),
                 last ? "what is above that is lost" : "carries 1 into the next one");
    }
    return text.at[0];
}

/* Uses are not in order of time, but nearly. */
bool totals_no_output(const struct wrong_call *of, struct words text) {
    const struct thread_use *last = NULL;
    const struct reads *reads = of->reads;
    text.at[0] = '\0';
    if (!noted_all(of))
        return false;
    for (size_t i = 0; i < reads->uses; i++) {
        const struct thread_use *use = &reads->use[i];
        if (!use->writes)
            continue;
        if (noted_is_output(reads, use->array))
            return false;
        last = use;
    }
    if (!reads->uses) {
        text_add(text, "No kernel has read or written anything: none was launched, or "
                       "none of its threads does anything.");
        return true;
    }
    text_add(text, "No kernel writes to the output");
    if (last)
        text_add(text, ": the last writes are to %.*s", USED_NAME, reads->array[last->array].name);
    const unsigned line = last ? places_line(of->program, last->pc) : 0;
    text_add(text, line ? ", in line %u." : ".", line);
    return true;
}
