/* From an address in a program to the line of the source that stands there. */
#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asks addr2line for the line at an offset in the program, as it lies in the file. Where functions
 * are inlined there, it takes the innermost line that is not in one of the emulator's headers. The
 * file is as the compiler was told it, cut to file_size. False where there is no addr2line or
 * nothing is known of the place. */
bool place_of(const char *program, uint64_t pc, char *file, size_t file_size, unsigned *line);

#endif
