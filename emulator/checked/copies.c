#include "copies.h"

#include "../scheduler/hooks.h"

struct copy *copies;
size_t copy_count;

void copies_put_in(const struct copy *copy) {
    static size_t capacity;
    copies = emulator_grow(copies, copy_count, &capacity, sizeof *copies);
    copies[copy_count++] = *copy;
}

struct copy copies_take_out(size_t i) {
    const struct copy copy = copies[i];
    copies[i] = copies[--copy_count];
    return copy;
}

static bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) {
    return a < b + b_size && b < a + a_size;
}

const struct copy *copies_meet(uintptr_t address, size_t size, bool writes) {
    for (const struct copy *c = copies; c < copies + copy_count; c++)
        if (overlap(address, size, c->to, c->size) ||
            (writes && overlap(address, size, c->from, c->size)))
            return c;
    return NULL;
}

bool copies_is_here(const struct copy *copy) {
    return copy->to - emulator_shared_begin < emulator_shared_bytes;
}
