/* Places in the step's code, and its kernels: from two sections that
 * front/assembly.c adds, and from the symbols of the program. */
#define _GNU_SOURCE
#include "counts.h"
#include "../scheduler/fiber.h"
#include "../scheduler/hooks.h"
#include "../scheduler/image.h"

#include <stdlib.h>
#include <string.h>

/* Of libstdc++, which each program with a step is linked with. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* The return address of each hook's call; the line of the step's own source, and the spot. */
extern const uintptr_t __start_counted_places[] __attribute__((weak, visibility("hidden")));
extern const uintptr_t __stop_counted_places[] __attribute__((weak, visibility("hidden")));
struct line {
    uint32_t line, spot;
};
extern const struct line __start_counted_lines[] __attribute__((weak, visibility("hidden")));

static struct {
    uintptr_t code, code_end; /* from the first place to the last */
    uint32_t *number;         /* of the place at each address */
    struct symbols functions;
} program;

uint32_t place_of_return(const void *return_address) {
    uintptr_t offset = (uintptr_t)return_address - program.code;
    return offset < program.code_end - program.code ? program.number[offset] : 0;
}

unsigned place_line(uint32_t place) { return place ? __start_counted_lines[place - 1].line : 0; }

unsigned place_spot(uint32_t place) { return place ? __start_counted_lines[place - 1].spot : 0; }

static void find_places(void) {
    size_t count = (size_t)(__stop_counted_places - __start_counted_places);
    if (!count)
        return;
    program.code = UINTPTR_MAX;
    for (size_t i = 0; i < count; i++) {
        uintptr_t place = __start_counted_places[i];
        program.code = place < program.code ? place : program.code;
        program.code_end = place >= program.code_end ? place + 1 : program.code_end;
    }
    program.number = emulator_need(calloc(program.code_end - program.code, sizeof *program.number));
    for (size_t i = 0; i < count; i++)
        program.number[__start_counted_places[i] - program.code] = (uint32_t)i + 1;
}

/* ---- symbols ---------------------------------------------------------------------------- */

/* Only functions with places in them can be kernels that are counted. */
static void add_symbol(const ElfW(Sym) * symbol, const char *name, const char *section,
                       bool of_step) {
    (void)section;
    uintptr_t begin = emulator_image.base + symbol->st_value;
    if (!emulator_takes_array(symbol, name, of_step) &&
        ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && begin < program.code_end &&
        begin + symbol->st_size > program.code)
        emulator_add_symbol(&program.functions, begin, symbol->st_size,
                            emulator_need(strdup(name)));
}

__attribute__((constructor)) static void read_program(void) {
    emulator_find_image();
    find_places();
    emulator_each_symbol(add_symbol);
}

/* A program that nobody grades may leave what it likes. */
size_t watch_end_blocks(void) {
    if (emulator_any_program)
        return 0;
    emulator_spoil_shared(sizeof emulator_dynamic_shared);
    return FIBER_STACK;
}

/* "void reduce<256>(float const*)" as "reduce<256>": without what comes before the last blank, and
 * without parameters. What stands in < > may hold both. */
static void shorten(char *name) {
    char *begin = name;
    int depth = 0;
    for (char *s = name; *s; s++) {
        depth += (*s == '<') - (*s == '>');
        if (depth == 0 && *s == ' ')
            begin = s + 1;
        if (depth == 0 && *s == '(') {
            if (strncmp(s, "(anonymous namespace)", 21) == 0) {
                s += 20;
                continue;
            }
            *s = 0;
            break;
        }
    }
    memmove(name, begin, strlen(begin) + 1);
}

/* The line where the first place of the function lies: of its call of __tsan_func_entry. */
static unsigned first_line(const struct symbol *function) {
    for (uintptr_t at = function->begin; at < function->begin + function->size; at++) {
        uint32_t place = place_of_return((const void *)at);
        if (place)
            return place_line(place);
    }
    return 0;
}

const char *place_function(const void *address, unsigned *line) {
    for (size_t i = 0; i < program.functions.count; i++) {
        struct symbol *function = &program.functions.list[i];
        if (function->begin != (uintptr_t)address)
            continue;
        int status = 0;
        char *name = __cxa_demangle(function->name, NULL, NULL, &status);
        if (name) {
            shorten(name);
            function->name = name;
        }
        *line = first_line(function);
        return function->name;
    }
    return NULL;
}
