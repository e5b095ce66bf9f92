/* Tests of common/judge/timing/locks.c: the locks on a GPU. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#include "judge/clock.h"
#include "judge/timing/locks.h"

static int open_lock(void) {
    char path[] = "/tmp/lock-XXXXXX";
    int lock = mkstemp(path);
    assert_true(lock >= 0);
    assert_int_equal(unlink(path), 0);
    return lock;
}

/* The same file by another description, which has locks of its own. */
static int open_again(int lock) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", lock);
    int again = open(path, O_RDWR);
    assert_true(again >= 0);
    return again;
}

static bool is_free(int lock) {
    int other = open_again(lock);
    bool is = flock(other, LOCK_EX | LOCK_NB) == 0;
    close(other);
    return is;
}

/* Until the process that has made this one sleeps: in flock, for nothing else makes it. */
static void await_parent(void) {
    char path[32], state = 'R';
    snprintf(path, sizeof path, "/proc/%d/stat", getppid());
    while (state != 'S') {
        FILE *stat = fopen(path, "r");
        if (!stat || fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
            _exit(2);
        fclose(stat);
    }
}

static void without_locks_nothing_waits(void **state) {
    (void)state;
    locks_want(NULL, NULL);
    assert_true(locks_had());
    locks_take();
    locks_give_back();
}

/* Somebody else has the second for a while: the clock of what a step may take stands still, and the
 * place is kept until both are had. */
static void locks_are_waited_for(void **state) {
    int first = open_lock(), second = open_lock(), place = open_lock();
    char locks[32], own[16];
    (void)state;
    snprintf(locks, sizeof locks, "%d,%d", first, second);
    snprintf(own, sizeof own, "%d", place);
    int other = open_again(second);
    assert_int_equal(flock(other, LOCK_EX), 0);
    pid_t pid = fork();
    if (pid == 0) {
        await_parent();
        _exit(is_free(place)); /* this ends the lock, for the description's last holder has gone */
    }
    close(other);

    locks_want(locks, own);
    assert_false(locks_had());
    assert_false(is_free(place));
    const double start_s = clock_seconds(), begun_s = locks_clock();
    locks_take();
    const double passed_s = locks_clock() - begun_s;
    assert_true(passed_s < clock_seconds() - start_s);
    assert_true(locks_had());
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    assert_false(is_free(first));
    assert_false(is_free(second));
    assert_true(is_free(place));

    locks_give_back();
    assert_true(is_free(first));
    assert_true(is_free(second));
    close(first), close(second), close(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_locks_nothing_waits),
        cmocka_unit_test(locks_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
