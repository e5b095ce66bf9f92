// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "ptx.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 32, WORDS = 16, NAMES = 64, LENGTH = 128 };

/* The statement as it is read. */
struct statement {
    const char *p;
    char *template;
    size_t template_length;
    FILE *template_file;
    char name[OPERANDS][LENGTH]; /* %[name] */
    unsigned operands, outputs;
    bool has_operands;
    char reg[NAMES][LENGTH];
    unsigned regs;
    bool carry; /* an instruction has set the carry */
    FILE *out;
    char *why;
};

/* One instruction: @guard base.mods.types arguments */
struct instruction {
    char guard[LENGTH];
    char base[LENGTH], mods[LENGTH]; /* "mul", ".lo" */
    char types[4][8];
    unsigned type_count;
    char argument[8][LENGTH];
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
    for (;;) {
        if (isspace((unsigned char)*s->p)) {
            s->p++;
        } else if (s->p[0] == '\\' && s->p[1] == '\n') {
            s->p += 2;
        } else if (s->p[0] == '/' && s->p[1] == '/') {
            s->p += strcspn(s->p, "\n");
        } else if (s->p[0] == '/' && s->p[1] == '*') {
            const char *end = strstr(s->p + 2, "*/");
            s->p = end ? end + 2 : s->p + strlen(s->p);
        } else {
            return;
        }
    }
}

static bool take(struct statement *s, char c) {
    skip_blanks(s);
    if (*s->p != c)
        return false;
    s->p++;
    return true;
}

/* One string after another, unescaped, to `out`. */
static bool read_strings(struct statement *s, FILE *out) {
    skip_blanks(s);
    if (*s->p != '"')
        return refuse(s, "an asm whose text is not a string");
    while (take(s, '"')) {
        for (; *s->p && *s->p != '"' && *s->p != '\n'; s->p++) {
            if (*s->p != '\\') {
                fputc(*s->p, out);
                continue;
            }
            s->p++;
            if (*s->p == 'n' || *s->p == '\n')
                fputc('\n', out);
            else if (*s->p == 't' || *s->p == 'r')
                fputc(' ', out);
            else
                fputc(*s->p, out);
        }
        if (*s->p != '"')
            return refuse(s, "an asm whose text does not end");
        s->p++;
        skip_blanks(s);
    }
    return true;
}

/* ( expression ), of which `out` gets what is between the brackets. */
static bool read_expression(struct statement *s, FILE *out) {
    if (!take(s, '('))
        return refuse(s, "an operand without brackets");
    for (int depth = 1; *s->p; s->p++) {
        if (*s->p == '"' || *s->p == '\'')
            return refuse(s, "an operand with a string or a character");
        depth += (*s->p == '(') - (*s->p == ')');
        if (depth == 0) {
            s->p++;
            return true;
        }
        if (s->p[0] == '\\' && s->p[1] == '\n')
            s->p++;
        fputc(*s->p == '\n' ? ' ' : *s->p, out);
    }
    return refuse(s, "an operand that does not end");
}

/* Operands up to a ':' or the end, each of which becomes a variable. */
static bool read_operands(struct statement *s, bool outputs) {
    skip_blanks(s);
    while (*s->p && *s->p != ':' && *s->p != ')') {
        char constraint[LENGTH] = "";
        if (s->operands == OPERANDS)
            return refuse(s, "more than %d operands", OPERANDS);
        if (take(s, '[')) {
            size_t length = strcspn(s->p, "]");
            snprintf(s->name[s->operands], LENGTH, "%.*s", (int)length, s->p);
            s->p += length + 1;
        }
        FILE *to = fmemopen(constraint, sizeof constraint - 1, "w");
        if (!to || !read_strings(s, to))
            return false;
        fclose(to);
        if (constraint[strspn(constraint, "=+&%hrlfdn")])
            return refuse(s, "an operand of kind \"%s\"", constraint);
        fprintf(s->out, outputs ? "auto &&emulator_o%u = (" : "const auto emulator_o%u = (",
                s->operands++);
        if (!read_expression(s, s->out))
            return false;
        fprintf(s->out, "); ");
        if (!take(s, ','))
            break;
        skip_blanks(s);
    }
    return true;
}

static bool read_statement(struct statement *s) {
    while (isalnum((unsigned char)*s->p) || *s->p == '_')
        s->p++;
    skip_blanks(s);
    static const char *const words[] = {"volatile", "__volatile__", "__volatile"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(s->p, words[i], strlen(words[i])) == 0) {
            s->p += strlen(words[i]);
            break;
        }
    if (!take(s, '('))
        return refuse(s, "an asm without a bracket");
    if (!read_strings(s, s->template_file))
        return false;
    fclose(s->template_file);
    s->template_file = NULL;
    s->has_operands = take(s, ':');
    if (s->has_operands && !read_operands(s, true))
        return false;
    s->outputs = s->operands;
    if (take(s, ':') && !read_operands(s, false))
        return false;
    if (take(s, ':'))
        while (*s->p && *s->p != ')') /* what it clobbers */
            s->p++;
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

/* A register's name as a variable's. */
static void variable(char to[LENGTH], const char *name) {
    size_t n = (size_t)snprintf(to, LENGTH, "emulator_r_%s", name);
    for (size_t i = 0; i < n && i < LENGTH - 1; i++)
        if (!isalnum((unsigned char)to[i]))
            to[i] = '_';
}

static bool is_register(const struct statement *s, const char *name) {
    for (unsigned i = 0; i < s->regs; i++)
        if (strcmp(s->reg[i], name) == 0)
            return true;
    return false;
}

static bool number(char to[LENGTH], const char *text) {
    char *end;
    if (text[0] == '0' && (tolower(text[1]) == 'f' || tolower(text[1]) == 'd')) {
        bool is_float = tolower(text[1]) == 'f';
        strtoull(text + 2, &end, 16);
        if (*end || strlen(text) != (is_float ? 10u : 18u))
            return false;
        snprintf(to, LENGTH, is_float ? "__uint_as_float(0x%su)" : "__longlong_as_double(0x%sll)",
                 text + 2);
        return true;
    }
    unsigned long long value = strtoull(text[0] == '-' ? text + 1 : text, &end, 0);
    if (!isdigit((unsigned char)text[text[0] == '-']) || (*end && strcmp(end, "U") != 0))
        return false;
    snprintf(to, LENGTH, "%s%lluull", text[0] == '-' ? "-" : "", value);
    return true;
}

/* One operand as an expression: %1, %%laneid, a register, a number. */
static bool operand(struct statement *s, const char *text, char to[LENGTH]) {
    const char *name = text + strspn(text, "%");
    if (text[0] == '%' && text[1] == '[') {
        for (unsigned i = 0; i < s->operands; i++)
            if (strncmp(text + 2, s->name[i], strlen(s->name[i])) == 0 && *s->name[i] &&
                text[2 + strlen(s->name[i])] == ']') {
                snprintf(to, LENGTH, "emulator_o%u", i);
                return true;
            }
    } else if (text[0] == '%' && isdigit((unsigned char)text[1])) {
        if (strtoul(text + 1, NULL, 10) < s->operands) {
            snprintf(to, LENGTH, "emulator_o%lu", strtoul(text + 1, NULL, 10));
            return true;
        }
    } else if (is_register(s, text) || is_register(s, name)) {
        variable(to, name);
        return true;
    } else if (text[0] == '%' && special(name)) {
        snprintf(to, LENGTH, "%s", special(name));
        return true;
    } else if (number(to, text)) {
        return true;
    }
    return refuse(s, "the operand %s", text);
}

/* ---- instructions -------------------------------------------------------------------------- */

static bool is_type(const char *word) {
    static const char types[] = " u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 f32 f64 pred ";
    char spaced[16];
    snprintf(spaced, sizeof spaced, " %.12s ", word);
    return strstr(types, spaced);
}

/* The C++ type of a PTX type; W: of twice its width. */
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

/* Instructions that take values and give one. `inputs` has a letter for each: T the instruction's
 * type, u unsigned, W twice as wide, p a predicate, S its second type; the result's is `result`.
 * `carry`: r reads it, w writes it. */
static const struct row {
    const char *key, *function;
    char result;
    const char *inputs, *carry;
} rows[] = {
    {"mov", "copy", 'T', "T", ""},
    {"add", "add", 'T', "TT", ""},
    {"sub", "sub", 'T', "TT", ""},
    {"mul.lo", "mul_lo", 'T', "TT", ""},
    {"mul", "mul", 'T', "TT", ""},
    {"mul.hi", "mul_hi", 'T', "TT", ""},
    {"mul.wide", "mul_wide", 'W', "TT", ""},
    {"mul24.lo", "mul24", 'T', "TT", ""},
    {"mad.lo", "mad_lo", 'T', "TTT", ""},
    {"mad.hi", "mad_hi", 'T', "TTT", ""},
    {"mad.wide", "mad_wide", 'W', "TTW", ""},
    {"mad", "fma", 'T', "TTT", ""},
    {"fma", "fma", 'T', "TTT", ""},
    {"div", "div", 'T', "TT", ""},
    {"div.full", "div", 'T', "TT", ""},
    {"div.approx", "div", 'T', "TT", ""},
    {"rem", "rem", 'T', "TT", ""},
    {"abs", "abs", 'T', "T", ""},
    {"neg", "neg", 'T', "T", ""},
    {"min", "min", 'T', "TT", ""},
    {"max", "max", 'T', "TT", ""},
    {"and", "bit_and", 'T', "TT", ""},
    {"or", "bit_or", 'T', "TT", ""},
    {"xor", "bit_xor", 'T', "TT", ""},
    {"not", "bit_not", 'T', "T", ""},
    {"shl", "shl", 'T', "Tu", ""},
    {"shr", "shr", 'T', "Tu", ""},
    {"popc", "popc", 'u', "T", ""},
    {"clz", "clz", 'u', "T", ""},
    {"brev", "brev", 'T', "T", ""},
    {"bfind", "bfind", 'u', "T", ""},
    {"bfe", "bfe", 'T', "Tuu", ""},
    {"bfi", "bfi", 'T', "TTuu", ""},
    {"prmt", "prmt", 'T', "TTT", ""},
    {"shf.l.wrap", "shf_l", 'T', "TTu", ""},
    {"shf.r.wrap", "shf_r", 'T', "TTu", ""},
    {"shf.l.clamp", "shf_lc", 'T', "TTu", ""},
    {"shf.r.clamp", "shf_rc", 'T', "TTu", ""},
    {"lop3", "lop3", 'T', "TTTu", ""},
    {"sad", "sad", 'T', "TTT", ""},
    {"selp", "selp", 'T', "TTp", ""},
    {"dp4a", "dp4a", 'T', "TST", ""},
    {"vabsdiff4.add", "vabsdiff4_add", 'T', "TTT", ""},
    {"sqrt", "sqrt", 'T', "T", ""},
    {"sqrt.approx", "sqrt", 'T', "T", ""},
    {"rsqrt.approx", "rsqrt", 'T', "T", ""},
    {"rcp", "rcp", 'T', "T", ""},
    {"rcp.approx", "rcp", 'T', "T", ""},
    {"ex2.approx", "ex2", 'T', "T", ""},
    {"lg2.approx", "lg2", 'T', "T", ""},
    {"sin.approx", "sine", 'T', "T", ""},
    {"cos.approx", "cosine", 'T', "T", ""},
    {"tanh.approx", "tanh", 'T', "T", ""},
    {"cvt", "convert", 'T', "S", ""},
    {"cvt.rzi", "convert_rz", 'T', "S", ""},
    {"cvt.rni", "convert_rn", 'T', "S", ""},
    {"cvt.rmi", "convert_rd", 'T', "S", ""},
    {"cvt.rpi", "convert_ru", 'T', "S", ""},
    {"add.cc", "add", 'T', "TT", "w"},
    {"addc.cc", "add", 'T', "TT", "rw"},
    {"addc", "add", 'T', "TT", "r"},
    {"sub.cc", "sub", 'T', "TT", "w"},
    {"subc.cc", "sub", 'T', "TT", "rw"},
    {"subc", "sub", 'T', "TT", "r"},
    {"mad.lo.cc", "mad_lo", 'T', "TTT", "w"},
    {"madc.lo.cc", "mad_lo", 'T', "TTT", "rw"},
    {"madc.lo", "mad_lo", 'T', "TTT", "r"},
    {"mad.hi.cc", "mad_hi", 'T', "TTT", "w"},
    {"madc.hi.cc", "mad_hi", 'T', "TTT", "rw"},
    {"madc.hi", "mad_hi", 'T', "TTT", "r"},
    {"activemask", "activemask", 'u', "", ""},
    {"vote.sync.ballot", "ballot", 'u', "pu", ""},
    {"vote.sync.any", "any", 'p', "pu", ""},
    {"vote.sync.all", "all", 'p', "pu", ""},
    {"shfl.sync.idx", "shfl_idx", 'T', "Tuuu", ""},
    {"shfl.sync.up", "shfl_up", 'T', "Tuuu", ""},
    {"shfl.sync.down", "shfl_down", 'T', "Tuuu", ""},
    {"shfl.sync.bfly", "shfl_bfly", 'T', "Tuuu", ""},
};

static const char *type_of(const struct instruction *i, char letter) {
    const char *type = i->type_count ? i->types[0] : "b32";
    switch (letter) {
    case 'u':
        return "uint32_t";
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

/* A value for a function: as<T>(operand). */
static bool put_value(struct statement *s, const char *text, const char *type) {
    char expression[LENGTH];
    bool negated = text[0] == '!';
    if (!type)
        return refuse(s, "a type of this instruction");
    if (!operand(s, text + negated, expression))
        return false;
    fprintf(s->out, "%s::emulator::ptx::as<%s>(%s)", negated ? "!" : "", type, expression);
    return true;
}

static bool put_result(struct statement *s, const char *text) {
    char expression[LENGTH];
    bool is_output = text[0] == '%' && isdigit((unsigned char)text[1]) &&
                     strtoul(text + 1, NULL, 10) < s->outputs;
    if (!is_output && text[1] != '[' && !is_register(s, text + (text[0] == '%')) &&
        !is_register(s, text))
        return refuse(s, "the result %s", text);
    if (!operand(s, text, expression))
        return false;
    fprintf(s->out, "::emulator::ptx::set(%s, ", expression);
    return true;
}

static bool put_row(struct statement *s, const struct instruction *i, const struct row *row) {
    size_t inputs = strlen(row->inputs);
    bool reads = strchr(row->carry, 'r'), writes = strchr(row->carry, 'w');
    if (i->arguments != inputs + 1)
        return refuse(s, "%s%s with %u operands", i->base, i->mods, i->arguments);
    if (reads && !s->carry)
        return refuse(s, "%s%s: a carry does not outlive its asm", i->base, i->mods);
    s->carry |= writes;
    if (!put_result(s, i->argument[0]))
        return false;
    fprintf(s->out, "::emulator::ptx::%s%s<%s", row->function, *row->carry ? "_carry" : "",
            type_of(i, 'T'));
    if (*row->carry)
        fprintf(s->out, ", %d, %d", reads, writes);
    fprintf(s->out, *row->carry ? ">(emulator_carry" : ">(");
    for (size_t k = 0; k < inputs; k++) {
        fprintf(s->out, "%s", k || *row->carry ? ", " : "");
        if (!put_value(s, i->argument[k + 1], type_of(i, row->inputs[k])))
            return false;
    }
    fprintf(s->out, ")); ");
    return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* What the modifiers of a load, a store or an atomic say. */
struct access {
    bool shared, past_l1, is_volatile, relaxed, acquires, releases;
    unsigned vector;
    char operation[16];
};

static bool read_access(struct statement *s, const struct instruction *i, struct access *a) {
    char mods[LENGTH], *state, *word;
    snprintf(mods, sizeof mods, "%s", i->mods);
    *a = (struct access){.vector = 1};
    for (word = strtok_r(mods, ".", &state); word; word = strtok_r(NULL, ".", &state)) {
        static const char harmless[] =
            " global local const weak ca cs lu nc wb wt cta gpu sys noftz aligned ";
        char spaced[LENGTH + 2];
        snprintf(spaced, sizeof spaced, " %s ", word);
        if (strstr(harmless, spaced) || strncmp(word, "L1::", 4) == 0 ||
            strncmp(word, "L2::", 4) == 0)
            continue;
        if (strcmp(word, "shared") == 0 || strcmp(word, "shared::cta") == 0)
            a->shared = true;
        else if (strcmp(word, "cg") == 0 || strcmp(word, "cv") == 0)
            a->past_l1 = true;
        else if (strcmp(word, "volatile") == 0)
            a->is_volatile = true;
        else if (strcmp(word, "relaxed") == 0)
            a->relaxed = true;
        else if (strcmp(word, "acquire") == 0)
            a->acquires = a->relaxed = true;
        else if (strcmp(word, "release") == 0)
            a->releases = a->relaxed = true;
        else if (strcmp(word, "acq_rel") == 0)
            a->acquires = a->releases = a->relaxed = true;
        else if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0)
            a->vector = (unsigned)(word[1] - '0');
        else if (*a->operation || strchr("aceimox", *word) == NULL)
            return refuse(s, "%s%s", i->base, i->mods);
        else
            snprintf(a->operation, sizeof a->operation, "%s", word);
    }
    return true;
}

/* [%1 + 4]: where the access goes. */
static bool put_address(struct statement *s, const char *text, bool shared) {
    char inside[LENGTH], expression[LENGTH];
    size_t length = strlen(text);
    long offset = 0;
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return refuse(s, "the address %s", text);
    snprintf(inside, sizeof inside, "%.*s", (int)(length - 2), text + 1);
    char *plus = strpbrk(inside, "+-");
    if (plus) {
        char *end;
        offset = strtol(*plus == '+' ? plus + 1 : plus, &end, 0);
        if (*end)
            return refuse(s, "the address %s", text);
        *plus = '\0';
    }
    if (!operand(s, inside, expression))
        return false;
    fprintf(s->out, "::emulator::ptx::address<%s>(%s, %ld)", shared ? "true" : "false", expression,
            offset);
    return true;
}

/* {a, b}, or a alone: the k-th. */
static void part_of(const char *text, unsigned k, char to[LENGTH]) {
    const char *p = text + (*text == '{');
    while (k-- && strchr(p, ','))
        p = strchr(p, ',') + 1;
    snprintf(to, LENGTH, "%.*s", (int)strcspn(p, ",}"), p);
}

static const char *manner(const struct access *a) {
    return a->relaxed ? "RELAXED" : a->is_volatile ? "VOLATILE" : a->past_l1 ? "PAST_L1" : "PLAIN";
}

static bool put_load(struct statement *s, const struct instruction *i) {
    struct access a;
    const char *type = type_of(i, 'T');
    if (!read_access(s, i, &a) || i->arguments != 2 || *a.operation)
        return refuse(s, "%s%s", i->base, i->mods);
    fprintf(s->out,
            "{ const auto emulator_loaded = ::emulator::ptx::load<%s, %u, "
            "::emulator::ptx::%s>(",
            type, a.vector, manner(&a));
    if (!put_address(s, i->argument[1], a.shared))
        return false;
    fprintf(s->out, "); ");
    if (a.acquires)
        fprintf(s->out, "__threadfence(); ");
    for (unsigned k = 0; k < a.vector; k++) {
        char part[LENGTH];
        part_of(i->argument[0], k, part);
        if (!put_result(s, part))
            return false;
        fprintf(s->out, "emulator_loaded.part[%u]); ", k);
    }
    fprintf(s->out, "} ");
    return true;
}

static bool put_store(struct statement *s, const struct instruction *i) {
    struct access a;
    const char *type = type_of(i, 'T');
    if (!read_access(s, i, &a) || i->arguments != 2 || *a.operation)
        return refuse(s, "%s%s", i->base, i->mods);
    if (a.releases)
        fprintf(s->out, "__threadfence(); ");
    fprintf(s->out, "::emulator::ptx::store<%s, %u, ::emulator::ptx::%s>(", type, a.vector,
            manner(&a));
    if (!put_address(s, i->argument[0], a.shared))
        return false;
    fprintf(s->out, ", {{");
    for (unsigned k = 0; k < a.vector; k++) {
        char part[LENGTH];
        part_of(i->argument[1], k, part);
        if (!put_value(s, part, type))
            return false;
        fprintf(s->out, "%s", k + 1 < a.vector ? ", " : "}}); ");
    }
    return true;
}

/* atom d, [a], b, c; red [a], b; */
static bool put_atomic(struct statement *s, const struct instruction *i) {
    struct access a;
    const char *type = type_of(i, 'T');
    bool result = strcmp(i->base, "atom") == 0;
    if (!read_access(s, i, &a) || a.vector != 1 || i->arguments < 2u + result)
        return refuse(s, "%s%s", i->base, i->mods);
    static const char known[] = " add min max inc dec cas exch and or xor ";
    char spaced[24];
    snprintf(spaced, sizeof spaced, " %s ", a.operation);
    if (!strstr(known, spaced))
        return refuse(s, "%s%s", i->base, i->mods);
    if (a.releases)
        fprintf(s->out, "__threadfence(); ");
    if (result && !put_result(s, i->argument[0]))
        return false;
    fprintf(s->out, "::emulator::ptx::atom_%s<%s>(", a.operation, type);
    if (!put_address(s, i->argument[result], a.shared))
        return false;
    for (unsigned k = result + 1u; k < i->arguments; k++) {
        fprintf(s->out, ", ");
        if (!put_value(s, i->argument[k], type))
            return false;
    }
    fprintf(s->out, result ? ")); " : "); ");
    if (a.acquires)
        fprintf(s->out, "__threadfence(); ");
    return true;
}

/* cp.async.ca.shared.global [to], [from], bytes; */
static bool put_copy(struct statement *s, const struct instruction *i) {
    if (i->arguments < 3)
        return refuse(s, "%s%s", i->base, i->mods);
    fprintf(s->out, "::emulator::ptx::copy_async(");
    if (!put_address(s, i->argument[0], true))
        return false;
    fprintf(s->out, ", ");
    if (!put_address(s, i->argument[1], false))
        return false;
    for (unsigned k = 2; k < 4; k++) {
        fprintf(s->out, ", ");
        if (!put_value(s, i->argument[k < i->arguments ? k : 2], "uint32_t"))
            return false;
    }
    fprintf(s->out, "); ");
    return true;
}

/* ---- others --------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* What takes no operand that matters, or has a function of CUDA's. */
static bool put_plain(struct statement *s, const char *full, bool *done) {
    static const char *const calls[][2] = {
        {"membar.cta", "__threadfence_block()"},
        {"membar.gl", "__threadfence()"},
        {"membar.sys", "__threadfence_system()"},
        {"fence.proxy", NULL},
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
    *done = true;
    if ((starts(full, "fence.acq_rel.") || starts(full, "fence.sc.")) && !strstr(full, "cluster")) {
        fprintf(s->out, "%s(); ",
                strstr(full, ".cta")   ? "__threadfence_block"
                : strstr(full, ".sys") ? "__threadfence_system"
                                       : "__threadfence");
        return true;
    }
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (calls[k][1] && starts(full, calls[k][0])) {
            fprintf(s->out, "%s; ", calls[k][1]);
            return true;
        }
    *done = false;
    return true;
}

static bool put_other(struct statement *s, const struct instruction *i, const char *full) {
    if (strcmp(full, "bar.sync") == 0 || strcmp(full, "barrier.sync") == 0 ||
        strcmp(full, "barrier.sync.aligned") == 0) {
        if (i->arguments != 1 || strcmp(i->argument[0], "0") != 0)
            return refuse(s, "%s with a barrier other than 0", full);
        fprintf(s->out, "__syncthreads(); ");
        return true;
    }
    if (strcmp(full, "bar.warp.sync") == 0 && i->arguments == 1) {
        fprintf(s->out, "__syncwarp(");
        if (!put_value(s, i->argument[0], "uint32_t"))
            return false;
        fprintf(s->out, "); ");
        return true;
    }
    if (strcmp(i->base, "setp") == 0 && i->arguments == 3 && strchr(i->mods, '.') &&
        !strchr(i->mods + 1, '.') && !strchr(i->argument[0], '|')) {
        if (!put_result(s, i->argument[0]))
            return false;
        fprintf(s->out, "::emulator::ptx::is_%s(", i->mods + 1);
        if (!put_value(s, i->argument[1], type_of(i, 'T')))
            return false;
        fprintf(s->out, ", ");
        if (!put_value(s, i->argument[2], type_of(i, 'T')))
            return false;
        fprintf(s->out, ")); ");
        return true;
    }
    if (strcmp(i->base, "cvta") == 0 && i->arguments == 2) {
        bool shared = strstr(i->mods, "shared"), to = starts(i->mods, ".to");
        if (!put_result(s, i->argument[0]))
            return false;
        fprintf(s->out, "::emulator::ptx::%s(",
                !shared ? "same_address"
                : to    ? "to_shared"
                        : "from_shared");
        if (!put_value(s, i->argument[1], "uint64_t"))
            return false;
        fprintf(s->out, ")); ");
        return true;
    }
    return refuse(s, "%s", full);
}

/* .reg .b32 a, b<3>; */
static bool declare(struct statement *s, const char *text) {
    char type[8] = "", words[LENGTH], *state, *name;
    if (sscanf(text, ".reg .%7[a-z0-9]", type) != 1 || !type_name(type, false))
        return refuse(s, "%.40s", text);
    snprintf(words, sizeof words, "%s", strstr(text, type) + strlen(type));
    for (name = strtok_r(words, " ,\n", &state); name; name = strtok_r(NULL, " ,\n", &state)) {
        char to[LENGTH];
        name += strspn(name, "%");
        if (strchr(name, '<') || s->regs == NAMES)
            return refuse(s, "registers %s", name);
        snprintf(s->reg[s->regs++], LENGTH, "%s", name);
        variable(to, name);
        fprintf(s->out, "%s %s{}; ", type_name(type, false), to);
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
        else if (is_type(word) && i->type_count < 4)
            snprintf(i->types[i->type_count++], sizeof i->types[0], "%.7s", word);
        else if (strcmp(word, "ftz") != 0)
            snprintf(i->mods + strlen(i->mods), LENGTH - strlen(i->mods), ".%s", word);
    }
    int depth = 0;
    char *to = i->argument[0];
    for (char *p = text + length; *p; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p == ',' && depth == 0) {
            if (++i->arguments == 7)
                return refuse(s, "%s with more than 7 operands", i->base);
            to = i->argument[i->arguments];
        } else if (!isspace((unsigned char)*p) && to - i->argument[i->arguments] < LENGTH - 1) {
            *to++ = *p;
        }
    }
    i->arguments += *i->argument[0] != '\0';
    return true;
}

static bool put_instruction(struct statement *s, const struct instruction *i) {
    char full[2 * LENGTH], key[2 * LENGTH], *rounds;
    bool done;
    snprintf(full, sizeof full, "%s%s", i->base, i->mods);
    snprintf(key, sizeof key, "%s", full);
    rounds = strstr(key, ".rn");
    if (rounds && !rounds[3]) /* to nearest is how all round */
        *rounds = '\0';
    if (strcmp(i->base, "ld") == 0 || strcmp(i->base, "ldu") == 0)
        return put_load(s, i);
    if (strcmp(i->base, "st") == 0)
        return put_store(s, i);
    if (strcmp(i->base, "atom") == 0 || strcmp(i->base, "red") == 0)
        return put_atomic(s, i);
    if (starts(full, "cp.async.ca.shared") || starts(full, "cp.async.cg.shared"))
        return put_copy(s, i);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(key, rows[k].key) == 0)
            return put_row(s, i, &rows[k]);
    if (!put_plain(s, full, &done) || done)
        return done;
    return put_other(s, i, full);
}

static bool put_text(struct statement *s, char *text) {
    struct instruction i;
    text += strspn(text, " \t\n");
    if (!*text)
        return true;
    if (starts(text, ".reg"))
        return declare(s, text);
    if (!read_instruction(s, text, &i))
        return false;
    if (strchr(i.base, ':') || *text == '.')
        return refuse(s, "%.40s", text);
    if (*i.guard) {
        fprintf(s->out, "if (");
        if (!put_value(s, i.guard, "bool"))
            return false;
        fprintf(s->out, ") { ");
    }
    if (!put_instruction(s, &i))
        return false;
    fprintf(s->out, "%s", *i.guard ? "} " : "");
    return true;
}

/* Instructions end with ; and braces around some of them are blocks, unless they hold a vector. */
static bool put_template(struct statement *s) {
    char *begin = s->template;
    int vector = 0;
    /* Without operands a % is one; with them it is written twice. */
    for (char *p = begin, *to = begin;; p++) {
        if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        const char *end = p[0] == '/' && p[1] == '*' ? strstr(p + 2, "*/") : NULL;
        if (end)
            p += end + 2 - p;
        if (p[0] == '%' && p[1] == '%' && s->has_operands)
            p++;
        *to++ = *p;
        if (!*p)
            break;
    }
    for (char *p = begin; *p; p++) {
        bool blank = begin + strspn(begin, " \t\n") == p;
        vector += *p == '{' && !blank;
        if (*p == ';' || ((*p == '{' || *p == '}') && blank && !vector)) {
            char brace = *p;
            *p = '\0';
            if (!put_text(s, begin))
                return false;
            if (brace != ';')
                fprintf(s->out, "%c ", brace);
            begin = p + 1;
        }
        vector -= *p == '}' && vector;
    }
    return begin[strspn(begin, " \t\n")] ? put_text(s, begin) : true;
}

char *ptx_translate(const char *p, const char **end, char why[128]) {
    struct statement *s = calloc(1, sizeof *s);
    char *text = NULL;
    size_t length;
    if (!s)
        return NULL;
    *why = '\0';
    s->p = p;
    s->why = why;
    s->out = open_memstream(&text, &length);
    s->template_file = open_memstream(&s->template, &s->template_length);
    bool done = s->out && s->template_file;
    if (done)
        fprintf(s->out, "do { [[maybe_unused]] unsigned emulator_carry = 0; ");
    done = done && read_statement(s) && put_template(s);
    if (s->template_file)
        fclose(s->template_file);
    if (s->out) {
        fprintf(s->out, "} while (0)");
        fclose(s->out);
    }
    *end = s->p;
    free(s->template);
    free(s);
    if (done)
        return text;
    free(text);
    return NULL;
}
