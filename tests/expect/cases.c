/* The cases themselves: whether their first lines make sense, and which there are to run. */
#include "expect.h"

#include <ctype.h>
#include <stdarg.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind, *severity;
} HAZARDS[] = {
#define HAZARD(name, kind, severity, what, cure) {kind, #severity},
#include "hazards.def"
#undef HAZARD
};

static const char *const VERDICTS[] = {
#define VERDICT(name, word, sign, group, meaning, advice) word,
#include "judge/verdicts.def"
#undef VERDICT
};

const char *severity_of(const char *kind, size_t length) {
    for (size_t i = 0; i < sizeof HAZARDS / sizeof *HAZARDS; i++)
        if (strlen(HAZARDS[i].kind) == length && !strncmp(HAZARDS[i].kind, kind, length))
            return HAZARDS[i].severity;
    return NULL;
}

bool is_one_of(const char *kind, const char *kinds) {
    size_t length = strlen(kind);
    for (; *kinds; kinds += kinds[strcspn(kinds, "|")] ? strcspn(kinds, "|") + 1 : strlen(kinds))
        if (strcspn(kinds, "|") == length && !strncmp(kinds, kind, length))
            return true;
    return false;
}

bool is_mistake(const struct change *change) { return change_value(change, "cpu"); }
bool is_hazard(const struct change *change) { return change_value(change, "finds"); }

void case_folder(const struct changes *changes, const struct change *change, char *path,
                 size_t size) {
    const char *slash = strrchr(changes->path, '/'), *stem = slash ? slash + 1 : changes->path;
    snprintf(path, size, "build/changes/%.*s/%s", (int)strcspn(stem, "."), stem, change->name);
}

/* ---- whether the first lines make sense ------------------------------------------------------ */

/* What is looked at, and how many faults were told. */
struct look {
    const struct changes *changes;
    const struct change *change;
    int faults;
};

__attribute__((format(printf, 3, 4))) static void tell(struct look *look, size_t line,
                                                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%zu: ", look->changes->path, line);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    look->faults++;
}

static int times(const struct change *change, const char *key) {
    int count = 0;
    for (size_t i = 0; i < change->field_count; i++)
        count += !strcmp(change->fields[i].key, key);
    return count;
}

static bool matches(const char *text, const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
        return false;
    bool found = !regexec(&compiled, text, 0, NULL, 0);
    regfree(&compiled);
    return found;
}

static bool is_pattern(const char *pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
        return false;
    regfree(&compiled);
    return true;
}

/* Each word of `words`, which stand with | between them, is one of the verdicts. */
static bool are_verdicts(const char *words) {
    size_t length = strcspn(words, " ");
    for (size_t i = 0; i < length; i += strcspn(words + i, "| ") + 1) {
        bool known = false;
        for (size_t v = 0; v < sizeof VERDICTS / sizeof *VERDICTS; v++)
            known |= strlen(VERDICTS[v]) == strcspn(words + i, "| ") &&
                     !strncmp(VERDICTS[v], words + i, strlen(VERDICTS[v]));
        if (!known)
            return false;
    }
    return length > 0;
}

static void check_key(struct look *look, const struct field *field) {
    static const char *const KEYS[] = {"cpu",   "gpu",    "diagnosis", "finds", "at",
                                       "array", "remark", "gcc",       "run",   "sandbox"};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (!strcmp(field->key, KEYS[i]))
            return;
    tell(look, field->line, "there is no such line: tests/expect/expect.h has all");
}

/* Of a mistake each device's line has a pattern for the detail, or the pattern for the diagnosis
 * does not match "none": otherwise nothing says why the mistake is rejected. */
static void check_mistake(struct look *look) {
    const struct change *change = look->change;
    const char *diagnosis = change_value(change, "diagnosis");
    if (times(change, "cpu") != 1 || times(change, "gpu") != 1 || times(change, "diagnosis") != 1) {
        tell(look, change->line, "a mistake has one line each for cpu, gpu and diagnosis");
        return;
    }
    for (size_t i = 0; i < change->field_count; i++) {
        const struct field *field = &change->fields[i];
        const char *pattern = strchr(field->value, ' ');
        if (!strcmp(field->key, "diagnosis") && !is_pattern(field->value))
            tell(look, field->line, "no extended regular expression");
        if (strcmp(field->key, "cpu") && strcmp(field->key, "gpu"))
            continue;
        if (!are_verdicts(field->value))
            tell(look, field->line, "no verdict");
        if (pattern && !is_pattern(pattern + 1))
            tell(look, field->line, "no extended regular expression");
        if (!pattern && matches("none", diagnosis))
            tell(
                look, field->line,
                "no pattern for the detail on the %s device, and the diagnosis may be none: nothing "
                "says why it is rejected",
                field->key);
    }
}

/* Whether the line `text`, to which blanks at its ends do not belong, is `wanted`. */
static bool is_line(const char *text, size_t length, const char *wanted) {
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return length == strlen(wanted) && !strncmp(text, wanted, length);
}

static int lines_that_are(const char *whole, const char *wanted) {
    int count = 0;
    for (const char *line = whole; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
        count += is_line(line, strcspn(line, "\n"), wanted);
    return count;
}

static void check_places(struct look *look, const char *whole) {
    for (size_t i = 0; i < look->change->field_count; i++) {
        const struct field *field = &look->change->fields[i];
        int count = !strcmp(field->key, "at") ? lines_that_are(whole, field->value) : 1;
        if (count != 1)
            tell(look, field->line, "this line stands %d times in the whole file", count);
    }
}

static void check_kinds(struct look *look, const char *key, const char *severity) {
    for (size_t i = 0; i < look->change->field_count; i++) {
        const struct field *field = &look->change->fields[i];
        if (strcmp(field->key, key) || !strcmp(field->value, "nothing"))
            continue;
        for (const char *kind = field->value; *kind;
             kind += strcspn(kind, "|") + (kind[strcspn(kind, "|")] == '|')) {
            const char *found = severity_of(kind, strcspn(kind, "|"));
            if (!found || strcmp(found, severity))
                tell(look, field->line, "hazards.def has no %s %.*s", severity,
                     (int)strcspn(kind, "|"), kind);
        }
    }
}

static void check_hazard(struct look *look, const char *whole) {
    const struct change *change = look->change;
    bool right = !strcmp(change_value(change, "finds"), "nothing");
    int lines = times(change, "at"), arrays = times(change, "array");
    check_kinds(look, "finds", "FAULT");
    check_kinds(look, "remark", "REMARK");
    check_places(look, whole);
    if (times(change, "finds") != 1)
        tell(look, change->line, "`finds` stands twice");
    if (right ? lines || arrays : lines < 1 || lines > 2 || arrays > 1)
        tell(
            look, change->line,
            "a wrong step has one or two lines `at` and at most one `array`, a right one has none");
}

static bool says_why(const struct change *change) {
    for (size_t i = 0; i < change->why_lines; i++)
        if (*change->why[i].text)
            return true;
    return false;
}

static int check_case(const struct changes *changes, const struct change *change) {
    struct look look = {changes, change, 0};
    struct complaint complaint;
    char *whole = change_apply(changes, change, &complaint);
    if (!whole) {
        puts(complaint.text);
        return 1;
    }
    for (size_t i = 0; i < change->field_count; i++)
        check_key(&look, &change->fields[i]);
    if (!is_mistake(change) && !is_hazard(change))
        tell(&look, change->line, "no line `cpu` or `finds` says what must come out");
    if (is_mistake(change))
        check_mistake(&look);
    if (is_hazard(change))
        check_hazard(&look, whole);
    if (!change->place_lines &&
        (!is_hazard(change) || strcmp(change_value(change, "finds"), "nothing")))
        tell(&look, change->line, "nothing is changed: there is no line @@, which begins a change");
    if (!says_why(change))
        tell(&look, change->line, "no text says what is wrong, or why it is right");
    free(whole);
    return look.faults > 0;
}

int check_changes(const struct changes *changes) {
    int worst = 0;
    for (size_t i = 0; i < changes->count; i++)
        worst |= check_case(changes, &changes->list[i]);
    return worst;
}

/* ---- which cases there are to run ------------------------------------------------------------ */

/* Mistakes show in ten calls, and hazards in the check; what gets past that waits for an input of
 * about its size, and of an image for its emulated pixels. Where timed-out is expected the judge
 * waits for 10 seconds only on a GPU; on the cpu device half a second of CPU time is a loop without
 * an end, however long that takes on a busy machine. */
static const char *options_of(const struct change *change, enum device device, bool is_image) {
    const char *verdicts = change_value(change, device == CPU ? "cpu" : "gpu");
    bool ends_late = verdicts && !strncmp(verdicts, "timed-out", 9);
    if (!is_mistake(change))
        return is_image ? "--timeout 20 --size 64x1024" : "--timeout 20 --size 65536x1";
    if (device == CPU && is_image)
        return ends_late ? "--call-cpu 0.5 --size 128x3984" : "--size 128x3984";
    return !ends_late ? "" : device == CPU ? "--call-cpu 0.5" : "--timeout 10";
}

static bool is_new(const struct change *change, struct kinds *seen) {
    const char *verdict = change_value(change, "cpu"),
               *kind = verdict ? verdict : change_value(change, "finds");
    size_t length = strcspn(kind, " |");
    for (size_t i = 0; i < seen->count; i++)
        if (!strncmp(seen->kind[i], kind, length) && strchr(" |", seen->kind[i][length]))
            return false;
    if (seen->count < sizeof seen->kind / sizeof *seen->kind)
        seen->kind[seen->count++] = kind;
    return true;
}

static bool is_chosen(const struct change *change, enum device device, enum choice choice,
                      struct kinds *seen) {
    const char *run = change_value(change, "run");
    if ((choice != ALL && run && !strcmp(run, "long")) || (device == GPU && !is_mistake(change)))
        return false;
    return choice != QUICK || is_new(change, seen);
}

static void list_case(const struct changes *changes, const struct change *change,
                      enum device device, const char *function) {
    const char *gcc = change_value(change, "gcc");
    bool is_image = !strncmp(function, "opt_2dhisto.", 12);
    char folder[512];
    case_folder(changes, change, folder, sizeof folder);
    printf("%s\t%.*s\t%d\t%s\t%s\t%s\n", folder + strlen("build/changes/"),
           (int)strcspn(function, "."), function, is_mistake(change) ? 10 : 3,
           change_value(change, "sandbox") ? "sandbox" : "-", gcc ? gcc : "-",
           options_of(change, device, is_image));
}

void list_cases(const struct changes *changes, enum device device, enum choice choice,
                struct kinds *seen) {
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->list[i];
        char source[4096];
        if (is_chosen(change, device, choice, seen) &&
            step_source(change->base, source, sizeof source))
            list_case(changes, change, device, strrchr(source, '/') + 1);
    }
}
