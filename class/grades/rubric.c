#include "rubric.h"

#include <fnmatch.h>
#include <regex.h>
#include <string.h>

#include "lib/steps.h"
#include "lines.h"

static const char *const key_names[RUBRIC_KEYS] = {
    "correct", "hazard", "partial", "idea", "speed", "full", "none", "predicted", "latency"};

/* ---- patterns ----------------------------------------------------------------------------------- */

const char of_patterns[] = "letters, digits, _, *, ? and [...], such as [0-9]";

/* The C library knows a bracket that is open, and a range such as [9-0], in a pattern. */
bool is_pattern(const char *word) {
    regex_t form;
    if (!matches(word, "^[][A-Za-z0-9_*?!-]+$") ||
        regcomp(&form, replaced(word, "[!", "[^"), REG_NOSUB) != 0)
        return false;
    regfree(&form);
    return true;
}

const char *glob_of(const char *word) { return strpbrk(word, "*?[") ? word : say("%s*", word); }

bool fits(const char *pattern, const char *step) { return fnmatch(pattern, step, 0) == 0; }

/* ---- lines -------------------------------------------------------------------------------------- */

/* correct=N, hazard=N, ... */
static const char *forms(void) {
    struct text text = {0};
    for (size_t key = 0; key < RUBRIC_KEYS; key++)
        add(&text, "%s%s=N", key ? ", " : "", key_names[key]);
    return text.bytes;
}

static void read_setting(struct rule *rule, const char *word) {
    size_t length = strcspn(word, "="), key = 0;
    const char *name = say("%.*s", (int)length, word), *value = word + length;
    while (*value && key < RUBRIC_KEYS && !same(key_names[key], name))
        key++;
    if (!*value++ || key == RUBRIC_KEYS)
        bad_line(rule->where, say("'%s' is none of %s", word, forms()));
    if (key == NONE && same(value, "before"))
        rule->value[key] = BEFORE;
    else if (!read_amount(value, MOST_POINTS * POINT, &rule->value[key]))
        bad_line(rule->where,
                 say("'%s' needs a number from 0 to %d, such as %s=5", word, MOST_POINTS, name));
    if ((key == PREDICTED || key == LATENCY) && !same(value, "0") && !same(value, "1"))
        bad_line(rule->where, say("'%s' is neither %s=1 nor %s=0", word, name, name));
    if (rule->sets[key])
        bad_line(rule->where, say("it sets %s twice", name));
    rule->sets[key] = true;
}

void read_rule(struct rubric *rubric, const char *where, const char *line) {
    struct words words = words_of(line);
    const char *pattern = words.word[0];
    if (strchr(pattern, '='))
        bad_line(where, say("it begins with '%s': the first word is a pattern of step names, such "
                            "as *",
                            pattern));
    if (!is_pattern(pattern))
        bad_line(where, say("'%s' is no pattern of step names: %s", pattern, of_patterns));
    if (words.count == 1)
        bad_line(where, say("'%s' sets nothing: %s is missing", pattern, forms()));
    struct rule rule = {glob_of(pattern), joined(&words, 0, words.count), where, {0}, {0}, false};
    for (size_t i = 1; i < words.count; i++)
        read_setting(&rule, words.word[i]);
    append(rubric->rule, rubric->rules, rule);
}

struct rubric read_rubric(const char *path) {
    struct rubric rubric = {0};
    if (!is_readable(path))
        give_up(2, say("cannot read the rubric '%s'", path));
    for (const struct plain_line *line = plain_lines(path); line->text; line++)
        read_rule(&rubric, line->where, line->text);
    if (!rubric.rules)
        bad_line(path, "sets no points: it needs a line such as `* correct=6 speed=4 "
                       "full=1.05 none=before`");
    return rubric;
}

const amount *worth_of(const struct rubric *rubric, const char *step) {
    amount *worth = keep(RUBRIC_KEYS * sizeof *worth);
    const char *where = "";
    for (struct rule *rule = rubric->rule; rule < rubric->rule + rubric->rules; rule++)
        if (fits(rule->pattern, step)) {
            rule->used = true;
            where = rule->where;
            for (size_t key = 0; key < RUBRIC_KEYS; key++)
                if (rule->sets[key])
                    worth[key] = rule->value[key];
        }
    if (!*step_header(step, "counters"))
        worth[IDEA] = 0; /* no idea that counters could see */
    if (worth[SPEED] > 0 &&
        (worth[FULL] <= 0 || (worth[NONE] != BEFORE && worth[NONE] <= worth[FULL])))
        bad_line(where, say("%s has points for speed, but full=%s and none=%s: full must be above "
                            "0, and none above full, such as full=1.05 none=before",
                            step, amount_text(worth[FULL]), amount_text(worth[NONE])));
    return worth;
}
