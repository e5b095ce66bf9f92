#include "object.h"
#include "process.h"

#include <dlfcn.h>
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
