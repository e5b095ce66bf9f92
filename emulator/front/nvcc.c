/* Without --text or --link it is CUDA's nvcc (options.h).
 *
 * nvcc --text=FILE.ii [--program] [--target='FILE...'] [--plain=OBJECT] [--checked=OBJECT]
 *      [--counted=OBJECT] [--debug=OBJECT] [--then='COMMAND...'] [--stale='FILE...'] [--log=FILE]
 *      SOURCE COMPILER [FLAG...]
 * Makes of a step the text that all builds of the emulator compile (preprocess.h), by the
 * compiler's preprocessor with these flags, and of that the objects that are named (builds.h), at
 * the same time. With --program it is a program of somebody's own, which nobody grades, and may use
 * more. FILE.d is about the files that are named as targets. COMMAND gets the objects, and may
 * refuse them; they have their names when it is done. What is to be said goes to stderr, and with a
 * log there, and to stderr only if this fails: then the stale files go as well, which were made of
 * earlier objects. Where of several builds only the counted one fails, it is missing, and
 * OBJECT.log, without the .o, says why.
 *
 * nvcc --link=PROGRAM --log=FILE --c=COMPILER --cxx=COMPILER OBJECT... [FLAG...]
 * Links a program, which has its name when it is whole. The log gets what the linker says.
 *
 * Exit status: 0 done, 1 the source is refused: stderr has the errors, 2 wrong usage, 3 a fault. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "builds.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void wrong_usage(const char *why) {
    fprintf(stderr, "nvcc: %s\n", why);
    exit(2);
}

static const char *value_of(const char *word, const char *option) {
    return begins_with(word, option) ? word + strlen(option) : NULL;
}

/* What was asked for. */
struct request {
    struct source source;
    const char *objects[BUILDS]; /* NULL: not this one */
    const char *made[BUILDS];    /* what they are called until they are done */
    const char *then, *stale, *log, *program, *c, *cxx; /* NULL: none */
};

static void add_words(struct command *command, const char *words) {
    char *copy = format_text("%s", words ? words : "");
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        command_add(command, word);
}

static char *unfinished(const char *path) { return format_text("%s.%d", path, (int)getpid()); }

static char *log_of(const char *object) {
    size_t length = strlen(object) - (ends_in(object, ".o") ? strlen(".o") : 0);
    return format_text("%.*s.log", (int)length, object);
}

static int build_one(const struct request *request, enum build build) {
    struct text said = {0};
    bool done = build_object(build, &request->source, request->made[build], &said);
    char *log = log_of(request->objects[build]);
    if (!text_write(log, said.at ? said.at : "", said.size)) {
        fprintf(stderr, "nvcc: cannot write %s\n", log);
        return 3;
    }
    return !done;
}

static int wait_for(pid_t builder) {
    int status;
    bool ended = builder > 0 && waitpid(builder, &status, 0) == builder && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : 3;
}

/* What a build said; of what is no error one says enough. */
static void tell(const char *object, bool wanted) {
    bool ok;
    char *log = log_of(object);
    struct text said = text_read(log, &ok);
    if (wanted)
        fputs(said.at, stderr);
    unlink(log);
}

/* Each in a process of its own. */
static int build_all(const struct request *request) {
    pid_t builders[BUILDS] = {0};
    int worst = 0;
    fflush(NULL);
    for (int build = 0; build < BUILDS; build++)
        if (request->objects[build] && (builders[build] = fork()) == 0)
            exit(build_one(request, (enum build)build));
    bool others = builders[PLAIN] || builders[CHECKED] || builders[DEBUG];
    for (int build = 0; build < BUILDS; build++) {
        if (!builders[build])
            continue;
        int status = wait_for(builders[build]);
        if (build == COUNTED && status == 1 && others)
            continue;
        tell(request->objects[build], !worst && (build == PLAIN || status));
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* What the objects are to keep to. */
static int call_then(const struct request *request) {
    struct command command = {0};
    if (!request->then)
        return 0;
    add_words(&command, request->then);
    for (int build = 0; build < BUILDS; build++)
        if (request->made[build])
            command_add(&command, request->made[build]);
    return command_run(&command, NULL, NULL, NULL);
}

/* A counted one may be missing. */
static int name_objects(const struct request *request) {
    int worst = 0;
    for (int build = 0; build < BUILDS; build++)
        if (request->made[build] && rename(request->made[build], request->objects[build]) != 0 &&
            build != COUNTED)
            worst = 3;
    return worst;
}

static bool is_empty(const char *path) {
    bool ok;
    struct text text = text_read(path, &ok);
    return ok && strspn(text.at, " \t\r\n\v\f") == text.size;
}

static int build_step(const struct request *request) {
    const struct source *source = &request->source;
    if (!source->program && is_empty(source->path)) {
        fprintf(stderr, "%s:1: error: the file is empty\n", source->path);
        return 1;
    }
    int status = preprocess(source) ? build_all(request) : 1;
    status = status ? status : call_then(request);
    return status ? status : name_objects(request);
}

/* All that is said goes to the log; a process of its own says it, and may die of it. */
static int build_with_log(const struct request *request) {
    bool ok;
    int log = open(request->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) {
        fprintf(stderr, "nvcc: cannot write %s\n", request->log);
        return 3;
    }
    fflush(NULL);
    pid_t builder = fork();
    if (builder == 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        exit(build_step(request));
    }
    int status = wait_for(builder);
    if (status)
        fputs(text_read(request->log, &ok).at, stderr);
    return status;
}

static int build(struct request *request) {
    struct command stale = {0};
    for (int build = 0; build < BUILDS; build++)
        if (request->objects[build])
            request->made[build] = unfinished(request->objects[build]);
    int status = request->log ? build_with_log(request) : build_step(request);
    for (int build = 0; build < BUILDS; build++)
        if (request->made[build])
            unlink(request->made[build]);
    add_words(&stale, status ? request->stale : "");
    for (size_t i = 0; i < stale.count; i++)
        unlink(stale.words[i]);
    return status;
}

/* All names of the C++ library are many to read for a linker. Most steps need only the part of it
 * that is in libsupc++. */
static int link_program(const struct request *request) {
    const struct command *rest = &request->source.compiler;
    const char *made = unfinished(request->program);
    struct command small = {0}, whole = {0};
    struct text said = {0};
    add_words(&small, request->c);
    add_words(&whole, request->cxx);
    command_list(&small, rest->words);
    command_list(&whole, rest->words);
    command_words(&small, "-o", made, "-lsupc++", "-lm");
    command_words(&whole, "-o", made);
    bool linked = command_run(&small, NULL, NULL, &said) == 0 ||
                  command_run(&whole, NULL, NULL, (said.size = 0, &said)) == 0;
    FILE *log = fopen(request->log, "a");
    if (log && said.size)
        fwrite(said.at, 1, said.size, log);
    if (log && fclose(log) == 0 && linked && rename(made, request->program) == 0)
        return 0;
    fwrite(said.at, 1, said.size, stderr);
    unlink(made);
    unlink(request->program);
    return 1;
}

static bool take_text(struct request *request, const char *word) {
    const struct {
        const char *option, **text;
    } options[] = {{"--target=", &request->source.targets},
                   {"--then=", &request->then},
                   {"--stale=", &request->stale},
                   {"--log=", &request->log},
                   {"--link=", &request->program},
                   {"--c=", &request->c},
                   {"--cxx=", &request->cxx}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (value_of(word, options[i].option)) {
            *options[i].text = value_of(word, options[i].option);
            return true;
        }
    return false;
}

static void take_option(struct request *request, char *word) {
    static const char *const builds[BUILDS] = {"--plain=", "--checked=", "--counted=", "--debug="};
    int build = 0;
    while (build < BUILDS && !value_of(word, builds[build]))
        build++;
    if (build < BUILDS) {
        request->objects[build] = value_of(word, builds[build]);
        unlink(request->objects[build]);
    } else if (strcmp(word, "--program") == 0) {
        request->source.program = true;
    } else if (value_of(word, "--text=") && ends_in(word, ".ii")) {
        word[strlen(word) - strlen(".ii")] = '\0';
        request->source.base = value_of(word, "--text=");
    } else if (!take_text(request, word)) {
        wrong_usage("unknown option");
    }
}

static bool is_of_makefile(int count, char **words) {
    for (int i = 1; i < count; i++)
        if (value_of(words[i], "--text=") || value_of(words[i], "--link="))
            return true;
    return false;
}

int main(int count, char **words) {
    if (!is_of_makefile(count, words))
        return drive(count, words);
    struct request request = {.source.libraries = "emulator/libraries"};
    struct source *source = &request.source;
    int i = 1;
    for (; i < count && begins_with(words[i], "--"); i++)
        take_option(&request, words[i]);
    if (source->base && i < count)
        source->path = words[i++];
    for (; i < count; i++)
        command_add(&source->compiler, words[i]);
    if (request.program && request.log && request.c && request.cxx && source->compiler.count)
        return link_program(&request);
    if (request.program || !source->base || !source->compiler.count)
        wrong_usage("use: nvcc --text=FILE.ii [--program] [--BUILD=OBJECT...] SOURCE COMPILER "
                    "[FLAG...]");
    return build(&request);
}
