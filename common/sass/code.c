/* build/code-file ARCHITECTURE SOURCE NAMES LOG DISASSEMBLY: prints the code file of a step.
 * common/build/code calls it, and common/README.md says what stands in it; sass.h, what is read. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"
#include "sass.h"

/* ---- registers -------------------------------------------------------------------------------- */

struct registers {
    uint64_t bits[SASS_REGISTERS / 64];
};

static void add(struct registers *set, int first, int count) {
    for (int r = first; r < first + count && r < SASS_REGISTERS; r++)
        set->bits[r / 64] |= UINT64_C(1) << r % 64;
}

static bool is_empty(const struct registers *set) {
    uint64_t any = 0;
    for (int i = 0; i < SASS_REGISTERS / 64; i++)
        any |= set->bits[i];
    return !any;
}

static bool meet(const struct registers *a, const struct registers *b) {
    uint64_t any = 0;
    for (int i = 0; i < SASS_REGISTERS / 64; i++)
        any |= a->bits[i] & b->bits[i];
    return any;
}

static struct registers without(struct registers a, const struct registers *b) {
    for (int i = 0; i < SASS_REGISTERS / 64; i++)
        a.bits[i] &= ~b->bits[i];
    return a;
}

/* ---- operations ------------------------------------------------------------------------------- */

/* A generic access may be one to shared memory: the compiler could not tell. NULL: none. */
static const char *space_of(const char *operation) {
    if (sass_is(operation, "LDG STG ATOMG ATOM RED REDG LD ST") || sass_begins(operation, "LDGSTS"))
        return "global";
    if (sass_is(operation, "LDS STS ATOMS LDSM STSM"))
        return "shared";
    return sass_is(operation, "LDL STL") ? "local" : NULL;
}

static bool is_memory(const char *operation) {
    return space_of(operation) || sass_begins(operation, "LDC");
}

static bool is_double(const char *operation) {
    return sass_begins(operation, "DADD DMUL DFMA DSETP DMNMX");
}

/* How many registers an instruction writes. */
static int result_width(const char *operation) {
    if (is_memory(operation))
        return sass_width(operation) > 4 ? sass_width(operation) / 4 : 1;
    bool wide = strstr(operation, "WIDE") || is_double(operation) ||
                (sass_begins(operation, "F2I") && strstr(operation, "64")) ||
                sass_begins(operation, "F2F.F64 I2F.F64") ||
                (sass_begins(operation, "CS2R") && !strstr(operation, "32"));
    return wide ? 2 : 1;
}

static bool has_no_result(const char *operation) {
    return sass_is(operation, "ST STG STS STL RED REDG") || strstr(operation, "SETP") ||
           sass_begins(operation, "BRA BRX BAR RET CALL WARPSYNC NANOSLEEP R2P PLOP3 LDGSTS UBLK "
                                  "UTMA SUST");
}

/* The units of instructions: CUDA C++ Programming Guide, arithmetic instructions, and the names in
 * the CUDA Binary Utilities. nvcc takes VIADD or IADD3 by which unit has less to do: beside logic
 * an H200 issues a VIADD and a LOP3 every two cycles. */
static char unit_of(const char *operation) {
    static const struct {
        char letter;
        const char *operations;
    } units[] = {{'B', "BAR"},
                 {'b', "BRA BRX BREAK CALL RET EXIT"},
                 {'y', "BSSY BSYNC WARPSYNC BMOV"},
                 {'w', "SHFL REDUX MATCH"},
                 {'v', "VOTE"},
                 {'a', "I2FP F2FP"},
                 {'q', "POPC MUFU FLO BREV F2F F2I I2F I2I FRND"},
                 {'u', "R2UR S2UR"},
                 {'d', "DADD DMUL DFMA DSETP DMNMX"},
                 {'f', "FADD FMUL FFMA"},
                 {'h', "IMAD.HI"},
                 {'i', "IMAD IMUL IDP VIADD"},
                 {'a', "I V LOP PLOP LEA SHF SEL PRMT F SGXT BMSK MOV P2R R2P"}};
    if (sass_begins(operation, "LDC"))
        return 'c';
    if (is_memory(operation))
        return strcmp(space_of(operation), "local") != 0 ? 'm'
               : sass_begins(operation, "STL")           ? 's'
                                                         : 'l';
    if (operation[0] == 'U' && isupper((unsigned char)operation[1]))
        return 'u';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (sass_begins(operation, units[i].operations))
            return units[i].letter;
    return '.';
}

/* ---- instructions ----------------------------------------------------------------------------- */

struct instruction {
    const struct sass_instruction *is;
    struct registers reads, writes;
    int meets;   /* of a BSYNC: where its barrier's BSSY says; -1: nowhere */
    int visited; /* the search that has seen it last */
    int stall;   /* as the instruction says, and with find_waits */
    bool cold;   /* see find_cold */
};

/* One of the ways that a search has put aside. */
struct way {
    int at;
    struct registers left; /* those that nothing has written since */
};

struct code {
    const struct sass_function *function;
    struct instruction *at;
    int count;
    struct way *ways; /* room for those of a search, which visits an instruction once */
    int searches;
};

/* The registers that an operand names; `last` says whether it is the instruction's last one. */
static void add_named(struct registers *set, const char *operation, const char *operand,
                      bool last) {
    bool is_value = is_memory(operation) && !strchr(operand, '[');
    int number;
    while ((number = sass_register(&operand)) >= 0) {
        bool wide = strncmp(operand, ".64", 3) == 0 || is_double(operation) ||
                    (last && strstr(operation, "WIDE"));
        add(set, number, is_value ? result_width(operation) : wide ? 2 : 1);
    }
}

static bool is_predicate(const char *operand) {
    operand += *operand == '!';
    if (strcmp(operand, "PR") == 0)
        return true; /* all of them */
    operand += *operand == 'U';
    return operand[0] == 'P' && operand[1] && strchr("0123456789T", operand[1]) &&
           !operand[2 + strspn(operand + 2, " ")];
}

static void find_registers(struct instruction *instruction) {
    const char *operation = instruction->is->operation;
    char *rest = strdup(instruction->is->operands), *operand, *text = rest;
    bool has_result = !has_no_result(operation);
    while (rest && (operand = strsep(&rest, ","))) {
        operand += strspn(operand, " ");
        if (has_result && rest && is_predicate(operand))
            continue;
        if (has_result && operand[0] == 'R' && isdigit((unsigned char)operand[1]))
            add(&instruction->writes, atoi(operand + 1), result_width(operation));
        else
            add_named(&instruction->reads, operation, operand, !rest && !has_result);
        has_result = false;
    }
    free(text);
}

/* A BSYNC goes on where the BSSY of its barrier says. */
static void match_barriers(struct code *code) {
    int at[16];
    memset(at, -1, sizeof at);
    for (int p = 0; p < code->count; p++) {
        const struct sass_instruction *is = code->at[p].is;
        int *barrier = is->operands[0] == 'B' ? &at[atoi(is->operands + 1) & 15] : NULL;
        if (barrier && sass_begins(is->operation, "BSSY"))
            *barrier = is->target;
        code->at[p].meets = barrier && sass_begins(is->operation, "BSYNC") ? *barrier : -1;
    }
}

/* ---- where the code goes on ------------------------------------------------------------------- */

/* The positions that can follow p, the likeliest first: a loop's next turn, then the layout's
 * order. Returns how many. */
static int following(const struct code *code, int p, int next[2]) {
    const struct sass_instruction *is = code->at[p].is;
    int count = 0, target = -1;
    bool joins = sass_begins(is->operation, "BSYNC");
    if (sass_begins(is->operation, "EXIT RET") && !is->sometimes)
        return 0;
    if (joins)
        target = code->at[p].meets;
    else if (sass_begins(is->operation, "BRA CALL"))
        target = is->target;
    bool known = target >= 0 && target < code->count;
    bool always =
        joins || (strcmp(is->operation, "BRA") == 0 && !is->sometimes && is->operands[0] == '`');
    if (known && (always || target <= p))
        next[count++] = target;
    if (!(known && always) && p + 1 < code->count)
        next[count++] = p + 1;
    if (known && !always && target > p)
        next[count++] = target;
    return count;
}

static int put_aside(const struct code *code, int depth, int p, struct registers left) {
    int next[2];
    for (int i = following(code, p, next) - 1; i >= 0; i--)
        code->ways[depth++] = (struct way){next[i], left};
    return depth;
}

/* The position of the first instruction on the likeliest way from p that reads what p loads; -1 if
 * none does before the registers are written again. */
static int use_of(struct code *code, int p) {
    int found = -1, search = ++code->searches;
    int depth = put_aside(code, 0, p, code->at[p].writes);
    while (depth > 0 && found < 0) {
        struct way way = code->ways[--depth];
        struct instruction *at = &code->at[way.at];
        if (at->visited == search)
            continue;
        at->visited = search;
        if (meet(&at->reads, &way.left))
            found = way.at;
        if (!at->is->sometimes)
            way.left = without(way.left, &at->writes);
        if (!is_empty(&way.left))
            depth = put_aside(code, depth, way.at, way.left);
    }
    return found;
}

/* Bit counts, conversions and functions such as 1/x come later than their stalls say: an H200 takes
 * 17 cycles to what uses one. */
static void find_waits(struct code *code) {
    enum { LATE = 17, MOST = 15 };
    for (int p = 0; p < code->count; p++) {
        if (!code->at[p].stall || unit_of(code->at[p].is->operation) != 'q')
            continue;
        int use = use_of(code, p), missing = LATE;
        for (int q = p; q < use; q++)
            missing -= code->at[q].stall;
        for (int q = use - 1; q >= p && missing > 0; q--) {
            int more = missing < MOST - code->at[q].stall ? missing : MOST - code->at[q].stall;
            code->at[q].stall += more;
            missing -= more;
        }
    }
}

/* A branch back is a loop's if every way to it leads through its target: cold code behind the
 * kernel's end also branches back. */
static bool is_loop(struct code *code, int first, int last) {
    bool other_way = false;
    int depth = 0, search = ++code->searches;
    code->ways[depth++].at = 0;
    while (depth > 0 && !other_way) {
        int p = code->ways[--depth].at;
        if (p == first || code->at[p].visited == search)
            continue;
        other_way = p == last;
        code->at[p].visited = search;
        depth = put_aside(code, depth, p, (struct registers){{0}});
    }
    return !other_way;
}

static bool loops_within(const struct code *code, int from, int end) {
    for (int p = from; p < end; p++)
        if (sass_begins(code->at[p].is->operation, "BRA") && code->at[p].is->target >= from &&
            code->at[p].is->target < p)
            return true;
    return false;
}

static bool in_loop(struct code *code, int at) {
    for (int p = at; p < code->count; p++) {
        const struct sass_instruction *is = code->at[p].is;
        if (sass_begins(is->operation, "BRA") && is->target >= 0 && is->target <= at &&
            is_loop(code, is->target, p))
            return true;
    }
    return false;
}

/* For a rounding's rare cases; or for a division of 64 bits whose operands need them: outside of
 * loops it is an index that is divided, which fits into 32. */
static bool calls_rarely(struct code *code, int p) {
    const struct sass_instruction *is = code->at[p].is;
    return sass_begins(is->operation, "CALL") &&
           (strstr(is->operands, "_rn_") ||
            ((strstr(is->operands, "_u64") || strstr(is->operands, "_s64")) && !in_loop(code, p)));
}

/* What is jumped over: what sinf and its like do for large arguments alone, made of one line, but
 * for a few instructions that were moved there, with a loop from a table of the compiler's to the
 * stack; and a call that is rare. */
static void find_cold(struct code *code) {
    enum { FEW = 16 };
    for (int p = 0; p < code->count; p++) {
        const struct sass_instruction *is = code->at[p].is;
        if (!sass_begins(is->operation, "BRA") || !is->sometimes || is->target <= p + 1)
            continue;
        bool table = false, stack = false, call = false, branch = false;
        int others = 0; /* of other lines */
        for (int q = p + 1; q < is->target; q++) {
            branch |= sass_begins(code->at[q].is->operation, "BRA") && q + 1 < is->target;
            call |= calls_rarely(code, q);
            table |= sass_begins(code->at[q].is->operation, "LDG.E.CONSTANT");
            stack |= sass_begins(code->at[q].is->operation, "STL");
            others += code->at[q].is->line != is->line;
        }
        bool own = others * FEW <= is->target - p - 1;
        bool rare = table && stack && own && loops_within(code, p + 1, is->target);
        bool cold = rare || (call && !branch);
        for (int q = p + 1; cold && q < is->target; q++)
            code->at[q].cold = true;
    }
}

/* ---- printing --------------------------------------------------------------------------------- */

/* An asynchronous copy is waited for where the copies are. */
static int wait_of(const struct code *code, int p) {
    while (++p < code->count)
        if (sass_begins(code->at[p].is->operation, "DEPBAR SYNCS"))
            return p;
    return -1;
}

static bool is_atomic(const char *operation) { return sass_begins(operation, "ATOM RED"); }

static void print_access(struct code *code, int p) {
    const struct instruction *at = &code->at[p];
    const char *operation = at->is->operation;
    int line = at->is->line, width = sass_width(operation);
    if (sass_begins(operation, "LDGSTS")) {
        printf("m %d %d load global %d %d\n", p, line, width, wait_of(code, p));
        printf("m %d %d store shared %d -1\n", p, line, width);
        return;
    }
    bool silent = is_empty(&at->writes);
    const char *kind = sass_begins(operation, "LD")               ? "load"
                       : sass_begins(operation, "ST")             ? "store"
                       : sass_begins(operation, "ATOMS.POPC.INC") ? "increment"
                       : silent                                   ? "reduce"
                                                                  : "atomic";
    bool loads = strcmp(kind, "load") == 0;
    const char *type = loads && strstr(operation, ".STRONG") ? "-l2"
                       : !is_atomic(operation)               ? ""
                       : strstr(operation, ".CAS")           ? "-compare"
                       : strstr(operation, ".EXCH")          ? "-swap"
                       : strstr(operation, ".F64")           ? "-f64"
                       : strstr(operation, ".F32")           ? "-f32"
                                                             : "";
    printf("m %d %d %s%s %s %d %d\n", p, line, kind, type, space_of(operation), width,
           silent ? -1 : use_of(code, p));
}

/* What a turn of the loop adds to the number that counts its turns, as far as it is told: nvcc has
 * unrolled it so many times. The least of the powers of two that something is raised or lowered by;
 * 1: there is none. */
static int step_of(const struct code *code, int first, int last) {
    int least = 0;
    for (int p = first; p <= last; p++) {
        const struct sass_instruction *is = code->at[p].is;
        char to[16], from[16];
        long long by;
        const char *rest = "";
        int end = 0;
        if (!sass_begins(is->operation, "VIADD IADD3 UIADD3 IMAD.IADD"))
            continue;
        if (sscanf(is->operands, "%15[UR0-9], %15[UR0-9], 0x1, %lli", to, from, &by) != 3) {
            if (sscanf(is->operands, "%15[UR0-9], %15[UR0-9], %lli%n", to, from, &by, &end) != 3)
                continue;
            rest = is->operands + end;
        }
        if (strcmp(to, from) != 0 || (strchr(rest, 'R') && !strstr(rest, "RZ")))
            continue; /* a sum of two registers */
        by = (int)by < 0 ? -(long long)(int)by : (int)by;
        if (by > 0 && !(by & (by - 1)) && (!least || by < least))
            least = (int)by;
    }
    return least ? least : 1;
}

/* A kernel's name as the source has it, with namespaces and template arguments, without parameters.
 */
static void print_name(const char *name) {
    size_t length = strlen(name);
    int depth = 0;
    for (size_t i = length; i > 1 && name[length - 1] == ')'; i--) {
        depth += (name[i - 1] == ')') - (name[i - 1] == '(');
        if (depth == 0) {
            length = i - 1;
            break;
        }
    }
    size_t skipped = strncmp(name, "void ", 5) == 0 && length >= 5 ? 5 : 0;
    printf("%.*s\n", (int)(length - skipped), name + skipped);
}

/* Where the function at the target of the call at p ends. */
static int return_of(const struct code *code, int p) {
    int at = code->at[p].is->target;
    while (at + 1 < code->count && !sass_begins(code->at[at].is->operation, "RET"))
        at++;
    return at;
}

/* Before compute capability 7.0 other bits tell when a warp goes on. */
static bool tells_stalls(const char *architecture) {
    return atoi(architecture + strlen("sm_")) >= 70;
}

static void print_function(const struct sass_function *function, bool stalls) {
    struct code code = {.function = function, .count = function->instructions};
    int length = 0;
    code.at = keep((code.count + 1) * sizeof *code.at);
    code.ways = keep((2 * code.count + 4) * sizeof *code.ways);
    for (int p = 0; p < code.count; p++) {
        code.at[p].is = &function->instruction[p];
        code.at[p].stall = function->instruction[p].stall;
        find_registers(&code.at[p]);
        if (!sass_is_filling(function, p))
            length = p + 1;
    }
    match_barriers(&code);
    find_cold(&code);
    find_waits(&code);
    printf("kernel %u %u %u %d ", function->registers, function->shared, function->stack, length);
    print_name(function->written);
    for (int p = 0; p < length; p++) {
        const struct sass_instruction *is = code.at[p].is;
        if (code.at[p].cold)
            continue;
        if (space_of(is->operation) && !is->never)
            print_access(&code, p);
        if (sass_begins(is->operation, "BRA") && is->target >= 0 && is->target < p &&
            is_loop(&code, is->target, p))
            printf("loop %d %d %d\n", is->target, p, step_of(&code, is->target, p));
    }
    printf("p ");
    for (int p = 0; p < length; p++)
        putchar(code.at[p].cold ? '-' : unit_of(code.at[p].is->operation));
    if (stalls && length && code.at[0].is->stall) {
        printf("\nw ");
        for (int p = 0; p < length; p++)
            printf("%x", (unsigned)code.at[p].stall);
    }
    printf("\nn");
    for (int p = 0, from = 0; p < length; p++)
        if (p + 1 == length || code.at[p + 1].is->line != code.at[p].is->line) {
            printf(" %d %d", code.at[p].is->line, p + 1 - from);
            from = p + 1;
        }
    putchar('\n');
    for (int p = 0; p < length; p++)
        if (sass_begins(code.at[p].is->operation, "CALL") && code.at[p].is->target >= 0 &&
            !calls_rarely(&code, p))
            printf("call %d %d %d\n", p, code.at[p].is->target, return_of(&code, p));
}

int main(int argc, char **argv) {
    struct sass sass;
    if (argc != 6) {
        fputs("code-file: needs ARCHITECTURE SOURCE NAMES LOG DISASSEMBLY\n", stderr);
        return 2;
    }
    if (!sass_read(argv[2], (const char *const[]){argv[3], argv[4], argv[5]}, &sass))
        return 3;
    printf("histolab-code 1 %s\n", argv[1]);
    for (int i = 0; i < sass.functions; i++)
        if (sass.function[i].is_kernel)
            print_function(&sass.function[i], tells_stalls(argv[1]));
    return fflush(stdout) || ferror(stdout) ? 3 : 0;
}
