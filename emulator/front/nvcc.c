/* Without --text it is CUDA's nvcc (options.h).
 *
 * nvcc --text=FILE.ii [--program] [--target='FILE...'] [--plain=OBJECT] [--checked=OBJECT]
 *      [--counted=OBJECT] [--debug=OBJECT] SOURCE COMPILER [FLAG...]
 * Makes of a step the text that all builds of the emulator compile (preprocess.h), by the
 * compiler's preprocessor with these flags, and of that the objects that are named (builds.h), at
 * the same time. With --program it is a program of somebody's own, which nobody grades, and may use
 * more. FILE.d is about the files that are named as targets. What is to be said goes to stderr.
 * Only where the counted build fails it is missing, and OBJECT.log, without the .o, says why. Exit
 * status: 0 done, 1 the source is refused: stderr has the errors, 2 wrong usage, 3 a fault. */
#include "builds.h"
#include "options.h"

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
};

static char *log_of(const char *object) {
    size_t length = strlen(object) - (ends_in(object, ".o") ? strlen(".o") : 0);
    return format_text("%.*s.log", (int)length, object);
}

static int build_one(const struct request *request, enum build build) {
    struct text said = {0};
    bool done = build_object(build, &request->source, request->objects[build], &said);
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
    for (int build = 0; build < BUILDS; build++) {
        if (!builders[build])
            continue;
        int status = wait_for(builders[build]);
        if (build == COUNTED && status == 1)
            continue;
        tell(request->objects[build], !worst && (build == PLAIN || status));
        worst = status > worst ? status : worst;
    }
    return worst;
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
    } else if (value_of(word, "--target=")) {
        request->source.targets = value_of(word, "--target=");
    } else {
        wrong_usage("unknown option");
    }
}

static bool has_text(int count, char **words) {
    for (int i = 1; i < count; i++)
        if (value_of(words[i], "--text="))
            return true;
    return false;
}

int main(int count, char **words) {
    if (!has_text(count, words))
        return drive(count, words);
    struct request request = {.source.libraries = "emulator/libraries"};
    struct source *source = &request.source;
    int i = 1;
    for (; i < count && begins_with(words[i], "--"); i++)
        take_option(&request, words[i]);
    if (!source->base || count - i < 2)
        wrong_usage("use: nvcc --text=FILE.ii [--program] [--BUILD=OBJECT...] SOURCE COMPILER "
                    "[FLAG...]");
    source->path = words[i++];
    for (; i < count; i++)
        command_add(&source->compiler, words[i]);
    return preprocess(source) ? build_all(&request) : 1;
}
