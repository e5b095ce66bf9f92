#include "assignment.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/steps.h"
#include "lines.h"
#include "rubric.h"
#include "views.h"

/* ---- times -------------------------------------------------------------------------------------- */

/* "2026-11-20 23:59". Whether the clock of a zone ever shows it, find_times() says. */
static bool read_time(const char *text, struct tm *time) {
    *time = (struct tm){0};
    if (!matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2} +[0-9]{2}:[0-9]{2}$") ||
        !strptime(text, "%Y-%m-%d %H:%M", time))
        return false;
    struct tm day = *time;
    timegm(&day); /* which makes another one of a day that no calendar has */
    return day.tm_mday == time->tm_mday;
}

bool read_utc(const char *text, time_t *seconds) {
    struct tm time = {0};
    if (!matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$") ||
        !strptime(text, "%FT%TZ", &time))
        return false;
    *seconds = timegm(&time);
    return true;
}

time_t due_after(const struct assignment *assignment, long days) {
    struct tm time = assignment->due;
    time.tm_mday += (int)days;
    time.tm_isdst = -1;
    return mktime(&time);
}

/* By the zone's clock, which never shows some times: summer time skips an hour. */
static time_t seconds_of(const char *where, const char *text, struct tm *time) {
    read_time(text, time);
    struct tm shown = *time;
    shown.tm_isdst = -1;
    time_t seconds = mktime(&shown);
    if (shown.tm_hour != time->tm_hour || shown.tm_min != time->tm_min)
        bad_line(where, say("no clock in %s ever shows '%s': it falls into the hour that summer "
                            "time skips",
                            setting("TZ"), text));
    return seconds;
}

/* The C library takes a zone that it does not know for UTC, without a word. */
static void choose_zone(struct fact zone) {
    const char *places = otherwise(setting("TZDIR"), "/usr/share/zoneinfo");
    if (!same(zone.value, "UTC") &&
        (strstr(zone.value, "..") || !is_readable(say("%s/%s", places, zone.value))))
        bad_line(zone.where, say("this machine knows no time zone '%s' (%s has the names, such as "
                                 "Europe/Berlin; tzdata installs them)",
                                 zone.value, places));
    setenv("TZ", zone.value, 1);
    tzset();
}

static void find_times(struct assignment *assignment) {
    struct fact due = assignment->fact[DUE];
    struct tm time;
    choose_zone(assignment->fact[ZONE]);
    seconds_of(due.where, due.value, &assignment->due);
    for (size_t i = 0; i < assignment->rulings; i++) {
        struct ruling *told = &assignment->ruling[i];
        if (told->key != HANDED_IN)
            continue;
        time_t seconds = seconds_of(told->where, told->text, &time);
        strftime(told->utc, sizeof told->utc, "%FT%TZ", gmtime(&seconds));
    }
}

/* ---- keys --------------------------------------------------------------------------------------- */

#define WHOLE "^[0-9]+$"
#define NUMBER "^[0-9]+([.][0-9]+)?$"
static const struct {
    const char *name, *form, *pattern;
    double least, most;
} keys[] = {
#define KEY(key, name, pattern, least, most, form) {name, form, pattern, least, most},
#include "assignment.def"
};

/* Sets the fact's number, too. */
static bool is_good(enum assignment_key key, struct fact *fact) {
    struct tm time;
    amount most = (amount)keys[key].most * POINT;
    return matches(fact->value, keys[key].pattern) &&
           (key != DUE || read_time(fact->value, &time)) &&
           (!most || (read_amount(fact->value, most, &fact->number) &&
                      fact->number >= (amount)(keys[key].least * POINT)));
}

/* The key's place; a name that is none ends the program. */
static enum assignment_key key_named(const char *where, const char *name) {
    const char *names[ASSIGNMENT_KEYS];
    struct text list = {0};
    for (size_t key = 0; key < ASSIGNMENT_KEYS; key++) {
        if (same(keys[key].name, name))
            return key;
        names[key] = keys[key].name;
        add(&list, "%s%s", key ? " " : "", names[key]);
    }
    bad_line(where, say("there is no key '%s'%s (the keys are %s)", name,
                        did_you_mean(in_small(name), names, ASSIGNMENT_KEYS), list.bytes));
}

/* Each pattern fits a step under labs/. */
static void check_pattern(const struct pattern *pattern) {
    size_t steps;
    const char *const *step = all_steps(&steps);
    const char **name = keep((2 * steps + 1) * sizeof *name);
    for (size_t i = 0; i < steps; i++) {
        if (fits(pattern->glob, step[i]))
            return;
        name[2 * i] = step[i];
        name[2 * i + 1] = short_name(step[i]);
    }
    bad_line(pattern->where, say("no step under labs/ fits '%s'%s (ls labs/ lists them)",
                                 pattern->typed, did_you_mean(pattern->typed, name, 2 * steps)));
}

static void read_patterns(struct assignment *assignment, struct fact fact) {
    struct words words = words_of(fact.value);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.word[i];
        if (!is_pattern(word))
            bad_line(fact.where, say("'%s' is no pattern of step names: %s", word, of_patterns));
        struct pattern pattern = {word, glob_of(word), fact.where};
        check_pattern(&pattern);
        append(assignment->step, assignment->steps, pattern);
    }
}

static void bad_value(enum assignment_key key, struct fact fact) {
    bad_line(fact.where,
             say("'%s' does not fit '%s': %s", fact.value, keys[key].name, keys[key].form));
}

/* "2" days, "12h"; 0 for another word. */
static int hours_of(const char *word) {
    return !matches(word, "^[0-9]{1,6}h?$") ? 0 : strchr(word, 'h') ? atoi(word) : 24 * atoi(word);
}

/* The step that a word names, in full or in short; "" for none. */
static const char *step_called(const char *word) {
    size_t steps;
    const char *const *step = all_steps(&steps);
    for (size_t i = 0; i < steps; i++)
        if (same(step[i], word) || same(short_name(step[i]), word))
            return step[i];
    return "";
}

static bool read_points(const char *word, amount *points) {
    if (!*word || !strchr("+-", *word) || !read_amount(word + 1, MOST_POINTS * POINT, points))
        return false;
    *points = *word == '-' ? -*points : *points;
    return true;
}

/* Who it is about may be a name with blanks: it ends before date and time, or before the first word
 * behind it that is a step or, of an extension, how long it is. */
static size_t end_of_name(enum assignment_key key, const struct words *words) {
    size_t at = 1;
    if (key == HANDED_IN)
        return words->count < 3 ? words->count : words->count - 2;
    while (at < words->count &&
           !(key == EXTENSION ? hours_of(words->word[at]) : *step_called(words->word[at])))
        at++;
    return at;
}

/* Two lines that say different things of one person: which of them holds, we do not choose. */
static void refuse_again(const struct assignment *assignment, const struct ruling *one) {
    for (size_t i = 0; i < assignment->rulings; i++) {
        const struct ruling *first = &assignment->ruling[i];
        if ((one->key == HANDED_IN || one->key == WHICH_FILE) && first->key == one->key &&
            same(first->step, one->step) && strcasecmp(first->who, one->who) == 0)
            bad_line(one->where,
                     say("it is another '%s' for what %s says already: leave one of them out",
                         keys[one->key].name, first->where));
    }
}

static void read_ruling(struct assignment *assignment, enum assignment_key key, struct fact fact) {
    struct words words = words_of(fact.value);
    size_t at = end_of_name(key, &words), text = at + (key != HANDED_IN) + (key == ADJUST);
    if (at >= words.count || (text >= words.count && key != EXTENSION))
        bad_value(key, fact);
    struct ruling one = {.key = key,
                         .who = joined(&words, 0, at),
                         .step = key >= ADJUST ? step_called(words.word[at]) : "",
                         .text = joined(&words, text, words.count),
                         .hours = key == EXTENSION ? hours_of(words.word[at]) : 0,
                         .where = fact.where};
    if ((key == EXTENSION && (one.hours < 1 || one.hours > 24 * MOST_DAYS)) ||
        (key == HANDED_IN && !is_good(DUE, &(struct fact){.value = one.text})) ||
        (key == ADJUST && !read_points(words.word[at + 1], &one.points)))
        bad_value(key, fact);
    refuse_again(assignment, &one);
    append(assignment->ruling, assignment->rulings, one);
}

static void read_line(struct assignment *assignment, const char *where, const char *line) {
    size_t length = strcspn(line, " \t");
    const char *name = say("%.*s", (int)length, line);
    enum assignment_key key = key_named(where, name);
    struct fact fact = {line + length + strspn(line + length, " \t"), where, 0};
    struct fact *known = &assignment->fact[key];
    if (!*fact.value)
        bad_line(where, say("'%s' says nothing: %s", name, keys[key].form));
    if (key == STEPS) {
        read_patterns(assignment, fact);
        return;
    }
    append(assignment->line, assignment->lines, (struct line){key, fact.value, where});
    if (key >= EXTENSION && key <= WHICH_FILE)
        read_ruling(assignment, key, fact);
    else if (key == RUBRIC)
        read_rule(&assignment->rubric, where, fact.value);
    else if (*known->value)
        bad_line(where, say("'%s' stands a second time: the first is %s", name, known->where));
    else if (!is_good(key, &fact))
        bad_value(key, fact);
    else
        *known = fact;
}

static void check_lateness(const struct assignment *assignment) {
    const struct fact *fact = assignment->fact;
    if (*fact[DUE].value && !*fact[ZONE].value)
        bad_line(fact[DUE].where,
                 "'due' needs a time zone: add a line such as `zone Europe/Berlin`");
    for (size_t i = 0; i < assignment->lines && !*fact[DUE].value; i++) {
        const struct line *line = &assignment->line[i];
        if (line->key > DUE && line->key <= HANDED_IN)
            bad_line(line->where, say("'%s' means nothing without a date: add a line such as `due "
                                      "2026-11-20 23:59`",
                                      keys[line->key].name));
    }
}

/* ---- steps -------------------------------------------------------------------------------------- */

bool is_assigned(const struct assignment *assignment, const char *step) {
    for (size_t i = 0; i < assignment->steps; i++)
        if (fits(assignment->step[i].glob, step))
            return true;
    return !assignment->steps;
}

static void check_steps(const struct assignment *assignment) {
    size_t steps;
    const char *const *step = all_steps(&steps);
    for (size_t i = 0; i < steps; i++)
        if (is_assigned(assignment, step[i]))
            worth_of(&assignment->rubric, step[i]);
}

struct assignment *read_assignment(const char *path) {
    struct assignment *assignment = keep(sizeof *assignment);
    for (size_t key = 0; key < ASSIGNMENT_KEYS; key++)
        assignment->fact[key] = (struct fact){"", "", key == LATE_MOST ? 100 * POINT : 0};
    assignment->path = path;
    if (!*path)
        return assignment;
    if (!is_readable(path))
        give_up(2, say("cannot read the assignment '%s'", path));
    for (const struct plain_line *line = plain_lines(path); line->text; line++)
        read_line(assignment, line->where, line->text);
    check_lateness(assignment);
    check_steps(assignment);
    if (*assignment->fact[DUE].value)
        find_times(assignment);
    return assignment;
}

/* ---- class/assignment --------------------------------------------------------------------------- */

/* A file's path begins at the assignment's folder. */
static const char *file_of(const struct assignment *assignment, enum assignment_key key) {
    const char *name = assignment->fact[key].value, *path = assignment->path;
    if (!*name)
        return "";
    if (*name != '/') {
        const char *slash = strrchr(path, '/');
        char *folder = realpath(slash ? say("%.*s/", (int)(slash - path), path) : ".", NULL);
        name = say("%s/%s", folder ? folder : "", name);
        free(folder);
    }
    if (key == EARLIER ? access(name, R_OK) != 0 : !is_readable(name))
        bad_line(assignment->fact[key].where,
                 say("cannot read the file of its key '%s', '%s'", keys[key].name, name));
    return name;
}

/* For scripts, since who and path may have blanks. */
static void print_files(const struct assignment *assignment) {
    for (size_t i = 0; i < assignment->rulings; i++) {
        const struct ruling *one = &assignment->ruling[i];
        if (one->key == WHICH_FILE)
            printf("%s\t%s\t%s\n", printable(one->who), one->step, printable(one->text));
    }
}

static void print_key(const struct assignment *assignment, enum assignment_key key,
                      const char *before) {
    for (size_t i = 0; key == STEPS && i < assignment->steps; i++)
        printf("%s%s\n", before, assignment->step[i].glob);
    for (size_t i = 0; key != STEPS && i < assignment->lines; i++)
        if (assignment->line[i].key == key)
            printf("%s%s\n", before, printable(assignment->line[i].value));
}

int view_assignment(int count, char **words) {
    const struct assignment *assignment = read_assignment(words[0]);
    const char *wanted = count > 1 ? words[1] : "";
    size_t key = *wanted ? key_named("assignment", wanted) : ASSIGNMENT_KEYS;
    if (key >= ROSTER && key < ASSIGNMENT_KEYS) {
        const char *path = file_of(assignment, key);
        printf("%s%s", path, *path ? "\n" : "");
        return 0;
    }
    if (key == WHICH_FILE) {
        print_files(assignment);
        return 0;
    }
    for (size_t file = ROSTER; !*wanted && file < ASSIGNMENT_KEYS; file++)
        file_of(assignment, file);
    for (size_t i = 0; !*wanted && i < assignment->rubric.rules; i++)
        if (!assignment->rubric.rule[i].used)
            remark(assignment->rubric.rule[i].where,
                   say("'%s' fits no step that counts", assignment->rubric.rule[i].pattern));
    for (size_t each = 0; each < ASSIGNMENT_KEYS; each++)
        if (!*wanted || each == key)
            print_key(assignment, each, *wanted ? "" : say("%-10s ", keys[each].name));
    return 0;
}
