/* What the emulator itself cannot do without. */
#include "../include/emulated.h"

#include <stdio.h>
#include <stdlib.h>

void emulator_give_up(const char *why) {
    fprintf(stderr, "emulator: %s\n", why);
    abort();
}

void *emulator_need(void *memory) {
    if (!memory)
        emulator_give_up("no memory is left for the emulator itself");
    return memory;
}

void *emulator_grow(void *list, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return list;
    *room = 2 * count + 64;
    return emulator_need(realloc(list, *room * size));
}
