/* Words and paths that rules are about, as extended regular expressions. */
#pragma once
#include <stdbool.h>

/* Functions of mathematics, without the letter of their type: those that only compute, by value. */
#define FUNCTIONS                                                                                  \
    "a?(sin|cos|tan)h?|atan2|exp(2|10|m1)?|pow10|log(2|10|1p|b)?|pow|sqrt|cbrt|hypot|erfc?|"       \
    "[lt]gamma|floor|ceil|trunc|l?l?round|roundeven|l?l?rint|nearbyint|fmod|remainder|drem|"       \
    "fm(a|ax|in)|fdim|fabs|copysign|next(after|toward)|ldexp|scalbl?n?|ilogb|[jy][01n]|finite|"    \
    "isinf|isnan"
/* All of them. */
#define MATHEMATICS                                                                                \
    "(" FUNCTIONS "|sincos|(sin|cos|tan|asin|acos|atan|atan2)pi|[lt]gamma_r|gamma|remquo|nan|"     \
    "next(up|down)|frexp|modf|significand)(f|l|f32|f64|f128)?|"                                    \
    "__(fpclassify|signbit|isnan|isinf|isinff|finite|issignaling|iseqsig)[fl]?|__sincosf?|"        \
    "__[a-z0-9]+_finite|signgam|c[a-z0-9]+[fl]?_complex|"                                          \
    "c(abs|arg|imag|real|conj|proj|exp|log|log10|pow|sqrt|sin|cos|tan|sinh|cosh|tanh|asin|acos|"   \
    "atan|asinh|acosh|atanh)[fl]?|fe(get|set|clear|raise|test|hold|update)[a-z]+"

enum pattern {
    ELSEWHERE,     /* a path that is no system's header */
    INTRINSICS,    /* headers of a processor's own instructions */
    PUBLIC,        /* headers of the harness that a step may include */
    SYSTEM_HEADER, /* pragmas, without the word pragma */
    HARMLESS_PRAGMA,
    OTHER_PRAGMA,
    LIBRARY,            /* names of the C++ library and of mathematics */
    OF_EMULATOR,        /* names that a step cannot use */
    PUT_IN,             /* those of ::emulator that rewriting puts into a step */
    DEPENDS_ON_BUILD,   /* builtins */
    HARMLESS_BUILTIN,   /* does nothing that the analysis would not see */
    HARMLESS_ATTRIBUTE, /* says how data lie, what a function is for, or how fast it should be */
    DEVICE_SECTION,     /* in which rewriting puts variables of the device */
    MARKER_LOOKALIKE,   /* a line, without its blanks */
    DEVICE_FUNCTION,    /* what an object's device code may ask other objects for */
    COMPUTING,          /* of these what only computes, by value */
    PATTERNS
};

bool matches(enum pattern pattern, const char *text);
