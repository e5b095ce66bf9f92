/* Tests of common/judge/process.c: runners that end, hang, flood, hide, and what they can reach.
 *
 * This program is also those runners: it makes a link to itself for each, in a new directory under
 * TMPDIR or /tmp, and behaves as the name that it was called by says. */
#define _GNU_SOURCE
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/process.h"

enum { PATIENT = 60, STRIP_BYTES = 10000, OUTPUT_BYTES = 3 * 4096, MANY = 1200 };

/* What a runner tells the test, in the memory for outputs. */
struct told {
    volatile int started;
    volatile pid_t pids[2];
};

/* ---- the runners ------------------------------------------------------------------------ */

static struct told *outputs_of_runner(void) {
    return mmap(NULL, OUTPUT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, OUTPUTS_FD, 0);
}

static void say(const struct message *message, size_t bytes) {
    if (send(CONTROL_FD, message, bytes, MSG_NOSIGNAL) != (ssize_t)bytes)
        _exit(90);
}

static void exits(void) { _exit(3); }

static void closes_and_exits(void) {
    close(CONTROL_FD);
    usleep(100 * 1000);
    _exit(4);
}

static void is_terminated(void) { raise(SIGTERM); }

static void hangs(void) {
    for (;;)
        pause();
}

static void answers(void) {
    struct message message;
    if (recv(CONTROL_FD, &message, sizeof message, 0) != sizeof message)
        _exit(91);
    message.kind = MESSAGE_READY;
    message.rows++;
    memset(message.text, 'x', sizeof message.text); /* no end of the string */
    say(&message, sizeof message);
    hangs();
}

static void answers_too_little(void) {
    struct message message = {.kind = MESSAGE_READY};
    say(&message, 7);
    hangs();
}

static void prints(void) {
    dprintf(STDOUT_FILENO, "to stdout\n");
    dprintf(STDERR_FILENO, "to stderr\n");
}

static void floods(void) {
    static char text[4096];
    memset(text, 'y', sizeof text);
    while (write(STDOUT_FILENO, text, sizeof text) > 0)
        ;
    hangs();
}

/* A daemon by the book: out of the process group, its parent gone, deaf to polite signals. */
static void leaves_a_daemon(void) {
    struct told *told = outputs_of_runner();
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            told->pids[0] = getpid();
            told->started = 1;
            hangs();
        }
        _exit(0);
    }
    while (!told->started)
        usleep(1000);
}

static void leaves_many(void) {
    for (int i = 0; i < MANY; i++)
        if (fork() == 0) {
            setsid();
            hangs();
        }
}

static void starts_a_child_and_hangs(void) {
    struct told *told = outputs_of_runner();
    pid_t pid = fork();
    if (pid == 0)
        hangs();
    told->pids[0] = pid;
    told->pids[1] = getpid();
    told->started = 1;
    hangs();
}

/* Exit status 0 if nothing but what protocol.h names is open, else the first number beyond. */
static void looks_at_descriptors(void) {
    for (int fd = 0; fd <= OUTPUTS_FD; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            _exit(100 + fd);
    for (int fd = OUTPUTS_FD + 1; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            _exit(fd);
    _exit(0);
}

static bool can_write(int fd) {
    char byte = 1;
    void *memory = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory != MAP_FAILED || pwrite(fd, &byte, 1, 0) == 1 || ftruncate(fd, 1 << 20) == 0;
}

/* Exit status 0 if strip and windows can be read, and not be written by any way known. */
static void writes_its_input(void) {
    for (int fd = STRIP_FD; fd <= WINDOWS_FD; fd++) {
        char path[64];
        if (mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
            _exit(1);
        if (can_write(fd))
            _exit(2);
        void *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
        if (mprotect(memory, 4096, PROT_READ | PROT_WRITE) == 0)
            _exit(3);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int again = open(path, O_RDWR);
        if (again >= 0 && can_write(again))
            _exit(4);
    }
    if (ftruncate(OUTPUTS_FD, 0) == 0)
        _exit(5); /* the judge would die of reading what is gone */
    _exit(0);
}

/* Exit status 0 if the counts begin with "gpu", can be written, and keep their size. */
static void counts(void) {
    char *memory = mmap(NULL, COUNTS_FD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, COUNTS_FD, 0);
    if (memory == MAP_FAILED || strcmp(memory, "gpu") != 0)
        _exit(1);
    strcpy(memory, "counts");
    if (ftruncate(COUNTS_FD, 0) == 0 || ftruncate(COUNTS_FD, 2ul * COUNTS_FD_BYTES) == 0)
        _exit(2);
    if (fcntl(COUNTS_FD, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) == 0 ||
        fcntl(COUNTS_FD + 1, F_GETFD) >= 0)
        _exit(3);
    _exit(0);
}

static const struct {
    const char *name;
    void (*run)(void);
} runners[] = {
    {"exits", exits},
    {"closes_and_exits", closes_and_exits},
    {"is_terminated", is_terminated},
    {"hangs", hangs},
    {"answers", answers},
    {"answers_too_little", answers_too_little},
    {"prints", prints},
    {"floods", floods},
    {"leaves_a_daemon", leaves_a_daemon},
    {"leaves_many", leaves_many},
    {"starts_a_child_and_hangs", starts_a_child_and_hangs},
    {"looks_at_descriptors", looks_at_descriptors},
    {"counts", counts},
    {"writes_its_input", writes_its_input},
};

static void run_if_runner(const char *called) {
    const char *name = strrchr(called, '/') ? strrchr(called, '/') + 1 : called;
    for (size_t i = 0; i < COUNT(runners); i++)
        if (strcmp(runners[i].name, name) == 0) {
            runners[i].run();
            _exit(0);
        }
}

/* ---- the tests -------------------------------------------------------------------------- */

static char directory[PATH_MAX], path[PATH_MAX + 64];
static struct shared shared;
static void *strip, *windows;
static struct told *told;
static struct process process;
static char end[80];

static int set_up(void **state) {
    const char *parent = getenv("TMPDIR");
    char self[PATH_MAX] = {0};

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_process.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory) || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(runners); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, runners[i].name);
        if (symlink(self, path) < 0)
            return -1;
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runners); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, runners[i].name);
        unlink(path);
    }
    return rmdir(directory);
}

static void start(const char *name) {
    void *outputs;
    shared.strip = shared_memory("strip", STRIP_BYTES, &strip);
    shared.windows = shared_memory("windows", 0, &windows);
    shared.outputs = shared_memory("outputs", OUTPUT_BYTES, &outputs);
    told = outputs;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    process_start(&process, path, &shared);
}

static enum answer receive(struct message *message, double seconds) {
    return process_receive(&process, message, seconds);
}

static void stop(void) { process_stop(&process, end, sizeof end); }

static void release(void) {
    munmap(strip, STRIP_BYTES);
    munmap(windows, 1);
    munmap(told, OUTPUT_BYTES);
    close(shared.strip);
    close(shared.windows);
    close(shared.outputs);
    free(process.printed);
}

static void assert_gone(pid_t pid) {
    assert_true(pid > 0);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

/* The runner dies without an answer; how it ended is told. */
static void check_end(const char *name, const char *expected) {
    struct message message;
    start(name);
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    stop();
    assert_string_equal(end, expected);
    assert_gone(process.pid);
    release();
}

static void how_a_runner_ended_is_told(void **state) {
    (void)state;
    check_end("exits", "exit status 3");
    check_end("closes_and_exits", "exit status 4");
    check_end("is_terminated", "signal 15 (Terminated)");
}

static void a_runner_that_is_not_there(void **state) {
    struct message message;

    (void)state;
    start("not_there");
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    stop();
    assert_string_equal(end, "exit status 127");
    process.printed[process.printed_bytes] = '\0';
    assert_non_null(strstr(process.printed, "cannot execute"));
    assert_non_null(strstr(process.printed, "not_there: No such file or directory"));
    release();
}

static void answers_arrive_and_their_text_ends(void **state) {
    struct message message = {.kind = MESSAGE_JOB, .rows = 41};

    (void)state;
    start("answers");
    process_send(&process, &message);
    assert_int_equal(receive(&message, PATIENT), ANSWER_MESSAGE);
    assert_int_equal(message.kind, MESSAGE_READY);
    assert_int_equal(message.rows, 42);
    assert_int_equal(strlen(message.text), sizeof message.text - 1);
    stop();
    assert_gone(process.pid);
    release();
}

static void an_answer_of_the_wrong_size_is_none(void **state) {
    struct message message;

    (void)state;
    start("answers_too_little");
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    stop();
    assert_gone(process.pid);
    release();
}

static void sending_to_a_dead_runner_is_harmless(void **state) {
    struct message message = {.kind = MESSAGE_JOB};

    (void)state;
    start("exits");
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    process_send(&process, &message);
    process_send(&process, &message);
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    stop();
    assert_string_equal(end, "exit status 3");
    release();
}

static void a_runner_that_hangs_is_killed(void **state) {
    struct message message;

    (void)state;
    start("starts_a_child_and_hangs");
    while (!told->started)
        usleep(1000);
    assert_int_equal(receive(&message, 0.2), ANSWER_TIMED_OUT);
    pid_t child = told->pids[0];
    assert_int_equal(kill(child, 0), 0);
    stop();
    assert_gone(process.pid);
    assert_gone(child);
    release();
}

/* A trial leaves one runner to die while the next begins: what the first leaves behind dies, and
 * the next lives. */
static void a_runner_that_is_left_dies_and_others_live(void **state) {
    struct process next = {0};
    struct message message = {.kind = MESSAGE_JOB, .rows = 41};
    char answers[PATH_MAX + 16];

    (void)state;
    start("leaves_a_daemon");
    while (!told->started)
        usleep(1000);
    snprintf(answers, sizeof answers, "%s/answers", directory);
    process_start(&next, answers, &shared);
    process_leave(&process);
    process_reap();
    assert_gone(process.pid);
    assert_gone(told->pids[0]);

    process_send(&next, &message);
    assert_int_equal(process_receive(&next, &message, PATIENT), ANSWER_MESSAGE);
    assert_int_equal(message.rows, 42);
    process_stop(&next, end, sizeof end);
    assert_gone(next.pid);
    free(next.printed);
    release();
}

static void what_is_printed_is_kept(void **state) {
    struct message message;

    (void)state;
    start("prints");
    assert_int_equal(receive(&message, PATIENT), ANSWER_DIED);
    stop();
    assert_int_equal(process.printed_bytes, 20);
    assert_memory_equal(process.printed, "to stdout\nto stderr\n", 20);
    release();
}

static void a_flood_is_read_and_not_kept_and_ends(void **state) {
    struct message message;

    (void)state;
    start("floods");
    assert_int_equal(receive(&message, PATIENT), ANSWER_PRINTS_ON);
    assert_true(process.all_bytes > PROCESS_OUTPUT_MOST);
    stop();
    assert_in_range(process.printed_bytes, 1, PROCESS_OUTPUT_KEPT);
    for (size_t i = 0; i < process.printed_bytes; i++)
        assert_int_equal(process.printed[i], 'y');
    assert_gone(process.pid);
    release();
}

static void a_daemon_is_killed_too(void **state) {
    struct message message;

    (void)state;
    start("leaves_a_daemon");
    while (!told->started)
        usleep(1000);
    receive(&message, 0.2); /* the daemon may hold the socket open: then nothing is answered */
    stop();
    assert_gone(told->pids[0]);
    release();
}

/* So many that the kernel's list of them does not fit one line buffer. */
static void many_daemons_are_killed(void **state) {
    struct message message;

    (void)state;
    start("leaves_many");
    receive(&message, 1);
    stop();
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    release();
}

static void a_runner_holds_what_it_needs_and_nothing_else(void **state) {
    (void)state;
    int leaked = open("/dev/null", O_RDONLY), high = fcntl(leaked, F_DUPFD, 200);

    assert_true(high >= 200);
    check_end("looks_at_descriptors", "exit status 0");
    close(leaked);
    close(high);
}

static void only_a_runner_that_counts_has_the_counts(void **state) {
    void *memory;

    (void)state;
    shared.counts = shared_memory("counts", COUNTS_FD_BYTES, &memory);
    strcpy(memory, "gpu");
    check_end("counts", "exit status 0");
    assert_string_equal(memory, "counts");
    munmap(memory, COUNTS_FD_BYTES);
    close(shared.counts);
    shared.counts = 0;
    check_end("looks_at_descriptors", "exit status 0");
}

static void a_runner_cannot_write_its_input(void **state) {
    (void)state;
    check_end("writes_its_input", "exit status 0");
}

/* The judge may be killed: its runner must not go on. */
static void a_runner_dies_with_its_judge(void **state) {
    int pipes[2], status;
    pid_t runner;

    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that the runner becomes ours to wait for */
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t judge = fork();
    assert_true(judge >= 0);
    if (judge == 0) {
        start("starts_a_child_and_hangs");
        while (!told->started)
            usleep(1000);
        pid_t pid = told->pids[1];
        if (write(pipes[1], &pid, sizeof pid) != sizeof pid)
            _exit(1);
        hangs();
    }
    assert_int_equal(read(pipes[0], &runner, sizeof runner), sizeof runner);
    kill(judge, SIGKILL);
    assert_int_equal(waitpid(judge, NULL, 0), judge);
    assert_int_equal(waitpid(runner, &status, 0), runner);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (pid_t rest; (rest = waitpid(-1, NULL, WNOHANG)) >= 0;) /* the runner's own child */
        if (rest == 0) {
            kill(-runner, SIGKILL);
            usleep(1000);
        }
    close(pipes[0]);
    close(pipes[1]);
}

static void sizes_of_shared_memory(void **state) {
    void *memory;
    char *bytes;

    (void)state;
    int fd = shared_memory("it", 0, &memory);
    assert_non_null(memory);
    assert_int_equal(ftruncate(fd, 100), -1);
    munmap(memory, 1);
    close(fd);
    fd = shared_memory("it", 5000, &memory);
    bytes = memory;
    assert_int_equal(bytes[0] | bytes[4999], 0);
    bytes[4999] = 1;
    munmap(memory, 5000);
    close(fd);
}

int main(int argc, char **argv) {
    (void)argc;
    run_if_runner(argv[0]);

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_a_runner_ended_is_told),
        cmocka_unit_test(a_runner_that_is_not_there),
        cmocka_unit_test(answers_arrive_and_their_text_ends),
        cmocka_unit_test(an_answer_of_the_wrong_size_is_none),
        cmocka_unit_test(sending_to_a_dead_runner_is_harmless),
        cmocka_unit_test(a_runner_that_hangs_is_killed),
        cmocka_unit_test(a_runner_that_is_left_dies_and_others_live),
        cmocka_unit_test(what_is_printed_is_kept),
        cmocka_unit_test(a_flood_is_read_and_not_kept_and_ends),
        cmocka_unit_test(a_daemon_is_killed_too),
        cmocka_unit_test(many_daemons_are_killed),
        cmocka_unit_test(a_runner_holds_what_it_needs_and_nothing_else),
        cmocka_unit_test(a_runner_cannot_write_its_input),
        cmocka_unit_test(a_runner_dies_with_its_judge),
        cmocka_unit_test(only_a_runner_that_counts_has_the_counts),
        cmocka_unit_test(sizes_of_shared_memory),
    };

    return cmocka_run_group_tests_name("process", tests, set_up, tear_down);
}
