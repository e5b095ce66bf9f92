/* Hazards on their way to emulator_tell_hazard: each pair of places once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../findings/hazard.h"
#include "memory.h"

/* A hazard at one place, `now`, with what it does in words. More can be added before it is told. */
struct hazard hazard_at(enum hazard_kind kind, const struct access *now, const char *does);

/* The other place. */
void hazard_with(struct hazard *hazard, const struct access *other, const char *does);
/* A place of the host's code: an allocation, a copy. No place where pc is 0. */
void hazard_with_host(struct hazard *hazard, uint32_t pc, const char *does);

/* An array, as it is told. */
struct base {
    const char *name;
    uintptr_t begin;
    size_t size;
    bool allocated;
};

/* Name it, as that which the address lies in or nearest to, and the index there. */
void hazard_name(struct hazard *hazard, const struct base *base, uintptr_t address, size_t bytes);

void hazard_note(struct hazard *hazard, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Tell it, unless one of its kind with the same places has been told. */
void hazard_tell(const struct hazard *hazard);

/* What an access does, in words: "reads", "writes". */
const char *hazard_does(const struct access *access);
