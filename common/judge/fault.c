#include "fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void end(enum exit_status status, int error, const char *format,
                          va_list arguments) {
    fputs("judge: ", stderr);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, error ? ": %s\n" : "%s\n", error ? strerror(error) : "");
    exit(status);
}

void fault(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(EXIT_HARNESS, errno, format, arguments);
}

void usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(EXIT_USAGE, 0, format, arguments);
}

void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        fault("cannot allocate %zu bytes", bytes);
    return memory;
}
