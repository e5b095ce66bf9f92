// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE /* dladdr1 */
#include "calls.h"
#include "patterns.h"
#include "process.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct object {
    const char *path, *text_path;
    struct text file;
    const Elf64_Shdr *sections;
    size_t section_count;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names; /* of symbols */
    bool *device;      /* for each section: device code */
    size_t *waiting;   /* sections of device code that were not looked at */
    size_t waiting_count;
};

/* ---- the file --------------------------------------------------------------------------- */

static const void *contents(const struct object *o, const Elf64_Shdr *section) {
    bool inside =
        section->sh_offset <= o->file.size && section->sh_size <= o->file.size - section->sh_offset;
    return inside ? o->file.at + section->sh_offset : NULL;
}

/* Strings end where the file has a zero byte, and text_read puts one behind it. */
static const char *string(const char *strings, size_t at) { return strings + at; }

static const char *section_name(const struct object *o, size_t section) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->file.at;
    const char *names = contents(o, &o->sections[header->e_shstrndx]);
    return string(names, o->sections[section].sh_name);
}

static bool find_symbols(struct object *o) {
    for (size_t i = 0; i < o->section_count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= o->section_count)
            continue;
        o->symbols = contents(o, s);
        o->symbol_count = s->sh_size / sizeof *o->symbols;
        o->names = contents(o, &o->sections[s->sh_link]);
    }
    return o->symbols && o->names;
}

static bool open_object(struct object *o) {
    bool ok;
    o->file = text_read(o->path, &ok);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)o->file.at;
    if (!ok || o->file.size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
        header->e_shoff > o->file.size ||
        header->e_shnum > (o->file.size - header->e_shoff) / sizeof *o->sections ||
        header->e_shstrndx >= header->e_shnum)
        return false;
    o->sections = (const Elf64_Shdr *)(const void *)(o->file.at + header->e_shoff);
    o->section_count = header->e_shnum;
    o->device = need(calloc(o->section_count, sizeof *o->device));
    o->waiting = need(calloc(o->section_count, sizeof *o->waiting));
    return contents(o, &o->sections[header->e_shstrndx]) && find_symbols(o);
}

/* Calls `use` for each relocation of the section. */
static void each_relocation(struct object *o, size_t section,
                            void (*use)(struct object *o, const Elf64_Rela *at, size_t section,
                                        void *data),
                            void *data) {
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

static const Elf64_Sym *symbol_of(const struct object *o, const Elf64_Rela *at) {
    return &o->symbols[ELF64_R_SYM(at->r_info)];
}

static const char *name_of(const struct object *o, const Elf64_Sym *symbol) {
    return string(o->names, symbol->st_name);
}

/* ---- functions of libraries ------------------------------------------------------------- */

enum what { NOBODYS, FUNCTION, VARIABLE };

/* What the libraries that every program is linked with have under this name. */
static enum what in_libraries(const char *name) {
    static const char *const files[] = {"libc.so.6", "libm.so.6", "libstdc++.so.6"};
    static void *libraries[sizeof files / sizeof *files];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!libraries[i])
            libraries[i] = dlopen(files[i], RTLD_LAZY | RTLD_LOCAL);
        void *address = libraries[i] ? dlsym(libraries[i], name) : NULL;
        const Elf64_Sym *symbol = NULL;
        Dl_info info;
        if (address && dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
            return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? VARIABLE : FUNCTION;
        if (address)
            return FUNCTION;
    }
    return NOBODYS;
}

/* Of a compiler's own library (libgcc.a) there are no names to ask for. */
static bool is_compilers(const char *name) {
    return begins_with(name, "__") || (name[0] == '_' && name[1] >= 'A' && name[1] < 'Z');
}

/* What several objects of one program call of each other is none of this. */
static enum what outside(const char *name) {
    if (!*name || matches(DEVICE_FUNCTION, name))
        return NOBODYS;
    enum what what = in_libraries(name);
    return what == NOBODYS && is_compilers(name) ? FUNCTION : what;
}

/* ---- device code ------------------------------------------------------------------------ */

static void add_device(struct object *o, size_t section) {
    if (section >= o->section_count || o->device[section] ||
        !(o->sections[section].sh_flags & SHF_EXECINSTR))
        return;
    o->device[section] = true;
    o->waiting[o->waiting_count++] = section;
}

static void add_target(struct object *o, const Elf64_Rela *at, size_t section, void *data) {
    (void)section, (void)data;
    add_device(o, symbol_of(o, at)->st_shndx);
}

/* The function in a section: parts of one that are seldom run have a name of their own. */
static const char *function_in(const struct object *o, size_t section) {
    for (size_t i = 0; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx == section && ELF64_ST_TYPE(o->symbols[i].st_info) == STT_FUNC)
            return name_of(o, &o->symbols[i]);
    return "";
}

/* What a program prints of one line; it is to be freed. */
static char *first_line(const char *const *words) {
    struct command command = {0};
    struct text output = {0};
    for (; *words; words++)
        command_add(&command, *words);
    text_put(&output, "");
    bool done = command_run(&command, NULL, &output, NULL) == 0;
    output.at[done ? strcspn(output.at, "\n") : 0] = '\0';
    command_free(&command);
    return output.at;
}

static char *in_words(const char *name) {
    return first_line((const char *const[]){"c++filt", name, NULL});
}

/* The author's file, as line markers of the preprocessed text name it: debug information may name
 * what rewriting made of it instead. */
static char *author_file(const struct object *o) {
    bool ok;
    struct text text = text_read(o->text_path, &ok);
    char *file = NULL;
    for (char *line = text.at; ok && !file && line; line = strchr(line, '\n')) {
        line += *line == '\n';
        char *begin = *line == '#' ? strchr(line, '"') : NULL;
        char *end = begin ? strpbrk(begin + 1, "\"\n") : NULL;
        if (end && *end == '"' && end - begin > 4 && strncmp(end - 3, ".cu", 3) == 0)
            file = format_text("%.*s", (int)(end - begin - 1), begin + 1);
    }
    text_free(&text);
    return file ? file : format_text("%s", o->path);
}

static char *place_of(const struct object *o, size_t section, Elf64_Addr offset) {
    char *address = format_text("0x%llx", (unsigned long long)offset);
    char *place = first_line((const char *const[]){"addr2line", "-e", o->path, "-j",
                                                   section_name(o, section), address, NULL});
    place[strcspn(place, " ")] = '\0';
    free(address);
    char *here = getcwd(NULL, 0);
    size_t length = here && begins_with(place, here) ? strlen(here) : 0;
    if (length && place[length] == '/')
        memmove(place, place + length + 1, strlen(place + length));
    free(here);
    char *made = strstr(place, ".cpp:");
    if (!made)
        return place;
    char *file = author_file(o), *better = format_text("%s:%s", file, made + strlen(".cpp:"));
    free(file);
    free(place);
    return better;
}

struct complaints {
    struct text *errors;
    bool kernel; /* sections that are kernels, not what they call */
};

static void refuse(struct object *o, const Elf64_Rela *at, size_t section, const char *name,
                   const struct complaints *say) {
    char *place = place_of(o, section, at->r_offset - 1), *function = in_words(name),
         *caller = in_words(function_in(o, section));
    caller[strcspn(caller, "(")] = '\0';
    text_print(say->errors,
               "%s: error: calling a __host__ function(\"%s\") from a %s function(\"%s\") is not "
               "allowed\n",
               place, function, say->kernel ? "__global__" : "__device__", caller);
    free(place);
    free(function);
    free(caller);
}

static void look_at_call(struct object *o, const Elf64_Rela *at, size_t section, void *data) {
    const Elf64_Sym *symbol = symbol_of(o, at);
    const char *name = name_of(o, symbol);
    if (symbol->st_shndx != SHN_UNDEF)
        add_device(o, symbol->st_shndx);
    else if (begins_with(name, "lab_") || outside(name) == FUNCTION)
        refuse(o, at, section, name, data);
}

static void find_device_code(struct object *o, struct text *errors) {
    struct complaints complaints = {errors, true};
    for (size_t i = 0; i < o->section_count; i++)
        if (begins_with(section_name(o, i), "__patchable_function_entries"))
            each_relocation(o, i, add_target, NULL);
    for (size_t next = 0, kernels = o->waiting_count; next < o->waiting_count; next++) {
        complaints.kernel = next < kernels;
        each_relocation(o, o->waiting[next], look_at_call, &complaints);
    }
}

bool find_calls(const char *path, const char *text_path, struct text *errors, struct text *names) {
    struct object o = {.path = path, .text_path = text_path};
    bool ok = open_object(&o);
    if (ok)
        find_device_code(&o, errors);
    for (size_t i = 1; ok && i < o.symbol_count; i++)
        if (o.symbols[i].st_shndx == SHN_UNDEF && outside(name_of(&o, &o.symbols[i])) == FUNCTION)
            text_print(names, "%s\n", name_of(&o, &o.symbols[i]));
    text_free(&o.file);
    free(o.device);
    free(o.waiting);
    return ok;
}
