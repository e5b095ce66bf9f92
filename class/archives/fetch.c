/* Reads files of a folder for those who must not follow its links. Whoever owns it may change it
 * meanwhile: so each part of a path is opened below the one before, without following a link, and
 * what is looked at and copied is what was opened. The folder itself is the caller's. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../grades/views.h"
#include "archives.h"

/* The text that was read last, or a part of what is copied. */
static char text[(1 << 20) + 2];
static size_t length;

static const char no_file[] = "it is no file, or a link leads to it";
static const char unreadable[] = "it cannot be read";

static const char *why_not_opened(void) {
    return errno == ELOOP || errno == ENOTDIR || errno == ENOENT ? no_file : unreadable;
}

static const char *too_large(long long most) {
    return most >= 2 << 20   ? say("it is larger than %lld MiB", most >> 20)
           : most >= 1 << 10 ? say("it is larger than %lld KiB", most >> 10)
                             : say("it is larger than %lld bytes", most);
}

/* What begins with a ! is not the file's fault. */
static const char *unwritten(const char *path) {
    return say("!cannot write %s: %s", path, strerror(errno));
}

/* The descriptor of what the path (which it takes apart) names; negative, and `why`. */
static int open_below(const char *folder, char *path, const char **why) {
    enum { OUTER = O_PATH | O_DIRECTORY | O_CLOEXEC, INNER = OUTER | O_NOFOLLOW };
    int at = open(folder, OUTER);
    *why = unreadable;
    for (char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        *slash = '\0';
        int inner = openat(at, *path ? path : ".", INNER);
        *why = why_not_opened();
        close(at);
        at = inner;
    }
    if (at < 0)
        return at;
    /* A pipe would keep an open without O_NONBLOCK waiting. */
    int file = openat(at, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *why = why_not_opened();
    close(at);
    return file;
}

/* Drops a byte order mark; lines end in LF. */
static void make_text(void) {
    char *to = text;
    text[length] = '\0';
    for (char *at = text + (begins_with(text, "\xef\xbb\xbf") ? 3 : 0); at < text + length; at++)
        if (*at != '\r' || (at + 1 < text + length && at[1] != '\n'))
            *to++ = *at == '\r' ? '\n' : *at;
    *to = '\0';
    length = to - text;
}

/* Until the file's end, or one byte more than may be there: it may grow while it is read. */
static const char *read_all(int from, long long most, FILE *to, const char *copy) {
    long long left = most;
    length = 0;
    for (ssize_t count; (count = read(from, text + length, sizeof text - 1 - length)) != 0;) {
        if (count < 0)
            return unreadable;
        if ((left -= count) < 0)
            return too_large(most);
        if (!to)
            length += count;
        else if (fwrite(text, 1, count, to) < (size_t)count)
            return unwritten(copy);
    }
    return "";
}

/* Reads a text of at most a MiB; or copies a file to a new one. Why it cannot. */
static const char *fetch(const char *folder, const char *path, long long most, const char *copy) {
    const char *why = unreadable;
    struct stat seen;
    FILE *to = NULL;
    if (strlen(folder) + strlen(path) >= PATH_MAX)
        return why; /* nobody could look at it by its name */
    int from = open_below(folder, keep_part(path, strlen(path)), &why);
    if (from < 0)
        return why;
    if (!*copy && most > (long long)sizeof text - 2)
        most = sizeof text - 2;
    if (matches(path, "(^|/)[.][.](/|$)") || fstat(from, &seen) != 0 || !S_ISREG(seen.st_mode))
        why = no_file;
    else if (seen.st_size > most)
        why = too_large(most);
    else if (*copy && !(to = fopen(copy, "wxe")))
        why = unwritten(copy);
    else
        why = read_all(from, most, to, copy);
    close(from);
    if (!*copy)
        make_text();
    if (to && fclose(to) != 0 && !*why)
        why = unwritten(copy);
    if (to && *why)
        unlink(copy);
    return why;
}

static const char *put(const char *place) {
    mkdir(beside(place, ""), 0777); /* where it is missing */
    FILE *to = fopen(place, "we");
    bool is_whole = to && fwrite(text, 1, length, to) == length;
    return to && fclose(to) == 0 && is_whole ? "" : unwritten(place);
}

static const char *is_same(const char *place) {
    static char other[sizeof text];
    FILE *file = fopen(place, "re");
    bool is_same = file && fread(other, 1, sizeof other, file) == length;
    if (file)
        fclose(file);
    return is_same && memcmp(other, text, length) == 0 ? "yes" : "no";
}

static const char *answer(char **word) {
    if (same(word[0], "fetch"))
        return fetch(word[1], word[2], atoll(word[3]), word[4]);
    if (same(word[0], "put"))
        return put(word[1]);
    if (same(word[0], "same"))
        return is_same(word[1]);
    if (same(word[0], "which"))
        return step_of_loose(word[1], text);
    if (same(word[0], "say"))
        return fprintf(stderr, "%s: %s\n", program(), printable(word[1])), "";
    return "!there is no such request";
}

/* Answers requests on standard input: five words, each with a NUL behind it. A line is the answer,
 * an empty one where it is done.
 *
 * fetch FOLDER PATH MOST COPY: copies a file below a folder, of at most MOST bytes, or reads it as
 * text where COPY is empty; else why it cannot. put PLACE: writes that text. same PLACE: whether it
 * is the same text. which NAME: what step_of_loose() says of it. say TEXT: on standard error, as
 * far as it may be shown. */
int view_fetch(int count, char **words) {
    char *word[5] = {NULL};
    size_t room[5] = {0};
    if (count)
        give_up(2, say("'%s': requests come on standard input", *words));
    for (;;) {
        for (int i = 0; i < 5; i++)
            if (getdelim(&word[i], &room[i], '\0', stdin) < 0)
                return 0;
        puts(printable(answer(word)));
        fflush(stdout);
    }
}
