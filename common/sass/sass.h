/* A step's machine code, as the CUDA Toolkit's tools print it. */
#pragma once

#include <stdbool.h>

struct sass_instruction {
    char *operation; /* "LDG.E.64" */
    const char *operands;
    bool sometimes; /* it has a predicate */
    bool never;     /* whose value is known */
    int stall;      /* cycles until the warp's next instruction; 0: not known */
    int target;     /* the instruction that its label stands before; -1: it names none */
    int line;       /* of the step, that it was made from; 0: not known */
};

struct sass_label {
    char *name;
    int at; /* the instruction that it stands before */
};

struct sass_function {
    char *mangled;
    char *written;                     /* as the source has it; mangled where that is not known */
    bool is_kernel;                    /* the compiler's log tells of it */
    unsigned registers, shared, stack; /* stack: a thread's bytes of local memory */
    struct sass_instruction *instruction;
    struct sass_label *label;
    int instructions, labels;
};

struct sass {
    struct sass_function *function;
    int functions;
};

/* Files: names (mangled TAB written), the compiler's log (ptxas -v), nvdisasm's output. `source`
 * is the step's. One that cannot be read is named on standard error. */
bool sass_read(const char *source, const char *const files[3], struct sass *sass);

/* Whether the first part of an operation is one of these words, with blanks between; whether an
 * operation begins with one. */
bool sass_is(const char *operation, const char *words);
bool sass_begins(const char *operation, const char *words);

/* The bytes that one thread accesses with a memory instruction. */
int sass_width(const char *operation);

/* What ends a function: a branch to itself, and what only fills up the last line. */
bool sass_is_filling(const struct sass_function *function, int at);

/* The next register that a text names, -1 if there is none; the text goes on behind it. Uniform
 * registers are others. */
int sass_register(const char **text);
enum { SASS_REGISTERS = 256 };
