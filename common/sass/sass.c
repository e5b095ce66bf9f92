#include "sass.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- operations ------------------------------------------------------------------------------- */

static bool any_word(const char *operation, const char *words, bool whole) {
    while (*words) {
        size_t length = strcspn(words, " ");
        if (strncmp(operation, words, length) == 0 &&
            (!whole || operation[length] == '.' || !operation[length]))
            return true;
        words += length + (words[length] == ' ');
    }
    return false;
}

bool sass_is(const char *operation, const char *words) { return any_word(operation, words, true); }

bool sass_begins(const char *operation, const char *words) {
    return any_word(operation, words, false);
}

int sass_width(const char *operation) {
    static const struct {
        const char *part;
        int bytes;
    } widths[] = {{".128", 16}, {".64", 8}, {".F64", 8}, {".16", 2}, {".U16", 2},
                  {".S16", 2},  {".8", 1},  {".U8", 1},  {".S8", 1}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strstr(operation, widths[i].part))
            return widths[i].bytes;
    return 4;
}

int sass_register(const char **text) {
    for (const char *at = *text; *at; at++)
        if (*at == 'R' && isdigit((unsigned char)at[1]) && (at == *text || at[-1] != 'U')) {
            char *end;
            unsigned long number = strtoul(at + 1, &end, 10);
            *text = end;
            if (number < SASS_REGISTERS)
                return (int)number;
            at = end - 1;
        }
    return -1;
}

bool sass_is_filling(const struct sass_function *function, int at) {
    const struct sass_instruction *instruction = &function->instruction[at];
    return strcmp(instruction->operation, "NOP") == 0 ||
           (strcmp(instruction->operation, "BRA") == 0 && instruction->target == at &&
            !instruction->sometimes);
}

/* ---- nvdisasm's output ------------------------------------------------------------------------ */

/* Where the reader stands. */
struct reader {
    struct sass *sass;
    struct sass_function *function; /* NULL: outside of one */
    const char *source;             /* the step's file, without its path */
    int line;
    bool chained, near;
};

static void begin_function(struct reader *reader, const char *line) {
    struct sass *sass = reader->sass;
    const char *name = line + strlen(".text.");
    char *mangled = keep_part(name, strcspn(name, ":"));
    append(sass->function, sass->functions,
           (struct sass_function){.mangled = mangled, .written = mangled});
    reader->function = &sass->function[sass->functions - 1];
    reader->line = 0;
    reader->chained = false;
}

/* One instruction was inlined at each place of a chain, innermost first. Its line is that of the
 * first place in the step's own file; else that of the first outside of the system's headers; else
 * there is none. */
static void take_place(struct reader *reader, const char *line) {
    static const char mark[] = "\", line ";
    const char *path = strchr(line, '"'), *end = path ? strstr(path, mark) : NULL;
    if (!end)
        return;
    path = keep_part(path + 1, end - path - 1);
    int number = atoi(end + strlen(mark));
    if (!reader->chained) {
        reader->line = 0;
        reader->near = false;
    }
    reader->chained = strstr(end, " inlined at \"");
    if (reader->line && reader->near)
        return;
    if (strcmp(base(path), reader->source) == 0) {
        reader->near = true;
        reader->line = number;
    } else if (!reader->line && !strstr(path, "/include/"))
        reader->line = number;
}

static void take_label(struct sass_function *function, const char *line) {
    append(function->label, function->labels,
           (struct sass_label){keep_part(line, strcspn(line, ":")), function->instructions});
}

/* The length of the predicate that an instruction begins with, with the blanks behind it. */
static size_t predicate_length(const char *text) {
    const char *at = text;
    if (*at++ != '@')
        return 0;
    at += *at == '!';
    at += *at == 'U';
    size_t length = *at == 'P' ? strspn(at + 1, "0123456789T") : 0;
    return length ? at + 1 + length + strspn(at + 1 + length, " ") - text : 0;
}

/* A line that begins with an address. */
static void take_instruction(struct reader *reader, const char *line) {
    struct sass_function *function = reader->function;
    const char *address = line + strspn(line, " ") + strlen("/*");
    size_t digits = strspn(address, "0123456789abcdef");
    const char *text = address + digits + strlen("*/");
    text += strspn(text, " ");
    size_t length = strcspn(text, ";"); /* nvdisasm -hex has numbers behind it */
    while (length && text[length - 1] == ' ')
        length--;
    char *whole = keep_part(text, length);
    const char *operation = whole + predicate_length(whole);
    length = strcspn(operation, " ");
    append(function->instruction, function->instructions,
           (struct sass_instruction){
               .operation = keep_part(operation, length),
               .operands = operation + length + strspn(operation + length, " "),
               .sometimes = operation > whole,
               .never = strncmp(whole, "@!PT ", 5) == 0 || strncmp(whole, "@!UPT ", 6) == 0,
               .line = reader->line});
    reader->chained = false;
}

/* The second half of an instruction of 128 bits (nvdisasm -hex), from compute capability 7.0 on:
 * four of its bits say when the warp goes on (Jia et al. 2018). */
static void take_control(struct sass_function *function, const char *line) {
    enum { STALL_AT = 41, STALL = 15 };
    uint64_t control;
    if (function->instructions && sscanf(line, " /* %" SCNx64, &control) == 1)
        function->instruction[function->instructions - 1].stall = control >> STALL_AT & STALL;
}

static bool has_address(const char *line) {
    line += strspn(line, " ");
    size_t digits = strncmp(line, "/*", 2) == 0 ? strspn(line + 2, "0123456789abcdef") : 0;
    return digits && strncmp(line + 2 + digits, "*/", 2) == 0;
}

static void take_code(void *where, const char *line) {
    struct reader *reader = where;
    if (strncmp(line, ".text.", strlen(".text.")) == 0)
        begin_function(reader, line);
    else if (strncmp(line, "//-----", strlen("//-----")) == 0)
        reader->function = NULL;
    else if (!reader->function)
        return;
    else if (strstr(line, "//## File"))
        take_place(reader, line);
    else if (strncmp(line, ".L", 2) == 0 || *line == '$')
        take_label(reader->function, line);
    else if (has_address(line))
        take_instruction(reader, line);
    else
        take_control(reader->function, line);
}

/* "`(.L_x_3)" is before an instruction, if not at the end. */
static int target_of(const struct sass_function *function, const char *operands) {
    const char *name = strstr(operands, "`(");
    size_t length = name ? strcspn(name + 2, ")") : 0;
    for (int i = function->labels - 1; i >= 0 && name; i--)
        if (strncmp(function->label[i].name, name + 2, length) == 0 &&
            !function->label[i].name[length])
            return function->label[i].at;
    return -1;
}

/* ---- the other files -------------------------------------------------------------------------- */

static struct sass_function *function_of(struct sass *sass, const char *name, size_t length) {
    for (int i = 0; i < sass->functions; i++)
        if (strncmp(sass->function[i].mangled, name, length) == 0 &&
            !sass->function[i].mangled[length])
            return &sass->function[i];
    return NULL;
}

static void take_name(void *where, const char *line) {
    size_t length = strcspn(line, "\t");
    struct sass_function *function = function_of(where, line, length);
    if (function && line[length])
        function->written = keep_part(line + length + 1, strlen(line + length + 1));
}

/* The number before some words in a line; 0 if they are not in it. */
static unsigned number_before(const char *line, const char *words) {
    for (const char *at = line; (at = strstr(at, words)); at++) {
        const char *first = at;
        while (first > line && isdigit((unsigned char)first[-1]))
            first--;
        if (first < at)
            return (unsigned)strtoul(first, NULL, 10);
    }
    return 0;
}

struct log {
    struct sass *sass;
    struct sass_function *function;
};

/* ptxas -v: a line that names a function, then its figures. */
static void take_log(void *where, const char *line) {
    struct log *log = where;
    const char *name = strchr(line, '\'');
    if (strstr(line, "Compiling entry function") && name)
        log->function = function_of(log->sass, name + 1, strcspn(name + 1, "'"));
    else if (strstr(line, "Function properties for "))
        log->function =
            function_of(log->sass, strrchr(line, ' ') + 1, strlen(strrchr(line, ' ') + 1));
    struct sass_function *function = log->function;
    if (function && strstr(line, "spill stores")) {
        function->stack = number_before(line, " bytes stack frame");
    } else if (function && strstr(line, "Used ") && strstr(line, " registers")) {
        function->is_kernel = true;
        function->registers = number_before(line, " registers");
        function->shared = number_before(line, " bytes smem");
    }
}

/* ---- all of them ------------------------------------------------------------------------------ */

static bool each_line(const char *path, void (*take)(void *where, const char *line), void *where) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (file && (length = getline(&line, &room, file)) >= 0) {
        if (length && line[length - 1] == '\n')
            line[length - 1] = '\0';
        take(where, line);
    }
    free(line);
    if (file && fclose(file) == 0)
        return true;
    perror(path);
    return false;
}

bool sass_read(const char *source, const char *const files[3], struct sass *sass) {
    struct reader reader = {.sass = sass, .source = base(source)};
    struct log log = {.sass = sass};
    *sass = (struct sass){0};
    if (!each_line(files[2], take_code, &reader) || !each_line(files[0], take_name, sass) ||
        !each_line(files[1], take_log, &log))
        return false;
    for (int i = 0; i < sass->functions; i++)
        for (int p = 0; p < sass->function[i].instructions; p++) {
            struct sass_instruction *instruction = &sass->function[i].instruction[p];
            instruction->target = target_of(&sass->function[i], instruction->operands);
        }
    return true;
}
