// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Words and paths that rules are about, as extended regular expressions. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include <stdbool.h>

enum pattern {
    ELSEWHERE,     /* a path that is no system's header */
    INTRINSICS,    /* headers of a processor's own instructions */
    PUBLIC,        /* headers of the harness that a step may include */
    SYSTEM_HEADER, /* pragmas, without the word pragma */
    HARMLESS_PRAGMA,
    OTHER_PRAGMA,
    LIBRARY,          /* names of the C++ library and of mathematics */
    OF_EMULATOR,      /* names that a step cannot use */
    PUT_IN,           /* those of ::emulator that rewriting puts into a step */
    DEPENDS_ON_BUILD, /* builtins */
    UNSEEN_ACCESS,
    HARMLESS_ATTRIBUTE, /* says how data lie, what a function is for, or how fast it should be */
    DEVICE_SECTION,     /* in which rewriting puts variables of the device */
    REGISTER,           /* an operand of assembly that is in a register */
    MARKER_LOOKALIKE,   /* a line, without its blanks */
    DEVICE_FUNCTION,    /* what an object's device code may ask other objects for */
    PATTERNS
};

bool matches(enum pattern pattern, const char *text);

#endif
