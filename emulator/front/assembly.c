#define _DEFAULT_SOURCE /* strsep */
#include "assembly.h"
#include "object.h"
#include "process.h"
#include "../text/stream.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A directive, with a blank behind it. */
static bool directive(const char *line, const char *name) {
    line += strspn(line, " \t");
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && strchr(" \t", line[length]);
}

static void put_line(struct text *to, const char *line, size_t length) {
    text_add(to, line, length);
    text_put(to, "\n");
}

static bool begins_section(const char *line) {
    return begins_with_any(line + strspn(line, " \t"), ".section .text\n .data\n .bss\n");
}

void separate_shared(const struct text *from, struct text *to) {
    bool shared = false;
    for (const char *line = from->at; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        put_line(to, line, length);
        if (begins_section(line)) {
            const char *found = strstr(line, ".tbss");
            shared = found && found < line + length;
        }
        if (shared && (directive(line, ".zero") || directive(line, ".skip")))
            text_put(to, "\t.zero\t1024\n");
    }
}

const char storing_functions[] = "memcpy memmove memset frexp frexpf modf modff sincos sincosf "
                                 "remquo remquof";

static bool calls_hook(const char *line) {
    const char *at = line + strspn(line, " \t");
    const struct token call = {.at = at, .length = strcspn(at, " \t\n")};
    if (at == line || !is_any_of(&call, "callq call bl"))
        return false;
    at += call.length + strspn(at + call.length, " \t");
    const struct token name = {.at = at, .length = strcspn(at, "@ \t\n")};
    return begins_with(at, "__tsan_") || is_any_of(&name, storing_functions);
}

/* Of ".loc FILE LINE COLUMN": the three numbers. */
static void note_spot(const char *line, char *spot, size_t size) {
    unsigned file, number, column = 0;
    if (directive(line, ".loc") &&
        sscanf(strstr(line, ".loc") + 4, "%u %u %u", &file, &number, &column) >= 2)
        snprintf(spot, size, "%u %u %u", file, number, column);
}

size_t label_calls(const struct text *from, struct text *to, struct text *spots) {
    char spot[64] = "";
    size_t count = 0;
    for (const char *line = from->at; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        note_spot(line, spot, sizeof spot);
        put_line(to, line, length);
        if (calls_hook(line)) {
            text_print(to, "counted.%zu:\n", ++count);
            text_print(spots, "%s\n", spot);
        }
    }
    text_put(to, "\t.section counted_places,\"aw\",@progbits\n\t.p2align 3\n");
    for (size_t i = 1; i <= count; i++)
        text_print(to, "\t.quad counted.%zu\n", i);
    text_print(to, "\t.section counted_lines,\"a\",@progbits\n\t.p2align 2\n\t.zero %zu\n",
               8 * count);
    return count;
}

/* Calls with every register that can hold an argument as it was, and leaves it so. */
#ifdef __x86_64__
#define RESULT_TO "" /* %rdi is the place of the result */
#define NAME_TO "lea 1f(%rip), %rdi\n"
#define GO_ON "jmp real.%s@PLT\n"
static void call_aside(const char *argument, const char *function, struct text *to) {
    static const char *const registers[] = {"rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"};
    enum { COUNT = sizeof registers / sizeof *registers };
    for (int i = 0; i < COUNT; i++)
        text_print(to, "push %%%s\n.cfi_adjust_cfa_offset 8\n", registers[i]);
    text_put(to, "sub $128, %rsp\n.cfi_adjust_cfa_offset 128\n");
    for (int i = 0; i < 8; i++)
        text_print(to, "movups %%xmm%d, %d(%%rsp)\n", i, i * 16);
    text_print(to, "%scall %s@PLT\n", argument, function);
    for (int i = 0; i < 8; i++)
        text_print(to, "movups %d(%%rsp), %%xmm%d\n", i * 16, i);
    text_put(to, "add $128, %rsp\n.cfi_adjust_cfa_offset -128\n");
    for (int i = COUNT; i-- > 0;)
        text_print(to, "pop %%%s\n.cfi_adjust_cfa_offset -8\n", registers[i]);
}
#else
#define RESULT_TO "mov x0, x8\n"
#define NAME_TO "adrp x0, 1f\nadd x0, x0, :lo12:1f\n"
#define GO_ON "b real.%s\n"
static void call_aside(const char *argument, const char *function, struct text *to) {
    text_put(to, "stp x29, x30, [sp, #-224]!\n.cfi_def_cfa_offset 224\n.cfi_offset 29, -224\n"
                 ".cfi_offset 30, -216\n");
    for (int i = 0; i < 8; i += 2)
        text_print(to, "stp x%d, x%d, [sp, #%d]\nstp q%d, q%d, [sp, #%d]\n", i, i + 1, 16 + i * 8,
                   i, i + 1, 96 + i * 16);
    text_print(to, "str x8, [sp, #80]\n%sbl %s\nldr x8, [sp, #80]\n", argument, function);
    for (int i = 0; i < 8; i += 2)
        text_print(to, "ldp x%d, x%d, [sp, #%d]\nldp q%d, q%d, [sp, #%d]\n", i, i + 1, 16 + i * 8,
                   i, i + 1, 96 + i * 16);
    text_put(to, "ldp x29, x30, [sp], #224\n.cfi_restore 29\n.cfi_restore 30\n"
                 ".cfi_def_cfa_offset 0\n");
}
#endif

/* One that computes has an address in the step, for calls by it. */
void write_look(const char *name, bool computes, struct text *to) {
    text_print(to, ".text\n.type host.%s, %%function\nhost.%s:\n.cfi_startproc\n", name, name);
    if (!computes)
        call_aside(NAME_TO, "emulator_host_function", to);
    text_print(to,
               GO_ON ".cfi_endproc\n.size host.%s, . - host.%s\n"
                     ".section .rodata\n1: .string \"%s\"\n",
               name, name, name, in_words(name));
}

/* Whether the line is "NAME:", of one of the names, each of which ends a line. */
static bool is_label_of(const char *line, const struct text *names) {
    const size_t length = strcspn(line, ":\n");
    if (line[length] != ':' || !length)
        return false;
    for (const char *name = names->at; *name; name = next_line(name))
        if (strncmp(name, line, length) == 0 && name[length] == '\n')
            return true;
    return false;
}

void look_at_results(const struct text *from, const struct text *names, struct text *to) {
    bool begins = false;
    for (const char *line = from->at; *line; line = next_line(line)) {
        put_line(to, line, strcspn(line, "\n"));
        begins |= is_label_of(line, names);
        if (begins && begins_with(line + strspn(line, " \t"), ".cfi_startproc")) {
            call_aside(RESULT_TO, "emulator_returns_to", to);
            begins = false;
        }
    }
}

/* ---- lines of the counted build ------------------------------------------------------------ */

/* The object is linked, so that each label has an address: a line each. False: it could not be. */
static bool find_addresses(const char *object, const char *linked, size_t count,
                           struct text *addresses) {
    struct command command = {0};
    struct text said = {0};
    command_words(&command, "ld", "--unresolved-symbols=ignore-all", "--defsym=__dso_handle=0",
                  "-e", "0", "-o", linked, object);
    bool ok = command_run(&command, NULL, NULL, &said) == 0;
    struct object o = {0};
    ok = ok && object_open(&o, linked);
    uint64_t *at = need(calloc(count + 1, sizeof *at));
    for (size_t i = 0; ok && i < o.symbol_count; i++) {
        size_t number;
        if (sscanf(name_of(&o, &o.symbols[i]), "counted.%zu", &number) == 1 && number &&
            number <= count)
            at[number] = o.symbols[i].st_value - 1;
    }
    for (size_t i = 1; ok && i <= count; i++)
        text_print(addresses, "0x%llx\n", (unsigned long long)at[i]);
    return ok;
}

/* Of "DIRECTORY/FILE:LINE": the line, where the file is in the directory; else 0. */
static unsigned line_in(const char *place, size_t length, const char *directory) {
    const char *colon = place + length;
    while (colon > place && *colon != ':')
        colon--;
    const char *name = colon;
    while (name > place && name[-1] != '/')
        name--;
    size_t own = strlen(directory), before = (size_t)(name - place);
    bool inside = before >= own && strncmp(name - own, directory, own) == 0 &&
                  (before == own || name[-(ptrdiff_t)own - 1] == '/');
    return inside && colon > place ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

/* Of the functions that were inlined into one another, the innermost that is in an own file. */
static void read_lines(const struct text *output, const char *directory, unsigned *lines,
                       size_t count) {
    size_t n = 0;
    for (const char *line = output->at; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        if (begins_with(line, "0x"))
            n++;
        else if (n && n <= count && !lines[n - 1])
            lines[n - 1] = line_in(line, length, directory);
    }
}

static void ask_for_lines(const char *object, const struct text *text, unsigned *lines,
                          size_t count) {
    char *linked = format_text("%s.linked", object), *directory = source_directory(text);
    struct text addresses = {0}, output = {0};
    struct command command = {0};
    command_words(&command, "addr2line", "-a", "-i", "-e", linked);
    if (find_addresses(object, linked, count, &addresses) &&
        command_run(&command, &addresses, &output, NULL) == 0 && output.size)
        read_lines(&output, directory ? directory : "", lines, count);
    unlink(linked);
}

bool find_counted_lines(const char *object, const struct text *text, struct text *spots,
                        size_t count) {
    if (!count)
        return true;
    unsigned *lines = need(calloc(count, sizeof *lines));
    uint32_t *section = need(calloc(2 * count, sizeof *section));
    char **spot = need(calloc(count, sizeof *spot)), *next = spots->at;
    ask_for_lines(object, text, lines, count);
    for (size_t i = 0, first = 0; i < count; i++, first = 0) {
        spot[i] = strsep(&next, "\n");
        while (lines[first] != lines[i] || strcmp(spot[first], spot[i]) != 0)
            first++;
        section[2 * i] = lines[i];
        section[2 * i + 1] = (uint32_t)first + 1; /* of the first one at this line and spot */
    }
    return section_fill(object, "counted_lines", section, 2 * count * sizeof *section);
}
