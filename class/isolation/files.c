/* Paths, descriptors, and what a build has left. That is a stranger's: no link is followed there,
 * and what is looked at is what is changed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "isolate.h"

/* Descriptors of the caller lead out of the sandbox. */
void close_from(int first) {
    enum { NR_CLOSE_RANGE = 436 }; /* Linux 5.9 */
    if (syscall(NR_CLOSE_RANGE, first, ~0U, 0) == 0)
        return;
    DIR *open_ones = opendir("/proc/self/fd");
    if (!open_ones)
        fault("cannot close what the caller has open: /proc/self/fd: %s", strerror(errno));
    for (struct dirent *entry; (entry = readdir(open_ones));) {
        int fd = atoi(entry->d_name);
        if (fd >= first && fd != dirfd(open_ones))
            close(fd);
    }
    closedir(open_ones);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* From /, without . and .., as `cd` of a shell understands them: after a link .. leads back. */
char *without_dots(const char *path) {
    char *whole = *path == '/' ? text("%s", path) : text("%s/%s", get_current_dir_name(), path);
    char *clean = text("%s", whole), *end = clean;
    for (char *name, *rest = whole; (name = strsep(&rest, "/"));) {
        if (strcmp(name, "..") == 0)
            while (end > clean && *--end != '/')
                ;
        else if (*name && strcmp(name, ".") != 0)
            end += sprintf(end, "/%s", name);
    }
    strcpy(end, end == clean ? "/" : "");
    return clean;
}

void keep_stderr_alone(void) {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close_from(STDERR_FILENO + 1);
}

bool are_same(const char *path, const char *other) {
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_ino == two.st_ino &&
           one.st_dev == two.st_dev;
}

char *absolute(const char *directory) {
    struct stat is;
    if (stat(directory, &is) < 0 || !S_ISDIR(is.st_mode))
        return NULL;
    char *path = without_dots(directory);
    return are_same(directory, path) ? path : realpath(directory, NULL);
}

bool make_directories(const char *path) {
    char *each = text("%s", path);
    for (char *slash = each + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(each, 0777); /* or it is there */
        *slash = '/';
    }
    return mkdir(each, 0777) == 0 || errno == EEXIST;
}

/* ---- a directory and all in it --------------------------------------------------------------- */

enum { DEEPEST = 60 }; /* an honest build has three levels, and each costs two descriptors */

static bool change_folder(int path, const struct change *to, int depth);

/* Its owner before its mode: from then on nobody else can change it. What a build leaves runs as
 * nobody but who starts it. */
static bool change_file(int file, const struct stat *is, const struct change *to) {
    const mode_t before = is->st_mode & 07777;
    mode_t mode = to->plain ? before & 01777 : before;
    if (to->readable)
        mode |= S_ISDIR(is->st_mode) || (before & 0111) ? 0555 : 0444;
    if (S_ISDIR(is->st_mode) && (to->plain || to->gone))
        mode |= 0700;
    if ((to->owner || to->from) && fchownat(file, "", to->owner, to->group, AT_EMPTY_PATH) < 0)
        return false;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return S_ISLNK(is->st_mode) || mode == before || chmod(path, mode) == 0;
}

static bool goes(const struct stat *is, const struct change *to) {
    if (S_ISDIR(is->st_mode))
        return false;
    /* A link to another's file must not make that this grader's, or readable. */
    const bool another_s = to->from && is->st_uid != to->from;
    return to->gone || (to->plain && (another_s || !S_ISREG(is->st_mode)));
}

static bool change(int folder, const char *name, const struct change *to, int depth) {
    struct stat is;
    const int file = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &is) < 0)
        return false;
    bool good = goes(&is, to) ? unlinkat(folder, name, 0) == 0 : change_file(file, &is, to);
    if (S_ISDIR(is.st_mode)) {
        good &= change_folder(file, to, depth);
        if (to->gone)
            good = unlinkat(folder, name, AT_REMOVEDIR) == 0;
    }
    close(file);
    return good;
}

static bool change_folder(int path, const struct change *to, int depth) {
    const int folder = depth < DEEPEST ? openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    if (!entries)
        return false;
    bool good = true;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good &= change(folder, entry->d_name, to, depth + 1);
    closedir(entries);
    return good;
}

bool change_all(const char *directory, const struct change *to) {
    return change(AT_FDCWD, directory, to, 0);
}
