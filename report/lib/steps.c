#include "steps.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- headers ---------------------------------------------------------------------------------- */

/* A blank line ends the header. */
static const char *header_of(const char *path, const char *key) {
    static struct map files; /* their lines */
    const char ***lines = found(&files, path, sizeof *lines);
    const char *begin = say("%s: ", key), *value = "";
    if (!*lines)
        *lines = lines_of_file(path);
    for (const char **line = *lines; *line && **line && !same(*line, "\r"); line++)
        if (begins_with(*line, begin)) {
            const char *now = replaced(*line + strlen(begin), "\r", "");
            value = *value && same(key, "counters") ? say("%s\n%s", value, now) : now;
        }
    return value;
}

const char *labs_directory(void) { return otherwise(setting("LABS"), "labs"); }

const char *step_header(const char *step, const char *key) {
    return header_of(say("%s/%s/step.md", labs_directory(), step), key);
}

const char *gtx680(const char *key) { return header_of("report/gtx680.txt", key); }

double gtx680_seconds(const char *step) {
    const char *text = step_header(step, "gtx680");
    double seconds = *text && matches(text, "^[0-9]+([.][0-9]+)?$") ? atof(text) : NAN;
    return seconds > 0 && seconds < 1e9 ? seconds : NAN;
}

double gpu_fact(const char *name, const char *key) {
    static struct map files;
    void **file = find(&files, name);
    if (!*file)
        *file =
            matches(name, "^[A-Za-z0-9_-]+$") ? file_text(say("common/gpus/%s.gpu", name)) : NULL;
    const char *text = *file;
    size_t length = strlen(key);
    for (; text && *text; text += strcspn(text, "\n"), text += *text != '\0')
        if (strncmp(text, key, length) == 0 && strchr(" \t", text[length]) && text[length])
            return atof(text + length);
    return NAN;
}

int ladder_place(const char *problem) {
    static struct map places;
    int *place = found(&places, problem, sizeof *place);
    if (!*place) {
        const char *path = say("common/problems/%s/order", problem);
        const char *text = matches(problem, "^[A-Za-z0-9_]+$") ? file_text(path) : NULL;
        *place = text ? atoi(text) : 999;
    }
    return *place;
}

/* ---- names ------------------------------------------------------------------------------------ */

const char *short_name(const char *step) { return say("%.*s", (int)strcspn(step, "_"), step); }

/* Where the number at the end of a short name begins; NULL where it has none. */
static const char *number_in(const char *name) {
    const char *at = name + strlen(name);
    while (at > name && strchr("0123456789", at[-1]))
        at--;
    return *at ? at : NULL;
}

static bool follows(const char *name, const char *before) {
    const char *number = number_in(name), *other = number_in(before);
    return number && other && number - name == other - before &&
           strncmp(name, before, number - name) == 0 && atoi(number) == atoi(other) + 1;
}

const char *steps_in_short(const char *const *name, size_t count) {
    struct text text = {0};
    for (size_t i = 0; i < count;) {
        const char *first = short_name(name[i]), *last = first;
        for (i++; i < count && follows(short_name(name[i]), last); i++)
            last = short_name(name[i]);
        add(&text, "%s%s", text.length ? ", " : "", first);
        if (last != first)
            add(&text, "-%s", last);
    }
    return bytes_of(&text);
}

/* Listed once: some ask for each step. */
static const glob_t *all_sources(void) {
    static struct map listed;
    glob_t *sources = found(&listed, labs_directory(), sizeof *sources);
    if (!sources->gl_pathv)
        glob(say("%s/*/*.cu", labs_directory()), 0, NULL, sources);
    return sources;
}

const char *step_source(const char *step) {
    const glob_t *sources = all_sources();
    const char *directory = say("%s/%s/", labs_directory(), step);
    for (size_t i = 0; i < sources->gl_pathc; i++)
        if (begins_with(sources->gl_pathv[i], directory))
            return say("labs/%s/%s", step, base_name(sources->gl_pathv[i]));
    return "";
}

/* A class asks for each step of each submission. */
bool is_handed_out_whole(const char *step) {
    static struct map known; /* "whole" or "to write" */
    void **at = find(&known, step);
    if (!*at) {
        const char *source = step_source(step);
        const char *text =
            *source ? file_text(say("%s/%s/%s", labs_directory(), step, base_name(source))) : NULL;
        bool is_whole = text && !strstr(text, "BEGIN SOLUTION") && !strstr(text, "/* TODO");
        *at = is_whole ? "whole" : "to write";
    }
    return *(const char *)*at == 'w';
}

/* A step solves the problem that its source is named after. */
const char *const *all_steps(size_t *count) {
    const glob_t *sources = all_sources();
    struct words steps = {0};
    const char *last = "";
    for (size_t i = 0; i < sources->gl_pathc; i++) {
        const char *source = sources->gl_pathv[i], *file = base_name(source);
        const char *problem = say("%.*s", (int)(strlen(file) - strlen(".cu")), file);
        const char *step = base_name(say("%.*s", (int)(file - 1 - source), source));
        if (!same(step, last))
            add_word(&steps, say("%03d%s", ladder_place(problem), step));
        last = step;
    }
    sort_texts(steps.word, steps.count);
    for (size_t i = 0; i < steps.count; i++)
        steps.word[i] += strlen("000");
    *count = steps.count;
    return steps.word;
}

const char *chart_name(const char *problem) {
    return same(problem, "opt_2dhisto") ? "speedup" : say("speedup-%s", problem);
}

/* ---- verdicts --------------------------------------------------------------------------------- */

const struct verdict verdict_table[] = {
#define VERDICT(name, word, sign, group, meaning, advice) {word, sign, group, meaning, advice},
#include "judge/verdicts.def"
    {"", ":", "open", "", ""},
};
const size_t verdict_count = sizeof verdict_table / sizeof *verdict_table;

const struct verdict *verdict_of(const char *word) {
    const struct verdict *verdict = verdict_table;
    while (*verdict->word && !same(verdict->word, word))
        verdict++;
    return verdict;
}

const char *verdict_advice_for(const char *word, const char *short_step, bool on_cpu) {
    const char *advice = verdict_of(word)->advice, *there = strstr(advice, " `DEVICE=cpu");
    if (on_cpu && there)
        advice = say("%.*s", (int)(there - advice), advice);
    return replaced(advice, "opt05", short_step);
}
