#include "system_calls.h"
#include "front/process.h"

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

static bool ends_in_register(const char *line, size_t length) {
    static const char *const registers[] = {",%rdi", ",%edi", ",%di", ",%dil"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        size_t of = strlen(registers[i]);
        if (length >= of && strncmp(line + length - of, registers[i], of) == 0)
            return true;
    }
    return false;
}

static bool is_jump(const char *name) {
    return *name == 'j' || begins_with(name, "b.") || begins_with(name, "cb") ||
           begins_with(name, "tb") || (*name == 'b' && isspace((unsigned char)name[1]));
}

static bool is_own_call(const char *name, size_t length) {
    while (length && isspace((unsigned char)name[length - 1]))
        length--;
    return (length == 7 && strncmp(name, "syscall", 7) == 0) ||
           (length == 8 && strncmp(name, "sysenter", 8) == 0) ||
           (begins_with(name, "svc") && length >= 6 && strncmp(name + length - 3, "0x0", 3) == 0) ||
           (begins_with(name, "svc") && length >= 5 && name[length - 1] == '0' &&
            strchr(" \t#", name[length - 2]));
}

/* Of "   12:\tmov    $0x27,%edi". */
static void add_instruction(struct listing *l, const char *line, size_t length) {
    char *end;
    struct instruction one = {
        .section = l->section, .address = strtoul(line, &end, 16), .argument = NOT_SET};
    const char *name = end + 1 + strspn(end + 1, " \t"), *last = line + length;
    const char *operands = name + strcspn(name, " \t\n");
    operands += strspn(operands, " \t");
    l->own |= is_own_call(name, (size_t)(last - name));
    if (is_jump(name)) {
        const char *target = operands, *end_of_target = operands + strcspn(operands, "<\n");
        for (const char *comma = operands; comma < end_of_target; comma++)
            if (*comma == ',')
                target = comma + 1;
        one.jumps = true;
        one.target = strtoul(target, NULL, 16);
    }
    if (ends_in_register(line, length) || begins_with(operands, "w0,") ||
        begins_with(operands, "x0,")) {
        const char *number = strpbrk(operands, "$#\n");
        bool known = begins_with(name, "mov") && number && number < last &&
                     strncmp(number + 1, "0x", 2) == 0;
        one.argument = known ? (long)strtoul(number + 1, NULL, 16) : UNKNOWN;
    }
    l->list = grow(l->list, l->count, &l->room, sizeof *l->list);
    l->list[l->count++] = one;
}

/* Of a relocation that the last instruction has: whether it is of syscall. */
static bool is_of_syscall(const char *line, size_t length) {
    const char *found = memmem(line, length, "\tsyscall", strlen("\tsyscall"));
    if (!found || !memmem(line, length, "R_", strlen("R_")))
        return false;
    found += strlen("\tsyscall");
    return found == line + length || *found == '-' || *found == '+';
}

static void read_listing(struct listing *l, const char *line) {
    while (*line) {
        size_t length = strcspn(line, "\n");
        const char *first = line + strspn(line, " \t");
        if (begins_with(line, "Disassembly") || (isxdigit((unsigned char)*line) && length))
            l->section++; /* or another function */
        else if (l->count && is_of_syscall(line, length))
            l->list[l->count - 1].calls = true;
        else if (*line == ' ' && isxdigit((unsigned char)*first))
            add_instruction(l, line, length);
        line += length + (line[length] == '\n');
    }
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
