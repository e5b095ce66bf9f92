#include "steps.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- headers ---------------------------------------------------------------------------------- */

/* Of a file that is read once. */
static const char **known_lines(const char *path) {
    static struct map files;
    const char ***lines = found(&files, path, sizeof *lines);
    if (!*lines)
        *lines = lines_of_file(path);
    return *lines;
}

/* A blank line ends the header. */
static const char *header_of(const char *path, const char *key) {
    const char *begin = say("%s: ", key), *value = "";
    for (const char **line = known_lines(path); *line && **line && !same(*line, "\r"); line++)
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
    size_t length = strlen(key);
    if (!strchr(name, '/'))
        for (const char **line = known_lines(say("common/gpus/%s.gpu", name)); *line; line++)
            if (begins_with(*line, key) && ((*line)[length] == ' ' || (*line)[length] == '\t'))
                return atof(*line + length);
    return NAN;
}

int ladder_place(const char *problem) {
    const char *text = *known_lines(say("common/problems/%s/order", problem));
    return text ? atoi(text) : 999;
}

/* ---- names ------------------------------------------------------------------------------------ */

const char *short_name(const char *step) { return say("%.*s", (int)strcspn(step, "_"), step); }

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

const char *chart_name(const char *chart, const char *problem) {
    return same(problem, "opt_2dhisto") ? chart : say("%s-%s", chart, problem);
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
