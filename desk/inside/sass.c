/* Shows the machine code of a step's kernels: first a table that counts what this lab is about,
 * then the code below the lines of source that it was made from, with the interesting instructions
 * marked. */
#include "sass/sass.h"

#include <limits.h>
#include <string.h>

#include "inside.h"
#include "lib/idea.h"

/* ---- what is counted -------------------------------------------------------------------------- */

/* In the order in which the table has them. */
/* clang-format off */
#define ROWS(ROW) \
    ROW(INSTRUCTIONS, "instructions", "") \
    ROW(ATHREAD_REGISTERS, "registers a thread", "") \
    ROW(SHARED_BYTES, "shared memory, bytes a block", "") \
    ROW(SPILT_BYTES, "spilled registers, bytes", "slow: local memory is global memory") \
    ROW(LOADS, "global loads          LDG", "from the input, and from what other kernels left") \
    ROW(LOADS_OF_16, "    of 16 bytes       LDG.128", "the widest: fewest instructions for the bytes") \
    ROW(LOADS_OF_8, "    of 8 bytes        LDG.64", "") \
    ROW(LOADS_OF_4, "    of 4 bytes", "a warp reads 128 bytes with one") \
    ROW(LOADS_OF_1_OR_2, "    of 1 or 2 bytes", "") \
    ROW(IN_FLIGHT, "loads in flight, a thread", "before the thread waits for the first; more of them hide more latency") \
    ROW(BYTES_IN_FLIGHT, "    bytes of them", "times the GPU's threads, this must cover bandwidth x latency") \
    ROW(COPIES, "async copies          LDGSTS", "") \
    ROW(STORES, "global stores         STG", "") \
    ROW(REDUCTIONS, "global atomics        RED", "no result: fire and forget") \
    ROW(GLOBAL_ATOMICS, "global atomics        ATOMG", "with a result: waited for") \
    ROW(SHARED_ATOMICS, "shared atomics        ATOMS", "") \
    ROW(MERGED_ATOMICS, "    that merge lanes  .POPC.INC", "atomicAdd of a constant 1 whose result is unused") \
    ROW(SWAPS, "    in a loop         .CAS", "no such atomic in hardware: compare-and-swap") \
    ROW(SHARED_LOADS, "shared loads          LDS", "") \
    ROW(SHARED_STORES, "shared stores         STS", "") \
    ROW(LOCAL_ACCESSES, "local memory          LDL, STL", "spills, or arrays with computed indices") \
    ROW(WITHIN_WARP, "within the warp       SHFL, REDUX", "") \
    ROW(BARRIERS, "barriers              BAR", "") \
    ROW(FENCES, "fences                MEMBAR", "") \
    ROW(OVERLAPS, "dependent launch      ACQBULK", "") \
    ROW(BRANCHES, "branches              BRA", "")
/* clang-format on */
#define NAME(name, title, meaning) name,
#define WORDS(name, title, meaning) {title, meaning},

enum counted { NOTHING, ROWS(NAME) COUNTED };

static const struct { const char *title, *meaning; } rows[COUNTED] = {{"", ""}, ROWS(WORDS)};

/* The first that fits an operation says what it counts as, and what is said of it. */
static const struct sort {
    const char *begins, *is; /* one of the two: sass.h */
    enum counted as, and_as;
    bool has_bytes;
    const char *words;
} sorts[] = {
    {"LDGSTS UBLKCP", "", COPIES, NOTHING, false,
     "copy from global to shared memory, past the registers"},
    {"LDG", "", LOADS, NOTHING, true, "global load"},
    {"STG", "", STORES, NOTHING, true, "global store"},
    {"ATOMS.POPC.INC", "", SHARED_ATOMICS, MERGED_ATOMICS, false,
     "shared atomic + 1: lanes with one address are merged"},
    {"ATOMS.CAS", "", SHARED_ATOMICS, SWAPS, false,
     "shared compare-and-swap: repeated until it holds"},
    {"ATOMS", "", SHARED_ATOMICS, NOTHING, false,
     "shared atomic: lanes with one address wait for each other"},
    {"", "ATOM ATOMG", GLOBAL_ATOMICS, NOTHING, false,
     "global atomic with a result: the thread waits for it"},
    {"", "REDUX", WITHIN_WARP, NOTHING, false, "sum over the warp"},
    {"", "RED REDG", REDUCTIONS, NOTHING, false,
     "global atomic without a result: no thread waits for it"},
    {"LDS", "", SHARED_LOADS, NOTHING, true, "shared load"},
    {"STS", "", SHARED_STORES, NOTHING, true, "shared store"},
    {"LDL STL", "", LOCAL_ACCESSES, NOTHING, false,
     "local memory: a spilled register, or an array with a computed index"},
    {"BAR", "", BARRIERS, NOTHING, false, "barrier: waits for the whole block"},
    {"MEMBAR FENCE", "", FENCES, NOTHING, false, "fence"},
    {"SHFL MATCH VOTE", "", WITHIN_WARP, NOTHING, false, "exchange within the warp"},
    {"ACQBULK PREEXIT", "", OVERLAPS, NOTHING, false, "programmatic dependent launch"},
    {"BRA BRX CALL", "", BRANCHES, NOTHING, false, ""},
};

static const struct sort *sort_of(const char *operation) {
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (sass_begins(operation, sorts[i].begins) || sass_is(operation, sorts[i].is))
            return &sorts[i];
    return NULL;
}

/* What to say of an instruction. */
static const char *mark_of(const char *operation) {
    const struct sort *sort = sort_of(operation);
    return !sort ? ""
           : sort->has_bytes
               ? say("%s, %s a thread", sort->words, plural(sass_width(operation), "byte"))
               : sort->words;
}

struct kernel {
    const struct sass_function *function;
    const char *name;
    unsigned count[COUNTED];
    int first; /* line of the step's */
};

/* Loads from global memory that a thread has in flight. */
struct flight {
    unsigned loads, bytes;
    size_t serial;
    size_t load_of[SASS_REGISTERS]; /* which load a register waits for, from 1 on */
    unsigned *waiting;              /* its bytes; 0: its result was used */
};

/* The loads whose registers an instruction uses are done. Returns the first register, or -1. */
static int end_loads(struct flight *flight, const char *operands) {
    int first = sass_register(&operands);
    for (int r = first; r >= 0; r = sass_register(&operands)) {
        unsigned *waiting = &flight->waiting[flight->load_of[r]];
        flight->loads -= *waiting > 0;
        flight->bytes -= *waiting;
        *waiting = 0;
        flight->load_of[r] = 0;
    }
    return first;
}

/* They are counted along the code as it is printed; a loop repeats it. */
static void count_in_flight(struct kernel *kernel, struct flight *flight,
                            const struct sass_instruction *instruction) {
    int first = end_loads(flight, instruction->operands),
        width = sass_width(instruction->operation);
    if (!sass_begins(instruction->operation, "LDG") || first < 0)
        return;
    flight->waiting[++flight->serial] = width;
    for (int i = 0; 4 * i < width && first + i < SASS_REGISTERS; i++)
        flight->load_of[first + i] = flight->serial;
    flight->loads++;
    flight->bytes += width;
    if (flight->loads > kernel->count[IN_FLIGHT])
        kernel->count[IN_FLIGHT] = flight->loads;
    if (flight->bytes > kernel->count[BYTES_IN_FLIGHT])
        kernel->count[BYTES_IN_FLIGHT] = flight->bytes;
}

static void count_sort(struct kernel *kernel, const char *operation) {
    const struct sort *sort = sort_of(operation);
    int width = sass_width(operation);
    if (!sort)
        return;
    kernel->count[sort->as]++;
    kernel->count[sort->and_as]++;
    if (sort->as == LOADS)
        kernel->count[width == 16  ? LOADS_OF_16
                      : width == 8 ? LOADS_OF_8
                      : width == 4 ? LOADS_OF_4
                                   : LOADS_OF_1_OR_2]++;
}

static bool is_of_step(const struct sass_instruction *instruction, const char *source) {
    return instruction->file && strcmp(base_name(instruction->file), base_name(source)) == 0;
}

static struct kernel *count_kernel(const struct sass_function *function, const char *source) {
    struct flight flight = {.waiting = keep((function->instructions + 1) * sizeof *flight.waiting)};
    struct kernel *kernel = keep(sizeof *kernel);
    *kernel = (struct kernel){
        .function = function, .name = launch_name(printable(function->written)), .first = INT_MAX};
    const char *last = strrchr(kernel->name, ':');
    kernel->name = last ? last + 1 : kernel->name;
    kernel->count[ATHREAD_REGISTERS] = function->registers;
    kernel->count[SHARED_BYTES] = function->shared;
    kernel->count[SPILT_BYTES] = function->spilt;
    for (int i = 0; i < function->instructions; i++) {
        const struct sass_instruction *instruction = &function->instruction[i];
        if (is_of_step(instruction, source) && instruction->file_line < kernel->first)
            kernel->first = instruction->file_line;
        if (sass_is_filling(function, i))
            continue;
        kernel->count[INSTRUCTIONS]++;
        count_in_flight(kernel, &flight, instruction);
        count_sort(kernel, instruction->operation);
    }
    return kernel;
}

/* ---- printing --------------------------------------------------------------------------------- */

static int by_first_line(const void *a, const void *b) {
    const struct kernel *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static size_t room_of(const struct kernel *kernel) {
    return width(kernel->name) < 6 ? 6 : width(kernel->name);
}

/* A row is left out if no kernel has any. */
static void print_table(struct kernel *const *kernel, int kernels) {
    printf("%34s", "");
    for (int k = 0; k < kernels; k++)
        printf(" %s", lpad(kernel[k]->name, room_of(kernel[k])));
    puts("");
    for (int row = NOTHING + 1; row < COUNTED; row++) {
        unsigned total = 0;
        struct text line = {0};
        for (int k = 0; k < kernels; k++) {
            total += kernel[k]->count[row];
            add(&line, " %*u", (int)room_of(kernel[k]), kernel[k]->count[row]);
        }
        if (total)
            printf("%-34s%s%s%s\n", rows[row].title, bytes_of(&line),
                   *rows[row].meaning ? "   " : "", rows[row].meaning);
    }
}

static void print_instruction(const struct sass_instruction *instruction) {
    const char *mark = mark_of(instruction->operation), *text = printable(instruction->text);
    if (*mark)
        printf("    %s  %-52s  <- %s\n", instruction->address, text, mark);
    else
        printf("    %s  %s\n", instruction->address, text);
}

/* The line that an instruction was made from; "" where that is not known. */
static const char *place_of(const struct sass_instruction *instruction, const char *source,
                            const char **line, int lines) {
    int number = instruction->file_line;
    if (!instruction->file)
        return "";
    return is_of_step(instruction, source)
               ? say("%s:%d  %s", base_name(source), number,
                     number > 0 && number <= lines ? line[number - 1] : "")
               : say("%s:%d", base_name(instruction->file), number);
}

static void print_code(const struct sass_function *function, const char *source, const char **line,
                       int lines) {
    const char *last = "";
    int label = 0;
    bool *is_target = keep(function->instructions + 1);
    for (int i = 0; i < function->instructions; i++)
        if (function->instruction[i].target >= 0 && !sass_is_filling(function, i))
            is_target[function->instruction[i].target] = true;
    printf("\n---- %s\n", printable(function->written));
    for (int i = 0; i < function->instructions; i++) {
        for (; label < function->labels && function->label[label].at <= i; label++)
            if (is_target[i])
                printf("  %s:\n", printable(function->label[label].name));
        if (sass_is_filling(function, i))
            continue;
        const char *place = place_of(&function->instruction[i], source, line, lines);
        if (strcmp(place, last) != 0)
            puts(printable_lines(last = place));
        print_instruction(&function->instruction[i]);
    }
}

/* desk/inside/sass SOURCE NAMES LOG DISASSEMBLY: the files that sass.h names. */
int view_sass(int count, char **words) {
    struct sass sass;
    if (count != 4)
        return 2;
    if (!sass_read(words[0], (const char *const[]){words[1], words[2], words[3]}, &sass))
        return 3;
    struct kernel **kernel = keep((sass.functions + 1) * sizeof *kernel);
    for (int i = 0; i < sass.functions; i++)
        kernel[i] = count_kernel(&sass.function[i], words[0]);
    sort_stably(kernel, sass.functions, by_first_line);
    const char **line = lines_of_file(words[0]);
    int lines = count_lines(line);
    print_table(kernel, sass.functions);
    for (int i = 0; i < sass.functions; i++)
        print_code(kernel[i]->function, words[0], line, lines);
    return 0;
}
