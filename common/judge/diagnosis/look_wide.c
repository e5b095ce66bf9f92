/* Rules about elements that are read several at a time: a part of each vector forgotten, and what
 * fills no whole turn of a loop. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "look.h"

enum { PARTS = 4, MOST_ELEMENTS = 1 << 21 }; /* the check has fewer; each guess takes a pass */

/* ---- parts of a vector ------------------------------------------------------------------ */

/* Of every four parts, each of `unit` elements, which are used how often. */
struct parts {
    uint32_t counts[PARTS][MOST_BINS];
    double sums[PARTS];
};

static void count_parts(const struct look *look, size_t unit, struct parts *parts) {
    const struct problem *problem = look->problem;
    memset(parts, 0, sizeof *parts);
    for (size_t i = 0; i < look->size / (PARTS * unit) * (PARTS * unit); i++) {
        const char *element = look->window + i * problem->element_bytes;
        const size_t part = i / unit % PARTS;
        if (problem->counting) {
            size_t bin = problem->counting->bin_of(element);
            if (bin < problem->counting->bins)
                parts->counts[part][bin]++;
            continue;
        }
        float value;
        memcpy(&value, element, sizeof value);
        parts->sums[part] += value;
    }
}

/* What differs from the right output: each part so many times more, or less. */
static bool fits_parts(const struct look *look, const struct parts *parts, const int *more) {
    const struct counting *counting = look->problem->counting;
    double sum = look->sum;
    for (size_t part = 0; part < PARTS; part++)
        sum += more[part] * parts->sums[part];
    if (!counting)
        return fabs(sum - look->got_sum) <= look->slack;
    for (size_t bin = 0; bin < counting->bins; bin++) {
        int64_t count = look->counts[bin];
        for (size_t part = 0; part < PARTS; part++)
            count += more[part] * (int64_t)parts->counts[part][bin];
        if (count_shown(counting, count) != look->got[bin])
            return false;
    }
    return true;
}

/* Part a is missing; part a alone is used; b is used in the place of a. */
enum { MISSING = PARTS, ALONE, WAYS }; /* or b */

static bool fits_way(const struct look *look, const struct parts *parts, size_t a, size_t way) {
    int more[PARTS] = {0};
    if (way == a)
        return false;
    for (size_t part = 0; part < PARTS && way == ALONE; part++)
        more[part] = part == a ? 0 : -1;
    if (way != ALONE)
        more[a] = -1;
    if (way < PARTS)
        more[way] = 1;
    return fits_parts(look, parts, more);
}

/* Units are 1 and 4 elements. */
static struct range find_parts(const struct look *look, struct range inside) {
    static _Thread_local struct parts parts; /* large */
    for (size_t u = 0; look->size <= MOST_ELEMENTS && u < 2; u++) {
        count_parts(look, u ? PARTS : 1, &parts);
        for (size_t n = 0; n < PARTS * WAYS; n++)
            if (within(inside, u * PARTS * WAYS + n) && fits_way(look, &parts, n / WAYS, n % WAYS))
                return only(u * PARTS * WAYS + n);
    }
    return NO_RANGE;
}

static bool name_parts(const struct scene *scene) {
    static const char *const which[PARTS] = {"first", "second", "third", "fourth"};
    const size_t unit = scene->range.low / (PARTS * WAYS) ? PARTS : 1;
    const size_t a = scene->range.low % (PARTS * WAYS) / WAYS, way = scene->range.low % WAYS;
    char of[24] = "", what[112];
    if (unit > 1)
        snprintf(of, sizeof of, " %zu", unit);
    if (way == ALONE)
        snprintf(what, sizeof what, "only the %s%s are used", which[a], of);
    else if (way == MISSING)
        snprintf(what, sizeof what, "the %s%s are left out", which[a], of);
    else
        snprintf(what, sizeof what, "the %s%s are left out, and the %s are used twice", which[a],
                 of, which[way]);
    return say(
        scene,
        "Of every %zu %ss that lie side by side %s. Usual cause: a part of a vector (.x, .y, "
        ".z, .w), or of a word, is forgotten or named twice.",
        PARTS * unit, scene->problem->element, what);
}

/* ---- vectors that fill no turn ---------------------------------------------------------- */

static const size_t unrolls[] = {2, 4, 8};

enum { VECTOR_BYTES = 16 };

/* A thread takes vector i + k * all for k < unroll as long as the last of these is there. */
static bool fits_turns(const struct look *look, size_t unroll) {
    const size_t width = VECTOR_BYTES / look->problem->element_bytes;
    const size_t all = launch_threads(look->launch), items = look->size / width;
    struct tally tally = tally_begin(look, true);
    size_t left = 0;
    for (size_t item = 0; item < items && all; item++) {
        size_t last = item / (unroll * all) * (unroll * all) + item % all + (unroll - 1) * all;
        if (last < items)
            continue;
        left++;
        for (size_t i = item * width; i < (item + 1) * width; i++)
            tally_element(&tally, i, -1);
    }
    return left && (left < items || look->size % width) && tally_fits(&tally);
}

static struct range find_turns(const struct look *look, struct range inside) {
    for (size_t n = 0; look->size <= MOST_ELEMENTS && n < sizeof unrolls / sizeof *unrolls; n++)
        if (within(inside, n) && fits_turns(look, unrolls[n]))
            return only(n);
    return NO_RANGE;
}

static bool name_turns(const struct scene *scene) {
    return say(scene,
               "A thread takes several vectors of %zu %ss in a turn, and those that are left when "
               "fewer remain are left out. A second loop, or a bound for each, has to take them.",
               VECTOR_BYTES / scene->problem->element_bytes, scene->problem->element);
}

const struct rule rules_of_vectors[] = {
    {OF_COUNTS | OF_SUMS, .find = find_parts, .name = name_parts},
    {OF_COUNTS | OF_SUMS, .find = find_turns, .name = name_turns},
    {.of = 0},
};
