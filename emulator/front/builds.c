#include "builds.h"
#include "assembly.h"
#include "calls.h"
#include "loops.h"
#include "object.h"
#include "../text/patterns.h"
#include "../text/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NULL-ended lists of words. */
typedef const char *const words[];

static bool is_clang(const struct source *source) {
    return strstr(source->compiler.words[0], "clang") != NULL;
}

/* The compiler with its flags, but for those that begin so. */
static struct command compiler_of(const struct source *source, const char *without) {
    struct command command = {0};
    for (size_t i = 0; i < source->compiler.count; i++) {
        const char *word = source->compiler.words[i];
        if (!i || !begins_with_any(word, without))
            command_add(&command, word);
    }
    /* binutils take one file for another in newer tables of lines. */
    command_add(&command, "-gdwarf-4");
    if (!is_clang(source)) /* in a kernel `new` may give a null pointer */
        command_add(&command, "-fcheck-new");
    /* What is told of a step names lines, and no variable: a sixth of a build's time. */
    if (!is_clang(source) && !source->program)
        command_words(&command, "-g1", "-gstatement-frontiers");
    return command;
}

static bool assemble(const struct source *source, const struct text *assembly, const char *object,
                     struct text *said) {
    struct command command = {0};
    if (is_clang(source)) { /* it writes for its own assembler */
        command_add(&command, source->compiler.words[0]);
        command_words(&command, "-w", "-c", "-x", "assembler");
    } else {
        command_add(&command, "as");
    }
    command_words(&command, "-", "-o", object);
    return command_run(&command, assembly, NULL, said) == 0;
}

static struct text read_text(const struct source *source, const char *ending) {
    bool ok;
    return text_read(format_text("%s%s", source->base, ending), &ok);
}

/* What the compiler says it says again of BASE.cpp, with the author's columns and macros' names. */
static void say_better(const struct source *source, const char *level, struct text *said) {
    struct text better = {0};
    struct command command = compiler_of(source, "");
    command_words(&command, level, "-U_FORTIFY_SOURCE", "-c", format_text("%s.cpp", source->base),
                  "-o", "/dev/null");
    command_run(&command, NULL, NULL, &better);
    if (better.size)
        *said = better;
}

static bool build_plain(const struct source *source, const char *level, const char *object,
                        struct text *said) {
    struct command command = compiler_of(source, "-I -isystem");
    struct text first = {0};
    if (strcmp(level, "-O0") == 0) /* for a debugger */
        command_add(&command, "-g");
    command_words(&command, level, "-c", format_text("%s.ii", source->base), "-o", object);
    bool built = command_run(&command, NULL, NULL, &first) == 0;
    if (first.size)
        say_better(source, level, &first);
    text_add(said, first.at, first.size);
    return built;
}

/* ---- what is watched ---------------------------------------------------------------------- */

static void rename_to_hooks(struct renames *renames, const char *names) {
    for (char *name = strtok(format_text("%s", names), " "); name; name = strtok(NULL, " "))
        renames_add(renames, name, format_text("__tsan_%s", name));
}

/* Adds to the assembly a look at who calls each of these functions, and assembles it again. */
static bool add_looks(const struct source *source, struct text *assembly, struct text *names,
                      const char *object, struct renames *renames, struct text *said) {
    for (char *name = strtok(names->at, "\n"); name; name = strtok(NULL, "\n")) {
        write_look(name, matches(COMPUTING, name), assembly);
        renames_add(renames, name, format_text("host.%s", name));
        renames_add(renames, format_text("real.%s", name), name);
    }
    return assemble(source, assembly, object, said);
}

/* Assembles it, with looks. */
static bool assemble_watched(const struct source *source, struct text *assembly, const char *object,
                             struct renames *renames, struct text *said) {
    struct text names = {0};
    return assemble(source, assembly, object, said) && find_outside(object, &names) &&
           (!names.size || add_looks(source, assembly, &names, object, renames, said));
}

/* Calls by an address go by way of scheduler/by_address.c. */
#ifdef __x86_64__
static words gcc_thunks = {"-fcf-protection=none", "-mindirect-branch=thunk-extern",
                           "-mindirect-branch-register", NULL},
             clang_thunks = {"-mretpoline", "-mretpoline-external-thunk", NULL};
#else
static words gcc_thunks = {NULL}, clang_thunks = {NULL};
#endif

/* With gcc's dump of what it optimized (calls.h), if it is gcc. */
static bool compile_dumped(const struct command *command, const char *dump, const struct text *text,
                           struct text *assembly, struct text *said, struct text *optimized) {
    bool dumped;
    *assembly = *said = (struct text){0};
    if (command_run(command, text, assembly, said) != 0)
        return false;
    *optimized = text_read(dump, &dumped);
    unlink(dump);
    return true;
}

/* `rest` is the rest of the command. Once more, where gcc would not see some access (calls.h): then
 * with copies of what goes by value. Lines and sizes of accesses are better without. */
static bool compile_watched(const struct source *source, struct command command,
                            const char *const *rest, const char *object, const struct text *text,
                            struct text *assembly, struct text *said) {
    char *dump = format_text("%s.optimized", object);
    struct text first = {0}, optimized = {0}, returning = {0}, looking = {0};
    command_list(&command, is_clang(source) ? clang_thunks : gcc_thunks);
    if (!is_clang(source))
        command_add(&command, format_text("-fdump-tree-optimized-uid=%s", dump));
    command_list(&command, rest);
    bool done = compile_dumped(&command, dump, text, assembly, &first, &optimized);
    if (done && optimized.at && goes_by_value(optimized.at)) {
        command_add(&command, "-fno-elide-constructors");
        done = compile_dumped(&command, dump, text, assembly, &first, &optimized);
    }
    text_add(said, first.at, first.size);
    if (done && optimized.at && find_returning(optimized.at, &returning)) {
        look_at_results(assembly, &returning, &looking);
        *assembly = looking;
    }
    if (!done)
        say_better(source, "-O1", said);
    text_put(assembly, "");
    return done;
}

/* ---- the variables that memory is allocated for ------------------------------------------- */

static const char allocating[] = "cudaMalloc cudaMallocManaged cudaMallocHost cudaHostAlloc "
                                 "cudaMallocAsync cudaMallocPitch";

/* The token after a variable, its members and elements, that begins at t; t: there is none. */
static size_t after_variable(const struct stream *s, size_t t) {
    size_t end = t;
    while (t < s->count && s->tokens[t].kind == NAME) {
        end = t + 1;
        while (at(s, end, "[") && closing(s, end) != NONE)
            end = closing(s, end) + 1;
        bool arrow = at(s, end, "-") && at(s, end + 1, ">");
        if (!arrow && !at(s, end, ".") && !at(s, end, "::"))
            break;
        t = end + (arrow ? 2 : 1);
    }
    return end;
}

/* The comma after the first argument of the call whose bracket opens at `open`, or NONE. */
static size_t first_comma(const struct stream *s, size_t open) {
    size_t t = open + 1;
    while (t < s->count && opens(&s->tokens[t]) >= 0 && !at(s, t, ","))
        t = past(s, t);
    return at(s, t, ",") ? t : NONE;
}

/* Between these tokens stands `&` with a variable, maybe behind a cast or in brackets. */
static char *variable_of(const struct stream *s, size_t open, size_t comma) {
    for (size_t t = open + 1; t < comma; t++) {
        if (!at(s, t, "&") || !(at(s, t - 1, "(") || at(s, t - 1, ")")))
            continue;
        size_t after = after_variable(s, t + 1), end = after;
        while (at(s, end, ")"))
            end++;
        if (after > t + 1 && end == comma)
            return quote(s, t + 1, after - 1);
    }
    return NULL;
}

/* Notes into which variable memory is allocated, in the text of the checked build:
 *
 *   cudaMalloc((void **)&sums, bytes)
 *
 * becomes
 *
 *   cudaMalloc((emulator_names("sums"), (void **)&sums), bytes)
 *
 * which has the same types, for templates and overloads. Hazards then say "sums"
 * (checked/analysis.c). In the plain and the counted build nothing is noted. */
static void name_allocations(const struct text *from, struct text *to) {
    enum { LONGEST = 40 };
    struct stream s = {0};
    struct edits edits = {0};
    const char *second = next_line(from->at);
    read_preprocessed(&s, from);
    for (size_t t = 0; t < s.count; t++) {
        bool call = s.tokens[t].mark && is_any_of(&s.tokens[t], allocating) && at(&s, t + 1, "(");
        size_t comma = call ? first_comma(&s, t + 1) : NONE;
        const char *name = comma != NONE ? variable_of(&s, t + 1, comma) : NULL;
        if (!name || strlen(name) > LONGEST)
            continue;
        edit(&edits, s.tokens[t + 2].at, 0, "(emulator_names(\"%s\"), ", name);
        edit(&edits, s.tokens[comma].at, 0, ")");
    }
    text_add(to, from->at, (size_t)(second - from->at));
    text_put(to, "extern \"C\" void emulator_names(const char *) noexcept;\n");
    edits_make(&edits, second, from->size - (size_t)(second - from->at), to);
}

/* ---- checked ------------------------------------------------------------------------------ */

static bool compile_checked(const struct source *source, const char *object,
                            const struct text *text, struct text *assembly, struct text *said) {
    static words gcc = {"--param=tsan-distinguish-volatile=1", "-fno-section-anchors",
                        /* Of a thread's own arrays no access is told. */
                        "-fsanitize=object-size", NULL},
                 /* Its comments hold zeros, which end a text here. */
        clang = {"-fno-verbose-asm", "-mllvm", "-tsan-distinguish-volatile", NULL},
                 flags = {
                     /* Copies are calls, which are watched too. */
                     "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-O1",
                     /* What nobody has set is garbage. */
                     "-ftrivial-auto-var-init=pattern", "-fsanitize=thread", "-fsanitize=alignment",
                     "-fno-sanitize-recover=alignment", "-fsanitize=shift-exponent", "-S", "-x",
                     "c++-cpp-output", "-", "-o", "-", NULL};
    /* A volatile access may be meant for other threads, so it is kept apart. gcc for arm64 would
     * address arrays by another's place (section anchors), not knowing what is put between. */
    struct command command = compiler_of(source, "-I -isystem");
    struct text named = {0}, compiled = {0};
    name_allocations(text, &named);
    command_list(&command, is_clang(source) ? clang : gcc);
    bool done = compile_watched(source, command, flags, object, &named, &compiled, said);
    separate_shared(&compiled, assembly);
    return done;
}

static bool build_checked(const struct source *source, const char *object, struct text *said) {
    struct text text = read_text(source, ".ii"), assembly = {0};
    struct renames renames = {0};
    rename_to_hooks(&renames, storing_functions);
    return compile_checked(source, object, &text, &assembly, said) &&
           assemble_watched(source, &assembly, object, &renames, said) &&
           symbols_change(object, &(struct symbol_changes){.renames = &renames});
}

/* ---- counted ---------------------------------------------------------------------------- */

static bool compile_counted(const struct source *source, const char *object,
                            const struct text *text, struct text *assembly, struct text *said) {
    /* What is copied as a whole stays whole: scalar replacement makes four loads of one of 16
     * bytes. The order of the code is that of the source, by which lanes.c orders what lanes do. */
    static words gcc = {"-fno-tree-sra", "-fno-reorder-blocks", "-fno-thread-jumps", NULL},
                 clang = {"-fno-verbose-asm", NULL},
                 flags = {"-w", "-O1", "-fsanitize=thread", "-S", "-x", "c++-cpp-output", "-", "-o",
                          "-",  NULL};
    struct text marked = {0};
    mark_loops(text, &marked);
    struct command command = compiler_of(source, "-I -isystem -W");
    command_list(&command, is_clang(source) ? clang : gcc);
    return compile_watched(source, command, flags, object, &marked, assembly, said);
}

static bool build_counted(const struct source *source, const char *object, struct text *said) {
    struct text text = read_text(source, ".ii"), assembly = {0}, labelled = {0}, spots = {0};
    struct renames renames = {0};
    rename_to_hooks(&renames, storing_functions);
    if (!compile_counted(source, object, &text, &assembly, said))
        return false;
    size_t calls = label_calls(&assembly, &labelled, &spots);
    return assemble_watched(source, &labelled, object, &renames, said) &&
           find_counted_lines(object, &text, &spots, calls) &&
           symbols_change(object, &(struct symbol_changes){.renames = &renames});
}

/* What replaces a library's memory function: in kernels the device's (allocations.c); or NULL. */
static const char *heaps_name(const char *name) {
    bool aligned = strstr(name, "St11align_val_t") != NULL;
    if (strcmp(name, "malloc") == 0)
        return "emulator_malloc";
    if (strcmp(name, "free") == 0)
        return "emulator_free";
    if (!matches(DEVICE_FUNCTION, name) || !begins_with(name, "_Z"))
        return NULL;
    if (begins_with(name, "_Znwm") || begins_with(name, "_Znam"))
        return aligned ? "emulator_new_aligned" : "emulator_new";
    return begins_with(name, "_ZdlPv") || begins_with(name, "_ZdaPv") ? "emulator_delete" : NULL;
}

/* A program may have such a function of its own. */
static bool take_from_heap(const char *path) {
    struct renames renames = {0};
    struct object o;
    bool ok = object_open(&o, path);
    for (size_t i = 1; ok && i < o.symbol_count; i++) {
        const char *name = name_of(&o, &o.symbols[i]), *heaps = heaps_name(name);
        if (heaps && o.symbols[i].st_shndx == SHN_UNDEF)
            renames_add(&renames, name, heaps);
    }
    return ok &&
           (!renames.count || symbols_change(path, &(struct symbol_changes){.renames = &renames}));
}

bool build_object(enum build build, const struct source *source, const char *object,
                  struct text *said) {
    bool done = build == CHECKED ? build_checked(source, object, said)
                : build == COUNTED
                    ? build_counted(source, object, said)
                    : build_plain(source, build == DEBUG ? "-O0" : "-O2", object, said);
    done = done && take_from_heap(object);
    if (!done)
        unlink(object);
    return done;
}
