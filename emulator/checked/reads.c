#include "reads.h"
#include "../findings/emulator.h"

#include <stdio.h>
#include <string.h>

static struct reads *reads; /* of the call under way; or NULL */
static size_t element_bytes, elements;
static uintptr_t keys[USED_ARRAYS]; /* of its arrays */
static uint64_t calls;              /* counted so far */
__thread uint64_t reads_amount, reads_stored;
__thread bool reads_adds;
__thread const void *reads_unsettled;
static __thread struct thread_use *unsettled; /* what is stored there is not known yet */

void emulator_count_reads(struct reads *of_next_call, size_t bytes) {
    reads = of_next_call;
    element_bytes = bytes;
    elements = 0;
}

/* Uses lie in memory that is fresh but for those of a call before. */
void reads_begin(size_t input_bytes) {
    if (!reads)
        return;
    elements = input_bytes / element_bytes;
    size_t before = reads->uses < MOST_USES ? reads->uses : MOST_USES;
    memset(reads->use, 0, before * sizeof *reads->use);
    memset(reads, 0, offsetof(struct reads, use));
    memset(reads->of, 0, elements * sizeof *reads->of);
    memset(keys, 0, sizeof keys);
    reads->array[OF_INPUT].bytes = (uint32_t)input_bytes;
    reads->counted = 1;
    calls++;
}

/* OS threads run blocks at the same time: each takes room for several uses. */
static struct thread_use *next_use(void) {
    enum { TAKEN = 64 };
    static __thread uint64_t of_call, next, end;
    if (of_call != calls || next == end) {
        of_call = calls;
        next = __atomic_fetch_add(&reads->uses, TAKEN, __ATOMIC_RELAXED);
        end = next + TAKEN;
    }
    return next < MOST_USES ? &reads->use[next++] : NULL;
}

static struct thread_use *note(unsigned array, size_t offset, size_t bytes, uint64_t value,
                               const struct access *now) {
    enum { MOST_BLOCKS = 1 << 22 };
    const bool host = now->block == NO_BLOCK && array != OF_INPUT;
    if (now->block >= MOST_BLOCKS && !host)
        return NULL;
    struct thread_use *use = next_use();
    if (use)
        *use = (struct thread_use){.thread = host ? (uint32_t)OF_HOST
                                                  : now->block * OF_BLOCK + now->thread,
                                   .pc = now->pc,
                                   .at = (uint32_t)offset,
                                   .value = (uint32_t)value,
                                   .high = (uint32_t)(value >> 32),
                                   .array = (uint8_t)array,
                                   .bytes = (uint8_t)bytes,
                                   .launch = (uint8_t)now->launch,
                                   .writes = !(now->flags & ACCESS_WRITE) ? USE_READS
                                             : reads_adds                 ? USE_ADDS
                                             : now->flags & ACCESS_ATOMIC ? USE_SWAPS
                                                                          : USE_WRITES};
    return use;
}

/* An element counts where its first byte is read: it may be read byte by byte. */
void reads_note(size_t offset, size_t bytes, const struct access *now) {
    if (!reads)
        return;
    size_t first = (offset + element_bytes - 1) / element_bytes;
    size_t end = (offset + bytes + element_bytes - 1) / element_bytes;
    for (size_t i = first; i < end && i < elements; i++)
        if (reads->of[i].times++ == 0)
            reads->of[i].pc = now->pc;
    note(OF_INPUT, offset, bytes, 0, now);
}

/* The one of that place and array; NULL: there is no room for it. */
static struct adder *adder_of(uint32_t pc, unsigned array) {
    for (struct adder *adder = reads->adder; adder < reads->adder + MOST_ADDERS; adder++) {
        uint32_t found = 0;
        if (__atomic_compare_exchange_n(&adder->pc, &found, pc, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            adder->array = (uint8_t)array;
        else if (found != pc || adder->array != array)
            continue;
        return adder;
    }
    return NULL;
}

/* The first number of those that share the word which this addition makes too large. */
static void note_full(struct adder *adder, size_t offset, size_t bytes, uint64_t before) {
    enum { BITS = 8 };
    uint64_t amounts = __atomic_load_n(&adder->amounts, __ATOMIC_RELAXED);
    if (reads_amount & ~amounts)
        amounts = __atomic_or_fetch(&adder->amounts, reads_amount, __ATOMIC_RELAXED);
    if (!(amounts >> BITS)) /* nearly all: one number */
        return;
    const unsigned bits = adder->full_bits ? 0 : reads_field_bits(amounts, bytes);
    for (unsigned number = 0; bits && number * bits < bytes * BITS; number++) {
        const uint64_t most = (UINT64_C(1) << bits) - 1;
        if ((before >> number * bits & most) + (reads_amount >> number * bits & most) <= most)
            continue;
        adder->full_bits = (uint8_t)bits;
        adder->full_number = (uint8_t)number;
        adder->full_at = (uint32_t)offset;
        return;
    }
}

static void note_addition(unsigned array, size_t offset, size_t bytes, uint32_t pc,
                          uint64_t before) {
    struct adder *adder = adder_of(pc, array);
    if (!adder)
        return;
    if (__atomic_fetch_add(&adder->total, reads_amount, __ATOMIC_RELAXED) == 0)
        adder->at = (uint32_t)offset;
    adder->bytes = (uint8_t)bytes;
    adder->elsewhere |= adder->at != offset;
    const bool packed =
        reads_amount == 1 << 8 || reads_amount == 1 << 16 || reads_amount == 1 << 24;
    adder->packed |= packed ? ADDS_PACKED : reads_amount > 1 ? ADDS_MORE : 0;
    note_full(adder, offset, bytes, before);
}

/* The array's number, and 0 where there is no room for it. */
static unsigned array_of(uintptr_t key, const char *name, size_t bytes, uint8_t of) {
    for (unsigned i = 1; i < USED_ARRAYS; i++) {
        uintptr_t found = __atomic_load_n(&keys[i], __ATOMIC_RELAXED);
        if (!found && __atomic_compare_exchange_n(&keys[i], &found, key, 0, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED)) {
            reads->array[i].bytes = (uint32_t)bytes;
            reads->array[i].of_block = of == USED_OF_BLOCK;
            reads->array[i].allocated = of == USED_ALLOCATED;
            snprintf(reads->array[i].name, sizeof reads->array[i].name, "%s", name);
            return i;
        }
        if (found == key)
            return i;
    }
    return 0;
}

static uint64_t value_at(const void *place, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, place, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

void reads_settle(void) {
    unsettled->value = (uint32_t)value_at(reads_unsettled, unsettled->bytes);
    unsettled->high = (uint32_t)(value_at(reads_unsettled, unsettled->bytes) >> 32);
    reads_unsettled = NULL;
}

void reads_note_use(uintptr_t key, const char *name, size_t array_bytes, size_t offset,
                    size_t bytes, const void *place, uint8_t of, const struct access *now) {
    unsigned array = reads ? array_of(key, name, array_bytes, of) : 0;
    if (!array || bytes > UINT8_MAX)
        return;
    const bool write = now->flags & ACCESS_WRITE;
    uint64_t written = reads_adds ? reads_amount : reads_stored;
    struct thread_use *use =
        note(array, offset, bytes, write ? written : value_at(place, bytes), now);
    if (use && write && !reads_adds && !reads_stored)
        unsettled = use, reads_unsettled = place;
    if (reads_amount)
        note_addition(array, offset, bytes, now->pc, value_at(place, bytes));
}
