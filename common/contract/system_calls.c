#include "system_calls.h"
#include "front/process.h"
#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The instructions that an object's disassembly lists. */
struct instruction {
    unsigned section;
    unsigned long address, target; /* of a jump */
    bool jumps, calls;
    /* What the first argument of a call is set to, where that is a number; NOT_SET, or UNKNOWN. */
    long argument;
};
enum { NOT_SET = -1, UNKNOWN = -2 };

struct listing {
    struct instruction *list;
    size_t count, room;
    unsigned section;
    bool own;
};

#ifdef __aarch64__
static bool is_own_code(const unsigned char *code, size_t at) {
    return at % 4 == 0 && code[0] == 0x01 && code[1] == 0; /* svc #0 is d4000001 */
}
#else
static bool is_own_code(const unsigned char *code, size_t at) {
    (void)at;
    return code[0] == 0x0f && (code[1] == 0x05 || code[1] == 0x34);
}
#endif

/* The bytes of an instruction that calls the system stand somewhere in the code. */
static bool may_have_own(const struct object *o) {
    for (size_t i = 1; i < o->section_count; i++) {
        const unsigned char *code =
            o->sections[i].sh_flags & SHF_EXECINSTR ? section_contents(o, i) : NULL;
        for (size_t n = 0; code && n + 1 < o->sections[i].sh_size; n++)
            if (is_own_code(code + n, n))
                return true;
    }
    return false;
}

/* Of "   12:\tmov    $0x27,%edi", which ends there. */
static void add_instruction(struct listing *l, char *line) {
    char *name;
    struct instruction one = {
        .section = l->section, .address = strtoul(line, &name, 16), .argument = NOT_SET};
    name += 1 + strspn(name + 1, " \t");
    char *operands = name + strcspn(name, " \t");
    operands += strspn(operands, " \t");
    l->own |= is_name_of(OWN_CALL, name);
    if (is_name_of(SETS_ARGUMENT, operands)) {
        const char *number = strpbrk(operands, "$#");
        bool known = begins_with(name, "mov") && number && strncmp(number + 1, "0x", 2) == 0;
        one.argument = known ? (long)strtoul(number + 1, NULL, 16) : UNKNOWN;
    }
    one.jumps = is_name_of(JUMP, name);
    operands[strcspn(operands, "<")] = '\0';
    const char *comma = strrchr(operands, ',');
    one.target = one.jumps ? strtoul(comma ? comma + 1 : operands, NULL, 16) : 0;
    l->list = grow(l->list, l->count, &l->room, sizeof *l->list);
    l->list[l->count++] = one;
}

static void read_listing(struct listing *l, char *text) {
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (begins_with(line, "Disassembly") || isxdigit((unsigned char)*line))
            l->section++; /* or another function */
        else if (l->count && is_name_of(OF_SYSCALL, line))
            l->list[l->count - 1].calls = true;
        else if (*line == ' ' && isxdigit((unsigned char)line[strspn(line, " \t")]))
            add_instruction(l, line);
}

static bool is_harmless(long number) {
#ifdef __aarch64__
    static const long known[] = {0xb2, 0xa8, 0x7c, 0xac, 0x116, 0x71, 0x73, 0x65};
#else
    static const long known[] = {0xba, 0x135, 0x18, 0x27, 0x13e, 0xe4, 0xe6, 0x23};
#endif
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == number)
            return true;
    return false;
}

/* Some jump leads between the instructions at `first` and `last`, or to the latter. */
static bool is_entered(const struct listing *l, size_t first, size_t last) {
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].jumps && l->list[i].section == l->list[last].section &&
            l->list[i].target > l->list[first].address &&
            l->list[i].target <= l->list[last].address)
            return true;
    return false;
}

/* The call at `at` has a number of its function's own, which the code before it has set. */
static bool call_is_harmless(const struct listing *l, size_t at) {
    for (size_t i = at + 1; i-- > 0 && l->list[i].section == l->list[at].section;)
        if (l->list[i].argument != NOT_SET)
            return is_harmless(l->list[i].argument) && !is_entered(l, i, at);
    return false;
}

bool find_system_calls(const struct object *o, bool calls_syscall, struct system_calls *found) {
    *found = (struct system_calls){.harmless = true};
    if (!calls_syscall && !may_have_own(o))
        return true;
    struct command command = {0};
    struct text output = {0};
    struct listing l = {0};
    command_words(&command, "objdump", "-dr", "--no-show-raw-insn", o->path);
    bool ok = command_run(&command, NULL, &output, NULL) == 0;
    text_put(&output, "");
    read_listing(&l, output.at);
    found->own = l.own;
    for (size_t i = 0; i < l.count; i++)
        found->harmless &= !l.list[i].calls || call_is_harmless(&l, i);
    return ok;
}
