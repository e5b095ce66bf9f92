/* A course that nobody has taken: so many students, a term of three assignments, and what the class
 * room must make of it. `make FOLDER STUDENTS` writes rosters, assignments, what they handed in,
 * and records, as a grading would. `check FOLDER STUDENTS` draws the same course again, computes
 * every total plainly, from what was drawn, and compares with exports/csv.csv. It shares no code
 * with class/. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ASSIGNMENTS = 3, STEPS = 3, FREE_DAYS = 3, MOST = 1000, DAY = 86400, HOUR = 3600 };

static const struct plan {
    const char *name, *due, *rules;
    long due_utc; /* 2026-10-23 23:59 in Berlin is 21:59 in UTC; two days later the clock goes back
                   */
    const char *step[STEPS];
    double full, none; /* times ours; the second is our time of the step before */
    int late, late_most, cutoff, tolerance;
    int total;
} plans[ASSIGNMENTS] = {
    {"A",
     "2026-10-23 23:59",
     "",
     1792792740,
     {"opt02_one_block", "opt03_strided_access", "opt04_shared_memory"},
     1.05,
     2,
     10,
     100,
     0,
     0,
     100},
    {"B",
     "2026-11-06 12:00",
     "late-most 50\ncutoff 5\ntolerance 10\nrubric * correct=5 speed=5 full=1.2 none=3\n",
     1793962800,
     {"opt05_multiblock", "opt06_builtin_min", "opt07_check_before_add"},
     1.2,
     3,
     15,
     50,
     5,
     10,
     60},
    {"C",
     "2026-11-20 23:59",
     "",
     1795215540,
     {"sum02_pairwise", "sum03_shared_memory", "sum04_less_divergence"},
     1.05,
     2,
     25,
     100,
     0,
     0,
     30},
};

struct work { /* of one unit for one assignment */
    bool handed_in;
    int days, minutes; /* late by the clock: so many days begun, and where in the last one */
    int extension_hours;
    bool told; /* the instructor says when */
    struct {
        char verdict[16];
        double ratio;
        int adjust;
        bool adjusted;
        char decision[8];
        bool again;
        int copied; /* from this unit; -1: its own work */
    } step[STEPS];
};

struct unit { /* a student, or a group of two */
    int first, members;
    struct work work[ASSIGNMENTS];
};

static struct unit units[MOST];
static int unit_count;
static unsigned long long state = 36;

static int draw(int below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)below);
}

/* ---- what happens -------------------------------------------------------------------------------- */

static void draw_step(struct work *work, int s) {
    static const char *const verdicts[] = {"pass",   "pass",    "pass",        "pass",
                                           "pass",   "pass",    "wrong",       "missing",
                                           "hazard", "flagged", "not-started", "crashed"};
    static const double ratios[] = {0.8,  0.97, 1,    1.04, 1.06, 1.15, 1.3,
                                    1.41, 1.6,  1.95, 2.2,  2.9,  3.5};
    snprintf(work->step[s].verdict, sizeof work->step[s].verdict, "%s", verdicts[draw(12)]);
    work->step[s].ratio = ratios[draw(13)];
    work->step[s].again = draw(12) == 0;
    if (!strcmp(work->step[s].verdict, "flagged"))
        strcpy(work->step[s].decision, draw(2) ? "clear" : "confirm");
    work->step[s].adjusted = draw(15) == 0;
    work->step[s].copied = -1;
    work->step[s].adjust = (int[]){150, -125, 50, -2000, 300}[draw(5)];
}

static void draw_course(int students) {
    for (int i = 0; i < students; unit_count++) {
        struct unit *unit = &units[unit_count];
        unit->first = i;
        unit->members = i % 10 == 6 && i + 1 < students ? 2 : 1;
        i += unit->members;
        for (int a = 0; a < ASSIGNMENTS; a++) {
            struct work *work = &unit->work[a];
            work->handed_in = draw(20) > 0;
            work->days = draw(3) ? 0 : 1 + draw(7);
            work->minutes = work->days ? 1 + draw(1400) : 0;
            work->extension_hours = draw(10) ? 0 : (int[]){12, 24, 48, 30}[draw(4)];
            work->told = draw(25) == 0;
            for (int s = 0; s < STEPS; s++) {
                draw_step(work, s);
                if (draw(25) == 0 && unit > units && unit[-1].work[a].handed_in &&
                    unit[-1].work[a].step[s].copied < 0)
                    work->step[s].copied = unit_count - 1;
            }
        }
    }
}

/* When, in UTC: minutes after a day's due time, where one of the days may have 25 hours. */
static long moment(const struct plan *plan, const struct work *work) {
    const long clock_goes_back = 1792890000; /* 2026-10-25 01:00 in UTC */
    long when = plan->due_utc - 3 * HOUR;
    if (work->days) {
        when = plan->due_utc + (work->days - 1L) * DAY + 60L * work->minutes;
        if (plan->due_utc < clock_goes_back && when >= clock_goes_back)
            when += HOUR;
    }
    return when;
}

/* ---- what is written ----------------------------------------------------------------------------- */

static FILE *in_folder(const char *folder, const struct plan *plan, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", folder, plan->name, name);
    for (char *at = path; (at = strchr(at + 1, '/')); *at = '/') {
        *at = '\0';
        mkdir(path, 0777);
    }
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(3);
    }
    return file;
}

static const char *key_of(const struct unit *unit) {
    static char key[32];
    snprintf(key, sizeof key, unit->members == 2 ? "group%03d" : "s%03d", unit->first);
    return key;
}

static const char *utc(long when) {
    static char text[32];
    time_t seconds = when;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    return text;
}

static void write_record(FILE *out, const char *who, const char *step, const char *verdict,
                         double seconds, int version) {
    fprintf(
        out,
        "{\"submission\":\"%s\",\"step\":\"%s\",\"kind\":\"step\",\"problem\":\"%s\",\"input\":\"walk\",\"rows\":4096,"
        "\"columns\":3984,\"verdict\":\"%s\",\"intended\":\"pass\",\"outcome\":%s,\"detail\":\"\",\"device\":{\"kind\":\"gpu\",\"name\":"
        "\"Test GPU (made up)\",\"uuid\":\"GPU-1\",\"sms\":132},\"iterations\":1000,\"calls\":1000,\"scaled\":false,",
        who, step, *step == 'o' ? "opt_2dhisto" : "opt_sum", verdict,
        strcmp(verdict, "hazard") ? "null" : "\"pass\"");
    if (!strcmp(verdict, "pass") || !strcmp(verdict, "flagged"))
        fprintf(out, "\"median_s\":%.9f,\"ci95_s\":[%.9f,%.9f],", seconds, 0.99 * seconds,
                1.01 * seconds);
    else
        fprintf(out, "\"median_s\":null,\"ci95_s\":null,");
    fprintf(
        out,
        "\"roof_gbps\":4000,\"bytes\":65273856,\"source_sha256\":\"%s-%s-%d\",\"harness\":\"h1\",\"notes\":\"\","
        "\"when\":\"2026-12-0%dT00:00:00Z\"}\n",
        who, step, version, 1 + version);
}

/* Of ours each step takes half the time of the one before. */
static double our_seconds(int s) { return 0.4 / (1 << s); }

/* Like nobody's but one of the same seed, whatever the names. */
static void write_source(const char *folder, const struct plan *plan, int u, int s) {
    static const char *const parts[] = {"+", "-", "*",  "/",  "%",     "&",   "|",   "^",
                                        "<", ">", "&&", "||", "? a :", "+ ~", "- !", "- sizeof"};
    int copied = units[u].work[plan - plans].step[s].copied;
    unsigned long long kept = state;
    char path[128];
    snprintf(path, sizeof path, "submissions/%s/labs/%s/%s.cu", key_of(&units[u]), plan->step[s],
             *plan->step[s] == 'o' ? "opt_2dhisto" : "opt_sum");
    FILE *out = in_folder(folder, plan, path);
    state = 1 + 97 * (copied < 0 ? u : copied) + s;
    fprintf(out, "void f(int a, int %c) {\n", copied < 0 ? 'b' : 'c');
    for (int i = 0; i < 100; i++)
        fprintf(out, "    a = a %s %c;\n", parts[draw(16)], copied < 0 ? 'b' : 'c');
    fputs("}\n", out);
    fclose(out);
    state = kept;
}

/* before: what was graded first, of those who handed in again. */
static void write_records(const char *folder, const struct plan *plan, int a, bool before) {
    static const char *const first[ASSIGNMENTS] = {"opt01_single_thread", "opt04_shared_memory",
                                                   "sum01_one_atomic"};
    FILE *out = in_folder(folder, plan, "results.jsonl");
    write_record(out, "", first[a], "pass", 2 * our_seconds(0), 0);
    for (int s = 0; s < STEPS; s++)
        write_record(out, "", plan->step[s], "pass", our_seconds(s), 0);
    for (struct unit *unit = units; unit < units + unit_count; unit++)
        for (int s = 0; s < STEPS && unit->work[a].handed_in; s++) {
            bool again = unit->work[a].step[s].again;
            write_source(folder, plan, (int)(unit - units), s);
            if (again)
                write_record(out, key_of(unit), plan->step[s], "wrong", 0, 0);
            if (!again || !before)
                write_record(out, key_of(unit), plan->step[s], unit->work[a].step[s].verdict,
                             unit->work[a].step[s].ratio * our_seconds(s), 1);
        }
    fclose(out);
}

static void write_assignment(const char *folder, const struct plan *plan, int a) {
    FILE *out = in_folder(folder, plan, "assignment"), *flags = in_folder(folder, plan, "flags");
    fprintf(
        out,
        "title Lab %s\ndevice gpu\ndue %s\nzone Europe/Berlin\nlate %d\ngrace %d\ntotal %d\nabsent 0\nsteps",
        plan->name, plan->due, plan->late, FREE_DAYS, plan->total);
    for (int s = 0; s < STEPS; s++)
        fprintf(out, " %s", plan->step[s]);
    fprintf(out, "\n%s", plan->rules);
    for (struct unit *unit = units; unit < units + unit_count; unit++) {
        const struct work *work = &unit->work[a];
        if (!work->handed_in)
            continue;
        if (work->extension_hours)
            fprintf(out, "extension s%03d %d%s ill\n", unit->first,
                    work->extension_hours % 24 ? work->extension_hours : work->extension_hours / 24,
                    work->extension_hours % 24 ? "h" : "");
        if (work->told) { /* by the clock in Berlin */
            time_t local = moment(plan, work) + (moment(plan, work) < 1792890000 ? 2 : 1) * HOUR;
            char text[32];
            strftime(text, sizeof text, "%Y-%m-%d %H:%M", gmtime(&local));
            fprintf(out, "handed-in s%03d %s\n", unit->first, text);
        }
        for (int s = 0; s < STEPS; s++) {
            if (work->step[s].adjusted)
                fprintf(out, "adjust s%03d %.5s %+.2f so it was agreed\n", unit->first,
                        plan->step[s], work->step[s].adjust / 100.0);
            if (*work->step[s].decision)
                fprintf(flags, "%s %s %s looked at\n", key_of(unit), plan->step[s],
                        work->step[s].decision);
        }
    }
    fclose(out);
    fclose(flags);
}

static void write_people(const char *folder, const struct plan *plan, int a, int students) {
    FILE *roster = in_folder(folder, plan, "roster.csv"),
         *told = in_folder(folder, plan, "handed-in.tsv");
    FILE *list = in_folder(folder, plan, "submissions.tsv");
    fputs("id,login,email,name\n", roster);
    for (int i = 0; i < students; i++)
        fprintf(roster, "%d,s%03d,s%03d@example.org,Student No%03d\n", 1000 + i, i, i, i);
    fputs(
        "key\tlms\tidentity\tsource\tname\tnumber\tcanvas\tlogin\temail\tanswer\thanded_in\tlate_flag\tattempts\n",
        told);
    for (struct unit *unit = units; unit < units + unit_count; unit++) {
        const struct work *work = &unit->work[a];
        if (!work->handed_in)
            continue;
        for (int i = unit->first; i < unit->first + unit->members; i++)
            fprintf(told,
                    "%s\tgradescope\t\t\tStudent No%03d\t%d\t\t\ts%03d@example.org\t\t%s\t\t1\n",
                    key_of(unit), i, 1000 + i, i, work->told ? "" : utc(moment(plan, work)));
        fprintf(list, "%s\thanded-in/%s\t\n", key_of(unit), key_of(unit));
    }
    fclose(roster);
    fclose(told);
    fclose(list);
}

/* ---- what must come out -------------------------------------------------------------------------- */

static int rounded(double value) { return (int)floor(value + 0.5 + 1e-7); }

/* In hundredths. */
static int points_of_step(const struct plan *plan, const struct work *work, int s) {
    const char *verdict = work->step[s].verdict;
    int correct = plan->rules[0] ? 500 : 600, points = 0;
    if (!strcmp(verdict, "pass") || !strcmp(work->step[s].decision, "clear")) {
        double share = log(plan->none / work->step[s].ratio) / log(plan->none / plan->full);
        share = work->step[s].ratio <= plan->full ? 1 : share < 0 ? 0 : share;
        points = correct + rounded((1000 - correct) * share);
    }
    points += work->step[s].adjusted ? work->step[s].adjust : 0;
    return points < 0 ? 0 : points;
}

static int points_of(const struct plan *plan, const struct work *work) {
    int sum = 0;
    for (int s = 0; s < STEPS; s++)
        sum += points_of_step(plan, work, s);
    return sum;
}

/* After extension and tolerance. Once a due date has moved past the night, a day has 25 hours. */
static int days_late(const struct plan *plan, const struct work *work) {
    long when = moment(plan, work), due = plan->due_utc;
    if (due < 1792890000 && when >= 1792890000)
        when -= HOUR; /* by the clock on the wall */
    long late = when - due - 60L * plan->tolerance - (long)work->extension_hours * HOUR;
    return late <= 0 ? 0 : (int)((late + DAY - 1) / DAY);
}

static int percent_off(const struct plan *plan, int days, int given) {
    if (plan->cutoff && days > plan->cutoff)
        return 100;
    int percent = plan->late * (days - given);
    return percent > plan->late_most ? plan->late_most : percent;
}

static int grade_of(const struct plan *plan, const struct work *work, int given) {
    if (!work->handed_in)
        return 0;
    return rounded((double)points_of(plan, work) * plan->total / (1000.0 * STEPS) *
                   (100 - percent_off(plan, days_late(plan, work), given)));
}

/* Free days are each assignment's own. */
static int sum_of(const struct unit *unit) {
    int sum = 0;
    for (int a = 0; a < ASSIGNMENTS; a++) {
        int days = days_late(&plans[a], &unit->work[a]);
        sum += grade_of(&plans[a], &unit->work[a], days < FREE_DAYS ? days : FREE_DAYS);
    }
    return sum;
}

/* The cell of a row of CSV, as a number; no cell of these holds a comma. */
static double cell(const char *row, int column) {
    for (; column > 0 && row; column--)
        row = strchr(row + 1, ',');
    return row ? strtod(row + (*row == ','), NULL) : NAN;
}

static int wrong_rows;

static void expect(const char *what, const struct plan *plan, int student, double got,
                   double wanted) {
    if (fabs(got - wanted) < 1e-6)
        return;
    printf("%s s%03d: %s is %g, and must be %g\n", plan ? plan->name : "term", student, what, got,
           wanted);
    wrong_rows++;
}

/* The grade in hundredths. */
static int check_row(const char *csv, int a, const struct unit *unit, int student) {
    const struct plan *plan = &plans[a];
    const struct work *work = &unit->work[a];
    char mail[64];
    snprintf(mail, sizeof mail, "s%03d@example.org", student);
    const char *at = strstr(csv, mail), *row = at;
    if (!at || strstr(at + 1, mail)) {
        printf("%s s%03d: %s\n", plan->name, student, at ? "is there twice" : "is not there");
        wrong_rows++;
        return 0;
    }
    while (row > csv && row[-1] != '\n')
        row--;
    enum { DAYS = 7, OFF, POINTS, MAXIMUM, GRADE };
    int days = work->handed_in ? days_late(plan, work) : 0, off = (int)cell(row, OFF);
    bool possible = !work->handed_in;
    for (int given = 0; given <= FREE_DAYS && given <= days; given++)
        possible |= off == percent_off(plan, days, given);
    expect("days late", plan, student, cell(row, DAYS), days);
    expect("points", plan, student, cell(row, POINTS),
           work->handed_in ? points_of(plan, work) / 100.0 : 0);
    expect("maximum", plan, student, cell(row, MAXIMUM), 10 * STEPS);
    if (!possible)
        expect("per cent off", plan, student, off, percent_off(plan, days, 0));
    return rounded(100 * cell(row, GRADE));
}

static char *text_of(const char *folder, const struct plan *plan, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", folder, plan->name, name);
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0) {
        perror(path);
        exit(3);
    }
    fclose(file);
    return text;
}

/* Each copy is listed, and nothing else. */
static void check_copies(const char *alike, int a) {
    int copies = 0, shares = 0;
    for (const char *at = alike; (at = strstr(at, " %  ")); at++)
        shares++;
    for (struct unit *unit = units; unit < units + unit_count; unit++)
        for (int s = 0; s < STEPS && unit->work[a].handed_in; s++) {
            int from = unit->work[a].step[s].copied;
            const char *row = strstr(alike, plans[a].step[s]);
            char names[2][16];
            bool is_there = false;
            if (from < 0)
                continue;
            snprintf(names[0], 16, "No%03d", units[from].first);
            snprintf(names[1], 16, "No%03d", unit->first);
            for (; row && !is_there && (row = strchr(row, '\n')); row++) {
                const char *end = strchr(row + 1, '\n');
                const char *one = strstr(row, names[0]), *other = strstr(row, names[1]);
                is_there = one && other && one < end && other < end;
            }
            expect("a copy that is listed", &plans[a], unit->first, is_there, 1);
            copies++;
        }
    expect("shares of copies", &plans[a], 0, shares, 2 * copies);
}

static void check_course(const char *folder) {
    char *csv[ASSIGNMENTS];
    int rows = 0, absent = 0;
    for (int a = 0; a < ASSIGNMENTS; a++)
        csv[a] = text_of(folder, &plans[a], "exports/csv.csv");
    for (struct unit *unit = units; unit < units + unit_count; unit++)
        for (int i = unit->first; i < unit->first + unit->members; i++) {
            int sum = 0;
            for (int a = 0; a < ASSIGNMENTS; a++, rows++) {
                sum += check_row(csv[a], a, unit, i);
                absent += !unit->work[a].handed_in;
            }
            expect("sum of the grades", NULL, i, sum / 100.0, sum_of(unit) / 100.0);
        }
    for (int a = 0; a < ASSIGNMENTS; a++)
        check_copies(text_of(folder, &plans[a], "alike"), a);
    printf("%d grades, %d of them of who handed in nothing: %d not as computed plainly\n", rows,
           absent, wrong_rows);
}

int main(int count, char **words) {
    int students = count == 4 ? atoi(words[3]) : 0;
    if (students < 1 || students > MOST) {
        fputs("use: course make|again|check FOLDER STUDENTS\n", stderr);
        return 2;
    }
    draw_course(students);
    for (int a = 0; a < ASSIGNMENTS && strcmp(words[1], "check"); a++) {
        bool before = !strcmp(words[1], "make");
        write_records(words[2], &plans[a], a, before);
        if (before) {
            write_assignment(words[2], &plans[a], a);
            write_people(words[2], &plans[a], a, students);
        }
    }
    if (!strcmp(words[1], "check"))
        check_course(words[2]);
    return wrong_rows > 0;
}
