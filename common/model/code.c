#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- lines ------------------------------------------------------------------------------ */

static bool position(struct text *text, const char *what, int *value) {
    unsigned read = 0;
    bool good = text_small(text, what, CODE_INSTRUCTIONS, &read);
    *value = (int)read;
    return good;
}

static bool read_kernel(struct text *text, struct code *code) {
    if (code->kernel_count == CODE_KERNELS)
        return text_fail(text, "more than %d kernels", CODE_KERNELS);
    TEXT_GROW(text, code->kernels, code->kernel_count);
    struct code_kernel *kernel = &code->kernels[code->kernel_count++];
    memset(kernel, 0, sizeof *kernel);
    bool good = text_small(text, "registers", 1024, &kernel->registers) &&
                text_small(text, "shared memory", 1 << 20, &kernel->shared) &&
                text_small(text, "local memory", 1 << 24, &kernel->local) &&
                text_small(text, "instructions", CODE_INSTRUCTIONS, &kernel->instructions) &&
                text_rest(text, kernel->name, sizeof kernel->name);
    kernel->stalls = calloc(kernel->instructions + 1, sizeof *kernel->stalls);
    kernel->waits = calloc(kernel->instructions + 1, sizeof *kernel->waits);
    return good && ((kernel->stalls && kernel->waits) || text_fail(text, "not enough memory"));
}

static bool kind_of(struct text *text, struct code_memory *memory) {
    char kind[TEXT_FIELD], space[TEXT_FIELD];
    if (!text_field(text, kind) || !text_field(text, space))
        return false;
    char *type = strchr(kind, '-');
    memory->bits = !type ? 0 : strcmp(type, "-f64") == 0 ? 64 : strcmp(type, "-f32") == 0 ? 32 : 0;
    memory->compares = type && strcmp(type, "-compare") == 0;
    memory->swaps = memory->compares || (type && strcmp(type, "-swap") == 0);
    memory->past_l1 = type && strcmp(type, "-l2") == 0;
    kind[type ? type - kind : (ptrdiff_t)strlen(kind)] = '\0';
    memory->increments = strcmp(kind, "increment") == 0;
    memory->reduces = memory->increments || strcmp(kind, "reduce") == 0;
    if (memory->reduces)
        memory->kind = COUNTS_ATOMIC;
    else
        for (memory->kind = COUNTS_LOAD; strcmp(kind, counts_kind_name(memory->kind)) != 0;
             memory->kind++)
            if (memory->kind == COUNTS_ATOMIC)
                return text_fail(text, "kind: \"%s\" is unknown", kind);
    for (memory->space = COUNTS_GLOBAL; strcmp(space, counts_space_name(memory->space)) != 0;
         memory->space++)
        if (memory->space == COUNTS_LOCAL)
            return text_fail(text, "space: \"%s\" is unknown", space);
    return true;
}

/* Loads that are under way together are waited for once. */
static void note_wait(struct code_kernel *kernel, int position, int use) {
    kernel->waits[use] = true;
    for (int p = position + 1; p < use; p++)
        kernel->waits[use] = kernel->waits[use] && !kernel->waits[p];
}

static bool read_memory(struct text *text, struct code_kernel *kernel) {
    struct code_memory memory = {.use = -1, .loop = -1};
    if (!position(text, "position", &memory.position) ||
        !text_small(text, "line", 1 << 30, &memory.line) || !kind_of(text, &memory) ||
        !text_small(text, "bytes", 256, &memory.bytes))
        return false;
    if (text_more(text) && *text->at == '-') {
        char none[TEXT_FIELD];
        if (!text_field(text, none) || strcmp(none, "-1") != 0)
            return text_fail(text, "use: a position or -1 is expected");
    } else if (!position(text, "use", &memory.use))
        return false;
    if (memory.space == COUNTS_LOCAL) { /* the source has no request for it */
        if (memory.kind == COUNTS_LOAD && memory.use >= 0 &&
            (unsigned)memory.use < kernel->instructions)
            note_wait(kernel, memory.position, memory.use);
        return true;
    }
    TEXT_GROW(text, kernel->memory, kernel->memory_count);
    kernel->memory[kernel->memory_count++] = memory;
    return true;
}

static bool read_loop(struct text *text, struct code_kernel *kernel) {
    struct code_loop loop;
    if (!position(text, "first", &loop.first) || !position(text, "last", &loop.last) ||
        !text_small(text, "step", 1 << 30, &loop.step))
        return false;
    if (loop.first > loop.last)
        return text_fail(text, "a loop ends before it begins");
    TEXT_GROW(text, kernel->loops, kernel->loop_count);
    kernel->loops[kernel->loop_count++] = loop;
    return true;
}

static bool read_call(struct text *text, struct code_kernel *kernel) {
    struct code_call call;
    if (!position(text, "position", &call.position) || !position(text, "first", &call.first) ||
        !position(text, "last", &call.last))
        return false;
    if (call.first <= call.position)
        return true; /* a function that calls itself, or an earlier one */
    TEXT_GROW(text, kernel->calls, kernel->call_count);
    kernel->calls[kernel->call_count++] = call;
    return true;
}

/* LINE COUNT, again and again. */
static bool read_lines(struct text *text, struct code_kernel *kernel) {
    if (kernel->lines)
        return text_fail(text, "a kernel has one such line");
    kernel->lines = calloc(kernel->instructions + 1, sizeof *kernel->lines);
    if (!kernel->lines)
        return text_fail(text, "not enough memory");
    while (text_more(text)) {
        unsigned line, count;
        if (!text_small(text, "line", 1 << 30, &line) ||
            !text_small(text, "instructions", CODE_INSTRUCTIONS, &count))
            return false;
        while (count-- && kernel->line_count < kernel->instructions)
            kernel->lines[kernel->line_count++] = line;
    }
    return true;
}

static bool read_letters(struct text *text, struct code_kernel *kernel) {
    size_t count = (size_t)(text->line_end - text->at);
    if (kernel->letters)
        return text_fail(text, "a kernel has only one such line");
    kernel->letters = malloc(count + 1);
    if (!kernel->letters)
        return text_fail(text, "not enough memory");
    text_rest(text, kernel->letters, count + 1);
    kernel->letter_count = count;
    return true;
}

/* A hexadecimal digit for each instruction. */
/* A branch back is taken: an H200 takes 32 cycles for a loop whose stalls are 27, 42 where they are
 * 37. */
static bool read_stalls(struct text *text, struct code_kernel *kernel) {
    enum { TAKEN_CYCLES = 5 };
    static const char digits[] = "0123456789abcdef";
    size_t count = strspn(text->at, digits);
    if (kernel->stall_count || count > kernel->instructions)
        return text_fail(text, "a kernel has one such line, with a digit for each instruction");
    for (size_t i = 0; i < count; i++)
        kernel->stalls[i] = (unsigned char)(strchr(digits, text->at[i]) - digits);
    for (size_t i = 0; i < kernel->loop_count; i++)
        if ((size_t)kernel->loops[i].last < count)
            kernel->stalls[kernel->loops[i].last] += TAKEN_CYCLES;
    kernel->stall_count = count;
    text->at += count;
    return true;
}

/* ---- the file --------------------------------------------------------------------------- */

static int by_position(const void *a, const void *b) {
    int x = ((const struct code_memory *)a)->position,
        y = ((const struct code_memory *)b)->position;
    return (x > y) - (x < y);
}

static int innermost(const struct code_kernel *kernel, int position) {
    int best = -1;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i];
        if (position < loop->first || position > loop->last)
            continue;
        if (best < 0 ||
            loop->last - loop->first < kernel->loops[best].last - kernel->loops[best].first)
            best = (int)i;
    }
    return best;
}

static void find_regions(struct code_kernel *kernel) {
    if (kernel->memory_count)
        qsort(kernel->memory, kernel->memory_count, sizeof *kernel->memory, by_position);
    for (size_t i = 0; i < kernel->memory_count; i++) {
        struct code_memory *memory = &kernel->memory[i];
        memory->loop = innermost(kernel, memory->position);
        if (i == 0 || memory->loop != memory[-1].loop)
            kernel->region_count++;
        memory->region = kernel->region_count - 1;
    }
}

/* What stands behind the first word of a line. */
static bool read_rest(struct text *text, const char *word, struct code *code) {
    static const struct {
        const char *word;
        bool (*read)(struct text *text, struct code_kernel *kernel);
    } of_kernel[] = {{"m", read_memory}, {"p", read_letters}, {"w", read_stalls},
                     {"n", read_lines},  {"call", read_call}, {"loop", read_loop}};
    if (strcmp(word, "kernel") == 0)
        return read_kernel(text, code);
    if (!code->kernel_count)
        return text_fail(text, "a line that begins with \"%s\" comes before any kernel", word);
    for (size_t i = 0; i < sizeof of_kernel / sizeof *of_kernel; i++)
        if (strcmp(word, of_kernel[i].word) == 0)
            return of_kernel[i].read(text, &code->kernels[code->kernel_count - 1]);
    return text_fail(text, "a line that begins with \"%s\" is unknown", word);
}

static bool read_all(struct text *text, struct code *code) {
    char word[TEXT_FIELD];
    uint64_t version;
    if (!text_line(text) || !text_field(text, word) || strcmp(word, "histolab-code") != 0)
        return text_fail(text, "this is not a code file, which begins with \"histolab-code 1\"");
    if (!text_count(text, "version", 1, &version) || !text_field(text, word))
        return false;
    while (text_line(text)) {
        if (!text_field(text, word))
            return false;
        if (!read_rest(text, word, code) || !text_end_of_line(text))
            return false;
    }
    for (size_t i = 0; i < code->kernel_count && !text->failed; i++)
        find_regions(&code->kernels[i]);
    return !text->failed;
}

bool code_parse(const char *data, size_t size, const char *name, struct code *code, char *error,
                size_t error_size) {
    struct text text;
    memset(code, 0, sizeof *code);
    text_begin(&text, name, data, size);
    if (read_all(&text, code))
        return true;
    snprintf(error, error_size, "%s", text.error);
    code_free(code);
    return false;
}

void code_free(struct code *code) {
    for (size_t i = 0; i < code->kernel_count; i++) {
        free(code->kernels[i].memory);
        free(code->kernels[i].loops);
        free(code->kernels[i].calls);
        free(code->kernels[i].lines);
        free(code->kernels[i].letters);
        free(code->kernels[i].stalls);
        free(code->kernels[i].waits);
    }
    free(code->kernels);
    memset(code, 0, sizeof *code);
}

double code_work(const struct code_kernel *kernel, const unsigned char *without, int from, int to,
                 float units[CODE_UNITS]) {
    static const char letters[CODE_UNITS + 1] = "aiqwdbcls";
    double count = 0;
    for (int position = from; position < to; position++) {
        bool known = (size_t)position < kernel->letter_count;
        bool listed = without && (unsigned)position < kernel->instructions;
        if ((listed && without[position]) || (known && kernel->letters[position] == '-'))
            continue;
        count++;
        units[CODE_LOCAL_WAITS] +=
            (unsigned)position < kernel->instructions && kernel->waits[position];
        if (!known)
            continue;
        if ((size_t)position < kernel->stall_count)
            units[CODE_CYCLES] += kernel->stalls[position];
        char letter = kernel->letters[position];
        bool twice = letter == 'h'; /* the upper half of a product: an H200 takes 4.02 cycles */
        letter = letter == 'v' ? 'a' : letter == 'y' ? 'b' : twice ? 'i' : letter;
        const char *unit = strchr(letters, letter);
        if (unit && *unit)
            units[unit - letters] += twice ? 2 : 1;
        if (letter == 's')
            units[CODE_LOCAL] += 1;
    }
    for (size_t i = 0; i < kernel->call_count; i++) {
        const struct code_call *call = &kernel->calls[i];
        bool inside =
            call->position >= from && call->position < to && !(without && without[call->position]);
        if (inside && (to <= call->first || from > call->last))
            count += code_work(kernel, NULL, call->first, call->last + 1, units);
    }
    return count;
}

static bool has_instruction(const struct code_kernel *kernel, const struct counts_site *site) {
    for (size_t i = 0; i < kernel->memory_count; i++) {
        const struct code_memory *memory = &kernel->memory[i];
        if (memory->line == site->line && memory->kind == site->kind &&
            memory->bytes == site->bytes)
            return true;
    }
    return false;
}

/* The name without template arguments is that of the operation; so is all of it, if it has any. */
static bool names(const struct code_kernel *kernel, const struct counts_op *op) {
    size_t length = strcspn(kernel->name, "<");
    return strcmp(kernel->name, op->name) == 0 ||
           (strlen(op->name) == length && strncmp(kernel->name, op->name, length) == 0);
}

const struct code_kernel *code_kernel(const struct code *code, const struct counts_op *op) {
    const struct code_kernel *best = NULL;
    size_t most = 0;
    for (size_t i = 0; code && i < code->kernel_count; i++) {
        size_t fits = 1;
        if (!names(&code->kernels[i], op))
            continue;
        for (size_t site = 0; site < op->site_count; site++)
            fits += has_instruction(&code->kernels[i], &op->sites[site]);
        if (fits > most) {
            most = fits;
            best = &code->kernels[i];
        }
    }
    return best;
}
