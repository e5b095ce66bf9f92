/* Limits, and the last step before a command in isolation: it gives up what made the sandbox, says
 * that this stands, and becomes the command. */
#define _GNU_SOURCE
#include <errno.h>
#include <glob.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "isolate.h"

#define MB ((rlim_t)1 << 20)

/* Several times what an honest step needs. CUDA reserves address space by the terabyte, so on a GPU
 * only the watch bounds memory. */
static const struct {
    rlim_t limits[LIMITS_COUNT];
    long long memory_mb;
} of_kind[] = {
    [BUILD] = {{300, 256 * MB, 256, 8192 * MB, 256}, 8192},
    [CPU] = {{3600, 64 * MB, 256, 4096 * MB, 256}, 4096},
    [GPU] = {{7200, 512 * MB, 256, RLIM_INFINITY, 1024}, 16384},
};

/* The kernel limits the processes of a user: since Linux 5.14 those in one user namespace, before
 * that all of them, so that the ones already there are added. Root changes to a user that nobody
 * else is. */
static rlim_t processes_there(void) {
    int major = 0, minor = 0;
    struct utsname kernel;
    if (uname(&kernel) == 0)
        sscanf(kernel.release, "%d.%d", &major, &minor);
    glob_t threads;
    if (sandbox.user || (sandbox.level == BUBBLEWRAP && major * 1000 + minor >= 5014) ||
        glob("/proc/[0-9]*/task/[0-9]*", GLOB_NOSORT, NULL, &threads) != 0)
        return 0;
    rlim_t count = 0;
    struct stat is;
    for (size_t i = 0; i < threads.gl_pathc; i++)
        count += stat(threads.gl_pathv[i], &is) == 0 && is.st_uid == getuid();
    globfree(&threads);
    return count;
}

void set_limits(void) {
    long long machine_kb = 0;
    FILE *facts = fopen("/proc/meminfo", "re");
    if (!facts || fscanf(facts, "MemTotal: %lld", &machine_kb) != 1)
        fault("/proc/meminfo does not tell this machine's memory");
    fclose(facts);
    memcpy(sandbox.limits, of_kind[sandbox.kind].limits, sizeof sandbox.limits);
    sandbox.limits[PROCESSES] += processes_there();
    sandbox.memory_mb = of_kind[sandbox.kind].memory_mb;
    if (sandbox.memory_mb > machine_kb / 2048)
        sandbox.memory_mb = machine_kb / 2048;
}

static void must(int status, const char *what) {
    if (status < 0)
        fault("cannot %s: %s", what, strerror(errno));
}

void give_up_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    for (unsigned long each = 0; prctl(PR_CAPBSET_READ, each) >= 0; each++)
        must(prctl(PR_CAPBSET_DROP, each), "give up a capability");
    must((int)syscall(SYS_capget, &header, sets), "read the capabilities");
    sets[0].inheritable = sets[1].inheritable = 0;
    must((int)syscall(SYS_capset, &header, sets), "give up capabilities");
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "keep from new privileges");
}

void become_user(uid_t user) {
    must(setgroups(0, NULL), "leave the groups");
    must(setresgid(user, user, user), "change the group");
    must(setresuid(user, user, user), "change the user");
}

void enter(const rlim_t limits[LIMITS_COUNT], char **command) {
    static const char started[] = "started\n";
    static const int resources[] = {[CPU_S] = RLIMIT_CPU,
                                    [FILE_BYTES] = RLIMIT_FSIZE,
                                    [PROCESSES] = RLIMIT_NPROC,
                                    [ADDRESS_BYTES] = RLIMIT_AS,
                                    [DESCRIPTORS] = RLIMIT_NOFILE};
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int i = 0; i < LIMITS_COUNT; i++) /* one that cannot be set is lower already */
        setrlimit(resources[i], &(struct rlimit){limits[i], limits[i]});
    if (write(STARTED_FD, started, strlen(started)) < 0)
        errno = 0; /* nobody wants to know */
    close_from(STARTED_FD);
    execvp(command[0], command);
    give_up(errno == ENOENT ? 127 : 126, "cannot start %s: %s", command[0], strerror(errno));
}
