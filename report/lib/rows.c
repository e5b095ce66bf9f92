#include "rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "idea.h"
#include "sha256.h"
#include "steps.h"

/* MOST_LINE: bytes, since a line may be a stranger's, and its tree takes up to 40 times as much. */
enum { MOST_NAMED = 10, MOST_LINE = 1 << 20 };

/* ---- reading ---------------------------------------------------------------------------------- */

static void complain(struct rows *rows, const char *what) {
    rows->status = rows->skip_broken ? 0 : 2;
    if (!rows->quiet)
        fprintf(stderr, "%s\n", printable(what));
}

static void name_broken(struct rows *rows, const char *what) {
    if (++rows->broken <= MOST_NAMED)
        complain(rows, what);
}

static const char *same_size(const struct rows *rows) {
    return rows->newest ? " rows columns predicted_gpu" : "";
}

/* Where the same was graded twice, the later record counts, in the earlier one's place. */
static void choose_latest(struct rows *rows, struct row *row) {
    const char *columns = say("submission step kind problem input device%s", same_size(rows));
    size_t *at =
        found(&rows->latest, key_of(row, columns), sizeof *at); /* one more than its place */
    struct row *before = *at ? rows->row[*at - 1] : NULL;
    bool counts = !before || !rows->newest || tells_more(row, before);
    row->counts = counts;
    if (before && counts)
        before->counts = false;
    if (before && !rows->all) {
        if (counts)
            rows->row[*at - 1] = row;
        return;
    }
    append(rows->row, rows->count, row);
    if (counts)
        *at = rows->count;
}

/* What a record without a device, a build or counters has. */
static const struct record_fields *empty_record(void) {
    static struct record_fields record;
    static const char text[] = "{\"device\":{},\"build\":{},\"counted\":{}}";
    struct json_error error;
    if (!record.device)
        record_read(json_read(text, strlen(text), &error), &record);
    return &record;
}

static void count_hazards(struct row *row) {
    row->faults = row->remarks = row->r.hazards.item ? 0 : NAN;
    foreach_object (hazards, hazard, row->r.hazards) {
        row->faults += same(hazard->severity, "fault");
        row->remarks += same(hazard->severity, "remark");
    }
}

static void add_row(struct rows *rows, const struct record_fields *record, const char *file,
                    size_t line) {
    struct row *row = keep(sizeof *row);
    row->r = *record;
    row->device = *(record->device ? record->device : empty_record()->device);
    row->build = *(record->build ? record->build : empty_record()->build);
    row->counted = *(record->counted ? record->counted : empty_record()->counted);
    row->r.device = &row->device;
    row->r.build = &row->build;
    row->r.counted = &row->counted;
    row->r.kind = otherwise(record->kind, "step");
    row->r.intended = otherwise(record->intended, "pass");
    row->file = file;
    row->line = line;
    count_hazards(row);
    choose_latest(rows, row);
}

static const char *what_is_wrong(const struct record_fields *record) {
    const char *step = record->step, *problem = record->problem;
    if (!*step)
        return "it names no \"step\"";
    if (strchr(step, '/') || (*step && strspn(step, ".") == strlen(step)))
        return "\"step\" is no directory's name";
    while (isalnum((unsigned char)*problem) || *problem == '_')
        problem++;
    return *problem ? "\"problem\" is no function's name" : "";
}

/* The marks of page.h are ours: those in a record, which may be a stranger's, become another
 * control character. The tree is this reader's own. */
static void take_marks_out(const struct json *node) {
    if (json_kind_of(node) == JSON_TEXT)
        for (char *at = (char *)node->text; at < node->text + node->count; at++)
            *at = *at >= 1 && *at <= 8 ? 14 : *at;
    else
        for (size_t i = 0; i < json_count(node); i++)
            take_marks_out(json_item(node, i));
}

/* "", or what is wrong with the line, which ends with its line break unless the file ends before.
 */
static const char *read_record(const char *line, size_t length, struct record_fields *record) {
    struct json_error error = {length, "it has no line break"};
    if (length > MOST_LINE)
        return say("it is longer than %d bytes", MOST_LINE);
    bool is_whole = length && line[length - 1] == '\n';
    keep_aside(true);
    const struct json *root = is_whole ? json_read(line, length - 1, &error) : NULL;
    if (root)
        take_marks_out(root);
    keep_aside(false);
    const char *why = root ? record_read(root, record) : say("%s (byte %zu)", error.why, error.at);
    keep_drop();
    return *why ? why : what_is_wrong(record);
}

static void read_line(struct rows *rows, const char *line, size_t length, const char *path,
                      size_t number) {
    struct record_fields record;
    const char *why = read_record(line, length, &record);
    if (strstr(why, ", and this histolab "))
        name_broken(rows,
                    say("%s:%zu: %s.", path, number,
                        replaced(why + strlen("it is "), ". To do: ", ". It is passed over: ")));
    else if (*why && !rows->skip_broken)
        name_broken(rows, say("%s:%zu: not a record: %s; a line must be one JSON object as "
                              "report/README.md says. It is passed over: remove the line, or grade "
                              "again.",
                              path, number, why));
    if (*why)
        return;
    rows->records++;
    add_row(rows, &record, path, number);
}

void read_rows(struct rows *rows, const char *path) {
    bool packed;
    FILE *file = open_reading(path, &packed);
    char *line = NULL;
    size_t room = 0, before = rows->records + rows->broken;
    ssize_t length;
    for (size_t number = 1; file && (length = getline(&line, &room, file)) >= 0; number++)
        if (line[strspn(line, " \t\r\n")] || (size_t)length > strlen(line)) /* it is not blank */
            read_line(rows, line, length, path, number);
    free(line);
    if (file && !close_reading(file, packed))
        complain(rows, say("%s: '%s' cannot be unpacked whole", program(), path));
    if (rows->records + rows->broken == before && !rows->skip_broken)
        complain(
            rows,
            say("%s: '%s' holds no records. `make grade` writes some, and ./grade.sh of a class",
                program(), path));
}

/* ---- what one record leaves out and others know ------------------------------------------------- */

/* The first number where it says something; 0 does not. */
static double given(double number, double other) {
    bool says_something = number != 0 && !isnan(number);
    return says_something || isnan(other) || other == 0 ? number : other;
}

/* A step that failed before it ran (a compile error) may know no input and no device. */
static void fill_input(struct row *row, const struct row *other) {
    row->r.input = otherwise(row->r.input, other->r.input);
    row->r.rows = given(row->r.rows, other->r.rows);
    row->r.columns = given(row->r.columns, other->r.columns);
    row->r.bytes = given(row->r.bytes, other->r.bytes);
    row->r.written_bytes = given(row->r.written_bytes, other->r.written_bytes);
    row->r.iterations = given(row->r.iterations, other->r.iterations);
    row->device.kind = otherwise(row->device.kind, other->device.kind);
    row->device.name = otherwise(row->device.name, other->device.name);
}

/* A streaming read is measured before the roof is known, a baseline may not know the reference. */
static void fill_roof(struct row *row, const struct row *other) {
    row->reference = given(row->reference, other->reference);
    row->r.roof_gbps = given(row->r.roof_gbps, other->r.roof_gbps);
}

/* Gives a row what it lacks: what the first that knows it has, of those with the same `columns`. */
static void fill_from_others(struct rows *rows, const char *columns,
                             void (*fill)(struct row *row, const struct row *other)) {
    struct map map = {0};
    foreach (row, rows) {
        struct row **usual = (struct row **)find(&map, key_of(row, columns));
        if (!*usual)
            *usual = memcpy(keep(sizeof *row), row, sizeof *row);
        fill(*usual, row);
    }
    foreach (row, rows)
        fill(row, *find(&map, key_of(row, columns)));
}

static double for_1000_calls(const struct row *row, double seconds) {
    return ratio_of(seconds, row->r.iterations) * 1000;
}

static double us_a_call(const struct row *row, double seconds) {
    return for_1000_calls(row, seconds) * 1000;
}

/* Recorded results may come from several runs, each with a reference of its own. What stands in one
 * table or chart is held against one: that of the reference's own record, the latest. */
static void one_reference(struct rows *rows) {
    struct map latest = {0};
    const char *columns = say("submission problem device input%s", same_size(rows));
    foreach (row, rows)
        if (same(row->r.kind, "baseline") && begins_with(row->r.step, "reference"))
            *find(&latest, key_of(row, columns)) = row;
    foreach (row, rows) {
        const struct row *from = *find(&latest, key_of(row, columns));
        if (from)
            row->reference = from->reference;
    }
}

static void fill_gaps(struct rows *rows) {
    fill_from_others(rows, "submission problem", fill_input);
    foreach (row, rows)
        row->reference = for_1000_calls(row, row->r.reference_s);
    fill_from_others(rows, say("submission problem device input%s", same_size(rows)), fill_roof);
    one_reference(rows);
}

/* ---- what was measured ------------------------------------------------------------------------ */

/* Only a right answer has a speed, and no emulated time is ever shown as a GPU's. */
static bool has_speed(const struct rows *rows, const struct row *row) {
    return !is_cpu(row) &&
           (has_verdict(row, "pass") || (has_verdict(row, "flagged") && rows->flagged) ||
            (has_verdict(row, "") && !is_step(row)));
}

/* Seconds that the bytes of 1000 calls take at a bandwidth in GB/s. */
static double seconds_at(const struct row *row, double gbps) {
    return ratio_of(row->r.bytes, gbps) * 1e-6;
}

static void measure_speedups(struct row *row) {
    bool computes = !same(row->r.kind, "empty"); /* else it is no faster than anything */
    row->roof_speedup = ratio_of(row->reference, seconds_at(row, row->r.roof_gbps));
    row->spec_speedup = ratio_of(row->reference, seconds_at(row, row->device.spec_gbps));
    row->speedup = computes ? ratio_of(row->reference, row->seconds) : NAN;
}

static void measure_energy(struct row *row, bool has_time) {
    const struct energy_fields *energy = row->r.energy;
    bool known = energy && energy->joules != 0; /* no call takes no energy */
    row->joules = known && has_time ? energy->joules : NAN;
    row->watts = energy && has_time ? energy->watts : NAN;
    row->idle_watts = energy ? energy->idle_watts : NAN;
}

/* What a step's counters foretell of a GPU. It is no measured time, and nothing that is measured is
 * computed of it. */
static void predict(const struct rows *rows, struct row *row) {
    bool told = (is_step(row) || is_kernel(row)) &&
                (row->success || (has_verdict(row, "flagged") && rows->flagged));
    row->predicted_us = told ? us_a_call(row, row->r.predicted_s) : NAN;
    bool interval = !isnan(row->predicted_us);
    row->predicted_low_us = interval ? us_a_call(row, row->r.predicted_ci90_s[0]) : NAN;
    row->predicted_high_us = interval ? us_a_call(row, row->r.predicted_ci90_s[1]) : NAN;
    if (!told) {
        row->r.predicted_gpu = row->r.predicted_limit = row->r.predicted_with = "";
        row->r.predicted_shares = (struct record_shares){0};
    }
}

static void measure(const struct rows *rows, struct row *row) {
    bool timed = has_speed(rows, row) && row->r.median_s > 0;
    if (!isnan(row->r.written_bytes))
        row->r.bytes += row->r.written_bytes;
    row->seconds = timed ? for_1000_calls(row, row->r.median_s) : NAN;
    timed = !isnan(row->seconds);
    row->us = row->seconds * 1000;
    measure_energy(row, timed);
    if (!timed) {
        row->r.gbps = row->r.roof_fraction = row->r.synced_s = NAN;
        row->r.samples_s = (struct record_numbers){0};
    } else if (isnan(row->r.roof_fraction) && !same(row->r.kind, "empty"))
        row->r.roof_fraction = ratio_of(row->r.gbps, row->r.roof_gbps);
    row->us_low = timed ? us_a_call(row, row->r.ci95_s[0]) : NAN;
    row->us_high = timed ? us_a_call(row, row->r.ci95_s[1]) : NAN;
    row->synced_us = us_a_call(row, row->r.synced_s);
    row->synced_fraction = row->synced_speedup = NAN;
    measure_speedups(row);
    predict(rows, row);
}

/* The fastest read that was waited for is the roof of calls that are. */
static void measure_latencies(struct rows *rows) {
    struct map roofs = {0};
    const char *columns = say("submission problem device input%s", same_size(rows));
    foreach (row, rows) {
        struct row **roof = (struct row **)find(&roofs, key_of(row, columns));
        if (same(row->r.kind, "read") && !isnan(row->synced_us) &&
            (!*roof || row->synced_us < (*roof)->synced_us))
            *roof = row;
    }
    foreach (row, rows) {
        const struct row *roof = *find(&roofs, key_of(row, columns));
        if (same(row->r.kind, "empty"))
            continue;
        row->synced_speedup = ratio_of(row->reference * 1000, row->synced_us);
        row->synced_fraction = roof ? ratio_of(roof->synced_us, row->synced_us) : NAN;
    }
}

/* What the record does not hold: what stands in step.md. */
static void add_titles(struct row *row) {
    row->elements = row->r.rows * row->r.columns;
    row->title = step_header(row->r.step, "title");
    row->idea = "";
    row->gtx680_seconds = is_step(row) ? gtx680_seconds(row->r.step) : NAN;
    const char *reference = gtx680("reference");
    row->gtx680_speedup = *reference ? ratio_of(atof(reference), row->gtx680_seconds) : NAN;
    if (is_step(row) && row->r.launches.count)
        row->idea = idea_of(row);
}

void finish_rows(struct rows *rows) {
    if (rows->broken > MOST_NAMED)
        complain(rows,
                 say("%s: %zu more lines are no records", program(), rows->broken - MOST_NAMED));
    if (!rows->records && !rows->skip_broken)
        exit(2); /* it was said why */
    fill_gaps(rows);
    foreach (row, rows) {
        row->success = has_verdict(row, "pass") || has_verdict(row, row->r.intended);
        measure(rows, row);
        add_titles(row);
    }
    measure_latencies(rows);
}

/* ---- what views ask --------------------------------------------------------------------------- */

bool is_step(const struct row *row) { return same(row->r.kind, "step"); }

bool is_kernel(const struct row *row) { return same(row->r.kind, "kernel"); }

bool is_cpu(const struct row *row) { return same(row->device.kind, "cpu"); }

bool has_verdict(const struct row *row, const char *word) { return same(row->r.verdict, word); }

bool lacks_idea(const struct row *row) { return *row->idea && !same(row->idea, "there"); }

/* Recorded with another CUB than the toolkit's its version is in the name: cub_sum-3.0.1. */
const char *step_shown(const struct row *row) {
    const char *name = row->r.step, *cub = row->r.build->cub;
    bool plain =
        begins_with(name, "cub_") && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name);
    return same(row->r.kind, "baseline") && plain && *cub ? say("%s-%s", name, cub) : name;
}

const char *verdict_shown(const struct row *row) {
    bool intended = !has_verdict(row, "pass") && row->success;
    return say("%s%s", row->r.verdict, intended ? ", intended" : "");
}

static const char *sum_of(const char *path) {
    static struct map sums;
    void **sum = find(&sums, path);
    char digits[SHA256_DIGITS + 1];
    if (!*sum)
        *sum = sha256_of_file(path, digits) ? say("%s", digits) : "";
    return *sum;
}

/* Records of before they had the hash do not tell: what they say is not doubted. */
bool is_of_this_source(const struct row *row) {
    const char *sum = row->r.source_sha256;
    return !*sum ||
           same(sum, sum_of(say("%s/%s/%s.cu", labs_directory(), row->r.step, row->r.problem)));
}

bool is_older(const struct row *a, const struct row *b) {
    return strcmp(a ? a->r.when : "", b ? b->r.when : "") < 0;
}

bool tells_more(const struct row *row, const struct row *held) {
    bool is_now = is_of_this_source(row), was_now = held && is_of_this_source(held);
    return is_now == was_now ? !is_older(row, held) : is_now || !held;
}

const char *gpu_of(const struct row *row) { return otherwise(row->device.uuid, row->device.name); }

const char *record_of(struct map *files, const struct row *row) {
    void **lines = find(files, row->file);
    if (!*lines)
        *lines = lines_of_file(row->file);
    return ((const char **)*lines)[row->line - 1];
}

/* ---- lists ------------------------------------------------------------------------------------ */

void list_row(struct list *list, struct row *row) { append(list->row, list->count, row); }

struct list all_rows(const struct rows *rows) {
    struct list list = {0};
    foreach (row, rows)
        list_row(&list, row);
    return list;
}

/* by_ladder: problems stand in the order of their ladders. */
static void add_key(struct text *key, const struct row *row, const char *columns, bool by_ladder) {
    for (; *columns; columns += strspn(columns, " ")) {
        size_t length = strcspn(columns, " ");
        if (by_ladder && strncmp(columns, "problem", length) == 0)
            add(key, "%03d", ladder_place(row->r.problem));
        add(key, "%s\034", key_part(row, columns, length));
        columns += length;
    }
}

const char *key_of(const struct row *row, const char *columns) {
    struct text key = {0};
    add_key(&key, row, columns, false);
    return bytes_of(&key);
}

struct keyed {
    const char *key;
    struct row *row;
};

static int by_key(const void *a, const void *b) {
    return strcmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

void sort_rows(struct list *list, const char *columns) {
    struct keyed **keyed = keep(list->count * sizeof *keyed);
    for (size_t i = 0; i < list->count; i++) {
        struct row *row = list->row[i];
        struct text key = {0};
        add_key(&key, row, columns, true);
        add(&key, "%d\034%03d%s", !is_step(row), ladder_place(row->r.problem), row->r.step);
        keyed[i] = keep(sizeof **keyed);
        *keyed[i] = (struct keyed){key.bytes, row};
    }
    sort_stably(keyed, list->count, by_key);
    for (size_t i = 0; i < list->count; i++)
        list->row[i] = keyed[i]->row;
}

struct lists group_rows(const struct list *list, const char *columns) {
    struct lists lists = {0};
    struct map map = {0};
    foreach (row, list) {
        size_t *number = found(&map, key_of(row, columns), sizeof *number); /* from 1 on */
        if (!*number) {
            append(lists.list, lists.count, (struct list){0});
            *number = lists.count;
        }
        list_row(&lists.list[*number - 1], row);
    }
    return lists;
}

double number_at(const struct row *row, size_t offset) {
    return *(const double *)((const char *)row + offset);
}

double first_number(const struct list *list, size_t offset) {
    foreach (row, list)
        if (!isnan(number_at(row, offset)))
            return number_at(row, offset);
    return NAN;
}

const char *first_word(const struct list *list, size_t offset) {
    foreach (row, list) {
        const char *text = *(const char *const *)((const char *)row + offset);
        if (*text)
            return text;
    }
    return "";
}
