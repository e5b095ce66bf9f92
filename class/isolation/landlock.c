/* Runs a command that can open only the files named here, and can open no TCP connection: Landlock,
 * for where bubblewrap may make no namespaces. Needs Linux 5.13, and no privileges.
 *
 * usage: landlock [--seccomp FD] [--HOW PATH]... COMMAND [ARGUMENT]...
 *
 *   --list     this directory, and those in it, can be listed
 *   --read     this file, or everything in this directory, can be read and executed
 *   --write    files in this directory can also be made, changed and removed
 *   --device   this file can be read, written and controlled
 *   --seccomp  then a filter applies too, as bwrap reads it (filter.c)
 *
 * A PATH that does not exist is passed over. What the kernel's Landlock does not know yet is left
 * to the filter. Exit status: the command's; 125 if it was not started, with a line that says why.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    READ = EXECUTE | READ_FILE | READ_DIRECTORY,
    WRITE = READ | WRITE_FILE | REMOVE_DIRECTORY | REMOVE_FILE | MAKE_DIRECTORY | MAKE_FILE |
            MAKE_LINK | REFER | TRUNCATE,
    DEVICE = READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE,

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

static _Noreturn void give_up(const char *what, const char *path) {
    fprintf(stderr, "landlock: %s%s: %s\n", what, path, strerror(errno));
    exit(125);
}

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

static void allow(int rules, const char *path, uint64_t access) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return;
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0)
        give_up("cannot allow ", path);
    if (!S_ISDIR(status.st_mode))
        access &= OF_FILES;
    struct path_rule rule = {.allowed = access, .directory = fd};
    if (syscall(NR_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) < 0)
        give_up("cannot allow ", path);
    close(fd);
}

static void apply_filter(int fd) {
    static struct sock_filter instructions[BPF_MAXINSNS];
    size_t bytes = 0;
    ssize_t got;
    while (bytes < sizeof instructions &&
           (got = read(fd, (char *)instructions + bytes, sizeof instructions - bytes)) > 0)
        bytes += got;
    struct sock_fprog filter = {.len = bytes / sizeof *instructions, .filter = instructions};
    if (!bytes || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
        give_up("the filter of system calls does not apply", "");
    close(fd);
}

/* Adds the rules. Returns the first argument after them, and sets *filter where one is named. */
static char **take_arguments(char **argument, int rules, uint64_t known, int *filter) {
    static const struct {
        const char *option;
        uint64_t access;
    } kinds[] = {
        {"--list", READ_DIRECTORY}, {"--read", READ}, {"--write", WRITE}, {"--device", DEVICE}};
    for (; argument[0] && argument[1] && strncmp(argument[0], "--", 2) == 0; argument += 2) {
        if (strcmp(argument[0], "--seccomp") == 0)
            *filter = atoi(argument[1]);
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strcmp(argument[0], kinds[i].option) == 0)
                allow(rules, argument[1], kinds[i].access & known);
    }
    return argument;
}

int main(int argc, char **argv) {
    (void)argc;
    long version = syscall(NR_CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1)
        give_up("this kernel has no Landlock, or does not let it be used", "");
    struct ruleset all = everything(version);
    int rules = (int)syscall(NR_CREATE_RULESET, &all, sizeof all, 0), filter = -1;
    if (rules < 0)
        give_up("the rules cannot be made", "");
    char **command = take_arguments(argv + 1, rules, all.files, &filter);
    if (!command[0])
        give_up("there is no command to run", "");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(NR_RESTRICT_SELF, rules, 0) < 0)
        give_up("the rules do not apply", "");
    close(rules);
    if (filter >= 0)
        apply_filter(filter);
    execvp(command[0], command);
    give_up("cannot execute ", command[0]);
}
