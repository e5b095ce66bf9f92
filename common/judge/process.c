#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"

int shared_memory(const char *name, size_t bytes, void **memory) {
    if (!bytes)
        bytes = 1;
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, bytes) < 0)
        fault("cannot make %zu bytes of shared memory for the %s", bytes, name);
    *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*memory == MAP_FAILED)
        fault("cannot map %zu bytes of shared memory for the %s", bytes, name);
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    return fd;
}

/* The same memory file for a holder that can only read it. The seal keeps it from opening the file
 * anew for writing; the judge's own mapping, made before, stays writable. */
static int read_only(int fd) {
    char path[64];
    fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static struct isolation { const char *program, *device_kind; } isolation;

void process_isolate(const char *program, const char *device_kind) {
    isolation.program = program;
    isolation.device_kind = device_kind;
}

/* What a runner gets: the protocol's descriptors, and one that tells that the sandbox is made. */
enum { STARTED_FD = COUNTS_FD + 1, RUNNER_FDS = STARTED_FD - CONTROL_FD + 1 };

/* A step that traces the judge would stop it with each other runner that ends, if it heard of that.
 */
static void hear_of_ends(bool hear) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    pthread_sigmask(hear ? SIG_UNBLOCK : SIG_BLOCK, &ends, NULL);
}

/* Put the given descriptors (0: none) at CONTROL_FD and on, close all others, and become the
 * runner. */
static _Noreturn void become_runner(const char *runner, const int fds[RUNNER_FDS], int output) {
    /* First out of the way of the numbers that they are to get. */
    int kept[RUNNER_FDS];
    for (int i = 0; i < RUNNER_FDS; i++)
        kept[i] = fds[i] ? fcntl(fds[i], F_DUPFD_CLOEXEC, 64) : -1;
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    for (int i = 0; i < RUNNER_FDS; i++)
        if (kept[i] < 0)
            close(CONTROL_FD + i);
        else
            dup2(kept[i], CONTROL_FD + i);
    for (int fd = STARTED_FD + 1; fd < 1024; fd++)
        close(fd);

    hear_of_ends(true);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    setsid();                         /* a process group of its own, to be killed as one */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the judge dies, so does the runner */
    if (isolation.program) {
        execl(isolation.program, isolation.program, "run", "--device", isolation.device_kind,
              runner, (char *)NULL);
        runner = isolation.program;
    } else {
        fcntl(STARTED_FD, F_SETFD, FD_CLOEXEC);
        execl(runner, runner, (char *)NULL);
    }
    dprintf(STDERR_FILENO, "cannot execute %s: %s\n", runner, strerror(errno));
    _exit(127);
}

/* The runners that live. Any other child of the judge is one that was left, or what a runner has
 * left behind. */
static pid_t living[PROCESSES_MOST];

static bool lives(pid_t pid) {
    for (size_t i = 0; i < PROCESSES_MOST; i++)
        if (living[i] == pid)
            return true;
    return false;
}

/* Puts one pid, or 0, in the place of another. */
static void replace_living(pid_t before, pid_t pid) {
    size_t i = 0;
    while (i < PROCESSES_MOST && living[i] != before)
        i++;
    if (i == PROCESSES_MOST)
        fault("more than %d runners at once", PROCESSES_MOST);
    living[i] = pid;
}

/* The program that isolates says a word when all that is left to do is to become the runner. */
void process_started(struct process *process) {
    enum { PATIENCE_MS = 60000 };
    if (process->started < 0)
        return;
    struct pollfd event = {.fd = process->started, .events = POLLIN};
    char word[16];
    bool made = poll(&event, 1, PATIENCE_MS) == 1 && read(process->started, word, sizeof word) > 0;
    close(process->started);
    process->started = -1;
    if (made)
        return;
    char end[80];
    process_stop(process, end, sizeof end);
    errno = 0;
    fault("%s could not make a sandbox (%s): %.*s", isolation.program, end,
          (int)strcspn(process->printed, "\n"), process->printed);
}

void process_forget_printed(struct process *process) {
    process->printed_bytes = 0;
    process->all_bytes = 0;
    process->all_lines = 0;
}

/* No pipe for what it prints: a step could open that again, and read there what its kernels
 * printed. */
void process_start(struct process *process, const char *runner, const struct shared *shared) {
    int control[2], output[2], started[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output) < 0 ||
        pipe2(started, O_CLOEXEC) < 0)
        fault("cannot make a connection to the runner");
    int fds[RUNNER_FDS] = {control[1],      read_only(shared->strip), read_only(shared->windows),
                           shared->outputs, shared->counts,           started[1]};
    if (fds[1] < 0 || fds[2] < 0)
        fault("cannot open the shared memory for the runner");
    /* A step could seal it against writing, and the next process would have no outputs. */
    fcntl(shared->outputs, F_ADD_SEALS, F_SEAL_SEAL);
    if (shared->counts)
        fcntl(shared->counts, F_ADD_SEALS, F_SEAL_SEAL);

    /* Whatever the runner leaves behind becomes a child of the judge, to be killed too. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL);
    hear_of_ends(false);
    process->pid = fork();
    if (process->pid < 0)
        fault("cannot start a process for the runner");
    if (process->pid == 0)
        become_runner(runner, fds, output[1]);
    replace_living(0, process->pid);

    close(control[1]);
    close(output[1]);
    close(started[1]);
    close(fds[1]);
    close(fds[2]);
    process->control = control[0];
    process->output = output[0];
    fcntl(process->output, F_SETFL, O_NONBLOCK);
    process->printed = calloc(PROCESS_OUTPUT_KEPT + 1, 1);
    if (!process->printed)
        fault("cannot allocate memory for what the runner prints");
    process_forget_printed(process);
    process->started = started[0];
    if (!isolation.program) {
        close(started[0]);
        process->started = -1;
    }
}

void process_send(struct process *process, const struct message *message) {
    /* A runner that has gone is noticed by the receive that follows. */
    send(process->control, message, sizeof *message, MSG_NOSIGNAL);
}

static void count_printed(struct process *process, const char *text, size_t bytes) {
    process->all_bytes += bytes;
    for (size_t i = 0; i < bytes; i++)
        process->all_lines += (text[i] == '\n') - (text[i] == PRINTED_MARK);
}

/* Returns false once nobody holds the other end. A step may print faster than it is read, so that
 * each call reads a bounded amount. */
static bool read_printed(struct process *process) {
    char discard[16 * 1024];
    for (int turn = 0; turn < 16; turn++) {
        size_t room = PROCESS_OUTPUT_KEPT - process->printed_bytes;
        char *to = room ? process->printed + process->printed_bytes : discard;
        ssize_t got = read(process->output, to, room ? room : sizeof discard);
        if (got == 0)
            return false;
        if (got < 0)
            return true;
        count_printed(process, to, got);
        if (room)
            process->printed_bytes += got;
    }
    return true;
}

/* To be woken takes a tenth of a millisecond, seen on a virtual machine with a GPU: as much as
 * several calls of a fast step, and nothing beside an answer that takes longer than this. */
static const double AWAKE_S = 0.05;

enum answer process_receive(struct process *process, struct message *message, double seconds) {
    double start = clock_seconds(), deadline = start + seconds;
    struct pollfd events[2] = {{.fd = process->control, .events = POLLIN},
                               {.fd = process->output, .events = POLLIN}};
    for (;;) {
        double now = clock_seconds(), left = deadline - now;
        if (left <= 0)
            return ANSWER_TIMED_OUT;
        bool awake = process->prompt && now - start < AWAKE_S;
        /* Rounded up: a wait of 0 ms would spin. */
        int wait_ms = awake ? 0 : left > 3600 ? 3600000 : (int)(left * 1e3) + 1;
        if (poll(events, 2, wait_ms) < 0 && errno != EINTR)
            fault("cannot wait for the runner");
        if (events[1].revents && !read_printed(process))
            events[1].fd = -1;
        if (process->all_bytes > PROCESS_OUTPUT_MOST || process->all_lines > PROCESS_LINES_MOST)
            return ANSWER_PRINTS_ON;
        if (events[0].revents) {
            ssize_t got = recv(process->control, message, sizeof *message, MSG_DONTWAIT);
            /* It left without reading all that it was told; its last words are still there. */
            if (got < 0 && errno == ECONNRESET)
                got = recv(process->control, message, sizeof *message, MSG_DONTWAIT);
            if (got == sizeof *message) {
                message->text[sizeof message->text - 1] = '\0';
                return ANSWER_MESSAGE;
            }
            return ANSWER_DIED;
        }
    }
}

void process_reap(void) {
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int turn = 0; turn < 1000; turn++) {
        FILE *children = fopen(path, "r");
        bool any = children && fgets(line, sizeof line, children), killed = false;
        if (children)
            fclose(children);
        if (!any)
            return;
        /* A blank follows every number; the last one may have been cut short, and is another's. */
        for (char *next = line, *end;; next = end) {
            pid_t pid = strtol(next, &end, 10);
            if (end == next || *end != ' ')
                break;
            if (lives(pid))
                continue;
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            killed = true;
        }
        if (!killed)
            return;
    }
}

static void describe_end(int status, char *end, size_t end_size) {
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    /* A sandbox ends as a shell does. */
    if (isolation.program && WIFEXITED(status) && WEXITSTATUS(status) > 128)
        signal = WEXITSTATUS(status) - 128;
    if (signal && signal <= SIGRTMAX)
        snprintf(end, end_size, "signal %d (%s)", signal, strsignal(signal));
    else
        snprintf(end, end_size, "exit status %d", WEXITSTATUS(status));
}

/* It is no longer one that lives: what it leaves behind can be told from others' by that. */
static void kill_runner(struct process *process) {
    replace_living(process->pid, 0);
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL); /* it may not have reached setsid() yet */
}

static void close_connection(struct process *process) {
    read_printed(process);
    close(process->control);
    close(process->output);
    if (process->started >= 0)
        close(process->started);
}

void process_leave(struct process *process) {
    kill_runner(process);
    close_connection(process);
}

void process_stop(struct process *process, char *end, size_t end_size) {
    /* A runner that has closed its socket is about to end by itself: give it a moment to do so,
     * because how it ended is evidence. */
    int status = 0;
    pid_t ended = 0;
    for (int turn = 0; turn < 200 && !ended; turn++) {
        struct pollfd control = {.fd = process->control, .events = POLLIN};
        if (poll(&control, 1, 0) == 0)
            break; /* connected and silent: it does not mean to end */
        ended = waitpid(process->pid, &status, WNOHANG);
        if (!ended)
            usleep(5000);
    }
    if (ended) {
        replace_living(process->pid, 0);
        kill(-process->pid, SIGKILL); /* its group; its own number may be another's by now */
    } else {
        kill_runner(process);
        waitpid(process->pid, &status, 0);
    }
    describe_end(status, end, end_size);
    process_reap();
    close_connection(process);
}
