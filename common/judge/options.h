/* The judge's command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"
#include "record.h"
#include "trial.h"

struct options {
    const char *runner, *check_runner, *image, *device, *record, *log;
    const char *detail, *evidence, *isolate;
    bool read, reference;
    bool dry_run;         /* only these options are checked */
    bool unchecked;       /* outputs are not compared: for an empty kernel, which has none */
    bool warm;            /* one window for all calls */
    struct source source; /* of the graded trial */
    bool sized;           /* `shape` was given */
    struct shape shape;
    size_t iterations, samples;
    double budget_s, timeout_s;
    double overhead_s; /* 0: not given */
};

/* Defaults must be set before. Wrong usage ends the judge. */
void options_parse(int argc, char **argv, struct options *options, struct record *record);

/* The problem's input of that name; wrong usage ends the judge. */
const struct input *input_named(const char *name);

#endif
