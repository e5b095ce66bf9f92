/* The judge's own faults: they end it with exit status 3, and never count against a student. */
#pragma once

#include <stddef.h>

enum exit_status { EXIT_PASS = 0, EXIT_NOT_PASSED = 1, EXIT_USAGE = 2, EXIT_HARNESS = 3 };

/* Print `judge: <message>` with errno's text where errno is set, and exit with EXIT_HARNESS. */
_Noreturn void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print `judge: <message>` and exit with EXIT_USAGE. */
_Noreturn void usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *allocate(size_t bytes); /* malloc that cannot fail; 0 bytes are one */

/* The bytes of a file, with a NUL behind them, which the caller frees; NULL where it cannot be
 * read, or has more than `most`: errno says why. */
char *file_bytes(const char *path, size_t most, size_t *size);
