// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* A step's text without what nobody names: of all functions in the headers of the emulator and the
 * system a step uses a few, and to read the others would take most of a compiler's time, in each
 * build again. */
#ifndef UNUSED_H
#define UNUSED_H

#include "../text/text.h"

/* What is left keeps its lines. Where the text cannot be read, all from there on is left. */
void leave_out_unused(const struct text *text, struct text *out);

#endif
