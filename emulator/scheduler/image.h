/* The program's own file: where it lies in memory, and its symbols. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Where it was loaded; its instructions; all of it up to its writable data; and that data's end. */
extern struct image { uintptr_t base, code, code_end, fixed, fixed_end, end; } emulator_image;

/* Fills that in, if nobody has. */
void emulator_find_image(void);

/* Calls `use` with each symbol, its name and that of its section, or ""; of_step: a local one is
 * the step's. The texts do not stay. Ends the process with a message where they cannot be read. */
void emulator_each_symbol(void (*use)(const ElfW(Sym) * symbol, const char *name,
                                      const char *section, bool of_step));
