#define _XOPEN_SOURCE 700
#include "preprocess.h"
#include "../text/stream.h"
#include "../rewrite/rewrite.h"
#include "rules.h"
#include "spaces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *beside(const struct source *source, const char *ending) {
    return format_text("%s%s", source->base, ending);
}

static bool is_written(const char *path, const struct text *text) {
    bool read;
    struct text written = text_read(path, &read);
    return read && written.size == text->size &&
           (!text->size || memcmp(written.at, text->at, text->size) == 0);
}

/* What has not changed keeps its time: other builds of the source are no older than it. */
static void write_beside(const struct source *source, const char *ending, const struct text *text) {
    char *path = beside(source, ending);
    if (!is_written(path, text) && !text_write(path, text->at ? text->at : "", text->size)) {
        fprintf(stderr, "nvcc: cannot write %s: %s\n", path, strerror(errno));
        exit(3);
    }
}

/* The whole path of a directory. */
static char *make_headers(const struct source *source) {
    char *path = beside(source, ".headers");
    char *whole = mkdir(path, 0777) == 0 || errno == EEXIST ? realpath(path, NULL) : NULL;
    if (!whole) {
        fprintf(stderr, "nvcc: cannot write to %s\n", path);
        exit(3);
    }
    return whole;
}

/* The emulator's own headers and those of the contract have nothing to rewrite. */
static bool is_ours(const struct source *source, const char *directory) {
    char *one = realpath(directory, NULL), *other = realpath(source->libraries, NULL);
    return (one && other && strcmp(one, other) == 0) || strcmp(directory, "common") == 0 ||
           begins_with(directory, "emulator/");
}

static struct text rewrite_source(const struct source *source, struct text *notes,
                                  struct text *functions) {
    struct manner manner = {
        .any_program = source->program, .older = source->older, .relaxed = source->relaxed};
    const char **directories = need(calloc(source->compiler.count + 1, sizeof *directories));
    if (source->program) {
        manner.libraries = source->libraries;
        manner.cccl = "/usr/include";
        manner.headers = make_headers(source);
    }
    for (size_t i = 0; source->program && i < source->compiler.count; i++) {
        const char *word = source->compiler.words[i];
        if (begins_with(word, "-isystem"))
            manner.cccl = word + strlen("-isystem");
        else if (begins_with(word, "-I") && !is_ours(source, word + 2))
            directories[manner.directory_count++] = word + 2;
    }
    manner.directories = directories;
    return rewrite(&manner, source->path, notes, functions);
}

/* What a distribution's compiler adds to copies (_FORTIFY_SOURCE) the analysis would not see. */
static int run_preprocessor(const struct source *source, bool lean, struct text *output,
                            struct text *errors) {
    struct command command = {0};
    command_add(&command, source->compiler.words[0]);
    if (lean)
        command_add(&command, "-DEMULATOR_NO_LIBRARY");
    command_list(&command, source->compiler.words + 1);
    command_words(
        &command, "-O2", "-U_FORTIFY_SOURCE", "-E", "-MMD", "-MP", "-MF", beside(source, ".d"),
        "-MT", source->targets ? source->targets : beside(source, ".ii"), beside(source, ".cpp"));
    int status = command_run(&command, NULL, output, errors);
    text_put(output, "");
    return status;
}

static bool finish(const struct source *source, bool kept, const struct text *text,
                   const struct text *notes) {
    fputs(notes->at ? notes->at : "", stderr);
    if (kept)
        write_beside(source, ".ii", text);
    else
        unlink(beside(source, ".ii"));
    return kept;
}

/* Most steps need no C++ library and no mathematics, and compile twice as fast: tried first. */
static bool preprocess_step(const struct source *source, struct text *notes) {
    char tree[4096];
    struct step step = {
        .source = source->path, .directory = ".", .tree = getcwd(tree, sizeof tree)};
    for (size_t i = 0; i < source->compiler.count; i++)
        if (begins_with(source->compiler.words[i], "-I"))
            step.directory = source->compiler.words[i] + 2;
    for (step.lean = true;; step.lean = false) {
        struct text output = {0}, said = {0}, text = {0}, flags = {0};
        int status = run_preprocessor(source, step.lean, &output, &said);
        enum rules rules = keep_rules(&step, &output, &text, &said, &flags);
        bool kept = status == 0 && rules == KEPT;
        if (kept || !step.lean) {
            text_put(notes, said.at ? said.at : "");
            write_beside(source, ".flags", &flags);
            return finish(source, kept, &text, notes);
        }
    }
}

/* A system's header (marker 3) may need the builtin; what the program itself copies is seen. */
static void name_copies(const struct text *output, struct text *text) {
    bool of_system = false;
    struct marker marker;
    for (const char *line = output->at; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        char *copy = format_text("%.*s", (int)length, line);
        if (read_marker(copy, &marker))
            of_system = marker.system;
        if (of_system)
            text_put(text, copy);
        else
            write_watched(text, copy);
        text_put(text, "\n");
    }
}

static bool preprocess_program(const struct source *source, struct text *notes) {
    struct text output = {0}, text = {0};
    int status = run_preprocessor(source, false, &output, notes);
    name_copies(&output, &text);
    return finish(source, status == 0, &text, notes);
}

static bool keeps_spaces(const struct source *source, const struct text *functions) {
    struct text errors = {0};
    check_spaces(source, functions, &errors);
    bool kept = !errors.size;
    if (!kept)
        unlink(beside(source, ".ii"));
    fputs(kept ? "" : errors.at, stderr);
    return kept;
}

bool preprocess(const struct source *source) {
    struct text notes = {0}, functions = {0};
    unlink(beside(source, ".ii"));
    struct text text = rewrite_source(source, &notes, &functions);
    write_beside(source, ".cpp", &text);
    bool kept =
        source->program ? preprocess_program(source, &notes) : preprocess_step(source, &notes);
    if (kept && (functions.size || ends_in(source->path, ".cu")))
        kept = keeps_spaces(source, &functions);
    return kept;
}
