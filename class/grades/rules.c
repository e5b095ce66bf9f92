/* What a step is worth: its answer, its idea, its speed. Each part says in words how its points
 * came about. */
#include "points.h"

#include <math.h>
#include <stdlib.h>

#include "lib/steps.h"

static bool is_on(const struct grade *grade, const char *kind) {
    return same(grade->row ? grade->row->device.kind : "", kind);
}

static bool has(const struct grade *grade, const char *verdict) {
    return same(grade->verdict, verdict);
}

bool is_right(const struct grade *grade) {
    return has(grade, "pass") || same(grade->decision, "clear");
}

static amount least(amount a, amount b) { return a < b ? a : b; }

const char *times(double ratio) { return significant(ratio, ratio < 0.1 ? 2 : 3); }

/* A time as rows have it, so that the same records give the same ratio everywhere. */
static double in_rows(double time) { return isnan(time) ? NAN : atof(plain_number(time)); }

/* ---- whether it counts -------------------------------------------------------------------------- */

/* Nobody can have points for it. */
static const char *why_left_out(const struct grade *grade) {
    /* What never ran has the name of some GPU in its record: that GPU is no excuse. */
    bool never_ran = is_one_of(grade->verdict, "missing not-started build-failed");
    if (*grade->intended && !same(grade->intended, "pass"))
        return "it is there to show a wrong answer, so it is worth no points";
    if (is_handed_out_whole(grade->step))
        return "it is handed out complete, so there is nothing to write";
    if (*grade->own_verdict && !same(grade->own_verdict, "harness-error") &&
        !(never_ran && grade->own->passed))
        return "this project's own version did not pass on this device either";
    return "";
}

/* Nobody knows yet what it is worth. If it left the maximum, not to be graded would be worth more
 * than to be wrong. */
static const char *why_pending(const struct grade *grade) {
    if (!grade->row)
        return "it has no record yet, because the grading is not finished";
    if (has(grade, "harness-error"))
        return "the harness failed here, which is not the submission's fault";
    if (has(grade, "flagged") && !*grade->decision)
        return "it is flagged, and a person has to decide";
    if (has(grade, "wrong") && grade->worth[PARTIAL] && !grade->row->r.has_checks)
        return "in how many checks it is right has not been counted";
    if (same(grade->own_verdict, "harness-error"))
        return "the harness failed with this project's own version, so there is nothing to compare "
               "it with";
    return "";
}

static bool has_time(const struct grade *grade) {
    if (isnan(no_speed_from(grade)))
        return false;
    return (!is_on(grade, "cpu") && grade->own->timed) ||
           (!is_on(grade, "gpu") && grade->own->predicted && grade->worth[PREDICTED]);
}

/* Counters are of the cpu device, and there is nothing to ask for where this project's own version
 * lacks it. */
static bool has_idea(const struct grade *grade) {
    return (!is_on(grade, "gpu") || grade->own->counted) && grade->own->has_idea;
}

/* ---- parts -------------------------------------------------------------------------------------- */

/* Of a wrong answer, by the share of checks that were right. Returns the verdict in words. */
static const char *pay_a_part(struct grade *grade) {
    const struct record_fields *record = &grade->row->r;
    grade->correct = times_share(least(grade->worth[PARTIAL], grade->correct_max),
                                 (double)record->checks_right / record->checks);
    return say("wrong, and right in %zu of %zu checks", (size_t)record->checks_right,
               (size_t)record->checks);
}

static const char *grade_answer(struct grade *grade) {
    const char *verdict = grade->verdict;
    amount most = grade->correct_max = grade->worth[CORRECT];
    if (has(grade, "pass") || (has(grade, "flagged") && !same(grade->decision, "confirm")))
        grade->correct = most;
    if (has(grade, "hazard") && same(grade->row->r.outcome, "pass")) {
        grade->correct = least(grade->worth[HAZARD], most);
        verdict = "hazard, though the outputs were right";
    }
    if (has(grade, "wrong") && grade->worth[PARTIAL])
        verdict = pay_a_part(grade);
    if (has(grade, "flagged"))
        verdict = say("flagged, and %sed: %s", grade->decision, grade->reason);
    return say("%s of %s for the answer (%s)", points(grade->correct), points(most), verdict);
}

/* Who keeps a step from being counted must not gain by it: that earns nothing. */
static const char *grade_idea(struct grade *grade) {
    amount most = grade->worth[IDEA];
    const char *idea = grade->lacks, *worth = points(most);
    if (!most)
        return "";
    if (!has_idea(grade))
        return say("%s for the idea left out of the maximum: it was not counted here; ", worth);
    grade->idea_max = most;
    if (!is_right(grade))
        return say("0 of %s for the idea: only a right answer has one; ", worth);
    if (same(idea, "there")) {
        grade->idea = most;
        return say("%s of %s for the idea; ", worth, worth);
    }
    return say("0 of %s for the idea: %s%s; ", worth, *idea ? "the step " : "",
               *idea ? idea : "its counters could not be taken");
}

static bool is_predicted_alike(const struct row *a, const struct row *b) {
    static const char *const columns[] = {"predicted_gpu", "predicted_with", "counted_rows",
                                          "counted_columns"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!same(cell_of(a, columns[i]), cell_of(b, columns[i])))
            return false;
    return true;
}

/* What counts as speed where it is measured: throughput, or latency if the rubric says so. */
static double measured(const struct grade *grade, const struct row *row) {
    return grade->worth[LATENCY] ? row->synced_us : row->us;
}

/* The time of the step before over that of this one, both this project's own; NAN where one has no
 * time that counts. */
static double gain_of(const struct grade *grade) {
    const struct row *ours = grade->ours, *before = grade->before;
    if (!ours || !before)
        return NAN;
    if (!isnan(ours->us))
        return ratio_of(measured(grade, before), measured(grade, ours));
    return is_predicted_alike(ours, before) ? ratio_of(before->predicted_us, ours->predicted_us)
                                            : NAN;
}

double no_speed_from(const struct grade *grade) {
    const double least = 1.1; /* beyond `full`: times of one source differ by up to 3 % */
    const double usual = 2;   /* where the step before has no time */
    double gain = gain_of(grade), full = (double)grade->worth[FULL] / POINT;
    if (grade->worth[NONE] != BEFORE)
        return (double)grade->worth[NONE] / POINT;
    return isnan(gain) ? usual * full : gain >= least * full ? gain : NAN;
}

/* All at `full` times our time or better, none at `none` times, linear on a log scale between. */
static void earn_speed(struct grade *grade, double ratio) {
    double full = (double)grade->worth[FULL] / POINT, none = no_speed_from(grade);
    double share = ratio <= full ? 1 : ratio < none ? log(none / ratio) / log(none / full) : 0;
    grade->speed = times_share(grade->speed_max, share);
}

static const char *bounds_in_words(const struct grade *grade) {
    const char *why = "";
    if (grade->worth[NONE] == BEFORE)
        why = isnan(gain_of(grade)) ? ": the step before has no time here"
                                    : ", our time of the step before";
    return say("(full points up to %s, none from %s on%s)", amount_text(grade->worth[FULL]),
               grade->worth[NONE] == BEFORE ? times(no_speed_from(grade))
                                            : amount_text(grade->worth[NONE]),
               why);
}

/* Sets the maximum. Why it earns nothing; "" where it may earn some. */
static const char *begin_speed(struct grade *grade) {
    if (isnan(no_speed_from(grade))) {
        grade->basis = "";
        return "speed is left out of the maximum: this project's own version is hardly faster here "
               "than that of the step before, so speed tells nothing apart";
    }
    grade->speed_max = grade->worth[SPEED];
    return is_right(grade)
               ? ""
               : say("0 of %s for speed: only a right answer has one", points(grade->speed_max));
}

/* From predicted times. What could not be predicted earns nothing, too. */
static const char *grade_prediction(struct grade *grade) {
    const struct row *row = grade->row, *ours = grade->ours;
    if (!grade->own->predicted)
        return "speed is left out of the maximum: no time was predicted for this project's own "
               "version";
    grade->basis = "predicted";
    const char *nothing = begin_speed(grade);
    if (*nothing)
        return nothing;
    if (ours && is_predicted_alike(row, ours))
        grade->ratio = ratio_of(in_rows(row->predicted_us), in_rows(ours->predicted_us));
    if (isnan(grade->ratio))
        return say("0 of %s for speed: no time could be predicted for it as for this project's own "
                   "version; notes in its record may say why",
                   points(grade->speed_max));
    earn_speed(grade, grade->ratio);
    return say("%s of %s for speed, which is predicted for %s, not measured: %s times the time "
               "predicted for our version %s",
               points(grade->speed), points(grade->speed_max), row->r.predicted_gpu,
               times(grade->ratio), bounds_in_words(grade));
}

static const char *grade_speed(struct grade *grade) {
    if (!grade->worth[SPEED])
        return "speed is not graded in this step";
    if (is_on(grade, "cpu") && grade->worth[PREDICTED])
        return grade_prediction(grade);
    if (is_on(grade, "cpu"))
        return "speed is not measured on the cpu device, and left out of the maximum";
    if (!grade->own->timed)
        return "speed is left out of the maximum: this project's own version was not timed";
    if (is_right(grade) && isnan(grade->ratio))
        return "speed is left out of the maximum: there is no time of this project's own version "
               "on the same GPU and input to compare it with";
    const char *nothing = begin_speed(grade);
    if (*nothing)
        return nothing;
    earn_speed(grade, grade->ratio);
    return say("%s of %s for speed: %s times our %s %s", points(grade->speed),
               points(grade->speed_max), times(grade->ratio),
               grade->worth[LATENCY] ? "latency" : "time", bounds_in_words(grade));
}

void grade_step(struct grade *grade) {
    grade->ratio = NAN;
    grade->left_out = why_left_out(grade);
    grade->pending = *grade->left_out ? "" : why_pending(grade);
    if (*grade->left_out)
        grade->how = say("left out of the maximum: %s", grade->left_out);
    else if (*grade->pending) {
        grade->correct_max = grade->worth[CORRECT];
        grade->speed_max = has_time(grade) ? grade->worth[SPEED] : 0;
        grade->idea_max = has_idea(grade) ? grade->worth[IDEA] : 0;
        grade->how = say("nothing yet: %s; the total is not final", grade->pending);
    } else {
        if (grade->ours)
            grade->ratio = ratio_of(in_rows(measured(grade, grade->row)),
                                    in_rows(measured(grade, grade->ours)));
        const char *answer = grade_answer(grade), *idea = grade_idea(grade);
        grade->how = say("%s; %s%s", answer, idea, grade_speed(grade));
    }
    if (*grade->left_out || *grade->pending)
        grade->ours = NULL; /* compared with nothing */
}
