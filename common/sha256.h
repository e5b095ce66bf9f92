/* SHA-256 (FIPS 180-4), by which records and handouts name a source: what sha256sum prints. */
#pragma once

#include <stdbool.h>

enum { SHA256_DIGITS = 64 };

/* Of a file's bytes; the digits end in a NUL. False where the file cannot be read. */
bool sha256_of_file(const char *path, char digits[SHA256_DIGITS + 1]);
