/* Crashes: a handler for the signals that they raise, and for exit(). And where the threads are of
 * a step that has been computing for long.
 *
 * Device code runs on fibers, whose stack may be what is full, so the handler has a stack of its
 * own on each OS thread. It walks the stack that it interrupted, up to the first function there. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../findings/emulator.h"
#include "fiber.h"
#include "frames.h"
#include "scheduler.h"

enum {
    HANDLER_STACK = 64 * 1024,
    BELOW_STACK = 1 << 16, /* an access so near to the stack pointer is one to the stack */
};

static void (*tell_crash)(const struct crash *crash);

static bool is_below_stack(uintptr_t address, uintptr_t stack_pointer) {
    const char *stack = emulator_thread_stack();
    if (stack)
        return (uintptr_t)stack - 1 - address < FIBER_GUARD;
    return stack_pointer + BELOW_STACK - address < 2 * BELOW_STACK;
}

static void describe_thread(struct crash *crash) {
    crash->on_host = !emulator_thread_stack();
    if (crash->on_host)
        return;
    memcpy(crash->block, &blockIdx, sizeof crash->block);
    memcpy(crash->thread, &threadIdx, sizeof crash->thread);
}

static void describe_address(struct crash *crash, const siginfo_t *info,
                             const struct frames_place *place) {
    bool mapped = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    crash->addressed = info->si_signo == SIGBUS || (info->si_signo == SIGSEGV && mapped);
    if (!crash->addressed)
        return;
    crash->address = (uintptr_t)info->si_addr;
    crash->stack_full = is_below_stack(crash->address, place->stack_pointer);
}

static void handle(int number, siginfo_t *info, void *context) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&told)) /* the first crash ends the process */
        pause();
    struct frames_place place = frames_place_of(info, context);
    struct crash crash = {.signal = (uint32_t)number};
    describe_thread(&crash);
    describe_address(&crash, info, &place);
    memcpy(crash.words, emulator_last_words, sizeof crash.words);
    crash.frames = frames_find(&place, crash.pc);
    tell_crash(&crash);

    sigset_t these;
    sigemptyset(&these);
    sigaddset(&these, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &these, NULL);
}

static void handle_exit(void) {
    struct frames_place nowhere = {0};
    struct crash crash = {.exits = 1};
    describe_thread(&crash);
    crash.frames = frames_find(&nowhere, crash.pc);
    tell_crash(&crash);
}

/* A stack for the handler on this OS thread, which keeps it. */
static void make_handler_stack(void) {
    stack_t stack = {.ss_size = HANDLER_STACK};
    stack.ss_sp =
        mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

void emulator_on_crash(void (*tell)(const struct crash *crash)) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    tell_crash = tell;
    frames_begin();
    make_handler_stack();
    emulator_on_worker = make_handler_stack;
    atexit(handle_exit);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- after long computing ---------------------------------------------------------------- */

/* A timer of the process's CPU time sends a signal, and its handler looks. A busy machine or a step
 * that sleeps uses none. */
static void (*tell_where)(const struct where *where);
static double period_s;
static unsigned ticks;                     /* since the time was set */
static unsigned long long launches_before; /* then */

static void handle_time(int number, siginfo_t *info, void *context) {
    pthread_t other;
    /* The kernel chooses the OS thread. It is asked once: the turn may go on meanwhile. */
    if (info->si_code != SI_TKILL && !emulator_runs_here(&other)) {
        pthread_kill(other, number);
        return;
    }
    struct where where = {.cpu_s = ++ticks * period_s,
                          .launches = emulator_launches - launches_before};
    if (!emulator_find_threads(&where)) /* between two blocks: the next look is soon */
        return;
    struct frames_place place = frames_place_of(info, context);
    where.frames = frames_find(&place, where.pc);
    tell_where(&where);
}

void emulator_watch_time(double cpu_s, void (*tell)(const struct where *where)) {
    struct sigaction action = {.sa_sigaction = handle_time,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct timeval period = {.tv_sec = (time_t)cpu_s,
                             .tv_usec = (suseconds_t)((cpu_s - (time_t)cpu_s) * 1e6)};
    struct itimerval timer = {.it_interval = period, .it_value = period};
    tell_where = tell;
    period_s = cpu_s;
    ticks = 0;
    launches_before = emulator_launches;
    sigfillset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}
