// Usage: watch MIB PID
//
// Adds up the memory of a child, PID, and of all that it starts: more than MIB in all, and all of
// it is killed. Not every user may make a control group, which would bound it. A kernel's limit
// holds for each process alone. It becomes the parent of what loses its own, and leaves nothing
// behind.
//
// Exit status: the child's; 128 and its number for a signal, as a shell has it; 125 wrong usage, or
// PID is no child.

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// class/isolation/limits.sh allows far fewer.
enum { PROCESSES_MOST = 4096 };

static struct tree {
    pid_t pids[PROCESSES_MOST];
    size_t count;
} tree;

static void add_children(const char *path) {
    FILE *file = fopen(path, "re");
    int pid;
    while (file && tree.count < PROCESSES_MOST && fscanf(file, "%d", &pid) == 1)
        tree.pids[tree.count++] = pid;
    if (file)
        fclose(file);
}

// Each thread has children of its own.
static void add_children_of(pid_t pid) {
    char path[300];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        if (*thread->d_name == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", pid, thread->d_name);
        add_children(path);
    }
    if (threads)
        closedir(threads);
}

static void find_tree(void) {
    tree.count = 0;
    add_children_of(getpid());
    for (size_t i = 0; i < tree.count; i++)
        add_children_of(tree.pids[i]);
}

// Kilobytes that a process has in memory; pages that several share count for each.
static long long resident(pid_t pid) {
    char path[64];
    long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%*d %lld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// The same, with its share of such pages, and with what was swapped out. It takes longer.
static long long proportional(pid_t pid) {
    char path[64], line[200];
    long long sum = 0, kilobytes;
    bool any = false;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %lld", &kilobytes) == 1 ||
            sscanf(line, "SwapPss: %lld", &kilobytes) == 1) {
            sum += kilobytes;
            any = true;
        }
    if (file)
        fclose(file);
    return any ? sum : resident(pid);
}

static long long sum_of(long long (*memory_of)(pid_t)) {
    long long sum = 0;
    for (size_t i = 0; i < tree.count; i++)
        sum += memory_of(tree.pids[i]);
    return sum;
}

// Reaps whoever has ended. Whether that was the child, whose status is then set.
static bool has_ended(pid_t child, int *status) {
    bool ended = false;
    int other;
    for (pid_t pid; (pid = waitpid(-1, &other, WNOHANG)) > 0;)
        if (pid == child) {
            *status = other;
            ended = true;
        }
    return ended;
}

// Who is killed may just have started another: once more, until nobody is left.
static void kill_all(pid_t child, int *status) {
    for (int turn = 0; turn < 5000; turn++) {
        has_ended(child, status);
        find_tree();
        if (tree.count == 0)
            return;
        for (size_t i = 0; i < tree.count; i++)
            kill(tree.pids[i], SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void watch(pid_t child, long long limit, const sigset_t *awaited, int *status) {
    while (!has_ended(child, status)) {
        find_tree();
        long long sum = sum_of(resident);
        if (sum > limit && sum_of(proportional) > limit) {
            fprintf(stderr, "stopped: all its processes together hold more than %lld MiB\n",
                    limit / 1024);
            return;
        }
        // Memory fills at some gigabytes a second: the nearer, the closer is the watch.
        long pause_ns = sum > limit / 2 ? 5000000 : 50000000;
        sigtimedwait(awaited, NULL, &(struct timespec){.tv_nsec = pause_ns});
    }
}

static long long number_of(const char *text) {
    char *end;
    long long number = strtoll(text, &end, 10);
    return *end == '\0' ? number : 0;
}

int main(int argc, char **argv) {
    long long mebibytes = argc == 3 ? number_of(argv[1]) : 0;
    pid_t child = argc == 3 ? number_of(argv[2]) : 0;
    if (mebibytes <= 0 || child <= 0) {
        fputs("use: watch MIB PID\n", stderr);
        return 125;
    }
    // The child's connections end with the child.
    for (int fd = 0; fd < 1024; fd++)
        if (fd != STDERR_FILENO)
            close(fd);
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // and the child ends with this process
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "memory-watch");
    siginfo_t unused;
    if (waitid(P_PID, (id_t)child, &unused, WEXITED | WNOHANG | WNOWAIT) != 0) {
        fprintf(stderr, "watch: process %d is no child of this one\n", child);
        return 125;
    }
    int status = SIGKILL;
    watch(child, mebibytes * 1024, &awaited, &status);
    kill_all(child, &status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
