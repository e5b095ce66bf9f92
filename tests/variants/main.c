/* build/variants: whole step files, made of changes (changes.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "changes.h"

static const char USAGE[] =
    "Usage: build/variants write DIR FILE.changes...\n"
    "   or: build/variants print FILE.changes NAME\n"
    "   or: build/variants print STEP\n"
    "Makes whole step files of changes: tests/changes has mistakes and hazards, experiments what did not help.\n"
    "tests/variants/changes.h describes their form.\n"
    "\n"
    "  write   for each change NAME of STEM.changes the file DIR/STEM/NAME/FUNCTION.cu, where FUNCTION.cu is the name of\n"
    "          its base's. A file that has the right text already is left alone, so that make sees what is new\n"
    "  print   one such file; or what changes of a step are made of: its .cu file, and in that of a read\n"
    "          (common/baselines) the header that reads share\n"
    "\n"
    "Exit status: 0 done, 1 a change does not fit its base (the message says at which line), 2 wrong usage, 3 a file\n"
    "cannot be written.\n";

static int usage_error(const char *what, const char *which) {
    fprintf(stderr, "variants: %s%s: see build/variants --help\n", what, which);
    return 2;
}

/* Makes the folders of a path. */
static bool make_folders(const char *path) {
    char folder[4096];
    for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) && errno != EEXIST)
            return false;
    }
    return true;
}

static bool has_text(const char *path, const char *text) {
    char *there = file_text(path);
    bool same = there && !strcmp(there, text);
    free(there);
    return same;
}

static int write_file(const char *path, const char *text) {
    if (has_text(path, text))
        return 0;
    FILE *file = make_folders(path) ? fopen(path, "w") : NULL;
    bool done = file && fputs(text, file) >= 0;
    if ((!file || !fclose(file)) && done)
        return 0;
    fprintf(stderr, "variants: cannot write %s: %s\n", path, strerror(errno));
    return 3;
}

/* The file's name without folders and ".changes". */
static void stem_of(const char *path, char *stem, size_t size) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *end = strstr(name, ".changes");
    snprintf(stem, size, "%.*s", (int)(end ? (size_t)(end - name) : strlen(name)), name);
}

static int write_change(const char *directory, const struct changes *changes,
                        const struct change *change) {
    struct complaint complaint;
    char stem[256], source[4096], path[4096];
    char *text = change_apply(changes, change, &complaint);
    stem_of(changes->path, stem, sizeof stem);
    if (!text) {
        fprintf(stderr, "%s\n", complaint.text);
        return 1;
    }
    step_source(change->base, source, sizeof source);
    int length = snprintf(path, sizeof path, "%s/%s/%s/%s", directory, stem, change->name,
                          strrchr(source, '/') + 1);
    int status = length < (int)sizeof path ? write_file(path, text)
                                           : usage_error("the path is too long: ", directory);
    free(text);
    return status;
}

static int write_all(const char *directory, char **paths) {
    struct changes changes;
    struct complaint complaint;
    int worst = 0;
    for (; *paths; paths++) {
        if (!changes_read(*paths, &changes, &complaint)) {
            fprintf(stderr, "%s\n", complaint.text);
            worst = 1;
            continue;
        }
        for (size_t i = 0; i < changes.count; i++) {
            int status = write_change(directory, &changes, &changes.list[i]);
            worst = status > worst ? status : worst;
        }
        changes_free(&changes);
    }
    return worst;
}

static int print_text(char *text, const char *complaint) {
    if (!text) {
        fprintf(stderr, "%s\n", complaint);
        return 1;
    }
    fputs(text, stdout);
    free(text);
    return fflush(stdout) ? 3 : 0;
}

static int print_change(const char *path, const char *name) {
    struct changes changes;
    struct complaint complaint;
    if (!changes_read(path, &changes, &complaint))
        return print_text(NULL, complaint.text);
    const struct change *change = changes_find(&changes, name);
    int status = change ? print_text(change_apply(&changes, change, &complaint), complaint.text)
                        : usage_error("there is no such change: ", name);
    changes_free(&changes);
    return status;
}

static int print_step(const char *directory) {
    struct complaint complaint;
    snprintf(complaint.text, sizeof complaint.text,
             "%s is no step: it must be a directory with one .cu file", directory);
    return print_text(step_text(directory), complaint.text);
}

int main(int count, char **words) {
    const char *verb = count > 1 ? words[1] : "";
    if (!strcmp(verb, "--help"))
        return fputs(USAGE, stdout) < 0 ? 3 : 0;
    if (!strcmp(verb, "write") && count > 3)
        return write_all(words[2], words + 3);
    if (!strcmp(verb, "print") && count == 4)
        return print_change(words[2], words[3]);
    if (!strcmp(verb, "print") && count == 3)
        return print_step(words[2]);
    return usage_error("wrong usage", "");
}
