/* Where in the source an instruction of a step's program stands, as addr2line of binutils tells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place {
    char file[256]; /* as its author knows it: "labs/opt05_multiblock/opt_2dhisto.cu" */
    unsigned line;  /* 0: unknown, and so is the file */
    char text[121]; /* the line itself, without the blanks around it; empty where it is not known */
};

/* From now on addr2line runs in the sandbox that `program build` makes, as class/isolate does: what
 * a stranger's program says of its lines may be made to break who reads it. NULL: no more. */
void places_isolate(const char *program);

/* From now on the sources of programs lie in this directory, whose path begins with /, and not
 * where a step's do. It is not copied. */
void places_sources(const char *directory);

/* Whether the file lies in that directory. */
bool place_in_sources(const struct place *place);

/* The places of `count` offsets in a program, which one process finds for all. What the emulator's
 * headers put into the step is told as the line of the step that uses it. Offset 0 has no place. */
void places_of(const char *program, const uint64_t *offsets, size_t count, struct place *places);

/* These will be asked for, too: the process that finds others of this program finds them as well.
 */
void places_expect(const char *program, const uint64_t *offsets, size_t count);

/* The line of one; 0 where it is not known. */
unsigned places_line(const char *program, uint64_t offset);

/* How many offsets there are when one more was added: at most `most`, and none twice. */
static inline size_t places_add(uint64_t *offsets, size_t count, size_t most, uint64_t offset) {
    size_t known = 0;
    while (known < count && offsets[known] != offset)
        known++;
    if (known == count && count < most)
        offsets[count++] = offset;
    return count;
}

/* The place of a line of the step's own file, such as "opt_2dhisto.cu", that a program was made of.
 */
struct place place_at_line(const char *program, const char *file, unsigned line);

/* The lines that so many offsets stand at, as far as they are known: in order, and each once.
 * Returns how many. */
size_t places_lines(const char *program, const uint64_t *offsets, size_t count, unsigned *lines);

/* The last part of the file's path. */
const char *place_file_name(const struct place *place);
