/* report/one-step: the record of one step for the person who works on it. */
#include "one_step.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "ladder.h"
#include "lib/counters.h"
#include "lib/hazards.h"
#include "lib/steps.h"
#include "views.h"

struct look {
    struct page *page;
    const char *step, *make; /* its name, and what make knows it by */
    const char *file, *log;  /* this run's */
    struct rows recorded, own;
    const struct row *now, *last; /* this run, and the one before on the same device and input */
    bool brief;                   /* what fits ten lines and 70 words */
    size_t said;                  /* words of the verdict so far */
};

enum { MOST_WORDS = 70, WORDS_AT_THE_END = 8 }; /* "Edit FILE, then: make opt05. More: ..." */

static const char inner[] = "    ";

static bool has_passed(const struct row *row) { return row && has_verdict(row, "pass"); }

/* ---- what it is compared with ------------------------------------------------------------------- */

/* On the cpu device times are predicted. */
static double time_of(const struct look *look, const struct row *row) {
    return is_cpu(look->now) ? row->predicted_us : row->us;
}

static bool is_earlier(const struct look *look, const struct row *row, const char *step) {
    return is_step(row) && same(row->r.step, step) && !same(row->file, look->file);
}

/* The newest of the runs before this one, or of those that have passed and have a time; NULL for
 * none. Of another step only what its file holds now: an experiment that was undone is nothing to
 * compare with. */
static const struct row *newest(const struct look *look, const char *step, bool passed) {
    bool predicted = passed && is_cpu(look->now);
    const char *place = kind_of_time(look->now, predicted);
    const struct row *best = NULL;
    foreach (row, &look->own)
        if (is_earlier(look, row, step) && same(row->r.submission, look->now->r.submission) &&
            same(kind_of_time(row, predicted), place) &&
            (!passed || (has_passed(row) && !isnan(time_of(look, row)))) && !is_older(row, best) &&
            (same(step, look->step) || is_of_this_source(row)))
            best = row;
    return best;
}

/* What a GPU recorded of a step; NULL for nothing. */
static const struct row *recorded(const struct look *look, const char *step) {
    const char *input = key_of(look->now, "problem input");
    const struct row *best = NULL;
    foreach (row, &look->recorded)
        if (is_earlier(look, row, step) && !isnan(row->us) &&
            same(key_of(row, "problem input"), input) && is_shown_rather(row, best, look->now))
            best = row;
    return best;
}

/* ---- the verdict ------------------------------------------------------------------------------ */

/* "check (edges, 47 x 1301): call 0, ..." */
static bool failed_in_check(const struct row *row) {
    const char *comma = strchr(row->r.detail, ',');
    return !is_one_of(row->r.verdict, "pass harness-error") &&
           begins_with(row->r.detail, "check (") && comma && comma[1] == ' ';
}

static void tell(struct look *look, const char *text) {
    look->said += words_in(text);
    paragraph(look->page, text);
}

/* The words of a failed check, for those who meet them for the first time: where the step failed in
 * the check this time, and not in its last run. */
static void put_words(struct look *look) {
    if (!failed_in_check(look->now) || (look->last && failed_in_check(look->last)))
        return;
    const char *input = look->now->r.detail + strlen("check (");
    tell(look,
         say("The check is a small test before the large input, and %.*s is its input. A call "
             "is one execution of %s().",
             (int)strcspn(input, ","), input, look->now->r.problem));
}

/* Only what has changed is news. */
static const char *since_last(const struct look *look) {
    const char *verdict = look->now->r.verdict;
    if (!look->last || has_verdict(look->last, verdict) || same(verdict, "harness-error"))
        return "";
    return say(" (your last attempt: %s)", look->last->r.verdict);
}

/* The diagnosis. Where there is none, what to do about such a verdict; a wrong output speaks for
 * itself. A brief answer has as much of a long one as people read, and room for what comes next. */
static void put_failure(struct look *look) {
    const size_t most = MOST_WORDS - WORDS_AT_THE_END;
    const struct row *now = look->now;
    const char *verdict = now->r.verdict, *reason = now->r.diagnosis;
    if (now->success && !failed_in_check(now)) /* which is small: there it may have other reasons */
        paragraph(look->page, "This step is there to show it: see its step.md.");
    if (look->brief && (same(verdict, "hazard") || (same(verdict, "build-failed") && !*reason)))
        return; /* its lines, or the compiler's, have said it */
    if (!*reason && !is_one_of(verdict, "wrong not-started") && !now->success)
        reason = verdict_advice_for(verdict, look->make, is_cpu(now));
    if (*reason)
        blank_line(look->page);
    if (look->brief)
        reason = first_sentences(reason, look->said < most ? most - look->said : 0);
    paragraph(look->page, reason);
}

/* ---- hazards ---------------------------------------------------------------------------------- */

/* Of the first hazard, what its note adds to its title: its array's size, or what of it is set. */
static const char *size_of_array(const struct hazards_fields *hazard) {
    if (same(hazard->kind, "uninitialized") && *hazard->note)
        return say("%s: %s.", hazard->array, hazard->note);
    return same(hazard->kind, "out-of-bounds") &&
                   (strstr(hazard->note, " element") || strstr(hazard->note, " null"))
               ? say("%s.", hazard->note)
               : "";
}

/* What the judge says of it, without what its kind is. */
static const char *advice_of(const struct row *now) {
    const struct hazards_fields *hazard = now->r.hazards.item;
    const char *meaning = hazard_meaning(hazard), *advice = now->r.diagnosis;
    if (!*advice || (same(hazard->kind, "out-of-bounds") && !begins_with(advice, "The index is") &&
                     !begins_with(advice, "There is no array")))
        return hazard_remedy(hazard);
    if (begins_with(advice, meaning))
        advice += strlen(meaning) + (advice[strlen(meaning)] == ' ');
    return advice;
}

/* The lines of the first hazard, each with who did what there, and in a brief answer what mends it.
 * A line of the source stands below its place where there is room for it. */
static void put_places(struct look *look) {
    struct page *page = look->page;
    const struct hazards_fields *hazard = look->now->r.hazards.item;
    if (!look->now->r.hazards.count)
        return;
    const char *remedy = look->brief ? advice_of(look->now) : "";
    const char *note = look->brief ? size_of_array(hazard) : "";
    long least = words_in(first_sentences(remedy, 0)), left = LONG_MAX;
    if (look->brief)
        left = MOST_WORDS - WORDS_AT_THE_END - (long)look->said - least - (long)words_in(note);
    foreach_object (places, place, hazard->places)
        left -= look->brief ? words_in(hazard_place(place)) : 0;
    blank_line(page);
    foreach_object (places, place, hazard->places) {
        long words = words_in(clip(place->source, page->columns - 2 * width(inner)));
        bool with_source = words <= left;
        left -= with_source ? words : 0;
        put_place(page, place, with_source);
    }
    paragraph(page, note);
    paragraph(page, first_sentences(remedy, left + least > 0 ? left + least : 0));
}

/* A line for each, and where to read more. */
static void put_other_faults(struct page *page, const struct row *now) {
    blank_line(page);
    if (now->faults > 1)
        paragraph(page, say("and %.0f more%s:", now->faults - 1,
                            where_known(now->r.more_hazards, ", and others that were not kept")));
    foreach_object (hazards, hazard, now->r.hazards)
        if (hazard != now->r.hazards.item && same(hazard->severity, "fault"))
            paragraph(page, hazard_in_short(hazard));
    paragraph(page, "How to read a hazard: guides/hazards.md");
}

static void put_remarks(struct page *page, const struct row *now) {
    enum { MOST_REMARKS = 3 };
    int shown = 0;
    foreach_object (hazards, hazard, now->r.hazards)
        if (same(hazard->severity, "remark") && shown < MOST_REMARKS) {
            shown++;
            paragraph(page, say("remark: %s. %s", hazard_in_short(hazard), hazard_remedy(hazard)));
        }
    if (now->remarks > shown)
        paragraph(page, say("and %.0f more", now->remarks - shown));
}

/* "race-in-block on partial[17] (and 2 more)" */
static const char *first_hazard(const struct row *now) {
    const char *least = where_known(now->r.more_hazards, "at least ");
    return say("%s%s", hazard_title(now->r.hazards.item),
               now->faults > 1 ? say(" (and %s%.0f more)", least, now->faults - 1) : "");
}

static void put_verdict(struct look *look) {
    struct page *page = look->page;
    const struct row *now = look->now;
    const char *word = now->r.verdict, *title = step_header(look->step, "title");
    bool passed = has_passed(now), hazard = has_verdict(now, "hazard");
    bool names_hazard = hazard && look->brief && now->r.hazards.count;
    if (has_verdict(now, "build-failed"))
        put_errors(page, lines_of_file(look->log), look->log, now->r.detail);
    tell(look, say("%s%s%s", strong(look->step), *title ? ": " : "", title));
    page->margin = inner;
    if (!look->brief && !*now->r.submission && !is_of_this_source(now))
        paragraph(page, say("The file has changed since: make %s", look->make));
    enum colour colour = passed                                                 ? GREEN
                         : is_one_of(word, "flagged harness-error not-started") ? YELLOW
                                                                                : RED;
    tell(look, say("%s: %s%s", coloured(word, colour),
                   names_hazard ? first_hazard(now) : verdict_of(word)->meaning, since_last(look)));
    if (passed && lacks_idea(now))
        paragraph(page, say("%s%s %s.", coloured("The step's idea is missing: ", YELLOW),
                            look->make, now->idea));
    if (!names_hazard && !passed && !has_verdict(now, "build-failed") && *now->r.detail)
        tell(look, now->r.detail);
    if (!look->brief)
        put_words(look);
    if (hazard)
        put_places(look);
    if (!passed)
        put_failure(look);
    else if (is_cpu(now) && isnan(now->predicted_us))
        paragraph(page,
                  "Speed is not measured: the cpu device is an emulation, and does not time.");
    if (hazard && !look->brief)
        put_other_faults(page, now);
}

/* ---- speed ------------------------------------------------------------------------------------ */

static void put_origin(const struct look *look) {
    const char *baselines = setting("BASELINES");
    if (*baselines)
        paragraph(look->page, say("roof and CPU thread: as measured here on %s; make grade "
                                  "measures them again",
                                  baselines));
}

/* "latency: 42.20 us, 63.7 % of the roof, 330 times as fast" */
static const char *latency_of(const struct row *now) {
    return where_known(
        now->synced_us,
        say("latency: %s us%s%s", significant(now->synced_us, 4),
            where_known(now->synced_fraction,
                        say(", %s %% of its roof", significant(100 * now->synced_fraction, 3))),
            where_known(now->synced_speedup,
                        say(", %s times as fast", significant(now->synced_speedup, 3)))));
}

/* "40.00 us a call (between 39.90 and 40.10), 25.0 % of the roof, 500 times as fast ..." */
static const char *measured_in_words(const struct row *now, bool brief) {
    struct text text = {0};
    add(&text, "%s us a call", significant(now->us, 4));
    if (!isnan(now->us_low) && !brief)
        add(&text, " (between %s and %s)", significant(now->us_low, 4),
            significant(now->us_high, 4));
    if (!isnan(now->r.gbps) && !brief)
        add(&text, ", %s GB/s", significant(now->r.gbps, 4));
    if (!isnan(now->r.roof_fraction))
        add(&text, "%s %s %% of the roof%s", brief ? ":" : ",",
            significant(100 * now->r.roof_fraction, 3),
            brief ? "" : " (the fastest read measured)");
    if (!isnan(now->speedup))
        add(&text, ", %s times as fast as one CPU thread", significant(now->speedup, 3));
    return text.bytes;
}

static void put_measured(const struct look *look) {
    const struct row *now = look->now;
    paragraph(look->page, measured_in_words(now, false));
    paragraph(look->page, latency_of(now));
    if (!isnan(now->joules))
        paragraph(look->page,
                  say("%s mJ a call: the GPU draws %s W%s", significant(1000 * now->joules, 4),
                      significant(now->watts, 3),
                      where_known(now->idle_watts, say(", and %s W where nothing runs",
                                                       significant(now->idle_watts, 3)))));
    put_origin(look);
}

/* The size of an image is told where it is not that of the record, or what a GPU recorded of the
 * step is of another one; that of other inputs always, since a brief answer reads nothing recorded.
 */
static const char *odd_size(const struct look *look) {
    const struct counted_fields *counted = look->now->r.counted;
    const struct row *usual = recorded(look, look->step);
    usual = usual ? usual : look->now;
    const char *size = say("%s x %s", plain_number(usual->r.rows), plain_number(usual->r.columns));
    if (isnan(counted->rows) || (counted->columns != 1 && same(predicted_size(look->now), size)))
        return "";
    return say(", %s", size_in_words(counted->rows, counted->columns));
}

static void put_prediction(const struct look *look) {
    const struct row *now = look->now;
    if (!isnan(now->predicted_us))
        paragraph(look->page,
                  say("predicted for %s%s: %s; not measured", a_gpu(now->r.predicted_gpu),
                      odd_size(look), predicted_of_row(now)));
}

/* Whether the difference from the step's own last attempt may be chance. */
static bool overlaps(const struct look *look, const struct row *last) {
    const struct row *now = look->now;
    return !is_cpu(now) && same(last->r.step, now->r.step) && now->us_low <= last->us_high &&
           last->us_low <= now->us_high;
}

/* This run against another: "12 % faster than", "3.4 times as fast as". Predicted times do not
 * spread: where they are the same, nothing has changed. Less than 5 % of one says no direction. */
static const char *compared(const struct look *look, const struct row *other) {
    double ratio = ratio_of(time_of(look, other), time_of(look, look->now));
    if (overlaps(look, other) || (is_cpu(look->now) && ratio > 0.99 && ratio < 1.01))
        return "as fast as";
    if (is_cpu(look->now) && ratio > 0.95 && ratio < 1.05)
        return "about as fast as";
    return ratio >= 2    ? say("%s times as fast as", significant(ratio, 3))
           : ratio >= 1  ? say("%s %% faster than", significant(100 * (ratio - 1), 2))
           : ratio > 0.5 ? say("%s %% slower than", significant(100 * (1 / ratio - 1), 2))
                         : say("%s times slower than", significant(1 / ratio, 3));
}

/* "40.00 us on 2026-11-03 09:30 UTC", of 2026-11-03T09:30:15Z. */
static const char *time_and_day(const struct look *look, const struct row *row) {
    bool predicted = is_cpu(look->now), whole = strlen(row->r.when) == 20;
    const char *day = whole ? say("%.10s %.5s UTC", row->r.when, row->r.when + 11) : row->r.when;
    return say("%s%s us%s%s", predicted ? "predicted " : "",
               significant(time_of(look, row), predicted ? 3 : 4), *day ? " on " : "", day);
}

static const char *against_own(const struct look *look, const struct row *before) {
    return say("%s your last attempt%s", compared(look, before),
               has_passed(look->last) ? "" : " that passed");
}

static void against_last(const struct look *look) {
    const struct row *before = newest(look, look->step, true);
    if (!before)
        return;
    paragraph(look->page, say("%s, %s%s", against_own(look, before), time_and_day(look, before),
                              overlaps(look, before) ? ": the difference may be chance" : ""));
}

/* Another GPU's time says nothing of this one's; shares of each one's own roof can be compared. */
static void against_recorded(const struct look *look, const char *name, const struct row *before) {
    double share = 100 * look->now->r.roof_fraction, other = 100 * before->r.roof_fraction;
    const char *device = before->device.name;
    if (same(device, look->now->device.name))
        paragraph(look->page, say("%s %s as recorded on another %s: %s us", compared(look, before),
                                  name, device, significant(before->us, 4)));
    else if (!isnan(share) && !isnan(other))
        paragraph(look->page, say("%s %% of this GPU's roof; %s has %s %% of the roof of an %s, "
                                  "as recorded there",
                                  significant(share, 3), name, significant(other, 3), device));
}

static void against_before(const struct look *look) {
    const char *name = step_header(look->step, "builds-on");
    const struct row *before = newest(look, name, true);
    if (before)
        paragraph(look->page,
                  say("%s your %s, %s", compared(look, before), name, time_and_day(look, before)));
    else if (!is_cpu(look->now) && (before = recorded(look, name)))
        against_recorded(look, name, before);
}

static void put_speed(const struct look *look) {
    const struct row *now = look->now;
    if (!isnan(now->us))
        put_measured(look);
    else
        put_prediction(look);
    if (!has_passed(now) || isnan(time_of(look, now)))
        return;
    against_last(look);
    against_before(look);
    if (!is_cpu(now) && *now->r.notes)
        paragraph(look->page, say("note: %s", now->r.notes));
    if (now->r.has_unchecked)
        paragraph(look->page,
                  say("not checked for races: line %s. Only the graded size gets there, and "
                      "checks of such sizes would take too long",
                      now->r.unchecked));
}

/* ---- how far the student is, and what to type next ------------------------------------------------ */

static void put_progress(const struct look *look, const struct progress *progress) {
    const struct ladder *ladder = ladder_of(progress, look->step);
    if (ladder && is_one_of(look->now->r.verdict, "pass not-started"))
        preformatted(look->page, progress_of(ladder));
}

/* ", make diff-opt05 (what changes from the step before)" where `is` says that there is one. */
static const char *choice(bool is, const char *command, const char *make, const char *what) {
    return is ? say(", make %s%s (%s)", command, make, what) : "";
}

static const char *profile_of(const struct look *look) {
    bool measured = same(look->now->device.kind, "gpu");
    return choice(measured || look->now->r.launches.count, "profile-", look->make,
                  measured ? "where the time goes"
                           : "what each line costs; see guides/counters.md");
}

static const char *diff_of(const struct look *look) {
    const char *before = step_header(look->step, "builds-on");
    return choice(*before && !same(before, "none"), "diff-", look->make,
                  "what changes from the step before");
}

static const char *next_after_pass(const struct look *look, const struct progress *progress) {
    return say("Next: %s. Or: %s", goal_of(next_step(progress, look->step)),
               say("%s, make ladder (your steps so far)", profile_of(look)) + 2);
}

static const char *next_after_failure(const struct look *look) {
    const struct row *now = look->now;
    if (look->brief)
        return say("Edit %s, then: make %s. More: make why-%s", step_source(look->step), look->make,
                   look->make);
    /* Elements that are missed, or used more than once: a picture shows those. */
    const char *why = now->r.diagnosis;
    bool tells_elements =
        has_verdict(now, "wrong") && (strstr(why, "left out") || strstr(why, " used") ||
                                      (strstr(why, " read") && !strstr(why, "read once")));
    const char *others = say(
        "%s%s%s", choice(tells_elements, "access-", look->make, "which thread reads which element"),
        choice(true, "watch-", look->make, "at each save"),
        has_verdict(now, "build-failed") ? "" : diff_of(look));
    return say("Edit %s, then: make %s. Or: %s", step_source(look->step), look->make, others + 2);
}

static const char *next_of(const struct look *look, const struct progress *progress) {
    const char *verdict = look->now->r.verdict;
    if (same(verdict, "not-started"))
        return *look->now->r.detail
                   ? say("Next: change what the task in labs/%s/step.md asks for, then: make %s",
                         look->step, look->make)
                   : say("Next: read the task at the top of %s, write what is marked TODO, then: "
                         "make %s",
                         step_source(look->step), look->make);
    if (same(verdict, "harness-error"))
        return "Next: make doctor";
    if (!has_passed(look->now))
        return next_after_failure(look);
    if (lacks_idea(look->now))
        return say(
            "Next: find where the idea is missing: make access-%s (which thread reads what)%s%s",
            look->make, profile_of(look), diff_of(look));
    return next_after_pass(look, progress);
}

/* ---- ten lines for a pass ----------------------------------------------------------------------- */

/* "40.0 us a call: 25.0 % of the roof, 500 times as fast as one CPU thread" */
static const char *time_in_brief(const struct look *look) {
    const struct row *now = look->now;
    if (!isnan(now->us))
        return measured_in_words(now, true);
    return where_known(now->predicted_us, say("predicted for %s%s: %s", a_gpu(now->r.predicted_gpu),
                                              odd_size(look), predicted_briefly(now)));
}

/* "10.0 times as fast as your opt04; 25 % faster than your last attempt" */
static const char *changes_in_brief(const struct look *look) {
    const char *name = step_header(look->step, "builds-on");
    const struct row *before = newest(look, name, true), *last = newest(look, look->step, true);
    const char *against = last ? against_own(look, last) : "";
    if (!before)
        return against;
    return say("%s your %s%s%s", compared(look, before), short_name(name), last ? "; " : "",
               against);
}

/* What waits is few blocks: most multiprocessors have none. Else "". */
static const char *idle_advice(const struct row *now) {
    const char *gpu = now->r.predicted_gpu;
    double all = gpu_fact(gpu, "multiprocessors");
    struct counted counted = sum_up(now->r.launches, now->r.accesses, gpu);
    if (!counted.kernels || !is_one_of(now->r.predicted_limit, "latency dram"))
        return "";
    const struct launches_fields *launch = counted.kernel[0]->largest; /* of the costliest */
    if (!(launch->blocks < all / 2))
        return "";
    return say("more %s in %s: %.15g of %s's %.15g multiprocessors idle",
               launch->blocks * launch->threads < 32 ? "threads" : "blocks",
               counted.kernel[0]->name, all - launch->blocks, a_gpu(gpu), all);
}

/* By what limits the predicted time. */
static const char *advice_of_counters(const struct look *look) {
    enum { NEAR = 90 };
    const struct row *now = look->now;
    const struct launches_fields *launch = now->r.launches.item;
    const char *limit = now->r.predicted_limit, *idle = idle_advice(now);
    if (*idle)
        return idle;
    if (same(limit, "launches") && now->r.launches.count == 1 && launch->op == 0)
        return say("a larger input: this one takes no longer than its launch. make profile-%s "
                   "counts the full size",
                   look->make);
    if (same(limit, "dram") && 100 * predicted_roof(now) < NEAR)
        return "fewer launches, or ones that overlap: while they begin and end, DRAM waits";
    return unit_of(limit).advice;
}

/* One thing: what the checks remark, else what the counters say. */
static const char *try_next(const struct look *look) {
    const struct row *now = look->now;
    foreach_object (hazards, hazard, now->r.hazards)
        if (hazard->places.count && !begins_with(hazard_remedy(hazard), "Nothing"))
            return say("line %.0f: %s", ((const struct places_fields *)hazard->places.item)->line,
                       hazard_remedy(hazard));
    if (!isnan(now->us))
        return say("make profile-%s shows where the time goes", look->make);
    return advice_of_counters(look);
}

static void put_brief_pass(struct look *look, const struct progress *progress) {
    struct page *page = look->page;
    const char *advice = try_next(look);
    paragraph(page, time_in_brief(look));
    paragraph(page, latency_of(look->now));
    paragraph(page, where_known(time_of(look, look->now), changes_in_brief(look)));
    put_origin(look);
    put_printed(page, lines_of_file(look->log), look->log, true);
    put_progress(look, progress);
    page->margin = "";
    paragraph(page, *advice ? say("To try: %s", advice) : "");
    paragraph(page,
              say("Next: %s", lacks_idea(look->now) ? "find where the idea is missing"
                                                    : goal_of(next_step(progress, look->step))));
    paragraph(page, say("More: make why-%s, make profile-%s", look->make, look->make));
}

/* ---- the page --------------------------------------------------------------------------------- */

static void read_recorded(struct look *look) {
    glob_t found = {0};
    look->recorded = (struct rows){.all = true, .skip_broken = true};
    glob("report/recorded/*.jsonl.gz", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        read_rows(&look->recorded, say("%s", found.gl_pathv[i]));
    globfree(&found);
    finish_rows(&look->recorded);
}

/* A grading that was stopped can leave half a line behind. */
static void read_own(struct look *look, char **earlier, int count) {
    look->own = (struct rows){.all = true, .flagged = true, .skip_broken = true};
    for (int i = 0; i < count; i++)
        read_rows(&look->own, earlier[i]);
    read_rows(&look->own, look->file);
    finish_rows(&look->own);
    foreach (row, &look->own)
        if (is_step(row) && same(row->file, look->file) && same(row->r.step, look->step))
            look->now = row;
}

static void put_page(struct look *look) {
    struct page *page = look->page;
    put_verdict(look);
    if (!has_verdict(look->now, "build-failed"))
        put_warnings(page, look->log, look->step, look->brief ? 1 : 3);
    struct progress progress = read_progress(&look->own);
    if (look->brief && has_passed(look->now)) {
        put_brief_pass(look, &progress);
        return;
    }
    put_printed(page, lines_of_file(look->log), look->log, has_passed(look->now));
    put_speed(look);
    if (has_passed(look->now)) {
        put_remarks(page, look->now);
        put_counters(page, look->now);
    }
    blank_line(page);
    put_progress(look, &progress);
    page->margin = "";
    paragraph(page, next_of(look, &progress));
}

/* STEP, this run's records, then those of former gradings, the oldest first. --brief: ten lines. */
int view_one_step(int count, char **words) {
    bool brief = take_option("brief", &count, &words);
    if (count < 2)
        return 2;
    struct look look = {.step = words[0],
                        .make = short_name(words[0]),
                        .file = words[1],
                        .log = setting("LOG"),
                        .page = new_page(),
                        .brief = brief};
    read_own(&look, words + 2, count - 2);
    if (!look.now) {
        fprintf(stderr,
                "one-step: %s has no record of the step %s; report/rows tells whether one of its "
                "lines is broken\n",
                printable(look.file), printable(look.step));
        return 2;
    }
    /* Only times are compared. */
    if (!look.brief && (!isnan(look.now->us) || !isnan(look.now->predicted_us)))
        read_recorded(&look);
    look.last = newest(&look, look.step, false);
    look.page->columns = 78; /* make watch puts two more before a line */
    look.page->colour = shows_colour();
    put_page(&look);
    write_page(look.page, TEXT_PAGE, stdout);
    return 0;
}
