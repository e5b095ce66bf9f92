#include "shared.h"
#include "object.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 48 * 1024 }; /* EMULATOR_SHARED of include/emulated.h */

/* A symbol of the object: a function, or a shared array. */
struct symbol {
    size_t uses;    /* of a function: the first of what it refers to; 0: nothing */
    size_t caller;  /* of a function: one that calls it; 0: none */
    size_t added;   /* the function that it was added to last */
    size_t bytes;   /* of a function: of all arrays that it uses, each once */
    size_t largest; /* one of them */
};

struct use {
    size_t symbol, next; /* the function's next one, or 0 */
};

struct memory {
    struct symbol *symbol; /* as many as the object has */
    struct use *use;       /* from 1 on */
    size_t uses, room;
};

static bool is(const struct object *o, size_t symbol, int type) {
    return o->symbols[symbol].st_shndx != SHN_UNDEF &&
           ELF64_ST_TYPE(o->symbols[symbol].st_info) == type;
}

static bool is_call(const struct object *o, size_t type) {
    if (((const Elf64_Ehdr *)(const void *)o->file.at)->e_machine == EM_X86_64)
        return type == R_X86_64_PLT32;
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}

/* 0: there is none. */
static size_t function_at(const struct object *o, size_t section, Elf64_Addr offset) {
    for (size_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx == section && is(o, i, STT_FUNC) &&
            offset >= o->symbols[i].st_value &&
            offset - o->symbols[i].st_value < o->symbols[i].st_size)
            return i;
    return 0;
}

static void add_use(const struct object *o, const Elf64_Rela *at, size_t section, void *data) {
    struct memory *memory = data;
    size_t used = ELF64_R_SYM(at->r_info);
    bool calls = is(o, used, STT_FUNC) && is_call(o, ELF64_R_TYPE(at->r_info));
    if (!calls && !is(o, used, STT_TLS))
        return;
    size_t user = function_at(o, section, at->r_offset);
    if (!user || user == used)
        return;
    memory->use = grow(memory->use, memory->uses + 1, &memory->room, sizeof *memory->use);
    memory->use[++memory->uses] = (struct use){used, memory->symbol[user].uses};
    memory->symbol[user].uses = memory->uses;
    memory->symbol[used].caller = calls ? user : 0;
}

static void sum_up(const struct object *o, struct memory *memory, size_t kernel, size_t function) {
    struct symbol *sum = &memory->symbol[kernel];
    memory->symbol[function].added = kernel;
    for (size_t u = memory->symbol[function].uses; u; u = memory->use[u].next) {
        size_t used = memory->use[u].symbol, bytes = o->symbols[used].st_size;
        if (memory->symbol[used].added == kernel)
            continue;
        memory->symbol[used].added = kernel;
        if (is(o, used, STT_FUNC)) {
            sum_up(o, memory, kernel, used);
            continue;
        }
        sum->bytes += bytes;
        if (!sum->largest || bytes >= o->symbols[sum->largest].st_size)
            sum->largest = used;
    }
}

/* Of a kernel that was inlined into the launch the array tells whose it is. */
static char *kernel_in_words(const struct object *o, size_t function, size_t array) {
    char *name = in_words(name_of(o, &o->symbols[function])), *last = NULL;
    if (!strstr(name, "emulator::"))
        return name;
    name = in_words(name_of(o, &o->symbols[array]));
    for (char *at = name; (at = strstr(at, "::")); at++)
        last = at;
    if (last)
        *last = '\0';
    return name;
}

static void refuse(const struct object *o, const struct symbol *symbol, size_t kernel,
                   const char *author, struct text *errors) {
    const Elf64_Sym *at = &o->symbols[kernel];
    char *place = place_of(o, at->st_shndx, at->st_value, author);
    char *name = kernel_in_words(o, kernel, symbol->largest), *colon = strrchr(place, ':');
    bool known = *place != '?' && colon && colon[1] >= '0' && colon[1] <= '9';
    text_print(errors,
               "%s: error: kernel %s uses too much shared data: %zu bytes of __shared__ arrays, %d "
               "max (more is only to be had as dynamic shared memory, after "
               "cudaFuncSetAttribute)\n",
               known ? place : author, begins_with(name, "void ") ? name + strlen("void ") : name,
               symbol->bytes, MOST_BYTES);
}

bool check_shared(const char *path, const char *author, struct text *errors) {
    struct object o;
    struct memory memory = {0};
    bool ok = object_open(&o, path);
    size_t count = ok ? o.symbol_count : 0;
    memory.symbol = need(calloc(count + 1, sizeof *memory.symbol));
    for (size_t i = 0; ok && i < o.section_count; i++)
        if (begins_with(section_name(&o, i), ".text"))
            each_relocation(&o, i, add_use, &memory);
    for (size_t i = 1; i < count; i++)
        if (is(&o, i, STT_FUNC))
            sum_up(&o, &memory, i, i);
    for (size_t i = 1; i < count; i++) {
        const struct symbol *symbol = &memory.symbol[i];
        if (is(&o, i, STT_FUNC) && symbol->bytes > MOST_BYTES &&
            memory.symbol[symbol->caller].bytes <= MOST_BYTES)
            refuse(&o, symbol, i, author, errors);
    }
    return ok;
}
