// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "ptx.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text/lexer.h"
#include "../text/text.h"

enum { OPERANDS = 32, NAMES = 64, LENGTH = 128, ARGUMENTS = 7 };

/* The statement as it is read. */
struct statement {
    const char *p;
    struct text instructions;
    char name[OPERANDS][LENGTH]; /* %[name] */
    unsigned operands, outputs;
    bool has_operands;
    char reg[NAMES][LENGTH];
    unsigned regs;
    bool carry; /* an instruction has set the carry */
    struct text out;
    char *why;
};

/* One instruction: @guard base.mods.types arguments */
struct instruction {
    char guard[LENGTH];
    char base[LENGTH], mods[LENGTH]; /* "mul", ".lo" */
    char types[4][8];
    unsigned type_count;
    char argument[ARGUMENTS + 1][LENGTH];
    unsigned arguments;
};

static bool refuse(struct statement *s, const char *format, ...) {
    va_list arguments;
    if (*s->why)
        return false;
    va_start(arguments, format);
    vsnprintf(s->why, LENGTH, format, arguments);
    va_end(arguments);
    for (char *p = s->why; *p; p++) /* it goes into a string of a pragma */
        if (*p == '"' || *p == '\\' || *p == '\n')
            *p = ' ';
    return false;
}

/* ---- the asm statement: its strings and operands ------------------------------------------ */

static void skip_blanks(struct statement *s) {
    for (const char *next; (next = skip_blank(&(struct lexer){0}, s->p)) != s->p; s->p = next)
        ;
}

static const char *token_end(struct statement *s) {
    enum kind kind;
    return skip_token(&(struct lexer){0}, s->p, &kind);
}

static bool take(struct statement *s, char c) {
    skip_blanks(s);
    if (*s->p != c)
        return false;
    s->p++;
    return true;
}

/* One string after another, unescaped, to `to`. */
static bool read_strings(struct statement *s, struct text *to) {
    skip_blanks(s);
    if (*s->p != '"')
        return refuse(s, "an asm whose text is not a string");
    for (text_put(to, ""); *s->p == '"'; skip_blanks(s)) {
        const char *end = token_end(s) - 1;
        if (*end != '"')
            return refuse(s, "an asm whose text does not end");
        for (s->p++; s->p < end; s->p++) {
            bool escaped = *s->p == '\\';
            s->p += escaped;
            text_add(to,
                     !escaped              ? s->p
                     : *s->p == 'n'        ? "\n"
                     : strchr("tr", *s->p) ? " "
                                           : s->p,
                     1);
        }
        s->p = end + 1;
    }
    return true;
}

/* ( expression ), of which the output gets what is between the brackets. */
static bool read_expression(struct statement *s) {
    if (!take(s, '('))
        return refuse(s, "an operand without brackets");
    for (int depth = 1; *s->p;) {
        const char *begin = s->p;
        skip_blanks(s);
        text_put(&s->out, s->p > begin ? " " : "");
        depth += (*s->p == '(') - (*s->p == ')');
        const char *end = token_end(s);
        if (depth)
            text_add(&s->out, s->p, (size_t)(end - s->p));
        s->p = end;
        if (!depth)
            return true;
    }
    return refuse(s, "an operand that does not end");
}

static bool read_operand(struct statement *s, bool is_output) {
    struct text constraint = {0};
    if (s->operands == OPERANDS)
        return refuse(s, "more than %d operands", OPERANDS);
    if (take(s, '[')) {
        size_t length = strcspn(s->p, "]");
        snprintf(s->name[s->operands], LENGTH, "%.*s", (int)length, s->p);
        s->p += length + 1;
    }
    bool known = read_strings(s, &constraint);
    if (known && constraint.at[strspn(constraint.at, "=+&%hrlfdn")])
        known = refuse(s, "an operand of kind \"%s\"", constraint.at);
    text_free(&constraint);
    text_print(&s->out, is_output ? "auto &&emulator_o%u = (" : "const auto emulator_o%u = (",
               s->operands++);
    known = known && read_expression(s);
    text_put(&s->out, "); ");
    return known;
}

/* Operands up to a ':' or the end, each of which becomes a variable. */
static bool read_operands(struct statement *s, bool outputs) {
    skip_blanks(s);
    while (*s->p && *s->p != ':' && *s->p != ')') {
        if (!read_operand(s, outputs))
            return false;
        if (!take(s, ','))
            break;
        skip_blanks(s);
    }
    return true;
}

static bool read_statement(struct statement *s) {
    for (; is_name_character(*s->p); skip_blanks(s)) /* asm volatile */
        s->p = token_end(s);
    if (!take(s, '('))
        return refuse(s, "an asm without a bracket");
    if (!read_strings(s, &s->instructions))
        return false;
    s->has_operands = take(s, ':');
    if (s->has_operands && !read_operands(s, true))
        return false;
    s->outputs = s->operands;
    if (take(s, ':') && !read_operands(s, false))
        return false;
    if (take(s, ':'))
        s->p += strcspn(s->p, ")"); /* what it clobbers */
    return take(s, ')') || refuse(s, "an asm that does not end");
}

/* ---- operands of an instruction ------------------------------------------------------------ */

/* What a special register becomes, or NULL. */
static const char *special(const char *name) {
    static const char *const registers[][2] = {
        {"laneid", "emulator_lane()"},
        {"warpid", "emulator_thread / 32"},
        {"nwarpid", "2048 / 32"},
        {"smid", "::emulator::ptx::multiprocessor()"},
        {"nsmid", "emulator_multiprocessors()"},
        {"tid.x", "threadIdx.x"},
        {"tid.y", "threadIdx.y"},
        {"tid.z", "threadIdx.z"},
        {"ntid.x", "blockDim.x"},
        {"ntid.y", "blockDim.y"},
        {"ntid.z", "blockDim.z"},
        {"ctaid.x", "blockIdx.x"},
        {"ctaid.y", "blockIdx.y"},
        {"ctaid.z", "blockIdx.z"},
        {"nctaid.x", "gridDim.x"},
        {"nctaid.y", "gridDim.y"},
        {"nctaid.z", "gridDim.z"},
        {"lanemask_eq", "(1u << emulator_lane())"},
        {"lanemask_lt", "((1u << emulator_lane()) - 1)"},
        {"lanemask_le", "((2u << emulator_lane()) - 1)"},
        {"lanemask_gt", "~((2u << emulator_lane()) - 1)"},
        {"lanemask_ge", "~((1u << emulator_lane()) - 1)"},
        {"clock", "(unsigned)clock64()"},
        {"clock_hi", "(unsigned)((unsigned long long)clock64() >> 32)"},
        {"clock64", "clock64()"},
        {"globaltimer", "emulator_nanoseconds()"},
        {"globaltimer_lo", "(unsigned)emulator_nanoseconds()"},
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strcmp(name, registers[i][0]) == 0)
            return registers[i][1];
    return NULL;
}

/* A register that the statement declares, as a variable. */
static void put_register(struct statement *s, const char *name) {
    text_put(&s->out, "emulator_r_");
    for (; *name; name++)
        text_add(&s->out, isalnum((unsigned char)*name) ? name : "_", 1);
}

static bool is_register(const struct statement *s, const char *name) {
    for (unsigned i = 0; i < s->regs; i++)
        if (strcmp(s->reg[i], name) == 0)
            return true;
    return false;
}

static bool put_number(struct statement *s, const char *text) {
    char *end, kind = text[0] == '0' ? (char)tolower((unsigned char)text[1]) : '\0';
    if (kind == 'f' || kind == 'd') { /* the bits of a float, of a double */
        strtoull(text + 2, &end, 16);
        if (*end || strlen(text) != (kind == 'f' ? 10u : 18u))
            return false;
        text_print(&s->out, kind == 'f' ? "__uint_as_float(0x%su)" : "__longlong_as_double(0x%sll)",
                   text + 2);
        return true;
    }
    bool negative = text[0] == '-';
    unsigned long long value = strtoull(text + negative, &end, 0);
    if (!isdigit((unsigned char)text[negative]) || (*end && strcmp(end, "U") != 0))
        return false;
    text_print(&s->out, "%s%lluull", negative ? "-" : "", value);
    return true;
}

/* The operand of the asm that %1 or %[name] is, or OPERANDS. */
static unsigned long number_of(const struct statement *s, const char *text) {
    unsigned long number = OPERANDS;
    if (text[0] == '%' && isdigit((unsigned char)text[1]))
        number = strtoul(text + 1, NULL, 10);
    for (unsigned i = 0; text[0] == '%' && text[1] == '[' && i < s->operands; i++) {
        size_t length = strlen(s->name[i]);
        if (length && strncmp(text + 2, s->name[i], length) == 0 && text[2 + length] == ']')
            number = i;
    }
    return number < s->operands ? number : OPERANDS;
}

/* One operand as an expression: %1, %%laneid, a register, a number. */
static bool put_operand(struct statement *s, const char *text) {
    const char *name = text + strspn(text, "%");
    if (number_of(s, text) < OPERANDS)
        text_print(&s->out, "emulator_o%lu", number_of(s, text));
    else if (is_register(s, text) || is_register(s, name))
        put_register(s, name);
    else if (text[0] == '%' && special(name))
        text_put(&s->out, special(name));
    else if (!put_number(s, text))
        return refuse(s, "the operand %s", text);
    return true;
}

/* ---- instructions -------------------------------------------------------------------------- */

/* The C++ type of a PTX type, or one of twice its width. */
static const char *type_name(const char *type, bool twice) {
    static const char *const names[][3] = {
        {"u8", "uint8_t", "uint16_t"},   {"u16", "uint16_t", "uint32_t"},
        {"u32", "uint32_t", "uint64_t"}, {"u64", "uint64_t", NULL},
        {"s8", "int8_t", "int16_t"},     {"s16", "int16_t", "int32_t"},
        {"s32", "int32_t", "int64_t"},   {"s64", "int64_t", NULL},
        {"b8", "uint8_t", NULL},         {"b16", "uint16_t", NULL},
        {"b32", "uint32_t", NULL},       {"b64", "uint64_t", NULL},
        {"f32", "float", NULL},          {"f64", "double", NULL},
        {"pred", "bool", NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type, names[i][0]) == 0)
            return names[i][1 + twice];
    return NULL;
}

/* Instructions that take values and give one. The result and each input are of type T, the
 * instruction's; W, twice as wide; S, its second type; u, 32 bits; l, 64 bits; p, a predicate.
 * In the expression a to d are the inputs, U is T without its sign, @ what ptx_functions.h has,
 * and C the carry, and whether it is read and written. */
static const struct row {
    const char *key;
    char result;
    const char *inputs, *expression;
} rows[] = {
    {"mov", 'T', "T", "a"},
    {"add", 'T', "TT", "(U)a + (U)b"},
    {"sub", 'T', "TT", "(U)a - (U)b"},
    {"mul", 'T', "TT", "a * b"},
    {"mul.lo", 'T', "TT", "(W)a * (W)b"},
    {"mul.hi", 'T', "TT", "(W)a * (W)b >> 8 * sizeof(T)"},
    {"mul.wide", 'W', "TT", "(W)a * (W)b"},
    {"mul24.lo", 'T', "TT", "@mul24(a, b)"},
    {"mad.lo", 'T', "TTT", "(U)((W)a * (W)b) + (U)c"},
    {"mad.hi", 'T', "TTT", "(U)((W)a * (W)b >> 8 * sizeof(T)) + (U)c"},
    {"mad.wide", 'W', "TTW", "(uint64_t)((W)a * (W)b) + (uint64_t)c"},
    {"mad", 'T', "TTT", "@fma(a, b, c)"},
    {"fma", 'T', "TTT", "@fma(a, b, c)"},
    {"add.cc", 'T', "TT", "@add_carry<T, C, a, b)"},
    {"sub.cc", 'T', "TT", "@sub_carry<T, C, a, b)"},
    {"mad.lo.cc", 'T', "TTT", "@add_carry<T, C, (T)((W)a * (W)b), c)"},
    {"mad.hi.cc", 'T', "TTT", "@add_carry<T, C, (T)((W)a * (W)b >> 8 * sizeof(T)), c)"},
    {"div", 'T', "TT", "@div(a, b)"},
    {"div.full", 'T', "TT", "@div(a, b)"},
    {"div.approx", 'T', "TT", "@div(a, b)"},
    {"rem", 'T', "TT", "@rem(a, b)"},
    {"abs", 'T', "T", "@abs(a)"},
    {"neg", 'T', "T", "-(U)a"},
    {"min", 'T', "TT", "::min(a, b)"},
    {"max", 'T', "TT", "::max(a, b)"},
    {"sad", 'T', "TTT", "(U)c + (U)(a > b ? (U)a - (U)b : (U)b - (U)a)"},
    {"and", 'T', "TT", "a & b"},
    {"or", 'T', "TT", "a | b"},
    {"xor", 'T', "TT", "a ^ b"},
    {"not", 'T', "T", "@bit_not(a)"},
    {"shl", 'T', "Tu", "b < 8 * sizeof(T) ? (U)a << b : 0"},
    {"shr", 'T', "Tu", "@shr(a, b)"},
    {"popc", 'u', "T", "__builtin_popcountll((U)a)"},
    {"clz", 'u', "T", "@clz(a)"},
    {"brev", 'T', "T", "sizeof(T) == 8 ? (T)__brevll(a) : (T)__brev((unsigned)a)"},
    {"bfind", 'u', "T", "@bfind(a)"},
    {"bfe", 'T', "Tuu", "@bfe(a, b, c)"},
    {"bfi", 'T', "TTuu", "@bfi(a, b, c, d)"},
    {"prmt", 'T', "TTT", "@prmt(a, b, c)"},
    {"shf.l.wrap", 'T', "TTu", "__funnelshift_l(a, b, c)"},
    {"shf.r.wrap", 'T', "TTu", "__funnelshift_r(a, b, c)"},
    {"shf.l.clamp", 'T', "TTu", "__funnelshift_lc(a, b, c)"},
    {"shf.r.clamp", 'T', "TTu", "__funnelshift_rc(a, b, c)"},
    {"lop3", 'T', "TTTu", "@lop3(a, b, c, d)"},
    {"selp", 'T', "TTp", "c ? a : b"},
    {"dp4a", 'T', "TST", "@dp4a(a, b, c)"},
    {"vabsdiff4.add", 'T', "TTT", "__vsadu4(a, b) + c"},
    {"sqrt", 'T', "T", "@sqrt(a)"},
    {"sqrt.approx", 'T', "T", "@sqrt(a)"},
    {"rsqrt.approx", 'T', "T", "1 / @sqrt(a)"},
    {"rcp", 'T', "T", "1 / a"},
    {"rcp.approx", 'T', "T", "1 / a"},
    {"ex2.approx", 'T', "T", "__builtin_exp2(a)"},
    {"lg2.approx", 'T', "T", "__builtin_log2(a)"},
    {"sin.approx", 'T', "T", "__builtin_sin(a)"},
    {"cos.approx", 'T', "T", "__builtin_cos(a)"},
    {"tanh.approx", 'T', "T", "__builtin_tanh(a)"},
    {"cvt", 'T', "S", "a"},
    {"cvt.rzi", 'T', "S", "@whole<T>(__builtin_trunc(a))"},
    {"cvt.rni", 'T', "S", "@whole<T>(__builtin_rint(a))"},
    {"cvt.rmi", 'T', "S", "@whole<T>(__builtin_floor(a))"},
    {"cvt.rpi", 'T', "S", "@whole<T>(__builtin_ceil(a))"},
    {"setp.eq", 'p', "TT", "a == b"},
    {"setp.ne", 'p', "TT", "a < b || a > b"},
    {"setp.lt", 'p', "TT", "a < b"},
    {"setp.le", 'p', "TT", "a <= b"},
    {"setp.gt", 'p', "TT", "a > b"},
    {"setp.ge", 'p', "TT", "a >= b"},
    {"setp.lo", 'p', "TT", "a < b"},
    {"setp.ls", 'p', "TT", "a <= b"},
    {"setp.hi", 'p', "TT", "a > b"},
    {"setp.hs", 'p', "TT", "a >= b"},
    {"setp.equ", 'p', "TT", "!(a < b || a > b)"},
    {"setp.neu", 'p', "TT", "a != b"},
    {"setp.ltu", 'p', "TT", "!(a >= b)"},
    {"setp.leu", 'p', "TT", "!(a > b)"},
    {"setp.gtu", 'p', "TT", "!(a <= b)"},
    {"setp.geu", 'p', "TT", "!(a < b)"},
    {"setp.num", 'p', "TT", "!__builtin_isunordered(a, b)"},
    {"setp.nan", 'p', "TT", "__builtin_isunordered(a, b)"},
    {"cvta.shared", 'l', "l", "__cvta_shared_to_generic(a)"},
    {"cvta.to.shared", 'l', "l", "__cvta_generic_to_shared((void *)a)"},
    {"cvta.global", 'l', "l", "a"},
    {"cvta.to.global", 'l', "l", "a"},
    {"cvta.local", 'l', "l", "a"},
    {"cvta.to.local", 'l', "l", "a"},
    {"cvta.const", 'l', "l", "a"},
    {"cvta.to.const", 'l', "l", "a"},
    {"activemask", 'u', "", "__activemask()"},
    {"vote.sync.ballot", 'u', "pu", "__ballot_sync(b, a)"},
    {"vote.sync.any", 'p', "pu", "__any_sync(b, a)"},
    {"vote.sync.all", 'p', "pu", "__all_sync(b, a)"},
    {"shfl.sync.idx", 'T', "Tuuu", "__shfl_sync(d, a, (int)b, @width_of(c))"},
    {"shfl.sync.up", 'T', "Tuuu", "__shfl_up_sync(d, a, b, @width_of(c))"},
    {"shfl.sync.down", 'T', "Tuuu", "__shfl_down_sync(d, a, b, @width_of(c))"},
    {"shfl.sync.bfly", 'T', "Tuuu", "__shfl_xor_sync(d, a, (int)b, @width_of(c))"},
};

static const char *type_of(const struct instruction *i, char letter) {
    const char *type = i->type_count ? i->types[0] : "b32";
    switch (letter) {
    case 'u':
        return "uint32_t";
    case 'l':
        return "uint64_t";
    case 'p':
        return "bool";
    case 'W':
        return type_name(type, true);
    case 'S':
        return type_name(i->types[i->type_count > 1], false);
    default:
        return type_name(type, false);
    }
}

/* A value: as<T>(operand). */
static bool put_value(struct statement *s, const char *text, const char *type) {
    bool negated = text[0] == '!';
    if (!type)
        return refuse(s, "a type of this instruction");
    text_print(&s->out, "%s::emulator::ptx::as<%s>(", negated ? "!" : "", type);
    if (!put_operand(s, text + negated))
        return false;
    text_put(&s->out, ")");
    return true;
}

/* Where a result goes; the value follows, and a bracket. */
static bool put_result(struct statement *s, const char *text) {
    if (number_of(s, text) >= s->outputs && !is_register(s, text + (text[0] == '%')) &&
        !is_register(s, text))
        return refuse(s, "the result %s", text);
    text_put(&s->out, "::emulator::ptx::set(");
    if (!put_operand(s, text))
        return false;
    text_put(&s->out, ", ");
    return true;
}

/* A letter of a row's expression. */
static bool put_letter(struct statement *s, const struct instruction *i, const struct row *row,
                       char letter) {
    const char *type = type_of(i, 'T'), *flag[] = {"false", "true"};
    if (letter == 'T')
        text_put(&s->out, type);
    else if (letter == 'U' || letter == 'W')
        text_print(&s->out, "::emulator::ptx::%s<%s>", letter == 'U' ? "without_sign" : "wide",
                   type);
    else if (letter == 'C')
        text_print(&s->out, "%s, %s>(emulator_carry", flag[ends_in(i->base, "c")],
                   flag[ends_in(i->mods, ".cc")]);
    else
        return put_value(s, i->argument[1 + letter - 'a'], type_of(i, row->inputs[letter - 'a']));
    return true;
}

static bool put_row(struct statement *s, const struct instruction *i, const struct row *row) {
    const char *type = type_of(i, 'T'), *result = type_of(i, row->result);
    if (i->arguments != strlen(row->inputs) + 1)
        return refuse(s, "%s%s with %u operands", i->base, i->mods, i->arguments);
    if (!type || !result)
        return refuse(s, "a type of this instruction");
    if (!put_result(s, i->argument[0]))
        return false;
    text_print(&s->out, "(%s)(", result);
    for (const char *p = row->expression, *end; *p; p = end) {
        for (end = p; is_name_character(*end); end++)
            ;
        if (end == p + 1 && isalpha((unsigned char)*p)) {
            if (!put_letter(s, i, row, *p))
                return false;
        } else if (*p == '@') {
            text_put(&s->out, "::emulator::ptx::");
            end = p + 1;
        } else {
            end += end == p;
            text_add(&s->out, p, (size_t)(end - p));
        }
    }
    text_put(&s->out, ")); ");
    return true;
}

/* addc.cc and its like: the row's key, and whether the carry is there that it reads. */
static bool find_carry(struct statement *s, const struct instruction *i, char *key, size_t size) {
    static const char *const bases[] = {"add", "sub", "mad"};
    bool writes = ends_in(i->mods, ".cc"), reads = ends_in(i->base, "c");
    for (int k = 0; k < 3 && (reads || writes); k++) {
        if (strncmp(i->base, bases[k], 3) != 0 || i->base[3 + reads])
            continue;
        if (reads && !s->carry)
            return refuse(s, "%s%s: a carry does not outlive its asm", i->base, i->mods);
        s->carry |= writes;
        snprintf(key, size, "%s%s%s", bases[k], i->mods, writes ? "" : ".cc");
    }
    return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* What the modifiers of a load, a store or an atomic say. */
struct access {
    bool shared, acquires, releases;
    const char *manner; /* one of ptx_functions.h */
    unsigned vector;
    char operation[16];
};

static bool is_among(const char *word, const char *words) {
    char spaced[LENGTH + 2];
    snprintf(spaced, sizeof spaced, " %.*s ", LENGTH - 1, word);
    return strstr(words, spaced);
}

static bool read_access(struct statement *s, const struct instruction *i, struct access *a) {
    char mods[LENGTH], *state, *word;
    snprintf(mods, sizeof mods, "%s", i->mods);
    *a = (struct access){.vector = 1, .manner = "PLAIN"};
    for (word = strtok_r(mods, ".", &state); word; word = strtok_r(NULL, ".", &state)) {
        if (is_among(word,
                     " global local const weak ca cs lu nc wb wt cta gpu sys noftz aligned ") ||
            begins_with(word, "L1::") || begins_with(word, "L2::"))
            continue;
        if (is_among(word, " shared shared::cta "))
            a->shared = true;
        else if (is_among(word, " cg cv "))
            a->manner = "PAST_L1";
        else if (strcmp(word, "volatile") == 0)
            a->manner = "VOLATILE";
        else if (is_among(word, " relaxed acquire release acq_rel ")) {
            a->manner = "RELAXED";
            a->acquires |= is_among(word, " acquire acq_rel ");
            a->releases |= is_among(word, " release acq_rel ");
        } else if (is_among(word, " v2 v4 "))
            a->vector = (unsigned)(word[1] - '0');
        else if (*a->operation || !is_among(word, " add min max inc dec cas exch and or xor "))
            return refuse(s, "%s%s", i->base, i->mods);
        else
            snprintf(a->operation, sizeof a->operation, "%s", word);
    }
    return true;
}

/* [%1 + 4]: where the access goes. */
static bool put_address(struct statement *s, const char *text, bool shared) {
    char inside[LENGTH];
    size_t length = strlen(text);
    long offset = 0;
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return refuse(s, "the address %s", text);
    snprintf(inside, sizeof inside, "%.*s", (int)(length - 2), text + 1);
    char *sign = strpbrk(inside, "+-");
    if (sign) {
        char *end;
        offset = strtol(*sign == '+' ? sign + 1 : sign, &end, 0);
        if (*end)
            return refuse(s, "the address %s", text);
        *sign = '\0';
    }
    text_print(&s->out, "::emulator::ptx::address<%s>(", shared ? "true" : "false");
    if (!put_operand(s, inside))
        return false;
    text_print(&s->out, ", %ld)", offset);
    return true;
}

/* {a, b}, or a alone: the k-th. */
static void part_of(const char *text, unsigned k, char to[LENGTH]) {
    const char *p = text + (*text == '{');
    while (k-- && strchr(p, ','))
        p = strchr(p, ',') + 1;
    snprintf(to, LENGTH, "%.*s", (int)strcspn(p, ",}"), p);
}

static void put_fence_if(struct statement *s, bool wanted) {
    text_put(&s->out, wanted ? "__threadfence(); " : "");
}

static bool put_load(struct statement *s, const struct instruction *i, const struct access *a) {
    text_print(&s->out,
               "{ const auto emulator_loaded = ::emulator::ptx::load<%s, %u, ::emulator::ptx::%s>(",
               type_of(i, 'T'), a->vector, a->manner);
    if (!put_address(s, i->argument[1], a->shared))
        return false;
    text_put(&s->out, "); ");
    put_fence_if(s, a->acquires);
    for (unsigned k = 0; k < a->vector; k++) {
        char part[LENGTH];
        part_of(i->argument[0], k, part);
        if (!put_result(s, part))
            return false;
        text_print(&s->out, "emulator_loaded.part[%u]); ", k);
    }
    text_put(&s->out, "} ");
    return true;
}

static bool put_store(struct statement *s, const struct instruction *i, const struct access *a) {
    put_fence_if(s, a->releases);
    text_print(&s->out, "::emulator::ptx::store<%s, %u, ::emulator::ptx::%s>(", type_of(i, 'T'),
               a->vector, a->manner);
    if (!put_address(s, i->argument[0], a->shared))
        return false;
    text_put(&s->out, ", {{");
    for (unsigned k = 0; k < a->vector; k++) {
        char part[LENGTH];
        part_of(i->argument[1], k, part);
        if (!put_value(s, part, type_of(i, 'T')))
            return false;
        text_put(&s->out, k + 1 < a->vector ? ", " : "}}); ");
    }
    return true;
}

/* atom d, [a], b, c; red [a], b; */
static bool put_atomic(struct statement *s, const struct instruction *i, const struct access *a) {
    bool result = strcmp(i->base, "atom") == 0;
    put_fence_if(s, a->releases);
    if (result && !put_result(s, i->argument[0]))
        return false;
    text_print(&s->out, "::emulator::ptx::atom_%s<%s>(", a->operation, type_of(i, 'T'));
    if (!put_address(s, i->argument[result], a->shared))
        return false;
    for (unsigned k = result + 1u; k < i->arguments; k++) {
        text_put(&s->out, ", ");
        if (!put_value(s, i->argument[k], type_of(i, 'T')))
            return false;
    }
    text_put(&s->out, result ? ")); " : "); ");
    put_fence_if(s, a->acquires);
    return true;
}

static bool put_access(struct statement *s, const struct instruction *i) {
    struct access a;
    if (!read_access(s, i, &a) || !type_of(i, 'T'))
        return refuse(s, "%s%s", i->base, i->mods);
    if (is_among(i->base, " atom red ")) {
        bool fits = a.vector == 1 && *a.operation && i->arguments >= 2u + (*i->base == 'a');
        return fits ? put_atomic(s, i, &a) : refuse(s, "%s%s", i->base, i->mods);
    }
    if (i->arguments != 2 || *a.operation)
        return refuse(s, "%s%s", i->base, i->mods);
    return *i->base == 'l' ? put_load(s, i, &a) : put_store(s, i, &a);
}

/* cp.async.ca.shared.global [to], [from], bytes; */
static bool put_copy(struct statement *s, const struct instruction *i) {
    if (i->arguments < 3)
        return refuse(s, "%s%s", i->base, i->mods);
    text_put(&s->out, "::emulator::ptx::copy_async(");
    if (!put_address(s, i->argument[0], true))
        return false;
    text_put(&s->out, ", ");
    if (!put_address(s, i->argument[1], false))
        return false;
    for (unsigned k = 2; k < 4; k++) {
        text_put(&s->out, ", ");
        if (!put_value(s, i->argument[k < i->arguments ? k : 2], "uint32_t"))
            return false;
    }
    text_put(&s->out, "); ");
    return true;
}

/* ---- others --------------------------------------------------------------------------------- */

/* What takes no operand that matters. `full` has no types. */
static const char *plain(const char *full) {
    static const char *const calls[][2] = {
        {"membar.cta", "__threadfence_block()"},
        {"membar.gl", "__threadfence()"},
        {"membar.sys", "__threadfence_system()"},
        {"fence.acq_rel.cta", "__threadfence_block()"},
        {"fence.acq_rel.gpu", "__threadfence()"},
        {"fence.acq_rel.sys", "__threadfence_system()"},
        {"fence.sc.cta", "__threadfence_block()"},
        {"fence.sc.gpu", "__threadfence()"},
        {"fence.sc.sys", "__threadfence_system()"},
        {"trap", "__trap()"},
        {"brkpt", "__brkpt()"},
        {"pmevent", "(void)0"},
        {"prefetch", "(void)0"},
        {"cp.async.commit_group", "(void)0"},
        {"cp.async.wait_group", "(void)0"},
        {"cp.async.wait_all", "(void)0"},
        {"griddepcontrol.wait", "cudaGridDependencySynchronize()"},
        {"griddepcontrol.launch_dependents", "cudaTriggerProgrammaticLaunchCompletion()"},
        {"nanosleep", "__nanosleep(0)"}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (begins_with(full, calls[k][0]))
            return calls[k][1];
    return NULL;
}

static bool put_other(struct statement *s, const struct instruction *i, const char *full) {
    if (plain(full)) {
        text_print(&s->out, "%s; ", plain(full));
        return true;
    }
    if (is_among(full, " bar.sync barrier.sync barrier.sync.aligned ")) {
        if (i->arguments != 1 || strcmp(i->argument[0], "0") != 0)
            return refuse(s, "%s with a barrier other than 0", full);
        text_put(&s->out, "__syncthreads(); ");
        return true;
    }
    if (strcmp(full, "bar.warp.sync") != 0 || i->arguments != 1)
        return refuse(s, "%s", full);
    text_put(&s->out, "__syncwarp(");
    if (!put_value(s, i->argument[0], "uint32_t"))
        return false;
    text_put(&s->out, "); ");
    return true;
}

/* .reg .b32 a, b<3>; */
static bool declare(struct statement *s, const char *text) {
    char type[8] = "", words[LENGTH], *state, *name;
    if (sscanf(text, ".reg .%7[a-z0-9]", type) != 1 || !type_name(type, false))
        return refuse(s, "%.40s", text);
    snprintf(words, sizeof words, "%s", strstr(text, type) + strlen(type));
    for (name = strtok_r(words, " ,\n", &state); name; name = strtok_r(NULL, " ,\n", &state)) {
        name += strspn(name, "%");
        if (strchr(name, '<') || s->regs == NAMES)
            return refuse(s, "registers %s", name);
        snprintf(s->reg[s->regs++], LENGTH, "%s", name);
        text_print(&s->out, "%s ", type_name(type, false));
        put_register(s, name);
        text_put(&s->out, "{}; ");
    }
    return true;
}

/* ---- the text of an asm ---------------------------------------------------------------------- */

/* Splits `add.s32 %0, %1, %2` into its parts. */
static bool read_instruction(struct statement *s, char *text, struct instruction *i) {
    memset(i, 0, sizeof *i);
    text += strspn(text, " \t\n");
    if (*text == '@') {
        size_t length = strcspn(text, " \t\n");
        snprintf(i->guard, LENGTH, "%.*s", (int)length - 1, text + 1);
        text += length + strspn(text + length, " \t\n");
    }
    size_t length = strcspn(text, " \t\n");
    char opcode[LENGTH], *state, *word;
    snprintf(opcode, sizeof opcode, "%.*s", (int)length, text);
    for (word = strtok_r(opcode, ".", &state); word; word = strtok_r(NULL, ".", &state)) {
        if (!*i->base)
            snprintf(i->base, LENGTH, "%s", word);
        else if (type_name(word, false) && i->type_count < 4)
            snprintf(i->types[i->type_count++], sizeof i->types[0], "%.7s", word);
        else if (strcmp(word, "ftz") != 0)
            snprintf(i->mods + strlen(i->mods), LENGTH - strlen(i->mods), ".%s", word);
    }
    int depth = 0;
    char *to = i->argument[0];
    for (char *p = text + length; *p; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p == ',' && depth == 0) {
            if (++i->arguments == ARGUMENTS)
                return refuse(s, "%s with more than %d operands", i->base, ARGUMENTS);
            to = i->argument[i->arguments];
        } else if (!isspace((unsigned char)*p) && to - i->argument[i->arguments] < LENGTH - 1) {
            *to++ = *p;
        }
    }
    i->arguments += *i->argument[0] != '\0';
    return true;
}

static bool put_instruction(struct statement *s, const struct instruction *i) {
    char full[2 * LENGTH], key[2 * LENGTH];
    snprintf(full, sizeof full, "%s%s", i->base, i->mods);
    snprintf(key, sizeof key, "%s", full);
    if (ends_in(key, ".rn")) /* to nearest is how all round */
        key[strlen(key) - strlen(".rn")] = '\0';
    if (is_among(i->base, " ld ldu st atom red "))
        return put_access(s, i);
    if (begins_with(full, "cp.async.ca.shared") || begins_with(full, "cp.async.cg.shared"))
        return put_copy(s, i);
    if (!find_carry(s, i, key, sizeof key))
        return false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(key, rows[k].key) == 0)
            return put_row(s, i, &rows[k]);
    return put_other(s, i, full);
}

static bool put_text(struct statement *s, char *text) {
    struct instruction i;
    text += strspn(text, " \t\n");
    if (!*text)
        return true;
    if (begins_with(text, ".reg"))
        return declare(s, text);
    if (!read_instruction(s, text, &i))
        return false;
    if (strchr(i.base, ':') || *text == '.')
        return refuse(s, "%.40s", text);
    if (*i.guard) {
        text_put(&s->out, "if (");
        if (!put_value(s, i.guard, "bool"))
            return false;
        text_put(&s->out, ") { ");
    }
    if (!put_instruction(s, &i))
        return false;
    text_put(&s->out, *i.guard ? "} " : "");
    return true;
}

/* Without comments. With operands a % is written twice; without them it is one. */
static void strip(struct statement *s) {
    char *to = s->instructions.at;
    for (const char *p = to;; p++) {
        if (p[0] == '/' && (p[1] == '/' || p[1] == '*'))
            p = skip_blank(&(struct lexer){0}, p);
        p += p[0] == '%' && p[1] == '%' && s->has_operands;
        *to++ = *p;
        if (!*p)
            return;
    }
}

/* Instructions end with ; and braces around some of them are blocks, unless they hold a vector. */
static bool put_instructions(struct statement *s) {
    char *begin = s->instructions.at;
    int vector = 0;
    strip(s);
    for (char *p = begin; *p; p++) {
        bool blank = begin + strspn(begin, " \t\n") == p;
        vector += *p == '{' && !blank;
        if (*p == ';' || ((*p == '{' || *p == '}') && blank && !vector)) {
            char brace = *p;
            *p = '\0';
            if (!put_text(s, begin))
                return false;
            if (brace != ';')
                text_print(&s->out, "%c ", brace);
            begin = p + 1;
        }
        vector -= *p == '}' && vector;
    }
    return put_text(s, begin);
}

char *ptx_translate(const char *p, const char **end, char why[128]) {
    struct statement *s = need(calloc(1, sizeof *s));
    *why = '\0';
    s->p = p;
    s->why = why;
    text_put(&s->out, "do { [[maybe_unused]] unsigned emulator_carry = 0; ");
    bool done = read_statement(s) && put_instructions(s);
    text_put(&s->out, "} while (0)");
    *end = s->p;
    char *text = s->out.at;
    text_free(&s->instructions);
    free(s);
    if (done)
        return text;
    free(text);
    return NULL;
}
