#include "look.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"

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

uint32_t count_of_poison(const struct counting *counting, unsigned char poison) {
    unsigned char bytes[sizeof(uint32_t)];
    memset(bytes, poison, sizeof bytes);
    return count_in(counting, bytes, 0);
}

bool say(const struct scene *scene, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scene->text, scene->text_size, format, arguments);
    va_end(arguments);
    return true;
}

/* ---- tallies ---------------------------------------------------------------------------- */

struct tally tally_begin(const struct look *look, bool whole) {
    struct tally tally = {.look = look, .sum = whole ? look->sum : 0};
    const struct counting *counting = look->problem->counting;
    for (size_t bin = 0; counting && bin < counting->bins; bin++) {
        tally.counts[bin] = whole ? look->counts[bin] : 0;
        uint32_t shown = count_shown(counting, tally.counts[bin]);
        tally.under += shown < look->got[bin];
        tally.over += shown > look->got[bin];
    }
    return tally;
}

void tally_bin(struct tally *tally, size_t bin, int sign) {
    const struct look *look = tally->look;
    uint32_t shown = count_shown(look->problem->counting, tally->counts[bin]);
    tally->under -= shown < look->got[bin];
    tally->over -= shown > look->got[bin];
    tally->counts[bin] += sign;
    shown = count_shown(look->problem->counting, tally->counts[bin]);
    tally->under += shown < look->got[bin];
    tally->over += shown > look->got[bin];
}

void tally_element(struct tally *tally, size_t i, int sign) {
    const struct look *look = tally->look;
    const struct counting *counting = look->problem->counting;
    const void *element = look->window + i * look->problem->element_bytes;
    if (counting) {
        size_t bin = counting->bin_of(element);
        if (bin < counting->bins)
            tally_bin(tally, bin, sign);
        return;
    }
    float value;
    memcpy(&value, element, sizeof value);
    tally->sum += sign * (double)value;
    tally->under = tally->sum < look->got_sum - look->slack;
    tally->over = tally->sum > look->got_sum + look->slack;
}

bool tally_fits(const struct tally *tally) { return !tally->under && !tally->over; }

bool is_near(const struct look *look) {
    enum { SLACKS = 4 };
    return look->problem->summing && fabs(look->got_sum - look->sum) <= SLACKS * look->slack;
}

/* ---- findings --------------------------------------------------------------------------- */

static const struct rule *const tables[] = {rules_of_sums,    rules_of_reach,  rules_of_vectors,
                                            rules_of_threads, rules_of_places, rules_of_blocks,
                                            rules_of_packed,  rules_of_bins};
enum { TABLES = sizeof tables / sizeof *tables, MOST_RULES = 32 };

struct findings {
    struct scene scene;
    size_t near; /* looks */
    struct range ranges[TABLES][MOST_RULES];
    bool ruled_out[TABLES][MOST_RULES][MOST_GUESSES];
};

struct findings *findings_begin(void) {
    struct findings *findings = allocate(sizeof *findings);
    memset(findings, 0, sizeof *findings);
    for (size_t t = 0; t < TABLES; t++)
        for (size_t r = 0; r < MOST_RULES; r++)
            findings->ranges[t][r] = (struct range){0, SIZE_MAX};
    return findings;
}

/* The first of the guesses that fit this look and all before it. */
static struct range guess(const struct rule *rule, const struct look *look, bool *ruled_out) {
    struct range first = NO_RANGE;
    for (size_t n = 0; n < rule->guesses; n++) {
        ruled_out[n] = ruled_out[n] || !rule->fits(look, n);
        if (!ruled_out[n] && first.low > first.high)
            first = only(n);
    }
    return first;
}

static struct range find(const struct rule *rule, const struct look *look, struct range inside,
                         bool *ruled_out) {
    if (rule->is)
        return rule->is(look) ? only(1) : NO_RANGE;
    return rule->fits ? guess(rule, look, ruled_out) : rule->find(look, inside);
}

static size_t count_telling(const struct look *look) {
    const struct counting *counting = look->problem->counting;
    size_t telling = 0;
    for (size_t bin = 0; counting && bin < counting->bins; bin++)
        telling += look->got[bin] ? look->got[bin] < counting->most : look->counts[bin] > 0;
    return telling;
}

/* Where nearly all bins are full, as they should be, many a rule would fit. */
static bool hardly_any_is_open(const struct look *look) {
    enum { FEW = 2 };
    const struct counting *counting = look->problem->counting;
    size_t open = 0;
    for (size_t bin = 0; counting && bin < counting->bins; bin++)
        open += look->right[bin] < counting->most;
    return counting && open <= FEW;
}

void findings_add(struct findings *findings, const struct look *look) {
    enum { FEWEST = 16 }; /* elements: of fewer, many a rule would fit */
    unsigned of = look->problem->counting ? OF_COUNTS : OF_SUMS;
    if (hardly_any_is_open(look) || (look->problem->counting && look->size < FEWEST))
        return;
    findings->scene.problem = look->problem;
    findings->scene.shape = look->shape;
    findings->scene.size = look->size;
    findings->scene.launch = look->launch;
    findings->scene.looks++;
    findings->scene.telling += count_telling(look);
    findings->near += is_near(look);
    for (size_t t = 0; t < TABLES; t++)
        for (size_t r = 0; tables[t][r].of; r++) {
            if (is_near(look) && tables[t] != rules_of_sums)
                break;
            const struct rule *rule = &tables[t][r];
            struct range *range = &findings->ranges[t][r];
            if (!(rule->of & of))
                *range = NO_RANGE;
            else if (range->low <= range->high)
                *range = find(rule, look, *range, findings->ruled_out[t][r]);
        }
}

static bool name(const struct rule *rule, const struct scene *scene) {
    return rule->text ? say(scene, "%s", rule->text) : rule->name(scene);
}

bool findings_name(const struct findings *findings, enum reading reading, bool in_bounds,
                   bool traced, char *text, size_t text_size, bool *of_reach) {
    struct scene scene = findings->scene;
    scene.reading = reading;
    scene.in_bounds = in_bounds;
    scene.traced = traced;
    scene.text = text;
    scene.text_size = text_size;
    for (size_t t = 0; scene.looks && t < TABLES; t++)
        for (size_t r = 0; tables[t][r].of; r++) {
            if (findings->near == scene.looks && tables[t] != rules_of_sums)
                break;
            scene.range = findings->ranges[t][r];
            if (scene.range.low <= scene.range.high && name(&tables[t][r], &scene)) {
                *of_reach = tables[t] != rules_of_packed && tables[t] != rules_of_bins &&
                            tables[t] != rules_of_blocks && !(tables[t][r].of & OF_PARTS);
                return true;
            }
        }
    return false;
}

void findings_end(struct findings *findings) { free(findings); }
