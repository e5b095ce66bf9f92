/* What came out of the cases, beside what must. */
#include "expect.h"

#include <ctype.h>
#include <stdarg.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "json_read.h"

/* A case, its record, and the first thing that is not as it should be. */
struct outcome {
    const struct change *change;
    const struct json *record, *hazards;
    const char *verdict, *detail, *diagnosis;
    enum device device;
    int status;
    char wrong[1000];
};

__attribute__((format(printf, 2, 3))) static void is_wrong(struct outcome *outcome,
                                                           const char *format, ...) {
    size_t used = strlen(outcome->wrong);
    va_list arguments;
    va_start(arguments, format);
    if (used && used + 2 < sizeof outcome->wrong)
        used += (size_t)snprintf(outcome->wrong + used, sizeof outcome->wrong - used, "; ");
    vsnprintf(outcome->wrong + used, sizeof outcome->wrong - used, format, arguments);
    va_end(arguments);
}

static bool matches(const char *text, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
        return false;
    bool found = !regexec(&compiled, text, 0, NULL, 0);
    regfree(&compiled);
    return found;
}

static const char *text_of(const struct json *object, const char *key) {
    return json_get_text(json_member(object, key), "");
}

/* ---- a mistake ------------------------------------------------------------------------------- */

/* Cuts "VERDICTS PATTERN". */
static const char *pattern_of(const char *expected, char *verdicts, size_t size) {
    size_t length = strcspn(expected, " ");
    snprintf(verdicts, size, "%.*s", (int)length, expected);
    return expected[length] ? expected + length + 1 : "";
}

static void judge_mistake(struct outcome *outcome, struct marks *marks) {
    char verdicts[200];
    const struct change *change = outcome->change;
    const char *expected = change_value(change, outcome->device == CPU ? "cpu" : "gpu");
    const char *pattern = pattern_of(expected, verdicts, sizeof verdicts);
    const char *diagnosis = change_value(change, "diagnosis");
    bool names_it = !matches("none", diagnosis);
    if (!is_one_of(outcome->verdict, verdicts))
        is_wrong(outcome, "verdict %s, expected %s", outcome->verdict, verdicts);
    if (outcome->status != (strcmp(outcome->verdict, "pass") != 0))
        is_wrong(outcome, "the judge ended with %d", outcome->status);
    if (!matches(outcome->detail, pattern))
        is_wrong(outcome, "expected of the detail: %s", pattern);
    if (outcome->device == CPU && !matches(outcome->diagnosis, diagnosis))
        is_wrong(outcome, "expected of the diagnosis: %s", diagnosis);
    marks->mistakes++;
    if (*outcome->wrong)
        return;
    if (names_it)
        marks->diagnosed++;
    else if (!strcmp(outcome->verdict, "hazard") && *pattern)
        marks->by_hazard++;
    else
        marks->by_verdict++;
}

/* ---- a hazard -------------------------------------------------------------------------------- */

static bool is_fault(const struct json *hazard) {
    const char *kind = text_of(hazard, "kind"), *severity = severity_of(kind, strlen(kind));
    return !severity || strcmp(severity, "REMARK");
}

/* Whether a text, to which blanks at its ends do not belong, is `wanted`. */
static bool is_line(const char *text, const char *wanted) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return length == strlen(wanted) && !strncmp(text, wanted, length);
}

static bool has_place(const struct json *hazard, const char *line) {
    const struct json *places = json_member(hazard, "places");
    for (size_t i = 0; i < json_count(places); i++)
        if (is_line(text_of(json_item(places, i), "source"), line))
            return true;
    return false;
}

static bool has_lines(const struct json *hazard, const struct change *change) {
    for (size_t i = 0; i < change->field_count; i++)
        if (!strcmp(change->fields[i].key, "at") && !has_place(hazard, change->fields[i].value))
            return false;
    return true;
}

static bool has_array(const struct json *hazard, const struct change *change) {
    const char *array = change_value(change, "array");
    return !array || strstr(text_of(hazard, "array"), array);
}

/* How much of what is expected this hazard has: 1 its kind, 2 its lines too, 3 all. */
static int fit_of(const struct json *hazard, const struct change *change) {
    if (!is_one_of(text_of(hazard, "kind"), change_value(change, "finds")))
        return 0;
    return !has_lines(hazard, change) ? 1 : !has_array(hazard, change) ? 2 : 3;
}

static bool has_remark(const struct outcome *outcome, const char *kind) {
    for (size_t i = 0; i < json_count(outcome->hazards); i++)
        if (!strcmp(text_of(json_item(outcome->hazards, i), "kind"), kind))
            return true;
    return false;
}

/* Remarks that are wanted are told; of a right step no others. */
static void judge_remarks(struct outcome *outcome, bool is_right) {
    const struct change *change = outcome->change;
    for (size_t i = 0; i < change->field_count; i++)
        if (!strcmp(change->fields[i].key, "remark") &&
            !has_remark(outcome, change->fields[i].value))
            is_wrong(outcome, "the remark is missing: %s", change->fields[i].value);
    for (size_t i = 0; is_right && i < json_count(outcome->hazards); i++) {
        const struct json *hazard = json_item(outcome->hazards, i);
        bool wanted = is_fault(hazard);
        for (size_t f = 0; f < change->field_count; f++)
            wanted |= !strcmp(change->fields[f].key, "remark") &&
                      !strcmp(change->fields[f].value, text_of(hazard, "kind"));
        if (!wanted)
            is_wrong(outcome, "a remark that nobody expects: %s", text_of(hazard, "kind"));
    }
}

static void expect_all(struct outcome *outcome) {
    const struct change *change = outcome->change;
    char all[600] = "";
    for (size_t i = 0; i < change->field_count; i++) {
        const struct field *field = &change->fields[i];
        size_t used = strlen(all);
        if (!strcmp(field->key, "at"))
            snprintf(all + used, sizeof all - used, ", `%s`", field->value);
        if (!strcmp(field->key, "array"))
            snprintf(all + used, sizeof all - used, ", array %s", field->value);
    }
    is_wrong(outcome, "verdict %s; no hazard is all of this: %s%s", outcome->verdict,
             change_value(change, "finds"), all);
}

static void judge_wrong(struct outcome *outcome, struct marks *marks) {
    const struct json *best = NULL;
    int best_fit = -1;
    bool others = false;
    for (size_t i = 0; i < json_count(outcome->hazards); i++) {
        const struct json *hazard = json_item(outcome->hazards, i);
        int fit = is_fault(hazard) ? fit_of(hazard, outcome->change) : -1;
        others |= fit == 0;
        if (fit > best_fit)
            best = hazard, best_fit = fit;
    }
    marks->wrong++;
    marks->others += others;
    marks->found += best != NULL;
    marks->kind += best_fit >= 1;
    marks->lines += best && has_lines(best, outcome->change);
    marks->array += best && has_array(best, outcome->change);
    if (!strcmp(outcome->verdict, "pass"))
        is_wrong(outcome, "it passes");
    if (best_fit < 3)
        expect_all(outcome);
    judge_remarks(outcome, false);
}

static void judge_right(struct outcome *outcome, struct marks *marks) {
    bool alarm = false;
    for (size_t i = 0; i < json_count(outcome->hazards); i++)
        alarm |= is_fault(json_item(outcome->hazards, i));
    marks->right++;
    marks->alarms += alarm;
    if (alarm)
        is_wrong(outcome, "a false alarm");
    if (strcmp(outcome->verdict, "pass"))
        is_wrong(outcome, "verdict %s: %s", outcome->verdict, outcome->detail);
    judge_remarks(outcome, true);
}

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_hazard(const struct json *hazard) {
    const struct json *places = json_member(hazard, "places");
    printf("       %s, array %s[%.0f]", text_of(hazard, "kind"), text_of(hazard, "array"),
           json_get_number(json_member(hazard, "index"), 0));
    for (size_t i = 0; i < json_count(places); i++) {
        const struct json *place = json_item(places, i);
        const char *source = text_of(place, "source");
        printf("; %s at %.0f: %s", text_of(place, "does"),
               json_get_number(json_member(place, "line"), 0), source + strspn(source, " \t"));
    }
    putchar('\n');
}

static void print_outcome(const struct outcome *outcome, const char *name) {
    double more = json_get_number(json_member(outcome->record, "more_hazards"), 0);
    printf("%s %s: %s%s%s\n", *outcome->wrong ? "NOT OK" : "ok    ", name, outcome->verdict,
           *outcome->detail ? ": " : "", outcome->detail);
    if (*outcome->wrong)
        printf("       %s\n", outcome->wrong);
    if (strcmp(outcome->verdict, "pass"))
        printf("       diagnosis: %s\n", outcome->diagnosis);
    for (size_t i = 0; is_hazard(outcome->change) && i < json_count(outcome->hazards); i++)
        print_hazard(json_item(outcome->hazards, i));
    if (is_hazard(outcome->change) && more > 0)
        printf("       and %.0f more\n", more);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void judge_outcome(struct outcome *outcome, struct marks *marks) {
    const struct json *record = outcome->record;
    outcome->hazards = json_member(record, "hazards");
    outcome->verdict = text_of(record, "verdict");
    outcome->detail = text_of(record, "detail");
    outcome->diagnosis = json_get_text(json_member(record, "diagnosis"), "none");
    if (is_mistake(outcome->change))
        judge_mistake(outcome, marks);
    if (!is_hazard(outcome->change) || outcome->device == GPU)
        return;
    if (!strcmp(change_value(outcome->change, "finds"), "nothing"))
        judge_right(outcome, marks);
    else
        judge_wrong(outcome, marks);
}

/* The only record of a file. */
static const struct json *read_record(const char *path) {
    char *text = file_text(path);
    struct json_error error;
    const struct json *record = text ? json_read(text, strlen(text), &error) : NULL;
    free(text);
    return record;
}

static void print_no_record(const char *base, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s.stderr", base);
    char *text = file_text(path);
    printf("NOT OK %s: no record: %s\n", name, text ? text : "");
    free(text);
}

/* `base` is the path of what there is of the case, without the ends of the files' names. */
static void compare_case(struct outcome *outcome, const char *base, const char *name,
                         struct marks *marks) {
    char path[4096];
    snprintf(path, sizeof path, "%s.jsonl", base);
    outcome->record = read_record(path);
    if (outcome->record) {
        judge_outcome(outcome, marks);
        print_outcome(outcome, name);
        marks->failed += *outcome->wrong != '\0';
    } else {
        print_no_record(base, name);
        marks->failed++;
    }
}

void compare_cases(const struct changes *changes, enum device device, const char *directory,
                   struct marks *marks) {
    for (size_t i = 0; i < changes->count; i++) {
        struct outcome outcome = {.change = &changes->list[i], .device = device};
        char folder[512], base[2048], path[4096];
        case_folder(changes, outcome.change, folder, sizeof folder);
        const char *name = folder + strlen("build/changes/");
        snprintf(base, sizeof base, "%s/%s", directory, name);
        snprintf(path, sizeof path, "%s.status", base);
        char *status = file_text(path);
        if (!status)
            continue;
        outcome.status = atoi(status);
        compare_case(&outcome, base, name, marks);
        free(status);
    }
}
