#include "hazards.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "order.h"

/* What has been told. */
static struct told { uint32_t kind, pc[2]; } * told;
static size_t told_count, told_room;

const char *hazard_does(const struct access *access) {
    bool write = access->flags & ACCESS_WRITE;
    if (access->block == NO_BLOCK && !access->launch)
        return write ? "writes" : "reads";
    if (access->block == NO_BLOCK)
        return write ? "fills or copies to it" : "copies from it";
    if (access->flags & ACCESS_ATOMIC)
        return write ? "updates it atomically" : "reads it atomically";
    return write ? "writes" : "reads";
}

static void coordinates(uint32_t out[3], uint32_t number, dim3 size) {
    if (!size.x || !size.y)
        return;
    out[0] = number % size.x;
    out[1] = number / size.x % size.y;
    out[2] = number / size.x / size.y;
}

static void set_place(struct hazard_place *place, const struct access *access, const char *does) {
    const struct operation *operation = order_operation(access->launch);
    memset(place, 0, sizeof *place);
    place->pc = access->pc;
    place->on_host = access->block == NO_BLOCK;
    if (operation && !place->on_host) {
        coordinates(place->block, access->block, operation->grid);
        coordinates(place->thread, access->thread, operation->block);
    }
    snprintf(place->does, sizeof place->does, "%s", does);
}

struct hazard hazard_at(enum hazard_kind kind, const struct access *now, const char *does) {
    struct hazard hazard = {.kind = kind, .places = 1};
    set_place(&hazard.place[0], now, does);
    return hazard;
}

void hazard_with(struct hazard *hazard, const struct access *other, const char *does) {
    hazard->places = 2;
    set_place(&hazard->place[1], other, does);
}

void hazard_with_host(struct hazard *hazard, uint32_t pc, const char *does) {
    struct access host = {.pc = pc, .block = NO_BLOCK};
    if (pc)
        hazard_with(hazard, &host, does);
}

void hazard_name(struct hazard *hazard, const struct base *base, uintptr_t address, size_t bytes) {
    intptr_t offset = (intptr_t)(address - base->begin);
    intptr_t unit = bytes ? (intptr_t)bytes : 1;
    snprintf(hazard->array, sizeof hazard->array, "%s", base->name);
    hazard->allocated = base->allocated;
    hazard->indexed = offset || base->size != bytes || base->allocated; /* else a lone variable */
    hazard->index = offset >= 0 ? offset / unit : -((-offset + unit - 1) / unit);
    hazard->bytes = (uint32_t)bytes;
    const size_t each = (size_t)unit, elements = base->size / each, rest = base->size % each;
    char more[40] = "";
    if (rest)
        snprintf(more, sizeof more, ", and %zu byte%s", rest, rest == 1 ? "" : "s");
    if (hazard->kind == HAZARD_OUT_OF_BOUNDS)
        hazard_note(hazard, "%s has %zu element%s of %zu byte%s%s", base->name, elements,
                    elements == 1 ? "" : "s", each, unit == 1 ? "" : "s", more);
}

void hazard_note(struct hazard *hazard, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(hazard->note, sizeof hazard->note, format, arguments);
    va_end(arguments);
}

/* Either order of the places is the same hazard. */
static bool is_told(const struct hazard *hazard) {
    uint32_t a = (uint32_t)hazard->place[0].pc;
    uint32_t b = hazard->places > 1 ? (uint32_t)hazard->place[1].pc : 0;
    for (size_t i = 0; i < told_count; i++) {
        const uint32_t *pc = told[i].pc;
        if (told[i].kind == hazard->kind &&
            ((pc[0] == a && pc[1] == b) || (pc[0] == b && pc[1] == a)))
            return true;
    }
    told = emulator_grow(told, told_count, &told_room, sizeof *told);
    told[told_count++] = (struct told){hazard->kind, {a, b}};
    return false;
}

void hazard_tell(const struct hazard *hazard) {
    if (!is_told(hazard))
        emulator_tell_hazard(hazard);
}
