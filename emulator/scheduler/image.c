#define _GNU_SOURCE
#include "image.h"
#include "../include/emulated.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image emulator_image;

/* The program comes first. Before its writable data lie code and constants; relocated ones, too. */
static int find(struct dl_phdr_info *program, size_t size, void *unused) {
    struct image *image = &emulator_image;
    (void)size, (void)unused;
    image->base = program->dlpi_addr;
    image->fixed = UINTPTR_MAX;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &program->dlpi_phdr[i];
        uintptr_t begin = program->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
        bool loaded = header->p_type == PT_LOAD;
        bool constant = (loaded && !(header->p_flags & PF_W)) || header->p_type == PT_GNU_RELRO;
        if (loaded && header->p_flags & PF_X) {
            image->code = begin;
            image->code_end = end;
        }
        if (loaded && end > image->end)
            image->end = end;
        if (constant && begin < image->fixed)
            image->fixed = begin;
        if (constant && end > image->fixed_end)
            image->fixed_end = end;
    }
    return 1;
}

void emulator_find_image(void) {
    if (!emulator_image.code_end)
        dl_iterate_phdr(find, NULL);
}

void emulator_add_symbol(struct symbols *to, uintptr_t begin, size_t size, const char *name) {
    to->list = emulator_grow(to->list, to->count, &to->room, sizeof *to->list);
    to->list[to->count++] = (struct symbol){begin, size, name};
}

static int by_begin(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void emulator_sort_symbols(struct symbols *symbols) {
    if (symbols->count)
        qsort(symbols->list, symbols->count, sizeof *symbols->list, by_begin);
}

struct symbols emulator_arrays;

bool emulator_takes_array(const ElfW(Sym) * symbol, const char *name, bool of_step) {
    bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_TLS || !(local ? of_step : !strncmp(name, "_Z", 2)))
        return false;
    emulator_add_symbol(&emulator_arrays, symbol->st_value, symbol->st_size,
                        emulator_need(strdup(strncmp(name, "_ZGV", 4) ? name : "")));
    return true;
}

const struct symbol *emulator_array_at(uintptr_t offset) {
    for (size_t i = 0; i < emulator_arrays.count; i++)
        if (offset - emulator_arrays.list[i].begin < emulator_arrays.list[i].size)
            return &emulator_arrays.list[i];
    return NULL;
}

void emulator_spoil_shared(size_t dynamic_bytes) {
    enum { GARBAGE = 0xA7 };
    for (size_t i = 0; i < emulator_arrays.count; i++)
        memset((void *)(emulator_shared_begin + emulator_arrays.list[i].begin), GARBAGE,
               emulator_arrays.list[i].size);
    memset(emulator_dynamic_shared, GARBAGE, dynamic_bytes);
}

/* The harness is written in C, and steps are not. */
static bool is_step_file(const char *name) {
    size_t length = strlen(name);
    return length > 3 &&
           (strcmp(name + length - 3, ".cu") == 0 || strcmp(name + length - 4, ".cpp") == 0);
}

void emulator_each_symbol(void (*use)(const ElfW(Sym) * symbol, const char *name,
                                      const char *section, bool of_step)) {
    bool of_step = false;
    struct stat status;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const char *file = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0)
        file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED)
        emulator_give_up("cannot read the symbols of the program: is /proc mounted?");
    close(fd);
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff), *table = sections;
    const char *section_names = file + sections[header->e_shstrndx].sh_offset;
    while (table < sections + header->e_shnum && table->sh_type != SHT_SYMTAB)
        table++;
    for (size_t i = 0; table < sections + header->e_shnum && i < table->sh_size / sizeof(ElfW(Sym));
         i++) {
        const ElfW(Sym) *symbol = (const ElfW(Sym) *)(const void *)(file + table->sh_offset) + i;
        bool has_section = symbol->st_shndx && symbol->st_shndx < SHN_LORESERVE;
        const char *name = file + sections[table->sh_link].sh_offset + symbol->st_name;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE)
            of_step = is_step_file(name);
        use(symbol, name, has_section ? section_names + sections[symbol->st_shndx].sh_name : "",
            of_step);
    }
    munmap((void *)(uintptr_t)file, (size_t)status.st_size);
}
