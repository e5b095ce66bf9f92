/* The sandbox: of bubblewrap's options, of Landlock's rules, or of nothing but limits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isolate.h"

struct sandbox sandbox;
static struct words options; /* of bubblewrap */

static void add_all(const char *const *words) {
    while (*words)
        add(&options, *words++);
}
#define OPTIONS(...) add_all((const char *[]){__VA_ARGS__, NULL})

static bool begins_with(const char *word, const char *beginning) {
    return strncmp(word, beginning, strlen(beginning)) == 0;
}

/* ---- who it is, and how strong --------------------------------------------------------------- */

char *on_path(const char *name) {
    char *path = text("%s", getenv("PATH")), *found;
    for (char *folder; *name && (folder = strsep(&path, ":"));) {
        struct stat is;
        found = strchr(name, '/') ? text("%s", name) : text("%s/%s", *folder ? folder : ".", name);
        if (access(found, X_OK) == 0 && stat(found, &is) == 0 && S_ISREG(is.st_mode))
            return found;
    }
    return NULL;
}

static void restrict_itself(void *unused) {
    (void)unused;
    if (!landlock_begins() || !landlock_restricts())
        _exit(1);
}

static void become_that(void *user) { become_user(*(uid_t *)user); }

static void tell_options(void *unused) {
    (void)unused;
    execlp("bwrap", "bwrap", "--help", NULL);
}

/* bwrap that is there and fails is a fault: what should hold must not stop to hold unnoticed. */
enum level choose_level(void) {
    static const char *const names[] = {"bubblewrap", "landlock", "limits"};
    const char *wanted = getenv("ISOLATE_LEVEL");
    char said[SAID_MOST];
    if (!wanted || !*wanted)
        return on_path("bwrap")                     ? BUBBLEWRAP
               : works(restrict_itself, NULL, said) ? LANDLOCK
                                                    : LIMITS;
    for (enum level level = BUBBLEWRAP; level <= LIMITS; level++)
        if (strcmp(wanted, names[level]) == 0)
            return level;
    give_up(2, "ISOLATE_LEVEL is bubblewrap, landlock or limits, not '%s'", wanted);
}

/* Root makes the sandbox with its privileges and gives them up before the command, since a limit on
 * processes does not bind root. A user ID that nobody else has; 0 if this user is not root, or may
 * become nobody else. */
static uid_t choose_user(enum level level) {
    unsigned first = 1, count = 0;
    char said[SAID_MOST];
    if (geteuid() != 0)
        return 0;
    FILE *users = fopen("/proc/self/uid_map", "re");
    if (!users || fscanf(users, "%u %*u %u", &first, &count) != 2)
        fault("/proc/self/uid_map does not tell which users there are");
    fclose(users);
    uid_t user = 2000000000 + getpid();
    if (first != 0 || count <= 2100000000) /* a container: its users are few */
        user = count > 65000 ? 30000 + getpid() % 30000 : 0;
    return user && (level == BUBBLEWRAP || works(become_that, &user, said)) ? user : 0;
}

void plan(enum level level, enum kind kind) {
    static char said[SAID_MOST];
    sandbox = (struct sandbox){.level = level, .kind = kind, .user = choose_user(level)};
    sandbox.knows = getenv("BWRAP_KNOWS"); /* grade.sh has asked once for thousands of runs */
    if (level == BUBBLEWRAP && !sandbox.knows) {
        works(tell_options, NULL, said);
        sandbox.knows = said;
    }
    set_limits();
}

/* ---- what is shown --------------------------------------------------------------------------- */

/* The directories above a path hold nothing else. */
static void add_folders_above(const char *path) {
    for (const char *slash = path; (slash = strchr(slash + 1, '/'));)
        OPTIONS("--dir", text("%.*s", (int)(slash - path), path));
}

/* Makes a path visible at the same place. */
void show(const char *path, enum how how) {
    static const char *const binds[] = {
        [READ] = "--ro-bind", [WRITE] = "--bind", [DEVICE] = "--dev-bind"};
    if (access(path, F_OK) != 0)
        return;
    if (sandbox.level == LANDLOCK)
        landlock_allow(path, how);
    if (sandbox.level == BUBBLEWRAP && how != LIST) {
        add_folders_above(path);
        OPTIONS(binds[how], path, path);
    }
}

static struct words found(const char *pattern) {
    struct words paths = {0};
    glob_t all;
    if (glob(pattern, GLOB_BRACE, NULL, &all) == 0)
        for (size_t i = 0; i < all.gl_pathc; i++)
            add(&paths, all.gl_pathv[i]);
    return paths;
}

static void show_all(const char *pattern, enum how how) {
    const struct words paths = found(pattern);
    for (size_t i = 0; i < paths.count; i++)
        show(paths.word[i], how);
}

struct words harness(const char *root) {
    if (chdir(root) < 0)
        fault("cannot enter %s: %s", root, strerror(errno));
    struct words paths = found(
        "{Makefile,emulator,common/{lab.h,prelude.sh,build,runner},common/problems/*/contract.h,"
        "build/{cpu,gpu}/{emulator,runner,problems},build/{contract,code-file,cpu/nvcc}}");
    for (size_t i = 0; i < paths.count; i++)
        paths.word[i] = text("%s/%s", root, paths.word[i]);
    return paths;
}

/* Whether a directory is this place, which may be a link's, or above it. */
static bool is_above(const char *directory, const char *place) {
    const char *real = realpath(place, NULL), *beginning = text("%s/", directory);
    return begins_with(text("%s/", place), beginning) ||
           (real && begins_with(text("%s/", real), beginning));
}

/* Of a compiler outside /usr, shows the directory that holds its bin and lib, unless that would
 * show somebody's home. $CC and $CXX, which make takes, may name one that is not the first on PATH.
 */
void show_compilers(const char *root) {
    const char *cc = getenv("CC"), *cxx = getenv("CXX"), *home = getenv("HOME");
    const char *first = text("%.*s", (int)strcspn(cc ? cc : "", " "), cc ? cc : ""),
               *second = text("%.*s", (int)strcspn(cxx ? cxx : "", " "), cxx ? cxx : "");
    const char *names[] = {"make", "gcc",      "g++", "clang", "clang++",
                           "nvcc", "nvdisasm", first, second};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = on_path(names[i]);
        if (!path || !(path = realpath(path, NULL)))
            continue;
        for (int up = 0; up < 2; up++)
            if (strrchr(path, '/'))
                *strrchr(path, '/') = '\0';
        if (*path && !begins_with(text("%s/", path), "/usr/") &&
            !is_above(path, home ? home : "/") && !is_above(path, root))
            show(path, READ);
    }
}

/* The device file of the GPU that CUDA_VISIBLE_DEVICES names, if that is one number in the order of
 * the bus; NULL if it cannot tell. */
static char *chosen_gpu(void) {
    const char *order = getenv("CUDA_DEVICE_ORDER"), *wanted = getenv("CUDA_VISIBLE_DEVICES");
    if (!order || strcmp(order, "PCI_BUS_ID") != 0 || !wanted || !*wanted ||
        wanted[strspn(wanted, "0123456789")])
        return NULL;
    const struct words files = found("/proc/driver/nvidia/gpus/*/information");
    unsigned long left = strtoul(wanted, NULL, 10);
    for (size_t i = 0; i < files.count; i++) {
        char line[300];
        int minor = -1;
        FILE *file = fopen(files.word[i], "re");
        while (file && fgets(line, sizeof line, file))
            sscanf(line, "Device Minor: %d", &minor);
        if (file)
            fclose(file);
        char *device = text("/dev/nvidia%d", minor);
        if (minor >= 0 && access(device, F_OK) == 0 && left-- == 0)
            return device;
    }
    return NULL;
}

/* Only the GPU that the caller has chosen, if it has: the others may be timing somebody else's
 * step. */
void show_gpu(void) {
    const char *chosen = chosen_gpu(), *libraries = getenv("LD_LIBRARY_PATH");
    const struct words devices = found("/dev/{nvidia*,dri}");
    if (chosen)
        setenv("CUDA_VISIBLE_DEVICES", "0", 1); /* it is the only one that opens */
    show("/sys", READ);
    for (size_t i = 0; i < devices.count; i++) {
        const char *device = devices.word[i];
        unsigned number;
        char more;
        const bool is_gpu = strcmp(device, "/dev/dri") == 0 ||
                            sscanf(device, "/dev/nvidia%u%c", &number, &more) == 1;
        if (!chosen || !is_gpu || strcmp(device, chosen) == 0)
            show(device, DEVICE);
    }
    /* The driver's library may lie anywhere that the loader has been told of. */
    char *rest = text("%s", libraries ? libraries : "");
    for (char *folder; (folder = strsep(&rest, ":"));)
        if (access(text("%s/libcuda.so.1", folder), F_OK) == 0)
            show(folder, READ);
    if (sandbox.level != LANDLOCK)
        return;
    /* What CUDA's driver reads of /proc. Of processes only this one, which becomes the step; CUDA
     * names its threads there. */
    show("/proc/self", WRITE);
    show_all(
        "/proc/{driver,devices,cpuinfo,meminfo,modules,version,stat,filesystems,sys/vm,sys/kernel}",
        READ);
}

/* ---- from the first option to the command ---------------------------------------------------- */

/* The number of a descriptor that what this process becomes has, too: none of the protocol's. */
static char *inherited(int fd) {
    const int kept = fcntl(fd, F_DUPFD, OWN_FDS);
    if (fd < 0 || kept < 0)
        fault("cannot pass a descriptor on: %s", strerror(errno));
    close(fd);
    return text("%d", kept);
}

static char *filter_in_pipe(enum kind kind) {
    const struct sock_fprog filter = filter_for(kind, 0);
    const ssize_t size = filter.len * sizeof *filter.filter; /* less than any pipe holds */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0 || write(ends[1], filter.filter, size) != size)
        fault("cannot pass the filter of system calls on: %s", strerror(errno));
    close(ends[1]);
    return inherited(ends[0]);
}

static void add_temporary(const char *place) {
    if (strstr(sandbox.knows, "--size"))
        OPTIONS("--size", "134217728");
    OPTIONS("--tmpfs", place);
}

static void begin_bubblewrap(void) {
    OPTIONS("bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
            "--unshare-cgroup-try", "--hostname", "sandbox", "--new-session", "--die-with-parent",
            "--seccomp", filter_in_pipe(sandbox.kind));
    if (sandbox.user)
        OPTIONS("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID",
                "--cap-add", "CAP_SETPCAP");
    else
        OPTIONS("--unshare-user");
    /* A step that writes to /proc could have another process killed in its place (oom_score_adj).
     * CUDA does not start where it cannot name its threads there. filter.c says why no /dev/zero.
     */
    OPTIONS("--proc", "/proc");
    if (sandbox.kind != GPU)
        OPTIONS("--remount-ro", "/proc");
    OPTIONS("--dev", "/dev");
    if (sandbox.kind != GPU)
        OPTIONS("--ro-bind", "/dev/null", "/dev/zero");
    add_temporary("/dev/shm");
    add_temporary("/tmp");
    OPTIONS("--ro-bind", "/usr", "/usr");
    const struct words folders = found("/{bin,sbin,lib*}");
    for (size_t i = 0; i < folders.count; i++) {
        const char *folder = folders.word[i];
        struct stat is;
        if (lstat(folder, &is) == 0 && S_ISLNK(is.st_mode) &&
            are_same(folder, text("/usr%s", folder)))
            OPTIONS("--symlink", text("usr%s", folder), folder);
        else
            show(folder, READ);
    }
}

void begin(void) {
    if (sandbox.level == LIMITS)
        return;
    if (sandbox.level == BUBBLEWRAP)
        begin_bubblewrap();
    else if (!landlock_begins())
        fault("this kernel has no Landlock, or does not let it be used: %s", strerror(errno));
    show_all("/etc/{alternatives,ld.so.cache}", READ);
    if (sandbox.level == LANDLOCK) {
        show_all("/{usr,bin,sbin,lib*,sys/devices/system/cpu}", READ);
        show_all("/dev/{null,full,random,urandom}", DEVICE);
    }
}

void stand_in(const char *directory) {
    if (chdir(directory) < 0)
        fault("cannot enter %s: %s", directory, strerror(errno));
    show(directory, LIST); /* make looks for a file in its directory's list */
    if (sandbox.level == BUBBLEWRAP)
        OPTIONS("--chdir", directory);
}

/* Every runner has the same name: neither a person's paths nor whether it is the checked one are to
 * be read. A mount would name them (/proc/self/mountinfo), so it is copied. */
static char *copy_runner(const char *runner) {
    OPTIONS("--chdir", "/tmp", "--dir", "/step");
    if (!strstr(sandbox.knows, "--perms"))
        OPTIONS("--ro-bind", runner, "/step/runner");
    else
        OPTIONS("--perms", "0555", "--file", inherited(open(runner, O_RDONLY | O_NOFOLLOW)),
                "/step/runner");
    return "/step/runner";
}

char *place_runner(const char *runner) {
    struct stat is;
    const bool other = sandbox.user != 0, bubblewrap = sandbox.level == BUBBLEWRAP;
    if (other && !(bubblewrap && strstr(sandbox.knows, "--perms")) &&
        (stat(runner, &is) < 0 || (is.st_mode & 05) != 05))
        fault("root's sandbox runs as another user, who cannot execute %s: chmod a+rx %s", runner,
              runner);
    if (bubblewrap)
        return copy_runner(runner);
    show(runner, READ);
    /* As seen from its directory: another user may be unable to come here from /. */
    char *folder = text("%s", runner), *name = strrchr(folder, '/');
    *name++ = '\0';
    if (chdir(*folder ? folder : "/") < 0 || stat(".", &is) < 0)
        fault("cannot enter %s: %s", folder, strerror(errno));
    if (other && !(is.st_mode & 01))
        fault("root's steps run as another user, who cannot enter %s: chmod a+x %s", folder,
              folder);
    return text("./%s", name);
}

/* Nothing else of the environment gets in. ccache would look for its cache. */
static void clean_environment(void) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    static const char *const known[] = {
        "PATH=", "LD_LIBRARY_PATH=", "CC=", "CXX=", "CUDA_", "NVIDIA_"};
    struct words kept = {0};
    for (char **entry = environ; *entry; entry++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            const char *end = *entry + strspn(*entry, letters);
            if (begins_with(*entry, known[i]) && end[0] == '=' && end[1])
                add(&kept, *entry);
        }
    add(&kept, "HOME=/tmp");
    add(&kept, "LC_ALL=C");
    add(&kept, "CCACHE_DISABLE=1");
    if (sandbox.temporary)
        add(&kept, text("TMPDIR=%s", sandbox.temporary));
    environ = kept.word;
}

static _Noreturn void become_bubblewrap(char **command) {
    /* /dev was writable until now, for a GPU's devices. A mount of this program would name this
     * tree. */
    const char *self = inherited(open("/proc/self/exe", O_RDONLY));
    OPTIONS("--remount-ro", "/dev", "--remount-ro", "/", "--", text("/proc/self/fd/%s", self),
            "inside", text("%u", sandbox.user));
    for (int i = 0; i < LIMITS_COUNT; i++)
        add(&options, text("%llu", (unsigned long long)sandbox.limits[i]));
    add_all((const char *const *)command);
    execvp("bwrap", options.word);
    fault("cannot start bwrap: %s", strerror(errno));
}

static void apply_rules(void) {
    const struct sock_fprog filter =
        filter_for(sandbox.kind, getpid()); /* which the command keeps */
    if (!landlock_restricts() || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
        fault("Landlock or the filter of system calls does not apply: %s", strerror(errno));
}

void become(char **command) {
    const pid_t parent = getppid();
    clean_environment();
    if (sandbox.level == BUBBLEWRAP)
        become_bubblewrap(command);
    /* Where it could leave the CPUs that it was given, its judge and others' go first. */
    if (sandbox.level == LIMITS && sandbox.kind == CPU)
        setpriority(PRIO_PROCESS, 0, 10);
    if (sandbox.level == LANDLOCK)
        apply_rules();
    if (geteuid() == 0)
        give_up_capabilities();
    if (sandbox.user)
        become_user(sandbox.user);
    die_with(parent, SIGKILL); /* it is forgotten when the user changes */
    enter(sandbox.limits, command);
}

void go_on(char **words) {
    rlim_t limits[LIMITS_COUNT];
    const uid_t user = strtoul(*words++, NULL, 10);
    for (int i = 0; i < LIMITS_COUNT; i++)
        limits[i] = strtoull(*words++, NULL, 10);
    if (user) {
        if (chmod("/tmp", 01777) < 0 || chmod("/dev/shm", 01777) < 0)
            fault("cannot open /tmp: %s", strerror(errno));
        give_up_capabilities();
        become_user(user);
    }
    enter(limits, words);
}
