#include <string.h>

#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"
#include "analysis.h"
#include "budget.h"
#include "reach.h"

/* How many batches each thread on this OS thread has ended. */
static __thread uint32_t batches[EMULATOR_MAX_THREADS];

/* What is known of the copy that comes next. */
static __thread struct {
    bool is_later;
    const void *barrier;
} next;

void emulator_next_copy_later(const void *barrier) {
    next.is_later = emulator_in_kernel();
    next.barrier = barrier;
}

static void tell(const struct copy *copy) {
    if (!budget_is_spent)
        analysis_copied(copy);
}

static void make(const struct copy *copy) {
    memcpy((void *)copy->to, (const void *)copy->from, copy->size);
}

/* For those that wait for a barrier the copy comes before what its thread does there from now. */
static void put_in(struct copy *copy, const void *barrier) {
    copy->barrier = barrier;
    if (barrier)
        tell(copy);
    analysis_put_copy(copy);
}

bool later_copies(void *to, const void *from, size_t size, const void *caller) {
    struct copy copy = {.to = (uintptr_t)to,
                        .from = (uintptr_t)from,
                        .pc = (uintptr_t)caller - 1,
                        .size = size,
                        .batch = batches[emulator_thread]};
    const bool is_later = next.is_later && size && !reach_only && !budget_is_spent;
    next.is_later = false;
    if (!is_later || !analysis_begin_copy(&copy))
        return false;
    put_in(&copy, next.barrier);
    return true;
}

static bool waits_for_batch(const struct copy *copy) {
    return copies_is_here(copy) && copy->by.thread == emulator_thread && !copy->barrier;
}

void emulator_copies_wait(size_t prior) {
    for (size_t i = copy_count; i-- > 0;)
        if (waits_for_batch(&copies[i]) && copies[i].batch + prior < batches[emulator_thread]) {
            const struct copy copy = analysis_take_copy(i);
            tell(&copy);
            make(&copy);
        }
}

void emulator_copies_commit(const void *barrier) {
    batches[emulator_thread] += !barrier;
    for (size_t i = copy_count; barrier && i-- > 0;)
        if (waits_for_batch(&copies[i])) {
            struct copy copy = analysis_take_copy(i);
            put_in(&copy, barrier);
        }
}

void emulator_copies_phase(const void *barrier, int waited) {
    for (size_t i = copy_count; i-- > 0;) {
        if (!copies_is_here(&copies[i]) || copies[i].barrier != barrier)
            continue;
        if (!waited) {
            copies[i].arrived = true;
        } else if (copies[i].arrived) {
            const struct copy copy = analysis_take_copy(i);
            make(&copy);
        }
    }
}
