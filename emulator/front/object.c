#include "object.h"
#include "process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const void *contents(const struct object *o, const Elf64_Shdr *section) {
    bool inside =
        section->sh_offset <= o->file.size && section->sh_size <= o->file.size - section->sh_offset;
    return inside ? o->file.at + section->sh_offset : NULL;
}

const void *section_contents(const struct object *o, size_t section) {
    const Elf64_Shdr *s = &o->sections[section];
    return s->sh_type == SHT_NOBITS ? NULL : contents(o, s);
}

const char *section_name(const struct object *o, size_t section) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->file.at;
    const char *names = contents(o, &o->sections[header->e_shstrndx]);
    return names + o->sections[section].sh_name; /* text_read puts a zero byte behind all */
}

static bool find_symbols(struct object *o) {
    for (size_t i = 0; i < o->section_count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= o->section_count)
            continue;
        o->symbols = contents(o, s);
        o->symbol_count = s->sh_size / sizeof *o->symbols;
        o->names = contents(o, &o->sections[s->sh_link]);
        o->names_size = o->sections[s->sh_link].sh_size;
    }
    return o->symbols && o->names;
}

bool object_open(struct object *o, const char *path) {
    bool ok;
    *o = (struct object){.path = path, .file = text_read(path, &ok)};
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->file.at;
    if (!ok || o->file.size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shoff > o->file.size ||
        header->e_shnum > (o->file.size - header->e_shoff) / sizeof *o->sections ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    o->sections = (const Elf64_Shdr *)(const void *)(o->file.at + header->e_shoff);
    o->section_count = header->e_shnum;
    return contents(o, &o->sections[header->e_shstrndx]) && find_symbols(o);
}

void each_relocation(const struct object *o, size_t section, relocation_use *use, void *data) {
    for (size_t i = 0; i < o->section_count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        const Elf64_Rela *list = contents(o, s);
        if (s->sh_type != SHT_RELA || s->sh_info != section || !list)
            continue;
        for (size_t n = 0; n < s->sh_size / sizeof *list; n++)
            if (ELF64_R_SYM(list[n].r_info) < o->symbol_count)
                use(o, &list[n], section, data);
    }
}

const Elf64_Sym *symbol_of(const struct object *o, const Elf64_Rela *at) {
    return &o->symbols[ELF64_R_SYM(at->r_info)];
}

const char *name_of(const struct object *o, const Elf64_Sym *symbol) {
    return o->names + symbol->st_name;
}

char *in_words(const char *name) {
    static char *(*demangle)(const char *, char *, size_t *, int *);
    int status = -1;
    if (!demangle) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        void *address = library ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy(&demangle, &address, sizeof demangle);
    }
    char *words = demangle && begins_with(name, "_Z") ? demangle(name, NULL, NULL, &status) : NULL;
    return words ? words : format_text("%s", name);
}

char *place_of(const struct object *o, size_t section, Elf64_Addr offset, const char *author) {
    struct command command = {0};
    struct text output = {0};
    command_words(&command, "addr2line", "-e", o->path, "-j", section_name(o, section),
                  format_text("0x%llx", (unsigned long long)offset));
    text_put(&output, "");
    bool done = command_run(&command, NULL, &output, NULL) == 0;
    char *place = output.at, *number = done ? strrchr(place, ':') : NULL;
    (number ? number : place)[number ? strcspn(number, " \n") : 0] = '\0';
    char *here = getcwd(NULL, 0);
    size_t length = here && begins_with(place, here) ? strlen(here) : 0;
    if (length && place[length] == '/')
        memmove(place, place + length + 1, strlen(place + length));
    char *made = strstr(place, ".cpp:");
    return made ? format_text("%s:%s", author, made + strlen(".cpp:")) : place;
}

/* ---- changes ---------------------------------------------------------------------------- */

void renames_add(struct renames *renames, const char *from, const char *to) {
    renames->list = grow(renames->list, renames->count, &renames->room, sizeof *renames->list);
    renames->list[renames->count++] = (struct rename){from, to};
}

static const char *new_name(const struct renames *renames, const char *name) {
    for (size_t i = 0; renames && i < renames->count; i++)
        if (strcmp(renames->list[i].from, name) == 0)
            return renames->list[i].to;
    return NULL;
}

/* A table in the making. */
struct table {
    const struct object *o;
    const struct symbol_changes *changes;
    Elf64_Sym *symbols;
    size_t count;
    size_t *now; /* where each symbol of the object is in it */
    struct text names;
};

/* The symbol that the object defines under a name; 0: none. */
static size_t definition_of(const struct object *o, const char *name) {
    for (size_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx != SHN_UNDEF && strcmp(name_of(o, &o->symbols[i]), name) == 0)
            return i;
    return 0;
}

static bool becomes_local(const struct table *t, const Elf64_Sym *symbol, const char *name) {
    int binding = ELF64_ST_BIND(symbol->st_info);
    const char *section =
        symbol->st_shndx < t->o->section_count ? section_name(t->o, symbol->st_shndx) : "";
    return t->changes->stays && symbol->st_shndx != SHN_UNDEF &&
           (binding == STB_GLOBAL || binding == STB_WEAK) &&
           !t->changes->stays(name, section, t->changes->data);
}

/* The old names stay where they are: those of sections may be among them. */
static void take_symbol(struct table *t, size_t i, bool local) {
    Elf64_Sym symbol = t->o->symbols[i];
    const char *name = name_of(t->o, &symbol), *changed = new_name(t->changes->renames, name);
    int binding = ELF64_ST_BIND(symbol.st_info);
    if (becomes_local(t, &symbol, changed ? changed : name)) {
        binding = STB_LOCAL;
        symbol.st_other = STV_DEFAULT;
    }
    if ((binding == STB_LOCAL) != local)
        return;
    symbol.st_info = ELF64_ST_INFO(binding, ELF64_ST_TYPE(symbol.st_info));
    if (changed) {
        symbol.st_name = (Elf64_Word)t->names.size;
        text_add(&t->names, changed, strlen(changed) + 1);
    }
    t->now[i] = t->count;
    t->symbols[t->count++] = symbol;
}

/* Of a symbol that is asked for by a name that the object itself has now: that one; else 0. */
static size_t joined_with(const struct table *t, size_t i) {
    const Elf64_Sym *symbol = &t->o->symbols[i];
    const char *changed =
        symbol->st_shndx == SHN_UNDEF ? new_name(t->changes->renames, name_of(t->o, symbol)) : NULL;
    return changed ? definition_of(t->o, changed) : 0;
}

static void take_symbols(struct table *t, bool local) {
    for (size_t i = 1; i < t->o->symbol_count; i++)
        if (!joined_with(t, i))
            take_symbol(t, i, local);
}

static void join_symbols(struct table *t) {
    for (size_t i = 1; i < t->o->symbol_count; i++) {
        size_t definition = joined_with(t, i);
        if (definition)
            t->now[i] = t->now[definition];
    }
}

static void turn_relocations(const struct table *t, Elf64_Shdr *section, char *file) {
    Elf64_Rela *list = (Elf64_Rela *)(void *)(file + section->sh_offset);
    for (size_t n = 0; n < section->sh_size / sizeof *list; n++) {
        size_t symbol = ELF64_R_SYM(list[n].r_info);
        if (symbol < t->o->symbol_count)
            list[n].r_info = ELF64_R_INFO(t->now[symbol], ELF64_R_TYPE(list[n].r_info));
    }
}

/* Behind what the file has; where it was, it is not used any more. */
static void append(struct text *file, size_t section, const void *at, size_t size) {
    static const char zeros[8] = {0};
    text_add(file, zeros, -file->size & 7);
    Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)file->at;
    Elf64_Shdr *s = (Elf64_Shdr *)(void *)(file->at + header->e_shoff) + section;
    s->sh_offset = file->size;
    s->sh_size = size;
    text_add(file, at, size);
}

static bool put_table(struct table *t, struct text *file, size_t locals) {
    Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)file->at;
    Elf64_Shdr *sections = (Elf64_Shdr *)(void *)(file->at + header->e_shoff);
    size_t table = 0;
    for (size_t i = 1; i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_SYMTAB)
            table = i;
        if (sections[i].sh_type == SHT_SYMTAB_SHNDX)
            return false;
    }
    for (size_t i = 1; i < header->e_shnum; i++) {
        if (sections[i].sh_link != table)
            continue;
        if (sections[i].sh_type == SHT_RELA)
            turn_relocations(t, &sections[i], file->at);
        if (sections[i].sh_type == SHT_GROUP && sections[i].sh_info < t->o->symbol_count)
            sections[i].sh_info = (Elf64_Word)t->now[sections[i].sh_info];
    }
    sections[table].sh_info = (Elf64_Word)locals;
    size_t names = sections[table].sh_link;
    append(file, table, t->symbols, t->count * sizeof *t->symbols);
    append(file, names, t->names.at, t->names.size);
    return true;
}

bool symbols_change(const char *path, const struct symbol_changes *changes) {
    struct object o;
    if (!object_open(&o, path))
        return false;
    struct table t = {.o = &o, .changes = changes, .count = 1};
    struct text file = {0};
    t.symbols = need(calloc(o.symbol_count, sizeof *t.symbols));
    t.now = need(calloc(o.symbol_count, sizeof *t.now));
    text_add(&t.names, o.names, o.names_size);
    take_symbols(&t, true);
    size_t locals = t.count;
    take_symbols(&t, false);
    join_symbols(&t);
    text_add(&file, o.file.at, o.file.size);
    return put_table(&t, &file, locals) && text_write(path, file.at, file.size);
}

bool section_fill(const char *path, const char *section, const void *bytes, size_t size) {
    struct object o;
    bool ok = object_open(&o, path), filled = false;
    for (size_t i = 1; ok && i < o.section_count && !filled; i++)
        if (strcmp(section_name(&o, i), section) == 0 && o.sections[i].sh_size == size &&
            section_contents(&o, i)) {
            memcpy(o.file.at + o.sections[i].sh_offset, bytes, size);
            filled = text_write(path, o.file.at, o.file.size);
        }
    return filled;
}
