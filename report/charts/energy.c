// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The chart of energy against time: the files that gnuplot reads, each name behind PROBLEM-:
 *
 * energy.tsv                       the steps and then, as a second data set, the baselines
 * energy-near.tsv, energy-far.tsv  the labels of the two panels, which labels.c finds places for
 * energy.gp                        the numbers: powers, and each panel's place, range and tics
 *
 * Times are in us, energies in mJ. The panel `far` shows all, the panel `near` the fastest step and
 * what lies about it: the others may lie orders of magnitude away. */
#include <math.h>
#include <string.h>

#include "chart.h"
#include "labels.h"
#include "lib/steps.h"

bool has_energy(const struct row *row) {
    return !isnan(row->us) && row->joules > 0 && row->watts > 0;
}

double millijoules(const struct row *row) { return 1000 * row->joules; }

double energy_us(const struct row *row) { return 1e6 * row->joules / row->watts; }

/* ---- what lies about the fastest step --------------------------------------------------------- */

static int by_time(const void *a, const void *b) {
    double first = energy_us(a), second = energy_us(b);
    return (first > second) - (first < second);
}

/* Those of which no two neighbours are GAP times apart; where no step has an energy, about the
 * slowest. */
static void find_near(struct energies *energy) {
    const double GAP = 2;
    struct row **row = energy->rows.row;
    size_t count = energy->rows.count;
    sort_stably(row, count, by_time);
    energy->near = count - 1;
    for (size_t i = 0; i < count; i++)
        if (row[i] == energy->fastest)
            energy->near = i;
    energy->near_end = energy->near + 1;
    while (energy->near > 0 &&
           energy_us(row[energy->near]) < GAP * energy_us(row[energy->near - 1]))
        energy->near--;
    while (energy->near_end < count &&
           energy_us(row[energy->near_end]) < GAP * energy_us(row[energy->near_end - 1]))
        energy->near_end++;
    if (energy->near_end - energy->near < 3) { /* too few for a panel of their own */
        energy->near = 0;
        energy->near_end = count;
    }
    energy->any_far = energy->near_end - energy->near < count;
}

static bool is_near(const struct energies *energy, size_t i) {
    return i >= energy->near && i < energy->near_end;
}

static void select_energies(struct problem *problem) {
    struct energies *energy = &problem->energy;
    for (size_t i = 0; i < problem->mine.count; i++) {
        struct row *row = problem->mine.row[i];
        if (!has_energy(row))
            continue;
        list_row(&energy->rows, row);
        energy->idle = larger(energy->idle, row->idle_watts);
        energy->watts = larger(energy->watts, row->watts);
        if (is_step(row) && (!energy->fastest || energy_us(row) < energy_us(energy->fastest)))
            energy->fastest = row;
        if (is_step(row) && (!energy->least || row->joules < energy->least->joules))
            energy->least = row;
    }
}

static void write_energies(const struct problem *problem) {
    struct text text = {0};
    for (int baselines = 0; baselines < 2; baselines++) {
        add(&text, "%sus\tmillijoules\n", baselines ? "\n\n" : "");
        for (size_t i = 0; i < problem->energy.rows.count; i++) {
            const struct row *row = problem->energy.rows.row[i];
            if (is_step(row) != baselines)
                add(&text, "%s\t%s\n", number_or_nan(energy_us(row)),
                    number_or_nan(millijoules(row)));
        }
    }
    write_data(problem, "energy.tsv", &text);
}

/* ---- panels ----------------------------------------------------------------------------------- */

/* A logarithmic axis of so many pixels. */
struct scale {
    double low, high, pixels, span;
};

struct panel {
    const char *name;
    bool is_near;
    struct scale us, mj;
    struct labels labels;
};

static double place_of(const struct scale *scale, double value) {
    return scale->pixels * log(value / scale->low) / scale->span;
}

static double value_at(const struct scale *scale, double place) {
    return scale->low * exp(scale->span * place / scale->pixels);
}

static double end_of(const struct scale *scale) { return scale->low * exp(scale->span); }

/* From low to high, with room of so many pixels beyond both. */
static void set_scale(struct scale *scale, double room) {
    double middle = log(scale->low * scale->high) / 2, span = log(scale->high / scale->low);
    scale->span = (span < 0.4 ? 0.4 : span) / (1 - 2 * (room / scale->pixels));
    scale->low = exp(middle - scale->span / 2);
    scale->high = exp(middle + scale->span / 2);
}

static void stretch(struct scale *scale, double value) {
    scale->low = smaller(scale->low, value);
    scale->high = larger(scale->high, value);
}

/* Those of `digits` times a power of ten; of powers alone every `stride`th. Returns how many. */
static size_t add_tics(struct text *list, const struct scale *scale, const double *digits,
                       int stride) {
    size_t found = 0;
    for (int exponent = -30; exponent <= 30; exponent++)
        for (const double *digit = digits; *digit; digit++) {
            double value = *digit * pow(10, exponent);
            if (value < scale->low || value > scale->high || exponent % stride != 0)
                continue;
            const char *name = digits[1] ? say("%.6g", value) : say("10^{%d}", exponent);
            add(list, "%s\"%s\" %s", found++ ? ", " : "", name, plain_number(value));
        }
    return found;
}

/* The coarsest of some series of round numbers that has a tic in 90 pixels, or five in all. */
static const char *tics_of(const struct scale *scale) {
    static const double sets[][24] = {{1},
                                      {1, 2, 5},
                                      {1, 1.5, 2, 3, 4, 5, 6, 8},
                                      {1, 1.2, 1.4, 1.6, 2, 2.5, 3, 4, 5, 6, 8},
                                      {1,   1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5,
                                       2.8, 3,   3.5, 4,   4.5, 5,   5.5, 6,   7, 8,   9}};
    size_t enough = scale->pixels < 450 ? scale->pixels / 90 : 5, found = 0;
    int stride = 1 + (int)(35 * log(scale->high / scale->low) / log(10) / scale->pixels);
    struct text list = {0};
    for (size_t set = 0; set < 5 && found < enough && (set == 0 || stride == 1); set++) {
        list = (struct text){0};
        found = add_tics(&list, scale, sets[set], stride);
    }
    return say("(%s)", bytes_of(&list));
}

static void add_scale(struct text *text, const char *panel, const char *axis,
                      const struct scale *scale) {
    const char *name = say("%s_%s", panel, axis);
    add(text, "%s_low = %.9g\n%s_high = %.9g\n%s_tics = '%s'\n", name, scale->low, name,
        scale->high, name, tics_of(scale));
}

static void set_range(struct panel *panel, const struct energies *energy,
                      const struct panel *near) {
    for (size_t i = 0; i < energy->rows.count; i++)
        if (!panel->is_near || is_near(energy, i)) {
            stretch(&panel->us, energy_us(energy->rows.row[i]));
            stretch(&panel->mj, millijoules(energy->rows.row[i]));
        }
    if (!panel->is_near) { /* it shows the other's frame */
        stretch(&panel->us, near->us.low);
        stretch(&panel->us, end_of(&near->us));
        stretch(&panel->mj, near->mj.low);
        stretch(&panel->mj, end_of(&near->mj));
    } else if (!energy->any_far && energy->idle) /* no other panel shows its line */
        panel->mj.low =
            smaller(panel->mj.low, energy->idle * sqrt(panel->us.low * panel->us.high) / 1000);
}

/* What labels should rather not lie on: the lines of constant power, and in the panel of all the
 * frame of the other. */
static void add_lines(struct panel *panel, const struct energies *energy,
                      const struct panel *near) {
    const struct scale *us = &panel->us, *mj = &panel->mj;
    const double powers[] = {energy->idle, energy->watts};
    for (int i = 0; i < 2; i++)
        if (powers[i] > 0)
            add_line(&panel->labels, 0, place_of(mj, powers[i] * us->low / 1000), us->pixels,
                     place_of(mj, powers[i] * end_of(us) / 1000));
    if (panel->is_near)
        return;
    double x0 = place_of(us, near->us.low), x1 = place_of(us, end_of(&near->us));
    double y0 = place_of(mj, near->mj.low), y1 = place_of(mj, end_of(&near->mj));
    add_line(&panel->labels, x0, y0, x0, y1);
    add_line(&panel->labels, x1, y0, x1, y1);
    add_line(&panel->labels, x0, y0, x1, y0);
    add_line(&panel->labels, x0, y1, x1, y1);
}

/* ---- labels ----------------------------------------------------------------------------------- */

/* What lies on one point has one label, unless that gets too long. */
struct group {
    size_t first, crowd; /* a point; how many are about it */
    const char **name;
    size_t count;
    const struct row *row;
};

/* Steps by their numbers: "05-07, 11". What baselines' names begin with stands once:
 * "cub_sum-3.0.1, -3.5.0". */
static const char *group_text(const struct group *group) {
    const char *first = group->name[0], *end = strrchr(first, '-');
    struct text text = {0};
    if (is_step(group->row)) {
        for (const char *c = steps_in_short(group->name, group->count); *c; c++)
            if (*c < 'a' || *c > 'z')
                add(&text, "%c", *c);
        return bytes_of(&text);
    }
    size_t stem = end && !end[strspn(end, "-.0123456789")] ? (size_t)(end - first) : strlen(first);
    add(&text, "%s", clip(first, 28));
    for (size_t i = 1; i < group->count; i++) {
        const char *name = group->name[i];
        bool begins = strncmp(name, first, stem) == 0;
        add(&text, ", %s", clip(name + (begins ? stem : 0), 28));
    }
    return bytes_of(&text);
}

static bool joins(struct group *group, const struct labels *labels, const struct row *row,
                  size_t point) {
    if (is_step(group->row) != is_step(row) || !cannot_be_told_apart(labels, group->first, point))
        return false;
    group->name = keep_more(group->name, group->count, sizeof *group->name);
    group->name[group->count++] = step_shown(row);
    if (width(group_text(group)) <= 36)
        return true;
    group->count--;
    return false;
}

static int by_name(const void *a, const void *b) {
    const struct row *one = *(struct row *const *)a, *other = *(struct row *const *)b;
    return is_step(one) != is_step(other) ? is_step(other) - is_step(one)
                                          : strcmp(step_shown(one), step_shown(other));
}

static int by_crowd(const void *a, const void *b) {
    const struct group *one = a, *other = b;
    return (one->crowd < other->crowd) - (one->crowd > other->crowd);
}

/* Those that the panel labels: what `near` labels has none in `far`. */
static struct group **group_energies(const struct energies *energy, const struct panel *panel,
                                     size_t *groups) {
    size_t count = 0, g;
    struct row **list = energy->rows.row, ***shown = keep(energy->rows.count * sizeof *shown);
    struct group **group = keep(energy->rows.count * sizeof *group);
    for (size_t i = 0; i < energy->rows.count; i++)
        if (is_near(energy, i) == panel->is_near)
            shown[count++] = &list[i];
    sort_stably(shown, count, by_name);
    *groups = 0;
    for (size_t i = 0; i < count; i++) {
        size_t point = shown[i] - list;
        for (g = *groups; g > 0; g--)
            if (joins(group[g - 1], &panel->labels, *shown[i], point))
                break;
        if (g)
            continue;
        struct group *one = group[(*groups)++] = keep(sizeof *one);
        *one = (struct group){point, crowd_around(&panel->labels, point), keep(sizeof *one->name),
                              1, *shown[i]};
        one->name[0] = step_shown(*shown[i]);
    }
    sort_stably(group, *groups, by_crowd);
    return group;
}

/* The text, its colour (a step's and a baseline's are those of their marks), where it begins or
 * ends or has its middle, and where the line to it starts and how far it leads (NaN without one).
 */
static void add_label(struct text *text, const struct panel *panel, const struct label *label,
                      const struct row *row, const char *name) {
    double middle = (label->left + label->right) / 2, x = value_at(&panel->us, label->end.x);
    double us = energy_us(row), mj = millijoules(row);
    add(text, "%s\t%s\t%s\t\"%s\"\t%s", plain_number(x),
        plain_number(value_at(&panel->mj, (label->bottom + label->top) / 2)),
        label->end.x > middle + 1   ? "right"
        : label->end.x < middle - 1 ? "left"
                                    : "centre",
        text_for_gnuplot(name), is_step(row) ? "0x000000" : "0x0072b2");
    add(text, "\t%s\t%s\t%s\t%s\n", plain_number(us), plain_number(mj),
        label->is_far ? plain_number(x - us) : "NaN",
        label->is_far ? plain_number(value_at(&panel->mj, label->end.y) - mj) : "NaN");
}

static void write_labels(const struct problem *problem, struct panel *panel) {
    const struct energies *energy = &problem->energy;
    struct text text = {0};
    size_t groups;
    for (size_t i = 0; i < energy->rows.count; i++)
        add_point(&panel->labels, place_of(&panel->us, energy_us(energy->rows.row[i])),
                  place_of(&panel->mj, millijoules(energy->rows.row[i])));
    struct group **group = group_energies(energy, panel, &groups);
    add(&text, "x\ty\talign\ttext\tcolour\tus\tmillijoules\tmore_us\tmore_millijoules\n");
    for (size_t i = 0; i < groups; i++) {
        const char *name = group_text(group[i]);
        const struct label *label = place_label(&panel->labels, group[i]->first, width(name));
        if (label)
            add_label(&text, panel, label, group[i]->row, name);
    }
    write_data(problem, say("energy-%s.tsv", panel->name), &text);
}

/* Between so many thousandths of the chart's width, with that much room around its points. */
static void write_panel(const struct problem *problem, struct panel *panel,
                        const struct panel *near, int left, int right, const int room[2],
                        struct text *text) {
    panel->us = (struct scale){NAN, NAN, right - left, NAN};
    panel->mj = (struct scale){NAN, NAN, 620 * (0.785 - 0.12), NAN}; /* as energy.gp has it */
    panel->labels = (struct labels){.wide = panel->us.pixels, .high = panel->mj.pixels};
    set_range(panel, &problem->energy, near);
    set_scale(&panel->us, room[0]);
    set_scale(&panel->mj, room[1]);
    add(text, "%s_left = %s\n%s_right = %s\n", panel->name, plain_number(left / 1000.0),
        panel->name, plain_number(right / 1000.0));
    add_scale(text, panel->name, "x", &panel->us);
    add_scale(text, panel->name, "y", &panel->mj);
    add_lines(panel, &problem->energy, near);
    write_labels(problem, panel);
}

void write_energy(struct problem *problem) {
    struct energies *energy = &problem->energy;
    struct panel near = {.name = "near", .is_near = true}, far = {.name = "far"};
    struct text text = {0};
    select_energies(problem);
    if (energy->rows.count < 2)
        return;
    find_near(energy);
    write_energies(problem);
    add(&text, "idle = %s\nwatts = %s\npanels = '%s'\n", plain_number(energy->idle),
        plain_number(energy->watts), energy->any_far ? "near far" : "near");
    write_panel(problem, &near, NULL, energy->any_far ? 400 : 90, 970, (int[]){55, 35}, &text);
    if (energy->any_far)
        write_panel(problem, &far, &near, 75, 345, (int[]){25, 30}, &text);
    write_data(problem, "energy.gp", &text);
}
