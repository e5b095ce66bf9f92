#include "copies.h"

#include "../scheduler/hooks.h"

struct copy *copies;
size_t copy_count;

/* How many copies lead to a word, or come from it, and the last of them: thousands may be under
 * way. Words that lie apart by a multiple of WORDS share a place. */
enum { WORDS = 1 << 16, WORD = 4 };
static struct words { uint32_t count, last; } leads_to[WORDS], comes_from[WORDS];

static void note(struct words *words, uintptr_t address, size_t size, int count, size_t last) {
    for (uintptr_t word = address / WORD; word * WORD < address + size; word++) {
        words[word % WORDS].count += (uint32_t)count;
        words[word % WORDS].last = (uint32_t)last;
    }
}

/* The copy is at i now. */
static void note_copy(size_t i, int count) {
    note(leads_to, copies[i].to, copies[i].size, count, i);
    note(comes_from, copies[i].from, copies[i].size, count, i);
}

void copies_put_in(const struct copy *copy) {
    static size_t capacity;
    copies = emulator_grow(copies, copy_count, &capacity, sizeof *copies);
    copies[copy_count] = *copy;
    note_copy(copy_count++, 1);
}

struct copy copies_take_out(size_t i) {
    const struct copy copy = copies[i];
    note_copy(i, -1);
    copies[i] = copies[--copy_count];
    if (i < copy_count)
        note_copy(i, 0);
    return copy;
}

static bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) {
    return a < b + b_size && b < a + a_size;
}

static bool meets(const struct copy *copy, uintptr_t address, size_t size, bool writes) {
    return overlap(address, size, copy->to, copy->size) ||
           (writes && overlap(address, size, copy->from, copy->size));
}

/* Whether there may be one; *last: it is that. */
static bool may_meet(const struct words *words, uintptr_t address, size_t size,
                     const struct copy **last) {
    bool any = false;
    for (uintptr_t word = address / WORD; word * WORD < address + size; word++) {
        const struct words *at = &words[word % WORDS];
        any |= at->count > 0;
        *last = at->count && at->last < copy_count ? &copies[at->last] : *last;
    }
    return any;
}

const struct copy *copies_meet(uintptr_t address, size_t size, bool writes) {
    const struct copy *last = NULL;
    const bool from = writes && may_meet(comes_from, address, size, &last);
    if (!may_meet(leads_to, address, size, &last) && !from)
        return NULL;
    if (last && meets(last, address, size, writes))
        return last;
    for (const struct copy *c = copies; c < copies + copy_count; c++)
        if (meets(c, address, size, writes))
            return c;
    return NULL;
}

bool copies_is_here(const struct copy *copy) {
    return copy->to - emulator_shared_begin < emulator_shared_bytes;
}
