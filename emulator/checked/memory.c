#define _GNU_SOURCE
#include "memory.h"
#include "../scheduler/scheduler.h"
#include "../scheduler/image.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- shadow ----------------------------------------------------------------------------- */

enum { PAGE_BYTES = 4 * PAGE_WORDS };

size_t shadow_bytes;

struct shadow shadow_new(size_t bytes) {
    struct shadow shadow = {.page_count = (bytes + PAGE_BYTES - 1) / PAGE_BYTES};
    shadow.pages = emulator_need(calloc(shadow.page_count + 1, sizeof *shadow.pages));
    shadow.page_written = emulator_need(calloc(shadow.page_count + 1, 1));
    return shadow;
}

struct cell *shadow_new_page(struct shadow *shadow, size_t page) {
    struct cell *cells = emulator_need(calloc(PAGE_WORDS, sizeof *cells));
    for (size_t i = 0; shadow->page_written[page] && i < PAGE_WORDS; i++)
        cells[i].written = 0xf;
    shadow_bytes += PAGE_WORDS * sizeof *cells;
    return shadow->pages[page] = cells;
}

struct cell_more *cell_more(struct cell *cell) {
    if (!cell->more)
        cell->more = emulator_need(calloc(1, sizeof *cell->more));
    return cell->more;
}

struct cell *cell_split(struct cell *cell) {
    struct cell_more *more = cell_more(cell);
    if (more->bytes)
        return more->bytes;
    struct cell *bytes = emulator_need(calloc(4, sizeof *bytes));
    for (int i = 0; i < 4; i++) {
        bytes[i] = *cell;
        bytes[i].more = NULL;
        bytes[i].written = cell->written >> i & 1;
    }
    return more->bytes = bytes;
}

static void free_more(struct cell *cell) {
    free(cell_bytes(cell));
    free(cell->more);
}

void cell_clear(struct cell *cell) {
    free_more(cell);
    memset(cell, 0, offsetof(struct cell, recent));
}

static void set_byte(struct shadow *shadow, size_t offset, bool written) {
    struct cell *cell = shadow_cell(shadow, offset & ~(size_t)3), *bytes = cell_bytes(cell);
    unsigned bit = 1u << (offset & 3);
    if (bytes)
        bytes[offset & 3].written = written;
    else
        cell->written = (uint8_t)(written ? cell->written | bit : cell->written & ~bit);
}

void shadow_set_written(struct shadow *shadow, size_t offset, size_t bytes, bool written) {
    for (size_t end = offset + bytes; offset < end;) {
        size_t page = offset / PAGE_BYTES;
        if (offset % PAGE_BYTES == 0 && end - offset >= PAGE_BYTES && !shadow->pages[page]) {
            shadow->page_written[page] = written;
            offset += PAGE_BYTES;
        } else {
            set_byte(shadow, offset++, written);
        }
    }
}

void shadow_forget(struct shadow *shadow) {
    for (size_t page = 0; page < shadow->page_count; page++) {
        shadow_bytes -= shadow->pages[page] ? PAGE_WORDS * sizeof **shadow->pages : 0;
        for (size_t i = 0; shadow->pages[page] && i < PAGE_WORDS; i++)
            free_more(&shadow->pages[page][i]);
        free(shadow->pages[page]);
        shadow->pages[page] = NULL;
    }
    memset(shadow->page_written, true, shadow->page_count);
}

void shadow_host_writes(struct shadow *shadow, size_t offset, size_t bytes) {
    for (size_t end = offset + bytes; offset < end; offset++) {
        size_t page = offset / PAGE_BYTES;
        if (shadow->pages[page])
            set_byte(shadow, offset, true);
        else
            shadow->page_written[page] = true;
    }
}

/* ---- regions, by address ---------------------------------------------------------------- */

static struct {
    struct region **list; /* sorted; no two overlap, for an address is never used again */
    size_t count, capacity;
    bool step_owns;
} regions;

/* The number of regions that begin at or below the address. */
static size_t count_below(uintptr_t address) {
    size_t low = 0, high = regions.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (regions.list[middle]->begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct region *memory_find(uintptr_t address) {
    size_t below = count_below(address);
    if (!below || address - regions.list[below - 1]->begin >= regions.list[below - 1]->size)
        return NULL;
    return regions.list[below - 1];
}

struct region *memory_near(uintptr_t address) {
    enum { NEAR = 64 * 1024 };
    size_t below = count_below(address);
    struct region *before = below ? regions.list[below - 1] : NULL;
    struct region *after = below < regions.count ? regions.list[below] : NULL;
    size_t past = before ? address - (before->begin + before->size) : SIZE_MAX;
    size_t ahead = after ? after->begin - address : SIZE_MAX;
    if (past > NEAR && ahead > NEAR)
        return NULL;
    return past <= ahead ? before : after;
}

struct region *memory_add(uintptr_t begin, size_t size, enum region_kind kind, const char *name,
                          uint32_t pc) {
    struct region *region = emulator_need(calloc(1, sizeof *region));
    *region = (struct region){.begin = begin,
                              .size = size,
                              .kind = kind,
                              .of_step = regions.step_owns,
                              .name = name,
                              .allocated_pc = pc,
                              .shadow = shadow_new(size)};
    regions.list =
        emulator_grow(regions.list, regions.count, &regions.capacity, sizeof *regions.list);
    size_t at = count_below(begin);
    memmove(regions.list + at + 1, regions.list + at, (regions.count - at) * sizeof *regions.list);
    regions.list[at] = region;
    regions.count++;
    return region;
}

static void free_cells(struct shadow *shadow) {
    shadow_forget(shadow);
    free(shadow->pages);
    free(shadow->page_written);
    *shadow = (struct shadow){0};
}

unsigned memory_owners;

void memory_forget(uintptr_t begin, uint32_t pc) {
    struct region *region = memory_find(begin);
    if (!region)
        return;
    region->kind = REGION_FREED;
    region->freed_pc = pc;
    region->freed_in = memory_owners;
    free_cells(&region->shadow);
}

void memory_remove(uintptr_t begin) {
    size_t below = count_below(begin);
    struct region *region = below ? regions.list[below - 1] : NULL;
    if (!region || region->begin != begin || region->kind != REGION_PINNED)
        return;
    memmove(regions.list + below - 1, regions.list + below,
            (regions.count - below) * sizeof *regions.list);
    regions.count--;
    free_cells(&region->shadow);
    region->size = 0; /* whoever still points to it finds nothing there */
}

bool memory_overlaps(uintptr_t begin, size_t size) {
    size_t below = count_below(begin + size - 1);
    const struct region *last = below ? regions.list[below - 1] : NULL;
    return last && last->begin + last->size > begin;
}

void memory_each(void (*use)(struct region *region)) {
    for (size_t i = 0; i < regions.count; i++)
        use(regions.list[i]);
}

void memory_owner(bool step) {
    regions.step_owns = step;
    memory_owners++;
}

/* ---- the program's symbols -------------------------------------------------------------- */

static struct {
    uintptr_t code, code_end; /* the step's functions */
    struct symbols harness;   /* variables that are not the step's, sorted by address */
} program;

uint32_t memory_pc(uintptr_t address) { return (uint32_t)(address - emulator_image.base); }

bool memory_is_constant(uintptr_t address) {
    return address - emulator_image.fixed < emulator_image.fixed_end - emulator_image.fixed;
}

uint32_t memory_caller(void) {
    void *frames[32];
    int count = backtrace(frames, 32);
    for (int i = 0; i < count; i++)
        if ((uintptr_t)frames[i] - program.code < program.code_end - program.code)
            return memory_pc((uintptr_t)frames[i] - 1);
    return 0;
}

extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* "kernel(int*)::partial" as "partial". Owned by the caller. */
static char *short_name(const char *symbol) {
    int status = 0;
    char *whole = __cxa_demangle(symbol, NULL, NULL, &status);
    if (!whole)
        return emulator_need(strdup(symbol));
    char *name = whole;
    for (char *s = whole; (s = strstr(s, "::")); s += 2)
        name = s + 2;
    name = emulator_need(strdup(name));
    free(whole);
    return name;
}

/* Variables of the harness. What C++ or the C library leave in a program has other names. */
static void add_harness(const ElfW(Sym) * symbol, bool local, const char *name) {
    const bool harness = local ? strncmp(name, "_Z", 2) != 0 : *name != '_' && !strchr(name, '@');
    if (symbol->st_size && harness)
        emulator_add_symbol(&program.harness, emulator_image.base + symbol->st_value,
                            symbol->st_size, short_name(name));
}

const char *memory_of_harness(uintptr_t address, size_t size) {
    if (address < emulator_image.fixed_end || address >= emulator_image.end)
        return NULL;
    const struct symbol *list = program.harness.list;
    size_t low = 0, high = program.harness.count;
    while (low < high) { /* the first that ends behind the address */
        size_t middle = (low + high) / 2;
        if (list[middle].begin + list[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < program.harness.count && list[low].begin < address + size ? list[low].name : NULL;
}

/* A variable that device code may use, which stands in a section of its own. */
static void add_variable(const ElfW(Sym) * symbol, const char *section, const char *name) {
    bool managed = strcmp(section, "emulator_managed") == 0;
    if (!symbol->st_size || strncmp(section, "emulator_", strlen("emulator_")) != 0)
        return;
    uintptr_t begin = emulator_image.base + symbol->st_value;
    if (memory_find(begin))
        return;
    struct region *region = memory_add(
        begin, symbol->st_size, managed ? REGION_MANAGED : REGION_VARIABLE, short_name(name), 0);
    shadow_set_written(&region->shadow, 0, symbol->st_size, true);
}

static void widen_code(const ElfW(Sym) * symbol) {
    uintptr_t begin = emulator_image.base + symbol->st_value, end = begin + symbol->st_size;
    if (!program.code_end || begin < program.code)
        program.code = begin;
    if (end > program.code_end)
        program.code_end = end;
}

/* A program with its own main has global names of its own; a step has none but three functions. */
extern const char emulator_runs_program[] __attribute__((weak));

static bool is_global_of_program(const char *name, bool function) {
    static const char *const others[] = {"emulator_", "__",       "_start",   "_init",
                                         "_fini",     "_end",     "_edata",   "_IO_",
                                         "threadIdx", "blockIdx", "blockDim", "gridDim"};
    static const char *const functions[] = {"cuda", "cublas", "curand", "printf"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    for (size_t i = 0; function && i < sizeof functions / sizeof *functions; i++)
        if (strncmp(name, functions[i], strlen(functions[i])) == 0)
            return false;
    bool of_driver = name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z';
    return emulator_runs_program && !strchr(name, '@') && !(function && of_driver);
}

static void take_symbol(const ElfW(Sym) * symbol, const char *name, const char *section,
                        bool step) {
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    bool of_program = !local && is_global_of_program(name, type == STT_FUNC);
    if (emulator_takes_array(symbol, name, step))
        return;
    if (type == STT_OBJECT) {
        add_variable(symbol, section, step || !local ? name : "");
        if (local ? !step : !of_program)
            add_harness(symbol, local, name);
    } else if (type == STT_FUNC && (local ? step : of_program || strncmp(name, "opt_", 4) == 0))
        widen_code(symbol);
}

void memory_start(void) {
    static bool started;
    if (started)
        return;
    started = true;
    emulator_find_image();
    emulator_each_symbol(take_symbol);
    emulator_sort_symbols(&emulator_arrays);
    emulator_sort_symbols(&program.harness);
    for (size_t i = 0; i < emulator_arrays.count; i++)
        emulator_arrays.list[i].name = short_name(emulator_arrays.list[i].name);
}

/* ---- shared arrays ---------------------------------------------------------------------- */

const struct symbol *memory_shared_near(uintptr_t offset, size_t bytes) {
    /* Who leaves an array leaves it at its end, by less than its size, but for a few elements. */
    enum { SELDOM_SO = 64 };
    const struct symbol *nearest = NULL;
    uintptr_t best = UINTPTR_MAX;
    for (size_t i = 0; i < emulator_arrays.count; i++) {
        const struct symbol *array = &emulator_arrays.list[i];
        uintptr_t end = array->begin + array->size;
        bool below = (intptr_t)(offset - array->begin) < 0; /* of all arrays, too */
        uintptr_t distance = below ? array->begin - offset : offset >= end ? offset - end : 0;
        if (below || distance > array->size)
            distance *= SELDOM_SO;
        if (distance < best && array->size >= bytes && *array->name) {
            best = distance;
            nearest = array;
        }
    }
    return nearest;
}
