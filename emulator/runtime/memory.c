/* Which memory the program has: allocations, and variables of the device. */
#include "runtime.h"

#include <pthread.h>

static struct allocation *allocations;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void emulator_add_allocation(struct allocation *a) {
    pthread_mutex_lock(&mutex);
    a->next = allocations;
    allocations = a;
    pthread_mutex_unlock(&mutex);
}

static bool holds(const struct allocation *a, const void *pointer) {
    return (uintptr_t)pointer - (uintptr_t)a->begin < a->size;
}

struct allocation *emulator_take_allocation(const void *pointer, unsigned kinds) {
    pthread_mutex_lock(&mutex);
    struct allocation **link = &allocations;
    while (*link && ((*link)->begin != pointer || !(kinds >> (*link)->kind & 1)))
        link = &(*link)->next;
    struct allocation *found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&mutex);
    return found;
}

bool emulator_find_allocation(const void *pointer, struct allocation *found) {
    const struct allocation *a;
    pthread_mutex_lock(&mutex);
    for (a = allocations; a && !holds(a, pointer); a = a->next)
        ;
    if (a)
        *found = *a;
    pthread_mutex_unlock(&mutex);
    return a != NULL;
}

const struct allocation *emulator_hold_allocations(void) {
    pthread_mutex_lock(&mutex);
    return allocations;
}

void emulator_let_allocations_go(void) { pthread_mutex_unlock(&mutex); }

/* ---- what may be copied ----------------------------------------------------------------- */

/* The addresses that cudaGetSymbolAddress gave. Copies to and from them are allowed. */
static struct symbol {
    const char *begin;
    size_t size;
} symbols[256];
static unsigned symbol_count;
static pthread_mutex_t symbols_mutex = PTHREAD_MUTEX_INITIALIZER;

int emulator_is_symbol(const void *pointer, size_t size) {
    for (unsigned i = 0; i < symbol_count; i++) {
        size_t offset = (size_t)((const char *)pointer - symbols[i].begin);
        if ((const char *)pointer >= symbols[i].begin && offset < symbols[i].size)
            return size <= symbols[i].size - offset;
    }
    return false;
}

void emulator_know_symbol(const void *begin, size_t size) {
    HOST_ONLY();
    pthread_mutex_lock(&symbols_mutex);
    unsigned i = 0;
    while (i < symbol_count && symbols[i].begin != begin)
        i++;
    if (i == symbol_count && symbol_count < sizeof symbols / sizeof *symbols)
        symbols[symbol_count++] = (struct symbol){begin, size};
    pthread_mutex_unlock(&symbols_mutex);
}

/* Whether these bytes can be what the caller says. A range that begins in an allocation must lie
 * wholly inside it, and what kernels have of their heap is theirs alone. Memory that was not
 * allocated here is the host's, or a __device__ variable. */
bool emulator_is_plausible(const void *pointer, size_t size, bool on_device) {
    struct allocation a;
    if (!emulator_find_allocation(pointer, &a))
        return !on_device || emulator_is_symbol(pointer, size);
    return a.kind != EMULATOR_HEAP_MEMORY &&
           size <= a.size - (size_t)((const char *)pointer - a.begin) &&
           (on_device || !emulator_is_on_device(&a));
}
