#include "copies.h"

#include "../scheduler/hooks.h"

struct copy *copies;
size_t copy_count;

static size_t first_free; /* no place before it is */

size_t copies_put_in(const struct copy *copy) {
    static size_t capacity;
    while (first_free < copy_count && copies[first_free].size)
        first_free++;
    const size_t at = first_free;
    if (at == copy_count) {
        copies = emulator_grow(copies, copy_count, &capacity, sizeof *copies);
        copy_count++;
    }
    copies[at] = *copy;
    return at;
}

struct copy copies_take_out(size_t i) {
    const struct copy copy = copies[i];
    copies[i].size = 0;
    first_free = i < first_free ? i : first_free;
    while (copy_count && !copies[copy_count - 1].size)
        copy_count--;
    return copy;
}

static bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) {
    return a < b + b_size && b < a + a_size;
}

static bool meets(const struct copy *copy, uintptr_t address, size_t size, bool writes) {
    return overlap(address, size, copy->to, copy->size) ||
           (writes && overlap(address, size, copy->from, copy->size));
}

const struct copy *copies_meet(const struct cell *cell, uintptr_t address, size_t size,
                               bool writes) {
    const struct cell_more *more = cell->more;
    if (!more->leads && !(writes && more->comes))
        return NULL;
    if (more->copy < copy_count && meets(&copies[more->copy], address, size, writes))
        return &copies[more->copy];
    for (size_t i = 0; i < copy_count; i++)
        if (meets(&copies[i], address, size, writes))
            return &copies[i];
    return NULL;
}

bool copies_is_here(const struct copy *copy) {
    return copy->size && copy->to - emulator_shared_begin < emulator_shared_bytes;
}
