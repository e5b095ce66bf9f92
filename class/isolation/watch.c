/* Adds up the memory of a child and of all that it starts: more than it may have, or for longer,
 * and all of it is killed. Not every user may make a control group, which would bound it; a
 * kernel's limit holds for each process alone. The watcher becomes the parent of what loses its
 * own, and leaves nothing behind. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "isolate.h"

/* enter.c allows far fewer. */
enum { PROCESSES_MOST = 4096 };

static struct {
    pid_t pids[PROCESSES_MOST];
    size_t count;
} tree;

/* Each thread has children of its own. */
static void add_children_of(pid_t pid) {
    char pattern[64];
    glob_t threads;
    snprintf(pattern, sizeof pattern, "/proc/%d/task/*/children", pid);
    if (glob(pattern, GLOB_NOSORT, NULL, &threads) != 0)
        return;
    for (size_t i = 0; i < threads.gl_pathc; i++) {
        FILE *children = fopen(threads.gl_pathv[i], "re");
        while (children && tree.count < PROCESSES_MOST &&
               fscanf(children, "%d", &tree.pids[tree.count]) == 1)
            tree.count++;
        if (children)
            fclose(children);
    }
    globfree(&threads);
}

static void find_tree(void) {
    tree.count = 0;
    add_children_of(getpid());
    for (size_t i = 0; i < tree.count; i++)
        add_children_of(tree.pids[i]);
}

/* The number that stands behind a word in what /proc knows of a process; -1: it has gone. */
static long long number_in(pid_t pid, const char *name, const char *word) {
    char path[64], content[4096];
    long long number = -1;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, content, sizeof content - 1);
    content[length > 0 ? length : 0] = '\0';
    close(file);
    const char *at = strstr(content, word);
    return at && sscanf(at + strlen(word), "%lld", &number) == 1 ? number : -1;
}

/* Kilobytes that a process has in memory; pages that several share count for each. */
static long long resident(pid_t pid) {
    const long long pages = number_in(pid, "statm", " ");
    return pages < 0 ? 0 : pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The same, with its share of such pages, and with what was swapped out. It takes longer. */
static long long proportional(pid_t pid) {
    const long long share = number_in(pid, "smaps_rollup", "\nPss:"),
                    swapped = number_in(pid, "smaps_rollup", "\nSwapPss:");
    return share < 0 ? resident(pid) : share + (swapped > 0 ? swapped : 0);
}

static long long sum_of(long long (*memory_of)(pid_t)) {
    long long sum = 0;
    for (size_t i = 0; i < tree.count; i++)
        sum += memory_of(tree.pids[i]);
    return sum;
}

/* Reaps whoever has ended, and sets *status where that was the child. Whether there are others: all
 * that the child has started are then somewhere below this process. */
static bool any_left(pid_t child, int *status) {
    int other;
    pid_t pid;
    while ((pid = waitpid(-1, &other, WNOHANG)) > 0)
        if (pid == child)
            *status = other;
    return pid == 0;
}

/* Signals that the watcher waits for: a child has ended, or the caller has. */
static const sigset_t *awaited(void) {
    static sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    return &set;
}

/* Until one of these, or so long. Whether nobody waits any more. */
static bool pause_ms(long milliseconds) {
    const struct timespec most = {.tv_nsec = milliseconds * 1000000};
    return sigtimedwait(awaited(), NULL, &most) == SIGTERM;
}

/* Who is killed may just have started another: once more, until nobody is left. */
static void kill_all(pid_t child, int *status) {
    for (int turn = 0; turn < 15000 && any_left(child, status); turn++) {
        if (*status < 0)
            kill(child, SIGKILL); /* some kernels tell of no children */
        find_tree();
        for (size_t i = 0; i < tree.count; i++)
            kill(tree.pids[i], SIGKILL);
        pause_ms(1);
    }
}

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* The child's exit status; 128 and its number for a signal, as a shell has it. */
int watch(pid_t child, long long seconds) {
    const long long limit = sandbox.memory_mb * 1024,
                    end_ms = seconds ? now_ms() + seconds * 1000 : 0;
    int status = -1;
    bool given_up = false;
    while (any_left(child, &status) && status < 0 && !given_up && (!end_ms || now_ms() < end_ms)) {
        find_tree();
        long long sum = sum_of(resident);
        if (sum > limit && sum_of(proportional) > limit) {
            fprintf(stderr, "stopped: all its processes together hold more than %lld MiB\n",
                    sandbox.memory_mb);
            break;
        }
        /* Memory fills at some gigabytes a second: the nearer, the closer is the watch. */
        given_up = pause_ms(sum > limit / 2 ? 5 : 50);
    }
    kill_all(child, &status);
    if (status < 0)
        status = SIGKILL;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* When the parent ends this process gets the signal. */
void die_with(pid_t parent, int signal) {
    if (prctl(PR_SET_PDEATHSIG, signal) < 0)
        fault("cannot end with the parent: %s", strerror(errno));
    if (getppid() != parent)
        raise(signal);
}

/* The rest of this program is done by a child, the watcher, while this process waits for it. Who
 * kills this process, its group or its caller does not hit the watcher: it is told, and ends what
 * it has started. Killed with them it would leave what dies with its parent only from some line of
 * its own on, as bubblewrap's first process inside does. */
void leave_to_watcher(void) {
    const pid_t caller = getppid(), parent = getpid(), watcher = fork();
    int status;
    if (watcher < 0)
        fault("cannot start a process: %s", strerror(errno));
    if (watcher == 0) {
        setsid();
        die_with(parent, SIGTERM);
        return;
    }
    keep_stderr_alone();
    die_with(caller, SIGKILL);
    while (waitpid(watcher, &status, 0) < 0)
        if (errno != EINTR)
            fault("cannot wait for a process: %s", strerror(errno));
    exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* Returns 0 in the child, whose parent is to watch() it. */
pid_t fork_watched(void) {
    sigprocmask(SIG_BLOCK, awaited(), NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        fault("cannot start a process: %s", strerror(errno));
    if (child > 0)
        return child;
    die_with(parent, SIGKILL);
    sigprocmask(SIG_UNBLOCK, awaited(), NULL);
    /* If the machine runs out of memory, this is killed first. */
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0 && write(score, "1000", 4) < 0)
        errno = 0; /* it is that of others */
    close(score);
    return 0;
}
