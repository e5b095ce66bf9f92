#include "fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
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

char *file_bytes(const char *path, size_t most, size_t *size) {
    FILE *file = fopen(path, "re");
    char *bytes = NULL;
    bool goes_on = file;
    *size = 0;
    for (size_t room = 1 << 16; goes_on; room *= 2) {
        bytes = realloc(bytes, room + 1);
        if (!bytes)
            fault("cannot allocate %zu bytes", room + 1);
        *size += fread(bytes + *size, 1, room - *size, file);
        goes_on = *size == room && room <= most;
    }
    if (!file || ferror(file) || *size > most) {
        free(bytes);
        bytes = NULL;
        errno = *size > most ? EFBIG : errno;
    } else
        bytes[*size] = '\0';
    if (file)
        fclose(file);
    return bytes;
}
