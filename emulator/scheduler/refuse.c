/* What device code may not do, or does otherwise: functions in place of the C library's. */
#define _GNU_SOURCE
#include "scheduler.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char emulator_last_words[sizeof((struct crash *)0)->words];

void emulator_refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(emulator_last_words, sizeof emulator_last_words, format, arguments);
    va_end(arguments);
    fprintf(stderr, "emulator: %s\n", emulator_last_words);
    abort();
}

/* Does it have a %n, by which printf writes to memory? */
static bool has_percent_n(const char *format) {
    while ((format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, "-+ #0'I123456789$*.hlqjztL");
        if (*format == 'n')
            return true;
        format += *format != '\0';
    }
    return false;
}

/* What a kernel of a step prints goes to where the program's output went when it began, whatever
 * has become of stdout, and through no buffer: the host does not get data by it. */
static int kernels_output = STDOUT_FILENO;

__attribute__((constructor)) static void keep_output(void) {
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy >= 0)
        kernels_output = copy;
}

/* They take the place of the C library's. CUDA's has no %n: the analysis would not see it write. */
static int print(const char *format, va_list arguments) {
    if (emulator_in_kernel() && has_percent_n(format))
        emulator_refuse("a kernel calls printf with %%n, which CUDA does not have");
    if (emulator_any_program || !emulator_in_kernel())
        return vfprintf(stdout, format, arguments);
    fflush(stdout);
    return vdprintf(kernels_output, format, arguments);
}

int vprintf(const char *format, va_list arguments) { return print(format, arguments); }

int printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int printed = print(format, arguments);
    va_end(arguments);
    return printed;
}

/* What compilers make of a printf of a line or of a character. */
int puts(const char *text) { return (printf)("%s%c", text, '\n'); }
int putchar(int character) { return (printf)("%c", character) == 1 ? character : EOF; }

/* The same for clock(): on a device it counts what clock64() counts. */
clock_t clock(void) {
    struct timespec t;
    if (emulator_in_kernel())
        return (clock_t)emulator_nanoseconds();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (clock_t)(t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

/* As a device does it, in programs that nobody grades: what the host calls next gets the error. */
static _Noreturn void fail_on_device(const char *assertion, const char *file, unsigned line,
                                     const char *function) {
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
            threadIdx.z, assertion);
    emulator_fail_kernel(cudaErrorAssert);
}

/* Takes the place of the C library's, so that what failed is known. It prints the same. */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                             const char *function) {
    if (emulator_any_program && emulator_in_kernel())
        fail_on_device(assertion, file, line, function);
    snprintf(emulator_last_words, sizeof emulator_last_words, "Assertion `%s' failed", assertion);
    fprintf(stderr, "%s:%u: %s: %s.\n", file, line, function, emulator_last_words);
    abort();
}
