#include "spaces.h"
#include "calls.h"
#include "object.h"
#include "../rewrite/rewrite.h"
#include "../text/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILES = 4096,
    MOST_SHARED = 48 * 1024, /* EMULATOR_SHARED of include/emulated.h */
};

/* A label of the assembly: a function, or data. */
struct symbol {
    const char *name;
    const char *alias;                      /* what it is a name of */
    const char *body;                       /* of a function: the line behind its label */
    enum scope space;                       /* NAMESPACE: not looked at, INSIDE: none */
    const char *data_of;                    /* "device": a variable of it */
    bool is_function, is_kernel, elsewhere; /* data that device code may use, or of no file */
    size_t bytes;                           /* of a __shared__ array, which is thread-local */
    unsigned reached;                       /* in which round it was last */
};

struct assembly {
    const struct source *source;
    const struct text *functions;
    struct text *errors;
    const char *files[MOST_FILES];
    struct symbol *symbols;
    size_t count, room;
    /* What is reached in this round: functions that were not looked at, and shared memory. */
    unsigned round;
    size_t *waiting, waiting_count, shared;
};

static bool begins(const char *line, const char *word) {
    return *line == '\t' && begins_with(line + 1, word);
}

/* ---- where things stand in the source --------------------------------------------------- */

/* `.file 3 "directory" "name"` */
static void take_file(struct assembly *a, const char *line) {
    unsigned long number = strtoul(line + strlen("\t.file"), NULL, 10);
    const char *end = next_line(line), *close = end, *open;
    while (close > line && *close != '"')
        close--;
    for (open = close - 1; open > line && *open != '"';)
        open--;
    if (number < MOST_FILES && close > line)
        a->files[number] = format_text("%.*s", (int)(close - open) - 1, open + 1);
}

/* The place that a line of the assembly names: `.loc 3 17 9` */
static const char *file_of(const struct assembly *a, const char *loc, int *line) {
    char *end;
    unsigned long number = strtoul(loc + strlen("\t.loc"), &end, 10);
    *line = (int)strtol(end, NULL, 10);
    return number < MOST_FILES ? a->files[number] : NULL;
}

/* One of them may have a directory more before it. */
static bool is_file(const char *a, const char *b) {
    const char *longer = strlen(a) > strlen(b) ? a : b, *shorter = longer == a ? b : a;
    size_t more = strlen(longer) - strlen(shorter);
    return strcmp(longer + more, shorter) == 0 && (!more || longer[more - 1] == '/');
}

/* The side of a function that begins at this place; INSIDE: the author wrote none, or several. */
static enum scope space_at(const struct assembly *a, const char *file, int line) {
    enum scope space = INSIDE;
    const char *at = a->functions->at ? a->functions->at : "";
    for (; file && *at; at = next_line(at)) {
        int first, last, path, number;
        if (sscanf(at, "%d %d %d %n", &number, &first, &last, &path) < 3 || line < first ||
            line > last ||
            !is_file(file, format_text("%.*s", (int)strcspn(at + path, "\n"), at + path)))
            continue;
        if (space != INSIDE && space != (enum scope)number)
            return INSIDE;
        space = (enum scope)number;
    }
    return space;
}

/* ---- symbols ---------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static struct symbol *find(const struct assembly *a, const char *name) {
    struct symbol key = {.name = name};
    struct symbol *found = bsearch(&key, a->symbols, a->count, sizeof key, by_name);
    return found && found->alias ? find(a, found->alias) : found;
}

static void add_symbol(struct assembly *a, struct symbol symbol) {
    a->symbols = grow(a->symbols, a->count, &a->room, sizeof symbol);
    a->symbols[a->count++] = symbol;
}

/* `.size name, 4`: the name, and what comes behind it. */
static struct symbol named_by(const char *line, const char **behind) {
    const char *name = line + 1 + strcspn(line + 1, "\t") + 1;
    size_t length = strcspn(name, ",");
    *behind = name + length + 1 + strspn(name + length + 1, " ");
    return (struct symbol){.name = format_text("%.*s", (int)length, name)};
}

static bool is_thread_local(const char *section) {
    return strstr(section, ".tbss") || strstr(section, ".tdata");
}

static const char *space_of_section(const char *section) {
    static const char *const spaces[] = {"device", "constant", "managed"};
    const char *name = strstr(section, "emulator_");
    for (size_t i = 0; name && i < sizeof spaces / sizeof *spaces; i++)
        if (begins_with(name + strlen("emulator_"), spaces[i]))
            return spaces[i];
    return NULL;
}

/* What gcc and clang call the code that initializes variables before main(). */
static bool initializes(const struct symbol *symbol) {
    return begins_with(symbol->name, "_Z41__static_initialization_and_destruction") ||
           begins_with(symbol->name, "__cxx_global_var_init");
}

static void read_symbols(struct assembly *a, const char *text) {
    char section[128] = "";
    const char *behind;
    struct symbol *last = NULL;
    for (const char *line = text; *line; line = next_line(line)) {
        size_t length = strcspn(line, ":\n");
        if (*line == '\t' && begins_with_any(line + 1, ".section .text .data .bss"))
            snprintf(section, sizeof section, "%.*s", (int)strcspn(line, "\n"), line);
        if (begins(line, ".file"))
            take_file(a, line);
        if (begins(line, ".comm"))
            add_symbol(a, named_by(line, &behind));
        if (begins(line, ".size") && is_thread_local(section)) {
            struct symbol array = named_by(line, &behind);
            array.bytes = strtoul(behind, NULL, 10);
            array.elsewhere = true;
            add_symbol(a, array);
        }
        if (begins(line, ".set")) {
            struct symbol other = named_by(line, &behind);
            other.alias = format_text("%.*s", (int)strcspn(behind, "\n"), behind);
            add_symbol(a, other);
            last = NULL;
        }
        if (last && last->is_function && strstr(section, "__patchable_function_entries"))
            last->is_kernel = true;
        if (last && last->is_function && last->space == NAMESPACE && begins(line, ".loc")) {
            int number;
            const char *file = file_of(a, line, &number);
            last->space = initializes(last) || begins_with(last->name, "_GLOBAL__sub_I")
                              ? INSIDE
                              : space_at(a, file, number);
        }
        if (*line == '\t' || *line == '.' || *line == '#' || line[length] != ':' ||
            is_thread_local(section))
            continue;
        add_symbol(a, (struct symbol){.name = format_text("%.*s", (int)length, line),
                                      .body = next_line(line),
                                      .is_function = strstr(section, ".text") != NULL,
                                      .data_of = space_of_section(section),
                                      .elsewhere = strstr(section, "emulator_") != NULL});
        last = &a->symbols[a->count - 1];
    }
    if (a->count)
        qsort(a->symbols, a->count, sizeof *a->symbols, by_name);
}

/* ---- calls ------------------------------------------------------------------------------ */

/* Functions of the C++ library that nvcc takes for both sides, and CUDA's under their names. */
static bool is_of_both_sides(const char *name) {
    static const char *const both[] = {"St4move", "St7forward", "St16initializer_list",
                                       "St9addressof", "St11__addressof"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (strstr(name, both[i]))
            return true;
    char *end;
    unsigned long length = begins_with(name, "_ZSt") && name[4] >= '0' && name[4] <= '9'
                               ? strtoul(name + 4, &end, 10)
                               : 0;
    if (!length)
        return false;
    char *function = format_text("%.*s", (int)length, end);
    return matches(DEVICE_FUNCTION, function) || matches(LIBRARY, function);
}

static bool is_library(const char *name) {
    return begins_with_any(name, "_ZSt _ZNSt _ZNKSt _ZN9__gnu_cxx _ZNK9__gnu_cxx") &&
           !is_of_both_sides(name);
}

/* A use of a name in a line of a function's body. */
struct use {
    const struct symbol *user;
    const char *file;
    int line;
    char *name;
    struct symbol *used; /* NULL: it is of another object */
    bool called;
};

typedef void use_of(struct assembly *a, const struct use *use);

static void add_error(struct assembly *a, const char *file, int line, const char *why) {
    text_print(a->errors, "%s:%d: error: %s\n", file, line, why);
}

/* A template's begins with its type. */
static char *function_in_words(const struct symbol *function) {
    char *words = in_words(function->name);
    return words + (begins_with(words, "void ") ? strlen("void ") : 0);
}

static void say(struct assembly *a, const struct use *use, bool host) {
    char *name = in_words(use->name), *begin = function_in_words(use->user);
    begin[strcspn(begin, "(")] = '\0';
    /* The section of a variable of a template is not known. */
    bool calls = use->called || outside(use->name) == FUNCTION, known = calls || !strchr(name, '<');
    const char *caller = !host                      ? "__host__"
                         : use->user->is_kernel     ? "__global__"
                         : use->user->space == BOTH ? "__host__ __device__"
                                                    : "__device__";
    if (a->source->program && begins_with(use->name, "cuda")) /* CUDA has some of them there */
        add_error(a, use->file, use->line,
                  format_text("the emulator has no dynamic parallelism: a kernel cannot call %s",
                              use->name));
    else if (known)
        add_error(a, use->file, use->line,
                  calls ? format_text("calling a %s function(\"%s\") from a %s function(\"%s\") is "
                                      "not allowed",
                                      host ? "__host__" : "__device__", name, caller, begin)
                        : format_text("identifier \"%s\" is undefined in device code", name));
}

static void reach(struct assembly *a, struct symbol *symbol) {
    if (symbol->reached == a->round)
        return;
    symbol->reached = a->round;
    a->shared += symbol->bytes;
    if (symbol->is_function)
        a->waiting[a->waiting_count++] = (size_t)(symbol - a->symbols);
}

static void begin_round(struct assembly *a) {
    a->round++;
    a->waiting_count = a->shared = 0;
}

/* A call of a kernel, which is no launch of it: those are by its address, or in a lambda of a pack
 * that rewriting has made. */
static bool refuse_call(struct assembly *a, const struct use *use) {
    if (!use->called || !use->used || !use->used->is_kernel)
        return false;
    char *name = function_in_words(use->used);
    name[strcspn(name, "(")] = '\0';
    if (!strstr(use->user->name, "clIJ"))
        add_error(
            a, use->file, use->line,
            format_text("a __global__ function call must be configured: %s is a kernel, and only "
                        "a launch runs it on the device: %s<<<grid, block>>>(...)",
                        name, name));
    return true;
}

static bool is_hosts(const char *name, bool called) {
    return begins_with(name, "lab_") || outside(name) != NOBODYS ||
           (called && begins_with(name, "cuda"));
}

/* The code that initializes variables before main() uses one of the device. */
static void use_at_start(struct assembly *a, const struct use *use) {
    if (use->used && use->used->data_of)
        add_error(a, use->file, use->line,
                  format_text("dynamic initialization is not supported for a __%s__ variable",
                              use->used->data_of));
}

static void use_on_device(struct assembly *a, const struct use *use) {
    struct symbol *used = use->used;
    if (refuse_call(a, use))
        return;
    if (begins_with(use->name, "_ZGV"))
        add_error(a, use->file, use->line,
                  "dynamic initialization is not supported for a function-scope static __device__ "
                  "variable within a __device__/__global__ function");
    else if (!used ? is_hosts(use->name, use->called)
                   : is_library(use->name) && !a->source->relaxed) /* else its body decides */
        say(a, use, true);
    else if (used && used->is_function && used->space == HOST)
        say(a, use, true);
    else if (used && used->is_function)
        reach(a, used);
    else if (used && !used->is_function && !used->elsewhere && !begins_with(use->name, "_ZZ") &&
             !begins_with(use->name, "_ZT") && !begins_with(use->name, "_ZGV") &&
             !strstr(use->name, "8emulator") &&
             !a->source->older /* references to textures are such variables */)
        say(a, use, true);
}

static void use_on_host(struct assembly *a, const struct use *use) {
    if (!refuse_call(a, use) && use->called && use->used && use->used->is_function &&
        use->used->space == DEVICE)
        say(a, use, false);
}

/* The next name in a line's operands that may be a symbol's, no register's: in :lo12:name too. */
static const char *next_name(const char *p, size_t *length) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    for (; *p && *p != '\n' && (*p != '#' || p[1] == ':'); p += *length ? *length : 1) {
        *length = strspn(p, letters);
        if (*length && !strchr("0123456789$", *p) && !strchr("%@.", p[-1]))
            return p;
    }
    return NULL;
}

static void look_at_body(struct assembly *a, const struct symbol *user, use_of *use_name) {
    struct use use = {.user = user};
    for (const char *line = user->body; *line; line = next_line(line)) {
        if (begins(line, ".cfi_endproc") || begins(line, ".size"))
            break;
        if (begins(line, ".loc"))
            use.file = file_of(a, line, &use.line);
        if (*line != '\t' || line[1] == '.' || !use.file)
            continue;
        use.called = begins(line, "call") || begins(line, "bl\t");
        const char *p = line + 1 + strcspn(line + 1, "\t\n");
        for (size_t length = 0; (p = next_name(p, &length)); p += length) {
            use.name = format_text("%.*s", (int)length, p);
            use.used = find(a, use.name);
            use_name(a, &use);
        }
    }
}

/* What the compiler said: `FILE:LINE:COLUMN: warning: ISO C++ forbids variable length array` */
static void look_at_arrays(struct assembly *a, const char *said) {
    for (; *said; said = next_line(said)) {
        const char *why = strstr(said, "variable length array"), *colon = strchr(said, ':');
        if (!why || why > next_line(said) || !colon)
            continue;
        char *file = format_text("%.*s", (int)(colon - said), said);
        int line = atoi(colon + 1);
        if (space_at(a, file, line) == DEVICE)
            add_error(
                a, file, line,
                "expression must have a constant value: device code has no arrays of variable "
                "length");
    }
}

static void refuse_kernel(struct assembly *a, const struct symbol *kernel, const char *why) {
    const char *loc = strstr(kernel->body, "\t.loc");
    int line = 0;
    const char *file = loc ? file_of(a, loc, &line) : NULL;
    if (file)
        add_error(a, file, line, why);
}

static void use_in_kernel(struct assembly *a, const struct use *use) {
    if (use->used && (use->called || use->used->bytes))
        reach(a, use->used);
}

static void look_at_shared(struct assembly *a) {
    size_t all = 0, next;
    for (size_t i = 0; i < a->count; i++)
        all += a->symbols[i].bytes;
    for (size_t i = 0; i < a->count && all > MOST_SHARED; i++) {
        begin_round(a);
        if (a->symbols[i].is_kernel)
            reach(a, &a->symbols[i]);
        for (next = 0; next < a->waiting_count; next++)
            look_at_body(a, &a->symbols[a->waiting[next]], use_in_kernel);
        if (a->shared > MOST_SHARED)
            refuse_kernel(
                a, &a->symbols[i],
                format_text(
                    "kernel %s uses too much shared data: %zu bytes of __shared__ arrays, %d max "
                    "(more is only to be had as dynamic shared memory, after cudaFuncSetAttribute)",
                    function_in_words(&a->symbols[i]), a->shared, MOST_SHARED));
    }
}

static void look_at_functions(struct assembly *a) {
    a->waiting = need(calloc(a->count + 1, sizeof *a->waiting));
    begin_round(a);
    for (size_t i = 0; i < a->count; i++) {
        if (a->symbols[i].is_kernel || a->symbols[i].space == DEVICE)
            reach(a, &a->symbols[i]);
    }
    for (size_t next = 0; next < a->waiting_count; next++)
        look_at_body(a, &a->symbols[a->waiting[next]], use_on_device);
    for (size_t i = 0; i < a->count; i++)
        if (a->symbols[i].is_function && a->symbols[i].space == HOST)
            look_at_body(a, &a->symbols[i], use_on_host);
        else if (initializes(&a->symbols[i]))
            look_at_body(a, &a->symbols[i], use_at_start);
}

void check_spaces(const struct source *source, const struct text *functions, struct text *errors) {
    struct assembly a = {.source = source, .functions = functions, .errors = errors};
    struct command command = {0};
    struct text text = {0}, said = {0};
    for (size_t i = 0; i < source->compiler.count; i++)
        if (!begins_with(source->compiler.words[i], "-W") &&
            strcmp(source->compiler.words[i], "-w") != 0)
            command_add(&command, source->compiler.words[i]);
    /* Nobody runs it, so that it needs no tables for unwinding: a sixth of the time. */
    command_words(&command, "-O0", "-gdwarf-4", "-g1", "-fno-builtin", "-fno-verbose-asm",
                  "-fno-asynchronous-unwind-tables", "-Wvla", "-S",
                  format_text("%s.ii", source->base), "-o", "-");
    /* Of a text that does not compile the builds will say why. */
    if (command_run(&command, NULL, &text, &said) == 0 && text.size) {
        text_put(&text, "");
        read_symbols(&a, text.at);
        look_at_functions(&a);
        look_at_shared(&a);
        look_at_arrays(&a, said.at ? said.at : "");
    }
}
