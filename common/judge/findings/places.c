#define _GNU_SOURCE
#include "places.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/clock.h"
#include "judge/fault.h"
#include "judge/text.h"

enum { MOST_OUTPUT = 1024 * 1024 };
#define PATIENCE_S 20
#define TEXT_OF(macro) QUOTE(macro)
#define QUOTE(text) #text

extern char **environ;

static const char *sandbox, *sources;

/* The places that were found last: checks ask for the same ones again. */
static struct known {
    char program[PATH_MAX];
    uint64_t *offsets;
    struct place *places;
    size_t count;
} known;

/* Those that somebody will ask for. */
static struct {
    char program[PATH_MAX];
    uint64_t *offsets;
    size_t count;
} expected;

void places_isolate(const char *program) {
    sandbox = program;
    known.count = 0;
}

void places_sources(const char *directory) {
    sources = directory;
    known.count = 0;
}

bool place_in_sources(const struct place *place) {
    return sources && strncmp(place->file, sources, strlen(sources)) == 0;
}

const char *place_file_name(const struct place *place) {
    const char *slash = strrchr(place->file, '/');
    return slash ? slash + 1 : place->file;
}

/* ---- directories ------------------------------------------------------------------------ */

/* Paths of the tree begin at its root, where the judge runs. */
static const char *from_root(const char *path) {
    char root[PATH_MAX];
    size_t length = getcwd(root, sizeof root) ? strlen(root) : 0;
    bool below = length && strncmp(path, root, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

/* The rest of the path after the directory and a slash, or NULL where it does not lie in there. The
 * tree may have been elsewhere when the program was built. */
static const char *inside(const char *directory, const char *path) {
    size_t length = strlen(directory);
    for (const char *at = path; (at = strstr(at, directory)); at++)
        if ((at == path || at[-1] == '/') && at[length] == '/')
            return strstr(at, "/../") ? NULL : at + length + 1;
    return NULL;
}

/* Where a program's source is: DIRECTORY for build/DEVICE/DIRECTORY/runner, else beside it, if
 * nobody has said. */
static void source_directory(const char *program, char directory[PATH_MAX]) {
    if (sources) {
        snprintf(directory, PATH_MAX, "%s", sources);
        return;
    }
    const char *from = from_root(program);
    if (strncmp(from, "build/", 6) == 0) {
        const char *slash = strchr(from + 6, '/');
        if (slash)
            from = slash + 1;
    }
    snprintf(directory, PATH_MAX, "%s", from);
    char *last = strrchr(directory, '/');
    if (last)
        *last = '\0';
    else
        snprintf(directory, PATH_MAX, ".");
}

/* A submission's source is built in build/class/RUN/STEP/HASH/; its author knows it as labs/STEP/.
 */
static void show_path(const char *directory, const char *below, struct place *place) {
    char step[128], path[2 * PATH_MAX];
    if (sources) {
        snprintf(path, sizeof path, "%s/%s", directory, below);
        snprintf(place->file, sizeof place->file, "%.250s", from_root(path));
    } else if (sscanf(directory, "build/class/%*[^/]/%127[^/]", step) == 1)
        snprintf(place->file, sizeof place->file, "labs/%.100s/%.100s", step, below);
    else
        snprintf(place->file, sizeof place->file, "%.120s/%.120s", directory, below);
}

/* ---- the source ------------------------------------------------------------------------- */

/* Without the blanks around it, and cut where a character ends. */
static void take_line(const char *line, struct place *place) {
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line), most = sizeof place->text - 1;
    if (length > most)
        for (length = most; length && (line[length] & 0xc0) == 0x80;)
            length--;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++)
        place->text[i] = (unsigned char)line[i] < 0x20 || line[i] == 0x7f ? ' ' : line[i];
    place->text[length] = '\0';
}

/* Only files of the step's directory are read, and no links: a source names any file that it likes
 * in a #line, and the grader may read more than its author. */
static void read_line(const char *path, struct place *place) {
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (fd < 0)
        return;
    FILE *file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    if (!file) {
        close(fd);
        return;
    }
    char *line = NULL;
    size_t size = 0;
    for (unsigned number = 1; getline(&line, &size, file) > 0; number++)
        if (number == place->line) {
            take_line(line, place);
            break;
        }
    free(line);
    fclose(file);
}

static bool place_inside(const char *directory, const char *below, unsigned line,
                         struct place *place) {
    char path[2 * PATH_MAX];
    *place = (struct place){.line = line};
    show_path(directory, below, place);
    snprintf(path, sizeof path, "%s/%s", directory, below);
    read_line(path, place);
    return true;
}

struct place place_at_line(const char *program, const char *file, unsigned line) {
    char directory[PATH_MAX];
    struct place place = {0};
    source_directory(program, directory);
    if (line)
        place_inside(directory, file, line, &place);
    return place;
}

/* ---- addr2line -------------------------------------------------------------------------- */

static bool is_emulators(const char *frame) {
    static const char *const rooms[] = {"include",   "libraries", "runtime",
                                        "scheduler", "checked",   "counted"};
    char room[32];
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        snprintf(room, sizeof room, "/emulator/%s/", rooms[i]);
        if (strstr(frame, room))
            return true;
    }
    return false;
}

/* What copies a class that does not say how stands there; where it is copied is wanted. */
static bool is_head_of_class(const char *text) {
    static const char *const words[] = {"struct ", "class ", "union ", "typedef struct "};
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && strncmp(text, words[i], strlen(words[i])) != 0)
        i++;
    return i < count;
}

/* One frame of an instruction: what stands at FILE:LINE, in the function called from the next one.
 * True where it lies in the step's directory, whose place is then the one that counts. */
static bool take_frame(const char *directory, char *frame, struct place *place) {
    text_clean(frame, strlen(frame)); /* a #line may hold anything */
    char *colon = strrchr(frame, ':');
    unsigned line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    if (!line)
        return false;
    *colon = '\0';
    const char *below = inside(directory, frame);
    if (is_emulators(frame)) /* a program may lie above this tree */
        return false;
    if (below)
        return place_inside(directory, below, line, place) && !is_head_of_class(place->text);
    if (!place->line) {
        snprintf(place->file, sizeof place->file, "%.250s", from_root(frame));
        place->line = line;
    }
    return false;
}

/* What addr2line -a -i printed: for each offset a line that repeats it, and below it a line for
 * each frame, the innermost first. */
static void take_output(const char *directory, char *output, size_t count, struct place *places) {
    size_t offset = 0; /* counted from 1 */
    bool found = false;
    for (char *line = strtok(output, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "0x", 2) == 0 && !line[strspn(line, "0123456789abcdefx")]) {
            offset++;
            found = false;
        } else if (offset && offset <= count && !found)
            found = take_frame(directory, line, &places[offset - 1]);
    }
}

/* Start the command with its output in a pipe. Returns the pipe's end, or -1. */
static int start(char *const arguments[], pid_t *pid) {
    int output[2];
    if (pipe2(output, O_CLOEXEC) < 0)
        fault("cannot make a pipe to addr2line");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (!error)
        return output[0];
    close(output[0]);
    return -1;
}

/* What comes through the pipe until its other end is closed, which the caller frees; NULL where
 * that takes too long, or is too much. A sandbox has its own deadline. */
static char *read_output(int fd) {
    const double end_s = clock_seconds() + PATIENCE_S;
    char *output = allocate(MOST_OUTPUT + 1);
    size_t size = 0;
    while (size < MOST_OUTPUT) {
        const double left = end_s - clock_seconds();
        struct pollfd pipe = {.fd = fd, .events = POLLIN};
        if (!sandbox && left <= 0)
            break;
        if (poll(&pipe, 1, sandbox ? -1 : (int)(left * 1e3) + 1) <= 0)
            continue; /* a signal, or too late */
        const ssize_t got = read(fd, output + size, MOST_OUTPUT - size);
        if (got > 0)
            size += (size_t)got;
        output[size] = '\0';
        if (!got)
            return output;
        if (got < 0 && errno != EINTR)
            break;
    }
    free(output);
    return NULL;
}

/* Run addr2line on the offsets, which end its arguments. Returns what it printed, which the caller
 * frees; NULL where it fails, takes too long or says too much. */
static char *run(const char *program, const char *directory, size_t count, char offsets[][24]) {
    char built[PATH_MAX];
    snprintf(built, sizeof built, "%s", program);
    char *last = strrchr(built, '/');
    if (last)
        *last = '\0';
    const char *isolated[] = {sandbox,   "build", "--timeout", TEXT_OF(PATIENCE_S),
                              directory, built,   "--"};
    const char *plain[] = {"addr2line", "-a", "-i", "-e", program};
    const char **arguments = allocate((16 + count) * sizeof *arguments);
    size_t used = sandbox ? sizeof isolated / sizeof *isolated : 0;
    memcpy(arguments, isolated, used * sizeof *arguments);
    memcpy(arguments + used, plain, sizeof plain);
    used += sizeof plain / sizeof *plain;
    for (size_t i = 0; i < count; i++)
        arguments[used++] = offsets[i];
    arguments[used] = NULL;

    pid_t pid;
    int fd = start((char *const *)arguments, &pid), status = 0;
    free(arguments);
    if (fd < 0)
        return NULL;
    char *output = read_output(fd);
    close(fd);
    if (!output && !sandbox)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return output;
    free(output);
    return NULL;
}

static bool are_known(const char *program, const uint64_t *offsets, size_t count,
                      struct place *places) {
    if (strcmp(program, known.program) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < known.count && known.offsets[k] != offsets[i])
            k++;
        if (k == known.count)
            return false;
        places[i] = known.places[k];
    }
    return true;
}

/* Of all at once. False where nobody tells. */
static bool find(const char *program, const uint64_t *offsets, size_t count, struct place *places) {
    char directory[PATH_MAX], (*text)[24] = allocate(count * sizeof *text);
    for (size_t i = 0; i < count; i++)
        snprintf(text[i], sizeof text[i], "0x%llx", (unsigned long long)offsets[i]);
    source_directory(program, directory);
    char *output = run(program, directory, count, text);
    free(text);
    memset(places, 0, count * sizeof *places);
    if (output)
        take_output(directory, output, count, places);
    for (size_t i = 0; i < count; i++)
        if (!offsets[i])
            places[i] = (struct place){0};
    free(output);
    return output;
}

void places_expect(const char *program, const uint64_t *offsets, size_t count) {
    free(expected.offsets);
    snprintf(expected.program, sizeof expected.program, "%s", program);
    expected.offsets = memcpy(allocate(count * sizeof *offsets), offsets, count * sizeof *offsets);
    expected.count = count;
}

/* These, and those that are expected. */
static void find_and_keep(const char *program, const uint64_t *offsets, size_t count) {
    const size_t more = strcmp(program, expected.program) == 0 ? expected.count : 0;
    free(known.offsets);
    free(known.places);
    known.offsets = allocate((count + more) * sizeof *offsets);
    known.places = allocate((count + more) * sizeof *known.places);
    memcpy(known.offsets, offsets, count * sizeof *offsets);
    if (more)
        memcpy(known.offsets + count, expected.offsets, more * sizeof *offsets);
    snprintf(known.program, sizeof known.program, "%s", program);
    known.count = find(program, known.offsets, count + more, known.places) ? count + more : 0;
}

void places_of(const char *program, const uint64_t *offsets, size_t count, struct place *places) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        places[i] = (struct place){0};
        any |= offsets[i] != 0;
    }
    if (!any || are_known(program, offsets, count, places))
        return;
    find_and_keep(program, offsets, count);
    if (known.count)
        memcpy(places, known.places, count * sizeof *places);
}

unsigned places_line(const char *program, uint64_t offset) {
    struct place place;
    places_of(program, &offset, 1, &place);
    return place.line;
}

static int ascending(const void *a, const void *b) {
    const unsigned *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

size_t places_lines(const char *program, const uint64_t *offsets, size_t count, unsigned *lines) {
    struct place *places = allocate(count * sizeof *places);
    size_t known = 0, different = 0;
    places_of(program, offsets, count, places);
    for (size_t i = 0; i < count; i++)
        if (places[i].line)
            lines[known++] = places[i].line;
    qsort(lines, known, sizeof *lines, ascending);
    for (size_t i = 0; i < known; i++)
        if (i == 0 || lines[i] != lines[different - 1])
            lines[different++] = lines[i];
    free(places);
    return different;
}
