#include "look.h"

#include <string.h>

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

static const struct rule *rules_for(const struct problem *problem) {
    return problem->counting ? rules_of_counts : rules_of_sums;
}

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
    const struct rule *rules = rules_for(look->problem);
    if (look->problem->counting && (look->size < FEWEST || hardly_any_is_open(look)))
        return;
    findings->problem = look->problem;
    findings->looks++;
    for (size_t r = 0; rules[r].numbers; r++)
        for (size_t n = 0; n < rules[r].numbers; n++)
            findings->ruled_out[r][n] = findings->ruled_out[r][n] || !rules[r].fits(look, n);
}

bool findings_name(const struct findings *findings, struct words text) {
    const struct rule *rules = findings->looks ? rules_for(findings->problem) : NULL;
    text.at[0] = '\0';
    for (size_t r = 0; rules && rules[r].numbers; r++)
        for (size_t n = 0; n < rules[r].numbers; n++) {
            if (findings->ruled_out[r][n] || findings->looks < 1u + rules[r].needs_two)
                continue;
            if (rules[r].text)
                text_add(text, "%s", rules[r].text);
            else
                rules[r].say(findings->problem, n, text);
            return true;
        }
    return false;
}
