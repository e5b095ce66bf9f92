#define _GNU_SOURCE
#include "built.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"

static bool executable(const char *directory, const char *name, char path[PATH_MAX]) {
    if (snprintf(path, PATH_MAX, "%s/%s", directory, name) >= PATH_MAX)
        usage_error("the path %.80s... is too long", directory);
    return access(path, X_OK) == 0;
}

bool built_find(struct built *built, const char *directory, bool checked) {
    built->directory = directory;
    bool runs = executable(directory, "runner", built->runner);
    bool checks = executable(directory, "runner-checked", built->check_runner);
    if (!executable(directory, "runner-counted", built->counted_runner))
        built->counted_runner[0] = '\0';
    if (!checks)
        memcpy(built->check_runner, built->runner, sizeof built->check_runner);
    return runs && (checks || !checked);
}

void log_add(const char *log, const char *text, size_t bytes) {
    if (!log || !bytes)
        return;
    int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text, bytes) < 0)
        fault("cannot write %s", log);
    close(fd);
}

/* A file of the directory, or NULL. */
static FILE *open_built(const char *directory, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return fopen(path, "re");
}

static bool names_an_error(const char *line) {
    return strstr(line, "error") || strstr(line, "undefined reference");
}

void built_explain(const char *directory, const char *log, struct verdict *verdict) {
    FILE *file = open_built(directory, "build.log");
    char *line = NULL;
    size_t size = 0;
    bool found = !verdict;
    for (ssize_t length; file && (length = getline(&line, &size, file)) > 0;) {
        log_add(log, line, length);
        line[strcspn(line, "\r\n")] = '\0';
        if (found || !names_an_error(line))
            continue;
        snprintf(verdict->detail, sizeof verdict->detail, "%.511s", line);
        found = true;
    }
    free(line);
    if (file)
        fclose(file);
}

void built_evidence(const char *directory, const char *log, char *flagged, size_t flagged_size) {
    FILE *file = open_built(directory, "evidence");
    char *line = NULL;
    size_t size = 0, length = 0;
    flagged[0] = '\0';
    while (file && getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        const char *what = strstr(line, ": ");
        what = what ? what + 2 : line;
        char entry[1024];
        int bytes = snprintf(entry, sizeof entry, "evidence: %.1000s\n", what);
        log_add(log, entry, bytes);
        if (strncmp(line, "flag: ", 6) == 0 && length + 1 < flagged_size)
            length +=
                snprintf(flagged + length, flagged_size - length, "%s%s", length ? ";" : "", what);
    }
    free(line);
    if (file)
        fclose(file);
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* `# LINE "FILE" FLAGS`: whether a step's own lines follow, not the harness's or a library's. */
static bool begins_own(const char *marker) {
    static const char *const others[] = {"/usr/", "emulator/", "common/", "<"};
    const char *file = strchr(marker, '"');
    for (size_t i = 0; file && i < sizeof others / sizeof *others; i++)
        if (strncmp(file + 1, others[i], strlen(others[i])) == 0)
            return false;
    return file;
}

static bool has_name(const char *line, const char *name) {
    for (const char *at = line; (at = strstr(at, name)); at += strlen(name))
        if (!(at > line && is_of_name(at[-1])) && !is_of_name(at[strlen(name)]))
            return true;
    return false;
}

bool built_uses(const char *directory, const char *name) {
    FILE *file = open_built(directory, "step.ii");
    char *line = NULL;
    size_t size = 0;
    bool own = false, found = false;
    while (file && !found && getline(&line, &size, file) > 0)
        if (strncmp(line, "# ", 2) == 0)
            own = begins_own(line);
        else
            found = own && has_name(line, name);
    free(line);
    if (file)
        fclose(file);
    return found;
}
