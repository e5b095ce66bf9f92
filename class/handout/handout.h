/* What students are given of a step, made of the instructor's: report/lib/words.h says how
 * solutions are marked. */
#pragma once

/* The source with a TODO in place of each solution and, before the first #include, the task of the
 * step.md as a comment. */
const char *starter_of(const char *story, const char *source);
