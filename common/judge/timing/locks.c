#define _GNU_SOURCE
#include "locks.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/file.h>

#include "judge/clock.h"
#include "judge/fault.h"

static struct {
    const char *locks, *place;
    bool had;
    double waited_s;
} wanted = {.had = true};

static void change_all(const char *locks, int operation) {
    char *end;
    for (const char *next = locks; next && *next; next = *end ? end + 1 : end) {
        int lock = strtol(next, &end, 10);
        while (flock(lock, operation) != 0)
            if (errno != EINTR)
                fault("cannot lock descriptor %d, which --locks or --place names", lock);
    }
}

void locks_want(const char *locks, const char *place) {
    wanted.locks = locks;
    wanted.place = place;
    wanted.had = !locks;
    change_all(place, LOCK_EX);
}

bool locks_had(void) { return wanted.had; }

void locks_take(void) {
    if (wanted.had)
        return;
    const double start_s = clock_seconds();
    change_all(wanted.locks, LOCK_EX);
    wanted.waited_s += clock_seconds() - start_s;
    wanted.had = true;
    change_all(wanted.place, LOCK_UN);
}

void locks_give_back(void) { change_all(wanted.locks, LOCK_UN); }

double locks_clock(void) { return clock_seconds() - wanted.waited_s; }
