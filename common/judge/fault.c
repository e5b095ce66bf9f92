#include "fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fault(const char *format, ...) {
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    fputs("judge: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, error ? ": %s\n" : "%s\n", error ? strerror(error) : "");
    exit(EXIT_HARNESS);
}

void usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("judge: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        fault("cannot allocate %zu bytes", bytes);
    return memory;
}
