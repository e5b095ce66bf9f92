/* nvcc, as programs and Makefiles call it: its command line, and what it does. What stands beside
 * it,
 * ../include and ../lib64, `make emulator` builds. */
#pragma once
#include "process.h"

struct options {
    struct command inputs;           /* files, and libraries of -l in their place */
    struct command compiler, linker; /* words for the host's compiler, and for its linker */
    const char *host_compiler, *output, *language, *standard;
    const char *dependency_file, *target;
    bool given_standard; /* or the default's */
    bool compile_only, preprocess_only, device_link, library, shared, run;
    bool dependencies, dependencies_too; /* -M alone; -MD beside compiling */
    bool separate, extended_lambda, relaxed_constexpr;
    bool verbose, dry, version;
};

/* What is wrong, or cannot be done here, ends the program with a message. */
struct options options_read(int count, char **words);
__attribute__((format(printf, 1, 2))) _Noreturn void fatal(const char *format, ...);

/* driver.c: compiles, links and makes libraries of sources for the CUDA Toolkit. Its exit status is
 * nvcc's. */
int drive(int count, char **words);
