#include "late.h"

#include <string.h>

/* ---- who --------------------------------------------------------------------------------------- */

void add_meant(struct ruling *one, const char *submission) {
    one->names = one->count++ ? say("%s, %s", one->names, submission) : submission;
}

/* Notes it, too. */
static bool is_meant(struct ruling *one, enum assignment_key key, const struct people *people,
                     const char *submission) {
    if (one->key != key || !names_submission(people, in_small(one->who), submission))
        return false;
    add_meant(one, submission);
    return true;
}

static const char *time_of_handing_in(struct assignment *assignment, const struct people *people,
                                      const char *submission) {
    const char *time = people_cell(people, submission, "handed_in");
    for (size_t i = 0; i < assignment->rulings; i++)
        if (is_meant(&assignment->ruling[i], HANDED_IN, people, submission))
            time = assignment->ruling[i].utc;
    return time;
}

/* class/grading/take-in.sh goes by IDs alone: whose a name is, is known after it. */
static void note_files(struct assignment *assignment, const char *submission) {
    for (size_t i = 0; i < assignment->rulings; i++)
        if (assignment->ruling[i].key == WHICH_FILE && same(assignment->ruling[i].who, submission))
            add_meant(&assignment->ruling[i], submission);
}

/* All that name the submission or that person of it, who may be NULL. */
static int hours_for(const struct assignment *assignment, const struct people *people,
                     const char *submission, const struct person *person) {
    int hours = 0;
    for (size_t i = 0; i < assignment->rulings; i++) {
        const char *who = in_small(assignment->ruling[i].who);
        if (same(who, in_small(submission)) || (person && names_person(people, person, who)))
            hours += assignment->ruling[i].hours;
    }
    return hours;
}

/* A group has the most that one of them has. */
static int hours_of_extension(struct assignment *assignment, const struct people *people,
                              const char *submission) {
    int most = hours_for(assignment, people, submission, NULL);
    for (size_t i = 0; i < assignment->rulings; i++)
        is_meant(&assignment->ruling[i], EXTENSION, people, submission);
    for (const struct person *one = people->one; one->columns; one++) {
        int hours = is_in(one, submission) ? hours_for(assignment, people, submission, one) : 0;
        most = hours > most ? hours : most;
    }
    return most;
}

/* ---- how late ----------------------------------------------------------------------------------- */

/* A day begun is a day. Of a due date that was put off by so many days. */
static long days_late(const struct assignment *assignment, time_t when, int put_off) {
    long days = (when - due_after(assignment, put_off)) / DAY - 1; /* at least */
    if (days < 0)
        days = 0;
    while (when > due_after(assignment, put_off + days))
        days++;
    return days;
}

static amount late_percent(const struct assignment *assignment, long days, long free) {
    amount late = assignment->fact[LATE].number, most = assignment->fact[LATE_MOST].number;
    amount cutoff = assignment->fact[CUTOFF].number;
    if (cutoff && days * POINT > cutoff)
        return 100 * POINT;
    return late && days - free > most / late ? most : (days - free) * late;
}

/* At once, but none that would change nothing. */
static long free_of(const struct assignment *assignment, long days) {
    long grace = assignment->fact[GRACE].number / POINT, free = grace < days ? grace : days;
    while (free > 0 &&
           late_percent(assignment, days, free - 1) == late_percent(assignment, days, free))
        free--;
    return free;
}

static const char *days_in_words(const struct lateness *late) {
    if (!late->days)
        return "handed in on time";
    struct text text = {0};
    add(&text, "handed in %s late", plural(late->days, "day"));
    if (late->free == late->days)
        add(&text, ", %s", late->days == 1 ? "and that day is free" : "all of them free");
    else if (late->free)
        add(&text, ", %ld of them free", late->free);
    return text.bytes;
}

static const char *lateness_in_words(const struct lateness *late) {
    struct text text = {0};
    add(&text, "%s", days_in_words(late));
    if (late->extension + late->extension_hours)
        add(&text, " (due %s%s%s later than for others)",
            late->extension ? plural(late->extension, "day") : "",
            late->extension && late->extension_hours ? " and " : "",
            late->extension_hours ? plural(late->extension_hours, "hour") : "");
    if (late->percent)
        add(&text, ": %s %% taken off", amount_text(late->percent));
    return text.bytes;
}

/* When it was handed in nobody knows, but the learning platform may have called it late. */
static const char *platforms_word(const char *flag) {
    return *flag == '0'
               ? "handed in on time, as the learning platform has it"
               : say("it is not known when it was handed in, so it counts as on time%s",
                     strchr(flag, '1') ? ", though the learning platform calls it late" : "");
}

struct lateness lateness_of(struct assignment *assignment, const struct people *people,
                            const char *submission) {
    struct lateness late = {.extension = -1, .how = ""};
    time_t when;
    note_files(assignment, submission);
    late.handed_in = time_of_handing_in(assignment, people, submission);
    if (!*assignment->fact[DUE].value)
        return late;
    int hours = hours_of_extension(assignment, people, submission);
    late.extension = hours / 24;
    late.extension_hours = hours % 24;
    if (!read_utc(late.handed_in, &when)) {
        late.handed_in = "";
        late.how = platforms_word(people_cell(people, submission, "late_flag"));
        return late;
    }
    when -= 60 * assignment->fact[TOLERANCE].number / POINT + 3600 * late.extension_hours;
    late.days = days_late(assignment, when, late.extension);
    late.free = free_of(assignment, late.days);
    late.percent = late_percent(assignment, late.days, late.free);
    late.how = lateness_in_words(&late);
    return late;
}

/* ---- what helps nobody -------------------------------------------------------------------------- */

static bool names_absent(const struct people *people, const char *text) {
    bool found = false;
    for (const struct person *one = people->one; one->columns && !found; one++)
        found = is_in(one, "") && names_person(people, one, text);
    return found;
}

/* Whoever else is called so, as a login or by a name of their own choice, must not gain unseen. */
void report_unused(const struct assignment *assignment, const struct people *people) {
    for (size_t i = 0; i < assignment->rulings; i++) {
        const struct ruling *one = &assignment->ruling[i];
        bool waits = one->key == EXTENSION && names_absent(people, in_small(one->who));
        if (one->count > 1)
            remark(one->where,
                   say("'%s' is several submissions, and this line holds for all of them: %s",
                       one->who, one->names));
        else if (!one->count && one->key == WHICH_FILE)
            remark(one->where, say("'%s' is no submission's ID: this line changes nothing (the "
                                   "folders of submissions/ beside results.jsonl have the IDs)",
                                   one->who));
        else if (!one->count && !waits)
            remark(one->where,
                   say("'%s' is nobody %s: this line changes nothing", one->who,
                       *one->step ? say("whose %s counts", one->step) : "who handed in"));
    }
}
