/* Rules about elements that were all read and then lost, or used twice, by their places: some of
 * every 2, 4, 8 and so on, as threads of a warp or of a block have them that add up each other's
 * values.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"

enum { MOST_ELEMENTS = 1 << 20, MOST_STEPS = 1 << 22, PERIOD_BITS = 10, FEW_BITS = 6 };

/* Sums of blocks, of so many elements for each thread, are added up in the same way, once more; or
 * what fills no vector of 16 bytes is used as it should be; or so it is with what fills no turn of
 * all threads, which take an element each, or a vector, several times a turn. */
enum { ONE_LEVEL, ONE_EACH, TWO_EACH, REST_APART, TURNS, WIDE_TURNS, LEVELS };
enum way { MISSING, ALONE, TWICE, REPEATED, WAYS };

/* Elements first to first + count - 1 of every `period`; of turns, so many times `unit_of`. */
struct places {
    size_t period, first, count;
    unsigned level;
    enum way way;
};

static bool next_places(struct places *p) {
    if (p->way + 1 < WAYS)
        p->way++;
    else {
        p->way = MISSING;
        p->first += p->count;
        if (p->first == p->period) {
            p->first = 0;
            p->count /= 2;
        }
    }
    return p->count;
}

/* So many times an element is used, and so many more if its place is one of them. */
struct times {
    int once, more;
};

static struct times times_of(const struct places *p) {
    const struct times times[WAYS] = {{1, -1}, {0, 1}, {1, 1}, {0, (int)(p->period / p->count)}};
    return times[p->way];
}

/* What elements at each place come to: by place, or by place and block. */
struct table {
    const struct look *look;
    size_t period, rows;
    double *sums;     /* rows + 1 x period + 1: of all rows and places before; numbers with a bin */
    uint32_t *counts; /* period + 1 x bins: of all places before; and then what is used once */
    double once;
};

static bool block_level(unsigned level) { return level == ONE_EACH || level == TWO_EACH; }

static size_t block_elements(const struct look *look, unsigned level) {
    return block_level(level) ? level * look->launch.threads : 0;
}

static size_t unit_of(struct launch_size launch, size_t element_bytes, unsigned level) {
    return level == TURNS        ? launch_threads(launch)
           : level == WIDE_TURNS ? launch_threads(launch) * (16 / element_bytes)
                                 : 1;
}

/* Elements from there on are used once. */
static size_t whole_of(const struct look *look, const struct places *p, size_t unit) {
    const size_t wide = 16 / look->problem->element_bytes, turn = unit * p->period;
    return p->level == REST_APART ? look->size / wide * wide
           : unit > 1             ? look->size / turn * turn
                                  : look->size;
}

static struct table table_of(const struct look *look, const struct places *p) {
    const struct problem *problem = look->problem;
    size_t bins = problem->counting ? problem->counting->bins : 0;
    size_t block = block_elements(look, p->level);
    size_t unit = unit_of(look->launch, problem->element_bytes, p->level);
    size_t whole = whole_of(look, p, unit);
    struct table table = {look, p->period, block ? p->period : 1, NULL, NULL, 0};
    const size_t width = p->period + 1;
    table.sums = calloc((table.rows + 1) * width, sizeof *table.sums);
    table.counts = calloc((p->period + 2) * bins + 1, sizeof *table.counts);
    for (size_t i = 0; table.sums && table.counts && i < look->size; i++) {
        const char *element = look->window + i * problem->element_bytes;
        size_t place = i < whole ? i / unit % p->period : p->period;
        size_t row = block ? i / block % p->period : 0;
        size_t bin = bins ? problem->counting->bin_of(element) : 0;
        float value = bin < bins;
        if (bin < bins)
            table.counts[(place + 1) * bins + bin]++;
        if (!bins)
            memcpy(&value, element, sizeof value);
        *(i < whole ? &table.sums[(row + 1) * width + place + 1] : &table.once) += value;
    }
    for (size_t at = bins; table.counts && at < width * bins; at++)
        table.counts[at] += table.counts[at - bins];
    for (size_t at = width + 1; table.sums && at < (table.rows + 1) * width; at++)
        if (at % width)
            table.sums[at] +=
                table.sums[at - 1] + table.sums[at - width] - table.sums[at - width - 1];
    return table;
}

struct span {
    size_t low, end;
};

static double sum_in(const struct table *table, struct span rows, struct span places) {
    const double *low = table->sums + rows.low * (table->period + 1),
                 *end = table->sums + rows.end * (table->period + 1);
    return end[places.end] - end[places.low] - low[places.end] + low[places.low];
}

static double sum_of(const struct table *table, const struct places *p) {
    const double once = times_of(p).once, more = times_of(p).more;
    const struct span rows = {0, table->rows}, all = {0, table->period},
                      inside = {p->first, p->first + p->count};
    double sum = once * sum_in(table, rows, all) + more * sum_in(table, rows, inside);
    if (table->rows > 1)
        sum = once * sum +
              more * (once * sum_in(table, inside, all) + more * sum_in(table, inside, inside));
    return table->once + sum;
}

static bool sums_fit(const struct table *table, const struct places *p) {
    return fabs(sum_of(table, p) - table->look->got_sum) <= table->look->slack;
}

/* The numbers of elements, before all bins are looked at: where no bin is cut off. */
static bool totals_fit(const struct table *table, const struct places *p) {
    const struct counting *counting = table->look->problem->counting;
    uint64_t all = (uint64_t)llround(sum_of(table, p)), got = 0;
    for (size_t bin = 0; bin < counting->bins; bin++)
        got += table->look->got[bin];
    return all == got;
}

static bool counts_fit(const struct table *table, const struct places *p) {
    const struct counting *counting = table->look->problem->counting;
    const struct times times = times_of(p);
    const uint32_t *first = table->counts + p->first * counting->bins,
                   *end = first + p->count * counting->bins,
                   *all = table->counts + table->period * counting->bins,
                   *once = all + counting->bins;
    if (counting->most == UINT32_MAX && !totals_fit(table, p))
        return false;
    for (size_t bin = 0; bin < counting->bins; bin++) {
        int64_t count = once[bin] + (int64_t)times.once * all[bin] +
                        (int64_t)times.more * (end[bin] - first[bin]);
        if (count_shown(counting, (uint64_t)count) != table->look->got[bin])
            return false;
    }
    return true;
}

/* The first number from *n on that fits. The table is made once for a period. */
static bool find_in_period(const struct look *look, struct places p, struct range inside, size_t *n,
                           struct places *found) {
    struct table table = table_of(look, &p);
    bool fits = false;
    p.count = p.period / 2;
    do {
        fits = *n >= inside.low && *n <= inside.high &&
               (look->problem->counting ? counts_fit(&table, &p) : sums_fit(&table, &p));
        if (fits)
            break;
        ++*n;
    } while (next_places(&p));
    free(table.sums);
    free(table.counts);
    *found = p;
    return fits;
}

static bool can_be(const struct look *look, const struct places *p) {
    enum { MOST_A_TURN = 16 };
    const struct counting *counting = look->problem->counting;
    size_t unit = unit_of(look->launch, look->problem->element_bytes, p->level);
    if (!unit || (p->level >= TURNS && p->period > MOST_A_TURN))
        return false;
    if (look->size < (unit > 1 ? 1 : 2) * unit * p->period || look->size > MOST_ELEMENTS ||
        (counting && counting->most < UINT32_MAX &&
         p->period * p->period * counting->bins > MOST_STEPS))
        return false;
    return !block_level(p->level) ||
           (!counting && p->period <= 1 << FEW_BITS && block_elements(look, p->level) >= p->period);
}

/* As many as there are in a period, whether they can be or not. */
static size_t guesses_in(size_t period) { return (2 * period - 2) * WAYS; }

/* Numbers go by period, level, and places. */
static bool find_number(const struct look *look, struct range inside, size_t *n,
                        struct places *found) {
    *n = 0;
    for (size_t bits = 1; bits <= PERIOD_BITS; bits++)
        for (unsigned level = 0; level < LEVELS; level++) {
            struct places p = {.period = (size_t)1 << bits, .level = level};
            size_t end = *n + guesses_in(p.period);
            if (end > inside.low && *n <= inside.high && can_be(look, &p) &&
                find_in_period(look, p, inside, n, found))
                return true;
            *n = end;
        }
    return false;
}

static struct range find_places(const struct look *look, struct range inside) {
    struct places found;
    size_t n;
    return find_number(look, inside, &n, &found) ? only(n) : NO_RANGE;
}

static struct places places_of_number(size_t number) {
    size_t n = 0;
    for (size_t bits = 1;; bits++)
        for (unsigned level = 0; level < LEVELS; level++) {
            struct places p = {.period = (size_t)1 << bits, .level = level};
            p.count = p.period / 2;
            for (; n + guesses_in(p.period) > number && n < number; n++)
                next_places(&p);
            if (n == number)
                return p;
            n += guesses_in(p.period);
        }
}

static bool name_places(const struct scene *scene) {
    static const char *const what[WAYS] = {"missing", "all there is", "there twice",
                                           "there in the place of all"};
    const struct places p = places_of_number(scene->range.low);
    char places[60];
    /* So many elements cannot be others of the same bins; of the first guesses hardly one fits a
     * sum by chance. */
    enum { MANY = 512, FEW_GUESSES = 200 };
    bool sure = scene->problem->counting ? scene->telling >= 8
                                         : scene->looks >= 2 || scene->range.low < FEW_GUESSES;
    bool by_chance = scene->problem->counting && scene->size / p.period * p.count < MANY;
    if (!sure || by_chance || !scene->in_bounds || scene->reading != READING_ONCE)
        return false;
    const size_t unit = unit_of(scene->launch, scene->problem->element_bytes, p.level);
    if (p.count * unit == 1)
        snprintf(places, sizeof places, "number %zu is", p.first);
    else
        snprintf(places, sizeof places, "numbers %zu to %zu are", p.first * unit,
                 (p.first + p.count) * unit - 1);
    const char *cause =
        unit > 1 ? "of what a thread takes in a turn, a part alone is kept or added in the end"
        : !block_level(p.level) && p.period * scene->problem->element_bytes <= 16
            ? "a part of a vector (.x, .y, .z, .w), or of a word, that is forgotten or named twice"
            : "the rounds in which threads add up each other's values: their first and last "
              "distance, and who takes part";
    return say(scene, "In the result, of every %zu %ss%s, counted from 0, %s %s. Usual cause: %s.",
               p.period * unit, scene->problem->element,
               block_level(p.level) ? ", and of every so many sums of blocks" : "", places,
               what[p.way], cause);
}

const struct rule rules_of_places[] = {
    {OF_COUNTS | OF_SUMS | OF_PARTS, .find = find_places, .name = name_places},
    {.of = 0},
};
