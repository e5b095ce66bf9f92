/* An object of the assembler's: its symbols, and what its sections refer to. */
#pragma once
#include "../text/text.h"

#include <elf.h>

struct object {
    const char *path;
    struct text file;
    const Elf64_Shdr *sections;
    size_t section_count;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names; /* of symbols */
    size_t names_size;
};

/* False: it is none of this machine's. */
bool object_open(struct object *o, const char *path);

/* NULL: it has none in the file, or says what cannot be. */
const void *section_contents(const struct object *o, size_t section);
const char *section_name(const struct object *o, size_t section);
const char *name_of(const struct object *o, const Elf64_Sym *symbol);

/* Calls `use` for each relocation of the section. */
typedef void relocation_use(const struct object *o, const Elf64_Rela *at, size_t section,
                            void *data);
void each_relocation(const struct object *o, size_t section, relocation_use *use, void *data);
const Elf64_Sym *symbol_of(const struct object *o, const Elf64_Rela *at);

/* For people. A name as the source has it. The place of the source that code was made
 * from, with the author's file where debug information names what rewriting made of it. */
char *in_words(const char *name);
char *place_of(const struct object *o, size_t section, Elf64_Addr offset, const char *author);

/* ---- what symbols are called, and which of them other objects see -------------------------- */

struct renames {
    struct rename {
        const char *from, *to;
    } * list;
    size_t count, room;
};

void renames_add(struct renames *renames, const char *from, const char *to);

/* Rewrites the object at `path`: each symbol of these names gets another one, and what the object
 * refers to by a name that it defines itself becomes that. Where `stays` is given, what it does not
 * say true of is seen in no other object any more; but for what C++ has only one of in a program,
 * such as inline variables. False: it cannot be read or written, or has too many sections. */
typedef bool stays_global(const char *name, const char *section, const void *data);
struct symbol_changes {
    const struct renames *renames;
    stays_global *stays;
    const void *data;
};
bool symbols_change(const char *path, const struct symbol_changes *changes);

/* Writes `bytes` over those that a section of the object has. False: it is not of that size. */
bool section_fill(const char *path, const char *section, const void *bytes, size_t size);
