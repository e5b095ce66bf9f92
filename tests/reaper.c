/* reaper FILE SECONDS COMMAND [ARGUMENT...]
 * Runs a command, and leaves none of the processes that it started: not those that made themselves
 * daemons either, since a process whose parent ends becomes the child of this one. What is still
 * there when the command has ended, and does not end by itself, gets a line in FILE, and is ended.
 * So is all that is there when the command has not ended after SECONDS: it waits for ever.
 * If this process is told to end, or its parent ends, all of them are ended at once.
 * FILE.time gets the seconds that it took, and the seconds of CPU time that all of them used.
 * Exit status: the command's; 128 + N if it, or this process, was ended by signal N; 124 after
 * SECONDS. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Long enough for what was told to end, on a busy machine; only what stays waits for it. */
enum { GRACE_S = 2 };

struct process {
    pid_t pid, parent;
    bool alive, ours;
};

static struct process *processes;
static size_t process_count;

/* What /proc/PID/stat says: "PID (NAME) STATE PARENT ...", where a name may hold anything. */
static void add_process(const char *pid) {
    char path[64], text[1024], state;
    int parent;
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return; /* it has just ended */
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest, ") %c %d", &state, &parent) != 2)
        return;
    processes = realloc(processes, (process_count + 1) * sizeof *processes);
    if (!processes)
        abort();
    processes[process_count++] =
        (struct process){atoi(pid), parent, !strchr("ZX", state), parent == getpid()};
}

/* Finds all processes, and marks those that descend from this one. */
static void look(void) {
    const struct dirent *entry;
    DIR *directory = opendir("/proc");
    process_count = 0;
    while (directory && (entry = readdir(directory)))
        if (isdigit((unsigned char)entry->d_name[0]))
            add_process(entry->d_name);
    if (directory)
        closedir(directory);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < process_count; i++)
            for (size_t j = 0; !processes[i].ours && j < process_count; j++)
                if (processes[j].ours && processes[i].parent == processes[j].pid)
                    more = processes[i].ours = true;
    }
}

static void signal_all(int signal) {
    look();
    for (size_t i = 0; i < process_count; i++)
        if (processes[i].ours)
            kill(processes[i].pid, signal);
}

/* Takes note of the children that have ended; false once there are none. The command's status goes
 * to *status. */
static bool reap(pid_t command, int *status) {
    int one;
    pid_t pid;
    while ((pid = waitpid(-1, &one, WNOHANG)) > 0)
        if (pid == command)
            *status = one;
    return pid == 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether all have ended within the grace. */
static bool all_end(const sigset_t *signals) {
    int unused;
    const double end = now() + GRACE_S;
    const struct timespec step = {0, 100 * 1000 * 1000};
    while (reap(0, &unused)) {
        if (now() > end)
            return false;
        sigtimedwait(signals, NULL, &step);
    }
    return true;
}

static void kill_all(void) {
    int unused;
    const double end = now() + GRACE_S; /* another user's may not be ended */
    while (reap(0, &unused) && now() < end) {
        signal_all(SIGKILL);
        usleep(10 * 1000);
    }
}

/* The text of /proc/PID/NAME, whose parts end in zeros; its length. */
static size_t text_of(pid_t pid, const char *name, char *text, size_t size) {
    char path[64];
    size_t length = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    FILE *file = fopen(path, "r");
    if (file) {
        length = fread(text, 1, size - 1, file);
        fclose(file);
    }
    text[length] = 0;
    return length;
}

/* The name of the bats test that a process was started by. Bats writes a name as "test_a_name-2e":
 * a blank as '_', what else is no letter and no digit in hexadecimal. */
static void print_test(FILE *out, pid_t pid) {
    static char text[1 << 20];
    const size_t length = text_of(pid, "environ", text, sizeof text);
    for (const char *at = text; at < text + length; at += strlen(at) + 1) {
        unsigned byte;
        if (strncmp(at, "BATS_TEST_NAME=test_", 20) != 0)
            continue;
        for (const char *c = at + 20; *c; c++) {
            const bool coded = sscanf(c, "-%2x", &byte) == 1;
            fputc(coded ? (int)byte : *c == '_' ? ' ' : *c, out);
            c += coded ? 2 : 0;
        }
        fputs(": ", out);
        return;
    }
}

static void print_left(const char *path) {
    static char text[4096];
    FILE *out = fopen(path, "a");
    look();
    for (size_t i = 0; out && i < process_count; i++) {
        if (!processes[i].ours || !processes[i].alive)
            continue;
        print_test(out, processes[i].pid);
        const size_t length = text_of(processes[i].pid, "cmdline", text, sizeof text);
        for (size_t c = 0; c + 1 < length; c++)
            if ((unsigned char)text[c] < ' ')
                text[c] = ' ';
        fprintf(out, "process %d: %s\n", (int)processes[i].pid, text);
    }
    if (out)
        fclose(out);
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void print_time(const char *path, double took) {
    char name[4096];
    struct rusage used;
    snprintf(name, sizeof name, "%s.time", path);
    FILE *out = fopen(name, "w");
    if (!out)
        return;
    getrusage(RUSAGE_CHILDREN, &used);
    fprintf(out, "%.0f %.0f\n", took, seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
    fclose(out);
}

static pid_t start(char **command, const sigset_t *before) {
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    /* A shell's background command ignores these. Nobody waits for a prompt here. */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    execvp(command[0], command);
    fprintf(stderr, "reaper: %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

int main(int count, char **arguments) {
    sigset_t signals, before;
    int status = -1, got = 0;
    const time_t seconds = count < 4 ? 0 : atol(arguments[2]);
    if (seconds <= 0) {
        fprintf(stderr, "Usage: reaper FILE SECONDS COMMAND [ARGUMENT...]\n");
        return 2;
    }
    sigemptyset(&signals);
    for (const int *one = (const int[]){SIGCHLD, SIGINT, SIGTERM, SIGHUP, 0}; *one; one++) {
        sigaddset(&signals, *one);
        signal(*one, SIG_DFL);
    }
    sigprocmask(SIG_BLOCK, &signals, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const pid_t command = start(arguments + 3, &before);
    const double began = now(), end = began + (double)seconds;
    bool late = false;
    while (status == -1 && !late && (got == 0 || got == SIGCHLD)) {
        const double left = end - now();
        const struct timespec wait = {left > 0 ? (time_t)left + 1 : 0, 0};
        got = sigtimedwait(&signals, NULL, &wait);
        late = got == -1 && left <= 0;
        if (got == -1)
            got = 0; /* the time is over, or a debugger has come */
        reap(command, &status);
    }
    late = late && status == -1;
    if (late)
        print_left(arguments[1]);
    if (status == -1)
        signal_all(SIGTERM);
    if (!all_end(&signals) && status != -1)
        print_left(arguments[1]);
    kill_all();
    print_time(arguments[1], now() - began);
    if (status == -1)
        return late ? 124 : 128 + got;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
