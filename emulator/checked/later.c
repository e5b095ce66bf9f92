#include <string.h>

#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"
#include "analysis.h"
#include "budget.h"
#include "reach.h"

/* How many batches each thread on this OS thread has ended. */
static __thread uint32_t batches[EMULATOR_MAX_THREADS];

static __thread bool next_is_later;

void emulator_next_copy_later(void) { next_is_later = emulator_in_kernel(); }

bool later_copies(void *to, const void *from, size_t size, const void *caller) {
    struct copy copy = {.to = (uintptr_t)to,
                        .from = (uintptr_t)from,
                        .pc = (uintptr_t)caller - 1,
                        .size = size,
                        .batch = batches[emulator_thread]};
    const bool is_later = next_is_later && size && !reach_only && !budget_is_spent;
    next_is_later = false;
    if (!is_later || !analysis_begin_copy(&copy))
        return false;
    analysis_put_copy(&copy);
    return true;
}

void emulator_copies_commit(void) { batches[emulator_thread]++; }

void emulator_copies_wait(size_t prior) {
    for (size_t i = copy_count; i-- > 0;) {
        if (!copies_is_here(&copies[i]) || copies[i].by.thread != emulator_thread ||
            copies[i].batch + prior >= batches[emulator_thread])
            continue;
        const struct copy copy = analysis_take_copy(i);
        if (!budget_is_spent)
            analysis_copied(&copy);
        memcpy((void *)copy.to, (const void *)copy.from, copy.size);
    }
}
