#include "facts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "judge/findings/places.h"
#include "judge/text.h"
#include "judge/fault.h"
#include "reading.h"
#include "look.h"

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

static size_t say_lines(const struct wrong_call *of, size_t array, struct sentence text) {
    uint64_t pcs[MOST_ADDERS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++)
        if (counts_in(of, &of->reads->adder[i], array))
            pcs[count++] = of->reads->adder[i].pc;
    return reading_say_lines(of->program, pcs, count, text);
}

/* What one thread has read and added: elements with a bin. */
enum { THREADS = 1 << 16, WARP = 32 };
struct account {
    uint32_t read, added;
};

static void keep_account(const struct wrong_call *of, size_t array, const struct thread_use *use,
                         struct account *accounts) {
    struct account *account = &accounts[use->thread % THREADS];
    account->read += (uint32_t)noted_reads(of, use, ANY_BIN);
    if (use->array == array && use->writes == USE_ADDS)
        account->added += use->value;
}

/* How many threads next to each other add what they have read: one, the lanes of a warp, by the
 * first of them, or a block. */
static size_t add_together(const struct account *accounts) {
    size_t readers = 0, adders = 0, more = 0, others = 0;
    for (size_t t = 0; t < THREADS; t++) {
        readers += accounts[t].read > 0;
        adders += accounts[t].read && accounts[t].added;
        more += accounts[t].added > accounts[t].read;
        others += t % WARP && accounts[t].added;
    }
    return !more || adders > readers / 2 ? 1 : others ? OF_BLOCK : WARP;
}

/* What threads that are next to each other have read of each bin, and added to it. */
struct by_bin {
    uint32_t read[MOST_BINS], added[MOST_BINS];
    size_t last[MOST_BINS]; /* element that was read */
};

/* The bin is too low, and not one that is to be full: who has found it so may leave more out. */
static bool leaves_out(const struct wrong_call *of, size_t bin) {
    const struct counting *counting = of->problem->counting;
    const uint32_t right = count_in(counting, of->expected, bin);
    return right < counting->most && count_in(counting, of->got, bin) < right;
}

/* The bin where the two differ most; the number of bins: there is none. */
static size_t find_bin(const struct wrong_call *of, size_t array, size_t first, size_t together,
                       bool limited, struct by_bin *by) {
    const size_t bytes = of->problem->element_bytes, bins = of->problem->counting->bins;
    size_t found = bins, added = 0;
    int64_t most = 0;
    bool others = false;
    memset(by, 0, sizeof *by);
    for (size_t u = 0; u < of->reads->uses; u++) {
        const struct thread_use use = of->reads->use[u];
        const size_t end = (size_t)use.at + use.bytes;
        if (use.thread - first >= together)
            continue;
        for (size_t i = use.at / bytes; use.array == OF_INPUT && i * bytes < end; i++)
            if (noted_has_bin(of, i)) {
                by->read[noted_bin_of(of, i)]++;
                by->last[noted_bin_of(of, i)] = i;
            }
        if (use.array == array && use.writes == USE_ADDS && use.at / use.bytes < bins)
            by->added[use.at / use.bytes] += use.value;
    }
    for (size_t bin = 0; bin < bins; bin++) {
        int64_t more = (int64_t)by->added[bin] - by->read[bin];
        const bool fits = !limited || (more < 0 && leaves_out(of, bin));
        others |= by->added[bin] && !by->read[bin];
        added += by->added[bin] > 0;
        if (fits && llabs(more) > most) {
            most = llabs(more);
            found = bin;
        }
    }
    /* Who adds to one bin, or to those that others read, passes on what a block has counted. */
    return limited && (others || added < 2) ? bins : found;
}

/* Whether the array has one place for each bin. */
static bool has_bins(const struct wrong_call *of, size_t array) {
    const struct adder *adder = of->reads->adder, *end = adder + MOST_ADDERS;
    while (adder < end && !counts_in(of, adder, array))
        adder++;
    return adder < end &&
           of->reads->array[array].bytes / adder->bytes == of->problem->counting->bins;
}

static void say_who(size_t first, size_t together, struct sentence text) {
    const size_t block = first / OF_BLOCK, thread = first % OF_BLOCK;
    text_add(text, "%s", text_gap(text));
    if (together == OF_BLOCK)
        text_add(text, "Block %zu reads", block);
    else if (together > 1)
        text_add(text, "Threads %zu to %zu of block %zu read", thread, thread + together - 1,
                 block);
    else
        text_add(text, "Thread %zu of block %zu reads", thread, block);
}

static struct account account_of(const struct account *accounts, size_t together) {
    struct account all = {0};
    for (size_t i = 0; i < together; i++) {
        all.read += accounts[i].read;
        all.added += accounts[i].added;
    }
    return all;
}

/* Threads that are next to each other, and read another number of elements than they add; or
 * (same) as many, but of other bins. */
static bool say_number(const struct wrong_call *of, size_t array, const struct account *accounts,
                       size_t together, bool same, struct sentence text) {
    enum { TRIES = 128 };
    const char *element = of->problem->element, *s = together == WARP ? "" : "s";
    const bool limited = same && of->problem->counting->most < UINT32_MAX;
    struct by_bin by;
    unsigned tries = 0;
    bool fair =
        false; /* a block before adds all that it has read: so should one that adds nothing */
    for (size_t t = 0; t < THREADS && tries < TRIES; t += together) {
        const struct account all = account_of(accounts + t, together);
        fair |= together == OF_BLOCK && all.read && all.read == all.added;
        if (!all.read || (!all.added && !fair) || (!limited && (all.read == all.added) != same))
            continue;
        tries++;
        size_t bin = of->problem->counting->bins;
        if (has_bins(of, array))
            bin = find_bin(of, array, t, together, limited, &by);
        if (bin == of->problem->counting->bins && same)
            continue;
        say_who(t, together, text);
        if (bin < of->problem->counting->bins) {
            text_add(text, " %u %s%s of bin %zu", by.read[bin], element,
                     by.read[bin] == 1 ? "" : "s", bin);
            if (limited)
                text_add(text, " (the last is number %zu)", by.last[bin]);
            text_add(text, ", and add%s %d to it", s, (int32_t)by.added[bin]);
        } else {
            text_add(text, " %u %ss that count, and add%s %d", all.read, element, s,
                     (int32_t)all.added);
        }
        text_add(text, ".");
        return true;
    }
    return false;
}

static struct account *take_accounts(const struct wrong_call *of, size_t array) {
    struct account *accounts = allocate(THREADS * sizeof *accounts);
    memset(accounts, 0, THREADS * sizeof *accounts);
    for (size_t i = 0; i < of->reads->uses; i++)
        keep_account(of, array, &of->reads->use[i], accounts);
    return accounts;
}

/* same: as many are added as there are, but threads add to other bins than they have read. */
static bool say_threads(const struct wrong_call *of, size_t array, bool same,
                        struct sentence text) {
    if (!noted_all(of) || (same && !has_bins(of, array)))
        return false;
    struct account *accounts = take_accounts(of, array);
    const size_t together = add_together(accounts);
    bool said = say_number(of, array, accounts, together, same, text);
    free(accounts);
    return said;
}

static void describe(const struct wrong_call *of, size_t array, uint64_t sum, uint64_t all,
                     struct sentence text) {
    char lines[80] = "";
    size_t count = say_lines(of, array, TEXT(lines));
    say_threads(of, array, false, text);
    text_add(text, "%sIn all, %s%s %llu to %.*s, where %llu %ss are to be counted.", text_gap(text),
             count ? lines : "the kernels", count > 1 || !count ? " add" : " adds",
             (unsigned long long)sum, USED_NAME, of->reads->array[array].name,
             (unsigned long long)all, of->problem->element);
}

/* Where counts end at a limit, additions beyond it may be left out, but not of a bin that is too
 * low. */
void totals_describe(const struct wrong_call *of, struct sentence text) {
    text.at[0] = '\0';
    if (!of->reads || !of->problem->counting)
        return;
    const bool limited = of->problem->counting->most < UINT32_MAX;
    uint64_t all = count_all(of), sum;
    for (size_t array = 1; array < USED_ARRAYS; array++)
        if (add_up(of, array, &sum) && (limited ? sum > all : sum != all))
            return describe(of, array, sum, all, text);
    for (size_t array = 1; array < USED_ARRAYS; array++)
        if (add_up(of, array, &sum) && (say_threads(of, array, true, text) || limited))
            break;
}

/* What was added later may have shown that it is no field. */
bool totals_overflow(const struct wrong_call *of, struct sentence text) {
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
bool totals_no_output(const struct wrong_call *of, struct sentence text) {
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

bool totals_one_word(const struct reads *reads) {
    enum { LAST = 256 };
    const struct thread_use *one = NULL, *end = noted_end(reads);
    for (const struct thread_use *use = end; end - reads->use >= LAST && use-- > end - LAST;) {
        one = one ? one : use;
        if (use->array == OF_INPUT || use->array != one->array || use->at != one->at)
            return false;
    }
    return one;
}

/* READ, or only written; of elements as wide as the array's first write. What is cleared in shared
 * memory may be padding; an array of gigabytes, in a check, is a runner's word. */
enum { READ = 1, WRITTEN = 2, MOST_ELEMENTS = 1 << 22 };

static uint8_t *take_use_of(const struct wrong_call *of, size_t array, size_t *elements) {
    const struct reads *reads = of->reads;
    size_t width = 0;
    uint8_t *used = NULL;
    for (size_t i = 0; i < reads->uses; i++) {
        struct thread_use use = reads->use[i];
        if (use.array != array || (!width && !use.writes) ||
            (use.writes && !use.value && reads->array[array].of_block))
            continue;
        if (!width) {
            width = use.bytes;
            *elements = reads->array[array].bytes / width;
            used = *elements <= MOST_ELEMENTS ? calloc(*elements + 1, 1) : NULL;
        }
        for (size_t at = use.at / width; used && at * width < (size_t)use.at + use.bytes; at++)
            if (at < *elements)
                used[at] |= use.writes ? WRITTEN : READ;
    }
    return used;
}

static bool say_never_read(const struct wrong_call *of, size_t array, const uint8_t *used,
                           size_t elements, struct sentence text) {
    const struct reads *reads = of->reads;
    bool *lost = allocate(elements);
    const struct thread_use *store = NULL;
    size_t read = 0;
    for (size_t i = 0; i < elements; i++) {
        read += used[i] & READ;
        lost[i] = used[i] == WRITTEN;
    }
    for (const struct thread_use *use = reads->use; use < noted_end(reads); use++)
        if (use->array == array && use->writes && (use->value || !reads->array[array].of_block) &&
            use->at / use->bytes < elements && lost[use->at / use->bytes])
            store = use;
    const bool some = read && memchr(lost, true, elements);
    if (some) {
        reading_name(lost, (struct shape){elements, 1}, "element", text);
        text_add(text, " written to %.*s", USED_NAME, reads->array[array].name);
        const unsigned line = store ? places_line(of->program, store->pc) : 0;
        text_add(text, line ? ", in line %u, and never read." : ", and never read.", line);
    }
    free(lost);
    return some;
}

bool totals_never_read(const struct wrong_call *of, struct sentence text) {
    bool said = false;
    text.at[0] = '\0';
    for (size_t array = 1; noted_all(of) && array < USED_ARRAYS && !said; array++) {
        const struct used_array *it = &of->reads->array[array];
        size_t elements = 0;
        if (!it->of_block && !it->allocated)
            continue;
        uint8_t *used = take_use_of(of, array, &elements);
        said = used && say_never_read(of, array, used, elements, text);
        free(used);
    }
    return said;
}
