/* A program's last words: the assertion that failed, or what no device allows; or empty. */
#pragma once

#include <stdarg.h>

#include "../findings/crash.h"

extern char emulator_last_words[sizeof((struct crash *)0)->words];

/* vprintf, by a name of which the C library's headers do not make a vfprintf to stdout. */
int emulator_vprintf(const char *format, va_list arguments);
