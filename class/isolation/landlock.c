/* Landlock, for where bubblewrap may make no namespaces: a command that can open only the files
 * named here, and can open no TCP connection. Needs Linux 5.13, and no privileges. What the
 * kernel's Landlock does not know yet is left to the filter (filter.c). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "isolate.h"

/* The kernel may know more than the headers that this is compiled with, or the other way round. So
 * what is needed of linux/landlock.h stands here. */
enum {
    NR_CREATE_RULESET = 444,
    NR_ADD_RULE = 445,
    NR_RESTRICT_SELF = 446,
    ASK_VERSION = 1,
    RULE_PATH_BENEATH = 1,
};

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIRECTORY = 1 << 3,
    REMOVE_DIRECTORY = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIRECTORY = 1 << 7,
    MAKE_FILE = 1 << 8,
    MAKE_LINK = 1 << 12,
    REFER = 1 << 13,          /* version 2: rename and link between directories */
    TRUNCATE = 1 << 14,       /* version 3 */
    CONTROL_DEVICE = 1 << 15, /* version 5 */

    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL_DEVICE,
    READ_ALL = EXECUTE | READ_FILE | READ_DIRECTORY,
    WRITE_ALL = READ_ALL | WRITE_FILE | REMOVE_DIRECTORY | REMOVE_FILE | MAKE_DIRECTORY |
                MAKE_FILE | MAKE_LINK | REFER | TRUNCATE,
    USE_DEVICE = READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE,

    BIND_TCP = 1 << 0, /* version 4 */
    CONNECT_TCP = 1 << 1,

    ABSTRACT_UNIX_SOCKETS = 1 << 0, /* version 6 */
    SIGNALS = 1 << 1,
};

struct ruleset {
    uint64_t files, network, scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t directory;
} __attribute__((packed));

/* All that this kernel's Landlock can forbid: what no rule allows is then forbidden. Older kernels
 * take the longer structure, as long as what they do not know is 0. */
static struct ruleset everything(long version) {
    struct ruleset all = {.files = REFER - 1};
    if (version >= 2)
        all.files |= REFER;
    if (version >= 3)
        all.files |= TRUNCATE;
    if (version >= 4)
        all.network = BIND_TCP | CONNECT_TCP;
    if (version >= 5)
        all.files |= CONTROL_DEVICE;
    if (version >= 6)
        all.scopes = ABSTRACT_UNIX_SOCKETS | SIGNALS;
    return all;
}

static struct ruleset all;
static int rules = -1;

bool landlock_begins(void) {
    long version = syscall(NR_CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1)
        return false;
    all = everything(version);
    rules = (int)syscall(NR_CREATE_RULESET, &all, sizeof all, 0);
    return rules >= 0;
}

void landlock_allow(const char *path, enum how how) {
    static const uint64_t kinds[] = {
        [LIST] = READ_DIRECTORY, [READ] = READ_ALL, [WRITE] = WRITE_ALL, [DEVICE] = USE_DEVICE};
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat status;
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return;
    if (fd < 0 || fstat(fd, &status) < 0)
        fault("cannot allow %s: %s", path, strerror(errno));
    struct path_rule rule = {.allowed = kinds[how] & all.files, .directory = fd};
    if (!S_ISDIR(status.st_mode))
        rule.allowed &= OF_FILES;
    if (syscall(NR_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) < 0)
        fault("cannot allow %s: %s", path, strerror(errno));
    close(fd);
}

bool landlock_restricts(void) {
    bool done =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(NR_RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return done;
}
