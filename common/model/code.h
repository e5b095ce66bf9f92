/* A code file (common/build/code): what the machine code of a step's kernels says of registers,
 * memory instructions and loops. */
#ifndef MODEL_CODE_H
#define MODEL_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "counts.h"

enum { CODE_BYTES = 16 << 20, CODE_KERNELS = 1024, CODE_INSTRUCTIONS = 1 << 20 };

/* A memory instruction. */
struct code_memory {
    int position; /* in the kernel's code, from 0 */
    unsigned line;
    enum counts_kind kind;
    bool reduces;    /* an atomic without a result */
    unsigned bits;   /* of the floats that an atomic adds: 32, 64; 0: none */
    bool swaps;      /* it exchanges, with or without a comparison */
    bool compares;   /* with one */
    bool past_l1;    /* a load that the L2 answers: volatile, __ldcg() */
    bool increments; /* one that adds 1: the lanes on one address go together */
    enum counts_space space;
    unsigned bytes;
    int use;    /* the position of the first instruction that reads its result, or -1 */
    int loop;   /* its innermost loop, or -1 */
    int region; /* consecutive memory instructions with one innermost loop, from 0 */
};

/* Units of a multiprocessor that are narrower than a warp, so that instructions wait for them. */
enum code_unit {
    CODE_INTEGERS,        /* integers, logic, shifts, comparisons, votes */
    CODE_MULTIPLICATIONS, /* of integers */
    CODE_QUARTER,         /* bit counts, conversions, special functions */
    CODE_WARP_OPERATIONS,
    CODE_DOUBLES,
    CODE_BRANCHES,
    CODE_CONSTANTS,    /* loads of them: an operand of another instruction is none */
    CODE_LOCAL,        /* loads and stores of local memory */
    CODE_LOCAL_STORES, /* of these, the stores */
    CODE_LOCAL_WAITS,  /* no unit: waits for a load of local memory */
    CODE_CYCLES,       /* no unit: until the warp's next instruction, where that is known */
    CODE_UNITS
};

struct code_loop {
    int first, last; /* positions of a branch's target and of the branch back to it */
    unsigned step;   /* turns of the source's loop that a turn of it makes */
};

/* A call, and the positions of what it calls. */
struct code_call {
    int position, first, last;
};

struct code_kernel {
    unsigned registers; /* of a thread */
    unsigned shared, local, instructions;
    char name[COUNTS_NAME];
    struct code_memory *memory; /* in ascending order of positions; not local memory */
    size_t memory_count;
    struct code_loop *loops;
    size_t loop_count;
    struct code_call *calls;
    size_t call_count;
    int region_count;
    unsigned *lines; /* of the source, for each instruction */
    size_t line_count;
    char *letters; /* the unit of each instruction, as the file has it; empty if it has none */
    size_t letter_count;
    unsigned char *stalls; /* cycles from each to the warp's next one */
    bool *waits;           /* it waits for a load of local memory */
    size_t stall_count;
};

struct code {
    struct code_kernel *kernels;
    size_t kernel_count;
};

/* Read a code file. On success the caller ends with code_free(); otherwise `code` is empty and
 * error has one line. */
bool code_parse(const char *data, size_t size, const char *name, struct code *code, char *error,
                size_t error_size);
void code_free(struct code *code);

/* The instructions from position `from` to `to` - 1, with those of functions that they call; those
 * that need each unit are added to units[]. Not those where `without` (NULL: nowhere) is not 0. */
double code_work(const struct code_kernel *kernel, const unsigned char *without, int from, int to,
                 float units[CODE_UNITS]);

/* The kernel that an operation launches, or NULL; code may be NULL. Counts files name kernels
 * without template arguments: of several, it is the one whose instructions fit the sites best. */
const struct code_kernel *code_kernel(const struct code *code, const struct counts_op *op);

#endif
