#include "options.h"
#include "../text/lexer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum action {
    SETS,            /* a flag of struct options */
    TAKES,           /* a text of struct options */
    COMPILER,        /* the value, or values, for the host's compiler */
    COMPILER_PREFIX, /* the option with its value, for the host's compiler */
    LINKER,
    LINKER_PREFIX,
    LIBRARY_FILE, /* stands among the files, in its place */
    OPTIMIZE,
    STANDARD,
    FILE_OF_OPTIONS,
    SEPARATE,
    IGNORED, /* it changes nothing here */
    IGNORED_VALUE,
    REFUSED,
};

static const struct option {
    const char *brief, *name;
    enum action action;
    size_t member; /* of struct options */
} options[] = {
#define FIELD(name) offsetof(struct options, name)
    {"-c", "--compile", SETS, FIELD(compile_only)},
    {"-dc", "--device-c", SETS, FIELD(compile_only)},
    {"-dw", "--device-w", SETS, FIELD(compile_only)},
    {"-E", "--preprocess", SETS, FIELD(preprocess_only)},
    {"-dlink", "--device-link", SETS, FIELD(device_link)},
    {"-lib", "--lib", SETS, FIELD(library)},
    {"-shared", "--shared", SETS, FIELD(shared)},
    {"-run", "--run", SETS, FIELD(run)},
    {"-M", "--generate-dependencies", SETS, FIELD(dependencies)},
    {"-MM", "--generate-nonsystem-dependencies", SETS, FIELD(dependencies)},
    {"-MD", "--generate-dependencies-with-compile", SETS, FIELD(dependencies_too)},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", SETS, FIELD(dependencies_too)},
    {"-extended-lambda", "--extended-lambda", SETS, FIELD(extended_lambda)},
    {"-expt-extended-lambda", "--expt-extended-lambda", SETS, FIELD(extended_lambda)},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", SETS, FIELD(relaxed_constexpr)},
    {"-v", "--verbose", SETS, FIELD(verbose)},
    {"-dryrun", "--dryrun", SETS, FIELD(dry)},
    {"-V", "--version", SETS, FIELD(version)},
    {"-o", "--output-file", TAKES, FIELD(output)},
    {"-x", "--x", TAKES, FIELD(language)},
    {"-ccbin", "--compiler-bindir", TAKES, FIELD(host_compiler)},
    {"-MF", "--dependency-output", TAKES, FIELD(dependency_file)},
    {"-MT", "--dependency-target-name", TAKES, FIELD(target)},
    {"-std", "--std", STANDARD, 0},
    {"-O", "--optimize", OPTIMIZE, 0},
    {"-I", "--include-path", COMPILER_PREFIX, 0},
    {"-isystem", "--system-include", COMPILER_PREFIX, 0},
    {"-D", "--define-macro", COMPILER_PREFIX, 0},
    {"-U", "--undefine-macro", COMPILER_PREFIX, 0},
    {"-include", "--pre-include", COMPILER_PREFIX, 0},
    {"-Xcompiler", "--compiler-options", COMPILER, 0},
    {"-Xlinker", "--linker-options", LINKER, 0},
    {"-L", "--library-path", LINKER_PREFIX, 0},
    {"-l", "--library", LIBRARY_FILE, 0},
    {"-optf", "--options-file", FILE_OF_OPTIONS, 0},
    {"-ptx", "--ptx", REFUSED, 0},
    {"-cubin", "--cubin", REFUSED, 0},
    {"-fatbin", "--fatbin", REFUSED, 0},
    {"-optix-ir", "--optix-ir", REFUSED, 0},
    {"-ltoir", "--ltoir", REFUSED, 0},
    {"-rdc", "--relocatable-device-code", SEPARATE, 0},
    {"-m", "--machine", IGNORED_VALUE, 0},
    {"-t", "--threads", IGNORED_VALUE, 0},
#undef FIELD
};

/* Options that change nothing here, with one dash or two; and those that have a value. */
static const char ignored[] =
    "-use_fast_math -m64 -Werror -extra-device-vectorization -keep -g -debug -G -device-debug "
    "-lineinfo -generate-line-info -pg -profile -w -disable-warnings -MP "
    "-generate-dependency-targets -res-usage -resource-usage -restrict -dlto -dlink-time-opt "
    "-noprof -no-profile -src-in-ptx -source-in-ptx -Wno-deprecated-gpu-targets "
    "-Wno-deprecated-declarations -Wreorder -Wext-lambda-captures-this "
    "-allow-unsupported-compiler -forward-unknown-to-host-compiler -forward-unknown-opts "
    "-no-compress -clean -clean-targets";
static const char ignored_values[] =
    "-arch -gpu-architecture -gencode -generate-code -code -gpu-code -cudart -Xptxas "
    "-ptxas-options -Xnvlink -nvlink-options -Xcudafe -cudafe-options -Xfatbin "
    "-fatbin-options -Xarchive -archive-options -maxrregcount -ftz -prec-div -prec-sqrt -fmad "
    "-keep-dir -default-stream -diag-suppress -diag-error -diag-warn -target-dir "
    "-target-directory -cudadevrt -split-compile";

_Noreturn void fatal(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("nvcc fatal   : ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Words of a text, with quotes as the shell has them, or between commas. */
static void split(const char *text, bool commas, struct command *to) {
    struct text word = {0};
    char quote = '\0';
    bool any = false;
    for (;; text++) {
        bool ends = !*text || (!quote && (commas ? *text == ',' : isspace((unsigned char)*text)));
        if (ends && any) {
            command_add(to, format_text("%s", word.at ? word.at : ""));
            word.size = 0;
            any = false;
            if (word.at)
                word.at[0] = '\0';
        }
        if (!*text)
            break;
        if (ends)
            continue;
        any = true;
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
        else
            text_add(&word, *text == '\\' && text[1] && !commas ? ++text : text, 1);
    }
}

static void expand_file(const char *path, struct command *to) {
    bool ok;
    struct text text = text_read(path, &ok);
    if (!ok)
        fatal("Could not open input file '%s'", path);
    split(text.at, false, to);
}

static bool takes_value(enum action action) {
    return action != SETS && action != IGNORED && action != REFUSED;
}

/* -I/usr/include, -O3: the value stands behind a short name. */
static bool may_be_joined(const struct option *option) {
    return strlen(option->brief) == 2 && strchr("IDULlOoxmt", option->brief[1]) &&
           takes_value(option->action);
}

/* The option that a word is, and where its value is in it; NULL: that is the next word. */
static const struct option *find_option(const char *word, const char **value) {
    static const struct option nothing = {.action = IGNORED},
                               with_value = {.action = IGNORED_VALUE};
    const char *one_dash = word + begins_with(word, "--"), *equals = strchr(word, '=');
    const struct token bare = {.at = one_dash, .length = strcspn(one_dash, "=")};
    *value = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *one = &options[i];
        const char *const names[] = {one->name, one->brief};
        for (int n = 0; n < 2; n++) {
            size_t length = strlen(names[n]);
            if (strncmp(word, names[n], length) != 0 || (word[length] && word[length] != '='))
                continue;
            *value = word[length] && takes_value(one->action) ? word + length + 1 : NULL;
            return one;
        }
    }
    if (is_any_of(&bare, ignored))
        return &nothing;
    if (is_any_of(&bare, ignored_values)) {
        *value = equals;
        return &with_value;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (may_be_joined(&options[i]) && begins_with(word, options[i].brief)) {
            *value = word + 2;
            return &options[i];
        }
    return NULL;
}

/* The emulator's headers need C++17. */
static void take_standard(struct options *o, const char *value) {
    const char *year = value + strcspn(value, "0123456789");
    o->standard =
        begins_with_any(year, "03 98 0x 11 14") ? "-std=gnu++17" : format_text("-std=%s", value);
    o->given_standard = true;
}

/* What -Xcompiler brings that changes what is analysed is left out. */
static void take_compiler_words(struct options *o, const char *value) {
    struct command words = {0};
    split(value, true, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.words[i];
        if (begins_with_any(word, "-O -march -W") || strcmp(word, "-g") == 0)
            continue;
        if (begins_with(word, "-std="))
            take_standard(o, word + strlen("-std="));
        else
            command_add(&o->compiler, word);
        if (strcmp(word, "-fopenmp") == 0 || begins_with_any(word, "-pthread -fsanitize"))
            command_add(&o->linker, word);
    }
}

static bool is_library_of_toolkit(const char *word) {
    return strcmp(word, "-lcudart") == 0 || strcmp(word, "-lcudart_static") == 0 ||
           strcmp(word, "-lcudadevrt") == 0;
}

static void take_many(struct options *o, const struct option *option, const char *value) {
    struct command words = {0};
    if (option->brief[1] == 'D') /* its commas are the macro's */
        command_add(&words, value);
    else
        split(value, true, &words);
    for (size_t i = 0; i < words.count; i++) {
        bool links = option->action == LINKER || option->action == LINKER_PREFIX;
        bool apart = option->action == LINKER || strcmp(option->brief, "-include") == 0;
        char *whole = format_text("%s%s", apart ? "" : option->brief, words.words[i]);
        struct command *to = links                            ? &o->linker
                             : option->action == LIBRARY_FILE ? &o->inputs
                                                              : &o->compiler;
        if (apart)
            command_add(to, option->brief);
        if (to != &o->inputs || !is_library_of_toolkit(whole))
            command_add(to, whole);
    }
}

static void take_option(struct options *o, const struct option *option, const char *value) {
    switch (option->action) {
    case SETS:
        *(bool *)((char *)o + option->member) = true;
        o->separate |= strncmp(option->brief, "-dc", 3) == 0;
        break;
    case TAKES:
        *(const char **)((char *)o + option->member) = value;
        break;
    case STANDARD:
        take_standard(o, value);
        break;
    case COMPILER:
        take_compiler_words(o, value);
        break;
    case LINKER:
    case COMPILER_PREFIX:
    case LINKER_PREFIX:
    case LIBRARY_FILE:
        take_many(o, option, value);
        break;
    case SEPARATE:
        o->separate |= strcmp(value, "true") == 0;
        break;
    case REFUSED:
        fatal("%s: the emulator makes no code for a GPU", option->name);
    default: /* it changes nothing, or has been read */
        break;
    }
}

/* What is unknown goes to the host's compiler, as -forward-unknown-to-host-compiler has it. */
static void take_words(struct options *o, const struct command *words) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->words[i], *value;
        if (word[0] != '-' || !word[1]) {
            command_add(&o->inputs, word);
            continue;
        }
        const struct option *option = find_option(word, &value);
        if (!option && begins_with_any(word, "-f -W -m -pthread")) {
            take_compiler_words(o, word);
            continue;
        }
        if (!option)
            fatal("Unknown option '%s'", word);
        if (takes_value(option->action) && !value) {
            if (i + 1 == words->count)
                fatal("No argument specified for option '%s'", word);
            value = words->words[++i];
        }
        take_option(o, option, value);
    }
}

struct options options_read(int count, char **given) {
    struct options o = {.standard = "-std=gnu++17"};
    struct command words = {0};
    struct stat status;
    for (int i = 1; i < count; i++) {
        const char *value;
        const struct option *option = *given[i] == '-' ? find_option(given[i], &value) : NULL;
        if (*given[i] == '@')
            expand_file(given[i] + 1, &words);
        else if (option && option->action == FILE_OF_OPTIONS && (value || i + 1 < count))
            expand_file(value ? value : given[++i], &words);
        else
            command_add(&words, given[i]);
    }
    take_words(&o, &words);
    if (!o.host_compiler)
        o.host_compiler = getenv("NVCC_CCBIN") ? getenv("NVCC_CCBIN") : "g++";
    if (stat(o.host_compiler, &status) == 0 && S_ISDIR(status.st_mode))
        o.host_compiler = format_text("%s/g++", o.host_compiler);
    else if (ends_in(o.host_compiler, "gcc"))
        o.host_compiler = format_text("%.*s++", (int)strlen(o.host_compiler) - 2, o.host_compiler);
    if (o.shared)
        command_add(&o.compiler, "-fPIC");
    return o;
}
