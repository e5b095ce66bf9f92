/* report/one-step: the record of one step for the person who works on it. */
#include "one_step.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "chosen.h"
#include "ladder.h"
#include "lib/counters.h"
#include "lib/hazards.h"
#include "lib/idea.h"
#include "lib/steps.h"
#include "results.h"
#include "views.h"

struct look {
    struct page *page;
    const char *step, *make; /* its name, and what make knows it by */
    const char *file, *log;  /* this run's; no file: of all records the newest is looked at */
    struct rows own;
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
    return is_step(row) && same(row->r.step, step) &&
           (*look->file ? !same(row->file, look->file) : is_older(row, look->now));
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

/* ---- the verdict ------------------------------------------------------------------------------ */

static void tell(struct look *look, const char *text) {
    look->said += words_in(text);
    paragraph(look->page, text);
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
    if (now->success)
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
    if (!*advice ||
        (same(hazard->kind, "out-of-bounds") && !begins_with(advice, "The index is") &&
         !begins_with(advice, "There is no array") && !begins_with(advice, "An extern")))
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
    tell(look, say("%s: %s%s", coloured(word, colour_of(now)),
                   names_hazard ? first_hazard(now) : verdict_of(word)->meaning, since_last(look)));
    if (passed && lacks_idea(now))
        paragraph(page, say("%s%s %s.", coloured("The step's idea is missing: ", YELLOW),
                            look->make, now->idea));
    if (!names_hazard && !passed && !has_verdict(now, "build-failed") && *now->r.detail)
        tell(look, now->r.detail);
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

/* The size of an image is told where it is not that of the record; that of other inputs always. */
static const char *odd_size(const struct row *now) {
    const struct counted_fields *counted = now->r.counted;
    const char *size = say("%s x %s", plain_number(now->r.rows), plain_number(now->r.columns));
    if (isnan(counted->rows) || (counted->columns != 1 && same(predicted_size(now), size)))
        return "";
    return say(", %s", size_in_words(counted->rows, counted->columns));
}

static void put_time(const struct look *look) {
    const struct row *now = look->now;
    if (isnan(now->us)) {
        const char *time =
            look->brief ? predicted_briefly(now) : say("%s; not measured", predicted_of_row(now));
        paragraph(look->page, where_known(now->predicted_us,
                                          say("predicted for %s%s: %s", a_gpu(now->r.predicted_gpu),
                                              odd_size(now), time)));
        return;
    }
    paragraph(look->page, measured_in_words(now, look->brief));
    paragraph(look->page, latency_in_words(now));
    if (!isnan(now->joules) && !look->brief)
        paragraph(look->page,
                  say("%s mJ a call: the GPU draws %s W%s", significant(1000 * now->joules, 4),
                      significant(now->watts, 3),
                      where_known(now->idle_watts, say(", and %s W where nothing runs",
                                                       significant(now->idle_watts, 3)))));
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

/* "10.0 times as fast as your opt04; 25 % faster than your last attempt" */
static const char *changes_in_words(const struct look *look) {
    const char *name = step_header(look->step, "builds-on");
    const struct row *before = newest(look, name, true), *last = newest(look, look->step, true);
    const char *against = last ? say("%s your last attempt%s", compared(look, last),
                                     has_passed(look->last) ? "" : " that passed")
                               : "";
    if (!before)
        return against;
    return say("%s your %s%s%s", compared(look, before), short_name(name), last ? "; " : "",
               against);
}

static void put_speed(const struct look *look) {
    const struct row *now = look->now;
    put_time(look);
    if (has_passed(now))
        paragraph(look->page, where_known(time_of(look, now), changes_in_words(look)));
    if (!isnan(now->us))
        put_origin(look);
    if (!has_passed(now) || look->brief)
        return;
    if (!is_cpu(now) && *now->r.notes)
        paragraph(look->page, say("note: %s", now->r.notes));
    if (now->r.has_unchecked)
        paragraph(look->page,
                  say("not checked for races: line %s. Only the graded size gets there, and "
                      "checks of such sizes would take too long",
                      now->r.unchecked));
}

/* ---- how far the student is, and what to type next ------------------------------------------------ */

static const char *next_of(const struct look *look, const struct progress *progress) {
    const struct row *now = look->now;
    const char *make = look->make, *source = step_source(look->step);
    if (has_verdict(now, "not-started"))
        return *now->r.detail
                   ? say("Next: change what the task in labs/%s/step.md asks for, then: make %s",
                         look->step, make)
                   : say("Next: read the task at the top of %s, write what is marked TODO, then: "
                         "make %s",
                         source, make);
    if (has_verdict(now, "harness-error"))
        return "Next: make doctor";
    if (!has_passed(now))
        return say("Edit %s, then: make %s", source, make);
    return lacks_idea(now) ? "Next: find where the idea is missing"
                           : say("Next: %s", goal_of(next_step(progress, look->step)));
}

/* What else there is to type. */
static const char *more_of(const struct look *look) {
    const char *make = look->make, *before = step_header(look->step, "builds-on");
    bool has_before = *before && !same(before, "none");
    if (look->brief)
        return has_passed(look->now) ? say("More: make why-%s, make profile-%s", make, make)
                                     : say("More: make why-%s", make);
    return say("Also: make watch-%s (at each save), %s%s%smake access-%s (which thread reads "
               "what), make profile-%s (what each line costs)",
               make, has_before ? "make diff-" : "", has_before ? make : "",
               has_before ? " (what changes from the step before), " : "", make, make);
}

/* ---- ten lines for a pass ----------------------------------------------------------------------- */

/* Few blocks leave multiprocessors idle, and blocks of less than a warp leave lanes. Else "". */
static const char *idle_advice(const struct row *now) {
    enum { WARP = 32 };
    const char *gpu = now->r.predicted_gpu, *limit = now->r.predicted_limit;
    double all = gpu_fact(gpu, "multiprocessors");
    const struct launches_fields *most = NULL; /* that which reads most */
    foreach_object (launches, launch, now->r.launches)
        if (!most || launch->read_bytes > most->read_bytes)
            most = launch;
    if (most && is_one_of(limit, "latency dram") && most->blocks < all / 2)
        return say("more %s in %s: %.15g of %s's %.15g multiprocessors idle",
                   most->blocks * most->threads < WARP ? "threads" : "blocks",
                   launch_name(most->kernel), all - most->blocks, a_gpu(gpu), all);
    if (most && !same(limit, "launches") && most->threads < WARP)
        return say("at least %d threads a block in %s: %.15g of each warp's %d lanes idle", WARP,
                   launch_name(most->kernel), WARP - most->threads, WARP);
    return "";
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
    foreach_object (hazards, hazard, now->r.hazards) /* else put_remarks has told them */
        if (look->brief && hazard->places.count && !begins_with(hazard_remedy(hazard), "Nothing"))
            return say("line %.0f: %s", ((const struct places_fields *)hazard->places.item)->line,
                       hazard_remedy(hazard));
    if (!isnan(now->us))
        return say("make profile-%s shows where the time goes", look->make);
    return advice_of_counters(look);
}

/* ---- the page --------------------------------------------------------------------------------- */

/* A grading that was stopped can leave half a line behind. */
static void read_own(struct look *look, char **earlier, int count) {
    look->own = (struct rows){.all = true, .flagged = true, .skip_broken = true};
    for (int i = 0; i < count; i++)
        read_rows(&look->own, earlier[i]);
    if (*look->file)
        read_rows(&look->own, look->file);
    finish_rows(&look->own);
    foreach (row, &look->own)
        if (is_step(row) && same(row->r.step, look->step) &&
            (*look->file ? same(row->file, look->file) : !is_older(row, look->now)))
            look->now = row;
    if (!*look->file && look->now) /* logs stand beside records */
        look->log = beside(look->now->file, say("logs/%s.log", look->step));
}

static void put_page(struct look *look) {
    struct page *page = look->page;
    const struct row *now = look->now;
    struct progress progress = read_progress(&look->own);
    bool passed = has_passed(now);
    put_verdict(look);
    if (!has_verdict(now, "build-failed"))
        put_warnings(page, look->log, look->step, look->brief ? 1 : 3);
    put_speed(look);
    put_printed(page, lines_of_file(look->log), look->log, passed);
    if (passed && !look->brief)
        put_remarks(page, now);
    if (!passed || !look->brief)
        blank_line(page);
    if (is_one_of(now->r.verdict, "pass not-started") && ladder_of(&progress, look->step))
        preformatted(page, progress_of(ladder_of(&progress, look->step)));
    page->margin = "";
    const char *advice = passed ? try_next(look) : "";
    paragraph(page, *advice ? say("To try: %s", advice) : "");
    paragraph(page, next_of(look, &progress));
    paragraph(page, more_of(look));
}

/* STEP, this run's records, then those of former gradings, the oldest first. --brief: ten lines.
 * --newest: STEP, and records of which the newest is this run's. */
int view_one_step(int count, char **words) {
    bool brief = take_option("brief", &count, &words),
         newest_of_all = take_option("newest", &count, &words);
    if (count < 2)
        return 2;
    struct look look = {.step = words[0],
                        .make = short_name(words[0]),
                        .file = newest_of_all ? "" : words[1],
                        .log = setting("LOG"),
                        .page = new_page(),
                        .brief = brief};
    read_own(&look, words + 2 - newest_of_all, count - 2 + newest_of_all);
    if (!look.now) {
        fprintf(stderr,
                "one-step: %s has no record of the step %s; report/rows tells whether one of its "
                "lines is broken\n",
                printable(look.file), printable(look.step));
        return 2;
    }
    look.last = newest(&look, look.step, false);
    look.page->columns = 78; /* make watch puts two more before a line */
    look.page->colour = shows_colour();
    put_page(&look);
    write_page(look.page, TEXT_PAGE, stdout);
    return 0;
}
