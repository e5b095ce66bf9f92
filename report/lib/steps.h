/* What is written once for each step, in the header of labs/STEP/step.md: LABS names another
 * directory of steps. And what stands once for each ladder, GPU or verdict. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A line `key: value` of a step's header; "" where the step or the line is missing. `counters` may
 * stand on several lines, which are one text. */
const char *step_header(const char *step, const char *key);

/* The same of report/gtx680.txt, the original lab's machine: reference, roof, gbps, name. */
const char *gtx680(const char *key);

/* Seconds that the GTX 680 of 2017 took for 1000 calls; NAN where it had none. */
double gtx680_seconds(const char *step);

/* A fact of common/gpus/NAME.gpu as a number; NAN where there is none. */
double gpu_fact(const char *name, const char *key);

/* The place of a problem's ladder among the others: common/problems/PROBLEM/order says it. Ladders
 * without one come last. */
int ladder_place(const char *problem);

const char *short_name(const char *step); /* what `make` knows a step by: opt05 */

/* Directories under LABS that hold a source, ladder by ladder. */
const char *const *all_steps(size_t *count);

/* "labs/opt05_multiblock/opt_2dhisto.cu", from the tree's root on: the one that make builds, where
 * there are several. "" where there is none. */
const char *step_source(const char *step);

const char *labs_directory(void);

/* Whether students get its source whole, so that there is nothing to write: nothing in it is marked
 * as a solution, nor to do. */
bool is_handed_out_whole(const char *step);

/* What a chart of a problem is called: "speedup", of the sister problems "speedup-opt_sum". */
const char *chart_name(const char *chart, const char *problem);

/* ---- common/judge/verdicts.def ------------------------------------------------------------------ */

struct verdict {
    const char *word, *sign, *group, *meaning, *advice;
};
/* The last one, without a word, is of what is not graded yet. */
extern const struct verdict verdict_table[];
extern const size_t verdict_count;
const struct verdict *verdict_of(const char *word); /* the last one for what is no verdict */
/* On the cpu device nobody is told to go there. */
const char *verdict_advice_for(const char *word, const char *short_step, bool on_cpu);
