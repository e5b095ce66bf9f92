/* Global memory: allocations and variables of the device, and which sectors of them are used.
 *
 * A device's addresses are made up: regions lie one behind the other, each from a multiple of
 * 2 MiB on, so that every run of the same step has the same. */
#include "counts.h"
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"

#include <stdlib.h>
#include <string.h>

struct region {
    uintptr_t begin, end;
    uint64_t device;
    uint64_t *used[2]; /* sectors read, and written: bits */
};

enum { SPACING = 2 << 20, MOST_REGIONS = 4096 };

/* Changed by the host alone, between kernels. A freed region keeps its place: hints stay valid. */
static struct region regions[MOST_REGIONS];
static unsigned region_count;
static uint64_t next_device = SPACING;
unsigned region_changes;

static size_t words_of(const struct region *region) {
    return (region->end - region->begin + 64 * SECTOR - 1) / (64 * SECTOR);
}

static void add_region(uintptr_t begin, size_t size) {
    unsigned at = 0;
    while (at < region_count && regions[at].end)
        at++;
    if (at == MOST_REGIONS) /* its accesses are not counted */
        return;
    region_count += at == region_count;
    region_changes++;
    struct region *region = &regions[at];
    *region = (struct region){.begin = begin, .end = begin + size, .device = next_device};
    /* Where a line begins on the host, one begins on the device. */
    region->device += begin % LINE;
    for (int written = 0; written < 2; written++)
        region->used[written] = emulator_need(calloc(words_of(region) + 1, sizeof(uint64_t)));
    next_device += (size + LINE + SPACING - 1) / SPACING * SPACING;
}

static void add_variables(char *begin, char *end) {
    if (end > begin)
        add_region((uintptr_t)begin, (size_t)(end - begin));
}

/* Not __constant__ variables: they are not read through the memory that is counted here. */
__attribute__((constructor)) static void add_sections(void) {
    add_variables(__start_emulator_device, emulator_end_of_device);
    add_variables(__start_emulator_managed, emulator_end_of_managed);
    add_variables(__start_emulator_readonly, emulator_end_of_readonly);
}

void counted_allocated(const void *begin, size_t size) { add_region((uintptr_t)begin, size); }

void counted_freed(const void *begin) {
    for (unsigned i = 0; i < region_count; i++) {
        if (regions[i].begin != (uintptr_t)begin)
            continue;
        free(regions[i].used[0]);
        free(regions[i].used[1]);
        regions[i] = (struct region){0};
        region_changes++;
    }
}

uint64_t region_find(uintptr_t address, struct region_used *used) {
    for (unsigned i = 0; i < region_count; i++) {
        const struct region *region = &regions[i];
        if (address - region->begin < region->end - region->begin) {
            *used = (struct region_used){region->begin, region->end - region->begin, region->device,
                                         region_changes};
            return region->device + (address - region->begin);
        }
    }
    return 0;
}

static struct region *region_at(uint64_t device) {
    static __thread unsigned hint;
    for (unsigned i = 0; i < region_count; i++) {
        unsigned at = i ? i - (i <= hint) : hint; /* the hint first */
        struct region *region = &regions[at];
        if (region->end &&
            device - region->device / LINE * LINE < region->end - region->begin + LINE) {
            hint = at;
            return region;
        }
    }
    return NULL;
}

void region_touch(uint64_t line, unsigned sectors, enum kind kind) {
    struct region *region = region_at(line);
    if (!region)
        return;
    uint64_t first = (line - region->device / LINE * LINE) / SECTOR; /* four are in one word */
    uint64_t bits = (uint64_t)sectors << first % 64;
    for (int written = kind == STORE; written <= (kind != LOAD); written++) {
        uint64_t *word = &region->used[written][first / 64];
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits)
            __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
    }
}

void region_begin(void) {
    for (unsigned i = 0; i < region_count; i++)
        for (int written = 0; regions[i].end && written < 2; written++)
            memset(regions[i].used[written], 0, (words_of(&regions[i]) + 1) * sizeof(uint64_t));
}

void region_touched(uint64_t *read, uint64_t *written) {
    uint64_t sum[2] = {0, 0};
    for (unsigned i = 0; i < region_count; i++)
        for (int w = 0; regions[i].end && w < 2; w++)
            for (size_t k = 0; k <= words_of(&regions[i]); k++)
                sum[w] += (unsigned)__builtin_popcountll(regions[i].used[w][k]);
    *read = sum[0];
    *written = sum[1];
}
