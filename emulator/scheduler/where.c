/* Where the threads are of a step that has been computing for long: a timer of the process's CPU
 * time sends a signal, and its handler looks. A busy machine or a step that sleeps uses none. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "../findings/emulator.h"
#include "frames.h"
#include "scheduler.h"

static void (*tell_where)(const struct where *where);
static double period_s;
static unsigned ticks;                     /* since the time was set */
static unsigned long long launches_before; /* then */

static void handle(int number, siginfo_t *info, void *context) {
    pthread_t other;
    /* The kernel chooses the OS thread. It is asked once: the turn may go on meanwhile. */
    if (info->si_code != SI_TKILL && !emulator_runs_here(&other)) {
        pthread_kill(other, number);
        return;
    }
    struct where where = {.cpu_s = ++ticks * period_s,
                          .launches = emulator_launches - launches_before};
    emulator_find_threads(&where);
    struct frames_place place = frames_place_of(info, context);
    where.frames = frames_find(&place, where.pc);
    tell_where(&where);
}

void emulator_watch_time(double cpu_s, void (*tell)(const struct where *where)) {
    struct sigaction action = {.sa_sigaction = handle,
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
