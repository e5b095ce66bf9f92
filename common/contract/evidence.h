/* What a step's object, as the compiler left it, contains that only a trick has a use for: a line
 * `flag: WHAT` each, for a person to judge. The step's verdict is then `flagged`, with the line.
 *
 * What calls an entry point of CUDA, by whatever name, that a step may not call is refused:
 * FILE:N: error: LINE.
 *
 * None of this stops a trick: for that, what a step defines is made local (contract.h), and the
 * judge times and compares in its own process. This tells a person where to look. So what honest
 * steps do is in names.c, and names that C++ mangles (every function that is not
 * extern "C") and static ones never count. */
#pragma once

#include "front/object.h"

/* `function` is the one that the step implements; `entry_points` are those of CUDA that it may
 * call, each in a line of its own. What was found in its text before, in OBJECT's .flags, is told
 * too. False: the object cannot be read. */
bool find_evidence(const struct object *o, const char *function, const char *entry_points,
                   struct text *evidence, struct text *errors);

/* The function itself, its setup and its teardown. */
bool is_of_contract(const char *name, const char *function);
