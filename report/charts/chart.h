/* The charts of report/plot: which rows they show, the files that gnuplot reads, and what a chart
 * says of itself. The scripts that draw are report/NAME.gp. */
#pragma once

#include "lib/counters.h"
#include "lib/rows.h"
#include "lib/text.h"

/* The rows of all files, of which one is the results and the others are recorded. */
struct charts {
    struct list read, rows; /* as they stand in the files; in the ladder's order */
    const char *results, *how, *out;
    const char *file, *own; /* that of the results; the one whose times are drawn, NULL for none */
    const char *submission;
    const struct row *predicted; /* the first of the results whose predicted times are drawn */
    struct text uncounted;       /* problems without a roofline */
    struct text script, names;   /* for gnuplot; of the charts */
};

/* A step under its roofs: what share of its time each unit would need. */
struct roofline {
    const struct row *row;
    double share[ROOFS], sms, working; /* working: the share of multiprocessors with a block */
    int largest;
    const char *limit;
};

/* One problem's charts: rows of one submission and one GPU. */
struct problem {
    struct charts *charts;
    const char *name, *main_input, *gpu, *date; /* date: of the newest row on the main input */
    struct list rows, mine, steps;              /* mine: on the main input; steps: of these */
    struct list predicted; /* of the results, of the same input and size as the recorded ones */
    struct list counted;   /* all of the results on the first of its inputs */
    struct words ranks;    /* names of steps in alphabetical order */
    size_t columns, gtx680_steps;
    double best, lowest;
    struct roofline *roof;
    size_t roofs;
    double least_roof;
};

size_t rank_of(const struct problem *problem, const char *step); /* from 1 on */
const char *whose(const char *submission); /* "ada: "; of this tree's own nothing */
void write_data(const struct problem *problem, const char *name, const struct text *text);

/* ---- counted.c -------------------------------------------------------------------------------- */

bool is_predicted(const struct row *row);
void select_predicted(struct problem *problem);
void write_predicted(const struct problem *problem);
double predicted_speedup(const struct problem *problem, double us);
void write_roofline(struct problem *problem);
const char *roofline_title(const struct problem *problem);
