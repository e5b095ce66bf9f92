#define _GNU_SOURCE
#include "built.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "text.h"

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

/* A file of the directory, which the caller frees, or NULL. */
static char *read_built(const char *directory, const char *name, size_t *size) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return file_bytes(path, SIZE_MAX / 4, size);
}

static bool names_an_error(const char *line) {
    return strstr(line, "error") || strstr(line, "undefined reference");
}

void built_explain(const char *directory, const char *log, struct verdict *verdict) {
    size_t size;
    char *text = read_built(directory, "build.log", &size);
    if (!text)
        return;
    log_add(log, text, size);
    char *line = verdict ? strtok(text, "\r\n") : NULL;
    while (line && !names_an_error(line))
        line = strtok(NULL, "\r\n");
    if (line)
        snprintf(verdict->detail, sizeof verdict->detail, "%.511s", line);
    free(text);
}

void built_evidence(const char *directory, const char *log, char *flagged, size_t flagged_size) {
    size_t size;
    char *text = read_built(directory, "evidence", &size), entry[1024];
    flagged[0] = '\0';
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        const char *what = strstr(line, ": ");
        what = what ? what + 2 : line;
        log_add(log, entry, snprintf(entry, sizeof entry, "evidence: %.1000s\n", what));
        if (strncmp(line, "flag: ", 6) == 0)
            text_add((struct sentence){flagged, flagged_size}, "%s%s", flagged[0] ? ";" : "", what);
    }
    free(text);
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
    size_t size;
    char *text = read_built(directory, "step.ii", &size);
    bool own = false, found = false;
    for (char *line = text ? strtok(text, "\n") : NULL; line && !found; line = strtok(NULL, "\n"))
        if (strncmp(line, "# ", 2) == 0)
            own = begins_own(line);
        else
            found = own && has_name(line, name);
    free(text);
    return found;
}
