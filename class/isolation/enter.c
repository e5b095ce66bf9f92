/* The last step before a command in isolation: gives up what makes the sandbox, sets limits, says
 * that the sandbox stands, and becomes the command.
 *
 * usage: enter [--open DIRECTORY]... [--powerless] [--user ID] [--die-with-parent]
 *              CPU_SECONDS FILE_KIB PROCESSES ADDRESS_KIB DESCRIPTORS COMMAND [ARGUMENT]...
 *   --open DIRECTORY    everybody may write there
 *   --powerless         without capabilities, now and later
 *   --user ID           as this user, and in this group only
 *   --die-with-parent   is killed when whoever started it ends
 * A limit of - stays, and one that cannot be set is lower already. Descriptor 8, if it is open,
 * gets a line; it and all above are closed. Exit status: the command's; 125 it could not be
 * isolated; 126 or 127 it could not be started. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STARTED_FD = 8, DESCRIPTORS = 1024 };

static void must(int status, const char *what) {
    if (status >= 0)
        return;
    fprintf(stderr, "isolate: cannot %s: %s\n", what, strerror(errno));
    exit(125);
}

static void give_up_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    for (unsigned long each = 0; prctl(PR_CAPBSET_READ, each) >= 0; each++)
        must(prctl(PR_CAPBSET_DROP, each), "give up a capability");
    must((int)syscall(SYS_capget, &header, sets), "read the capabilities");
    sets[0].inheritable = sets[1].inheritable = 0;
    must((int)syscall(SYS_capset, &header, sets), "give up capabilities");
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "keep from new privileges");
}

static void become_user(unsigned user) {
    must(setgroups(0, NULL), "leave the groups");
    must(setresgid(user, user, user), "change the group");
    must(setresuid(user, user, user), "change the user");
}

static void limit(__rlimit_resource_t resource, const char *number, rlim_t unit) {
    rlim_t value = strcmp(number, "unlimited") == 0 ? RLIM_INFINITY
                                                    : unit * (rlim_t)strtoull(number, NULL, 10);
    if (strcmp(number, "-") != 0)
        setrlimit(resource, &(struct rlimit){value, value});
}

static void say_started(void) {
    static const char line[] = "started\n";
    if (write(STARTED_FD, line, strlen(line)) < 0)
        errno = 0; /* nobody wants to know */
    for (int fd = STARTED_FD; fd < DESCRIPTORS; fd++)
        close(fd);
}

int main(int argc, char **argv) {
    char **word = argv + 1;
    unsigned user = 0;
    bool powerless = false, dies = false;
    for (; *word && strncmp(*word, "--", 2) == 0; word++) {
        if (strcmp(*word, "--open") == 0 && word[1])
            must(chmod(*++word, 01777), "open a directory");
        else if (strcmp(*word, "--user") == 0 && word[1])
            user = (unsigned)strtoul(*++word, NULL, 10);
        powerless |= strcmp(*word, "--powerless") == 0;
        dies |= strcmp(*word, "--die-with-parent") == 0;
    }
    if (argv + argc - word < 6) {
        fputs(
            "use: enter [OPTION...] CPU_SECONDS FILE_KIB PROCESSES ADDRESS_KIB DESCRIPTORS COMMAND...\n",
            stderr);
        return 125;
    }
    if (powerless)
        give_up_capabilities();
    if (user)
        become_user(user);
    if (dies) /* it is forgotten when the user changes */
        must(prctl(PR_SET_PDEATHSIG, SIGKILL), "end with the parent");
    limit(RLIMIT_CORE, "0", 1);
    limit(RLIMIT_CPU, word[0], 1);
    limit(RLIMIT_FSIZE, word[1], 1024);
    limit(RLIMIT_NPROC, word[2], 1);
    limit(RLIMIT_AS, word[3], 1024);
    limit(RLIMIT_NOFILE, word[4], 1);
    say_started();
    execvp(word[5], word + 5);
    int status = errno == ENOENT ? 127 : 126;
    fprintf(stderr, "isolate: cannot start %s: %s\n", word[5], strerror(errno));
    return status;
}
