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
