#define _POSIX_C_SOURCE 200809L
#include "budget.h"
#include "../findings/emulator.h"
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"
#include "memory.h"

#include <limits.h>
#include <time.h>

enum { KERNELS = 256, HOST_ACCESSES = 20000000 };

/* What the cells of the analysis take, at the most. */
static const size_t MOST_BYTES = (size_t)1 << 30;

/* A kernel is known by what runs it. Those that have no place in the table are not analysed. */
static struct spent {
    void (*run)(const void *arguments);
    double cpu_s;
} spent[KERNELS], *now;

bool budget_is_spent;
unsigned long long emulator_checked_launches;
static double budget_s = -1, last_s;
static unsigned long long left_out; /* launches */

long budget_host_accesses = LONG_MAX;

void emulator_check_for(double cpu_s) {
    budget_s = cpu_s;
    if (cpu_s >= 0)
        budget_host_accesses = cpu_s > 0 ? HOST_ACCESSES : 0;
}

void emulator_check_only(unsigned long long launches) { left_out = ~launches; }

static double cpu_seconds(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static struct spent *find(void (*run)(const void *arguments)) {
    for (struct spent *s = spent; s < spent + KERNELS; s++) {
        if (!s->run)
            s->run = run;
        if (s->run == run)
            return s;
    }
    return NULL;
}

void budget_begin_launch(const struct emulator_launch *launch) {
    if (budget_s < 0) {
        budget_is_spent = left_out & emulator_launch_bit;
        emulator_checked_launches += !budget_is_spent;
        return;
    }
    now = find(launch->run);
    last_s = cpu_seconds();
    budget_is_spent = !now || now->cpu_s >= budget_s || shadow_bytes > MOST_BYTES;
    emulator_checked_launches += !budget_is_spent;
}

void budget_spend(void) {
    if (budget_s < 0 || budget_is_spent)
        return;
    double s = cpu_seconds();
    now->cpu_s += s - last_s;
    last_s = s;
    budget_is_spent = now->cpu_s >= budget_s || shadow_bytes > MOST_BYTES;
    emulator_checked_launches -= budget_is_spent;
}

static void forget(struct region *region) { shadow_forget(&region->shadow); }

void budget_end_launch(void) {
    budget_spend();
    if (budget_is_spent)
        memory_each(forget);
    budget_is_spent = false;
}
