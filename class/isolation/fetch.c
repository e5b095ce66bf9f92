// Usage: fetch FOLDER PATH MOST COPY
//
// Copies a file of somebody else's folder to COPY, a new file. Whoever owns the folder may change
// it meanwhile: so each part of PATH is opened below the one before, without following a link, and
// what is looked at and read is what was opened. FOLDER itself is the caller's.
//
// Exit status: 0 copied; 1 PATH is no file (any more), or a link is on the way; 2 wrong usage; 3
// COPY cannot be written, stderr says why; 4 it has more than MOST bytes; 5 it cannot be read.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIED, NO_FILE, USAGE, UNWRITTEN, TOO_LARGE, UNREADABLE };

static int status_of_open(void) {
    return errno == ELOOP || errno == ENOTDIR || errno == ENOENT ? NO_FILE : UNREADABLE;
}

// Opens the file that PATH (which it takes apart) names below a folder, and that must be one.
// Negative: minus the status.
static int open_below(int folder, char *path) {
    char *rest = path;
    for (char *slash; (slash = strchr(rest, '/')) != NULL; rest = slash + 1) {
        *slash = '\0';
        if (strcmp(rest, "..") == 0)
            return -NO_FILE;
        int inner = openat(folder, *rest != '\0' ? rest : ".",
                           O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int failed = inner < 0 ? status_of_open() : 0;
        close(folder);
        if (inner < 0)
            return -failed;
        folder = inner;
    }
    // A pipe would keep an open without O_NONBLOCK waiting.
    int file = openat(folder, rest, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return file < 0 ? -status_of_open() : file;
}

static int unwritten(const char *copy) {
    fprintf(stderr, "cannot write %s: %s\n", copy, strerror(errno));
    return UNWRITTEN;
}

static int write_all(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(to, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

// Until the file's end, or one byte more than may be there: it may grow while it is read.
static int copy_bytes(int from, int to, long long most, const char *copy) {
    static char bytes[1 << 16];
    for (;;) {
        ssize_t count = read(from, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0 ? COPIED : UNREADABLE;
        if ((most -= count) < 0)
            return TOO_LARGE;
        if (write_all(to, bytes, (size_t)count) != 0)
            return unwritten(copy);
    }
}

static int fetch(int from, long long most, const char *copy) {
    struct stat seen;
    if (fstat(from, &seen) != 0 || !S_ISREG(seen.st_mode))
        return NO_FILE;
    if (seen.st_size > most)
        return TOO_LARGE;
    int to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0)
        return unwritten(copy);
    int status = copy_bytes(from, to, most, copy);
    if (status == COPIED) {
        struct timespec times[2] = {seen.st_mtim, seen.st_mtim};
        (void)futimens(to, times); // nothing depends on it where it is not possible
    }
    if (close(to) != 0 && status == COPIED)
        status = unwritten(copy);
    if (status != COPIED)
        unlink(copy);
    return status;
}

int main(int argc, char **argv) {
    char *end;
    if (argc != 5 || *argv[2] == '\0' || *argv[3] < '0' || *argv[3] > '9') {
        fputs("use: fetch FOLDER PATH MOST COPY\n", stderr);
        return USAGE;
    }
    long long most = strtoll(argv[3], &end, 10);
    if (*end != '\0')
        return USAGE;
    if (strlen(argv[1]) + strlen(argv[2]) >= PATH_MAX)
        return UNREADABLE; // nobody could look at it by its name
    int folder = open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return UNREADABLE;
    int from = open_below(folder, argv[2]);
    return from < 0 ? -from : fetch(from, most, argv[4]);
}
