/* The program's own file: where it lies in memory, and its symbols. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Where it was loaded; its instructions; all of it up to its writable data; and that data's end. */
extern struct image { uintptr_t base, code, code_end, fixed, fixed_end, end; } emulator_image;

/* Fills that in, if nobody has. */
void emulator_find_image(void);

/* A part of the program that has a name. */
struct symbol {
    uintptr_t begin;
    size_t size;
    const char *name;
};
struct symbols {
    struct symbol *list;
    size_t count, room;
};
/* The name stays the caller's, and has to stay. */
void emulator_add_symbol(struct symbols *to, uintptr_t begin, size_t size, const char *name);
void emulator_sort_symbols(struct symbols *symbols); /* by their begin */

/* The step's __shared__ variables: each begins so far behind the begin of a thread's TLS block. One
 * without a name is gcc's note that it has constructed an array, even where that takes nothing. */
extern struct symbols emulator_arrays;

/* Whether the symbol is one; it is added. */
bool emulator_takes_array(const ElfW(Sym) * symbol, const char *name, bool of_step);

/* The one that holds an offset, or NULL. */
const struct symbol *emulator_array_at(uintptr_t offset);

/* What the block before it left there is no value of the next one. */
void emulator_spoil_shared(size_t dynamic_bytes);

/* Calls `use` with each symbol, its name and that of its section, or ""; of_step: a local one is
 * the step's. The texts do not stay. Ends the process with a message where they cannot be read. */
void emulator_each_symbol(void (*use)(const ElfW(Sym) * symbol, const char *name,
                                      const char *section, bool of_step));
