#include "parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What a special register holds, and what an instruction without operands does. */
static const char *const registers[][2] = {
    {"laneid", "emulator_lane()"},
    {"warpid", "emulator_thread / 32"},
    {"smid", "(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) % "
             "emulator_multiprocessors()"},
    {"nsmid", "emulator_multiprocessors()"},
    {"tid", "threadIdx"},
    {"ntid", "blockDim"},
    {"ctaid", "blockIdx"},
    {"nctaid", "gridDim"},
    {"lanemask_eq", "(1u << emulator_lane())"},
    {"lanemask_lt", "((1u << emulator_lane()) - 1)"},
    {"lanemask_le", "((2u << emulator_lane()) - 1)"},
    {"lanemask_gt", "~((2u << emulator_lane()) - 1)"},
    {"lanemask_ge", "~((1u << emulator_lane()) - 1)"},
    {"clock", "clock64()"},
    {"clock64", "clock64()"},
    {"globaltimer", "emulator_nanoseconds()"},
    {"globaltimer_lo", "emulator_nanoseconds()"},
    {0},
};
static const char *const instructions[][2] = {
    {"bar.sync 0", "__syncthreads()"},
    {"membar.cta", "__threadfence_block()"},
    {"membar.gl", "__threadfence()"},
    {"membar.sys", "__threadfence_system()"},
    {"fence.acq_rel.cta", "__threadfence_block()"},
    {"fence.acq_rel.gpu", "__threadfence()"},
    {"fence.acq_rel.sys", "__threadfence_system()"},
    {"griddepcontrol.wait", "cudaGridDependencySynchronize()"},
    {"griddepcontrol.launch_dependents", "cudaTriggerProgrammaticLaunchCompletion()"},
    {"trap", "__trap()"},
    {"brkpt", "__brkpt()"},
    {0},
};

static const char *find(const char *name, size_t length, const char *const table[][2]) {
    for (; (*table)[0]; table++)
        if (strlen((*table)[0]) == length && strncmp((*table)[0], name, length) == 0)
            return (*table)[1];
    return NULL;
}

static const char *past_blanks(const char *p) {
    for (const char *next; (next = skip_blank(&(struct lexer){0}, p)) != p; p = next)
        ;
    return p;
}

static const char *past_token(const char *p) {
    enum kind kind;
    return *p ? skip_token(&(struct lexer){0}, p, &kind) : p;
}

/* Past the bracket that closes what p is inside of. */
static const char *past_bracket(const char *p) {
    for (int depth = 1; *p && depth; p = past_token(p)) {
        p = past_blanks(p);
        depth += (*p == '(') - (*p == ')');
    }
    return p;
}

/* Past the strings at p, whose text goes to `text`, without blanks and semicolons around it. */
static const char *read_strings(const char *p, char *text, size_t size) {
    size_t length = 0;
    for (p = past_blanks(p); *p == '"'; p = past_blanks(p)) {
        const char *end = past_token(p);
        for (p++; p < end - 1; p++) {
            char c = *p;
            if (c == '\\') { /* a line break, or a tab */
                p++;
                c = ' ';
            }
            if (length + 1 < size && (length || c != ' '))
                text[length++] = c;
        }
        p = end;
    }
    while (length && strchr("; ", text[length - 1]))
        length--;
    text[length] = '\0';
    return p;
}

/* The asm at p as an expression of C++, and its end; NULL: it is not known. */
static char *translate(const char *p, const char **end) {
    char text[128], constraint[8], name[64];
    p += strcspn(p, "(");
    p += *p == '(';
    *end = past_bracket(p);
    p = read_strings(p, text, sizeof text);
    const char *code = find(text, strlen(text), instructions);
    if (code)
        return format_text("%s", code);
    int read = 0;
    sscanf(text, "mov.%*[usb0-9] %%0 , %%%63s%n", name, &read);
    if (*p != ':' || !read || text[read])
        return NULL;
    const char *reg = name + (*name == '%'), *part = reg + strcspn(reg, ".");
    p = read_strings(p + 1, constraint, sizeof constraint);
    code = find(reg, (size_t)(part - reg), registers);
    if (*p != '(' || !code)
        return NULL;
    return format_text("%.*s = %s%s", (int)(past_bracket(p + 1) - p), p, code, part);
}

bool is_empty_asm(const struct token *t) {
    const char *p = t->at;
    while (is_name_character(*p) || isspace((unsigned char)*p))
        p++;
    p += *p == '(';
    return strncmp(p + strspn(p, " \t\n"), "\"\"", 2) == 0;
}

bool is_known_asm(const struct unit *u, const struct token *t) {
    const char *end;
    return is_empty_asm(t) || (u->manner.any_program && translate(t->at, &end));
}

void rewrite_asm(struct unit *u, const struct token *t) {
    const char *end;
    char *code = u->manner.any_program ? translate(t->at, &end) : NULL;
    if (code)
        change(u, t->at, (size_t)(end - t->at), "%s", code);
    else
        complain(u, t->at, "the emulator cannot run %s: put it inside #ifdef __CUDA_ARCH__",
                 u->manner.any_program ? "inline PTX (asm) but for special registers, fences and "
                                         "barrier 0"
                                       : "inline PTX (asm)");
}
