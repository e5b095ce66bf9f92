#include "parts.h"

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

/* The strings from *i on, as one without blanks and semicolons around it. */
static char *read_strings(const struct stream *s, size_t *i) {
    struct text text = {0};
    text_put(&text, "");
    for (; *i < s->count && s->tokens[*i].kind == TEXT; ++*i) {
        const char *p = s->tokens[*i].at + 1, *end = p + s->tokens[*i].length - 2;
        for (; p < end; p++) {
            bool escape = *p == '\\'; /* a line break, or a tab */
            p += escape;
            if (text.size || (!escape && *p != ' '))
                text_add(&text, escape ? " " : p, 1);
        }
    }
    while (text.size && strchr("; ", text.at[text.size - 1]))
        text.at[--text.size] = '\0';
    return text.at;
}

/* The asm at i as an expression of C++, which is empty where it holds no instruction; its last
 * token is `end`. NULL: it is not known. */
static char *translate(const struct unit *u, const struct stream *s, size_t i, size_t *end) {
    char name[64];
    while (i < s->count && !at(s, i, "("))
        i++;
    *end = closing(s, i++);
    if (*end == NONE || s->tokens[i].kind != TEXT)
        return NULL;
    char *text = read_strings(s, &i);
    const char *code = *text ? find(text, strlen(text), instructions) : "";
    if (code && (!*text || u->manner.any_program))
        return format_text("%s", code);
    int read = 0;
    sscanf(text, "mov.%*[usb0-9] %%0 , %%%63s%n", name, &read);
    if (!u->manner.any_program || !at(s, i++, ":") || !read || text[read])
        return NULL;
    const char *reg = name + (*name == '%'), *part = reg + strcspn(reg, ".");
    read_strings(s, &i);
    code = find(reg, (size_t)(part - reg), registers);
    size_t close = at(s, i, "(") ? closing(s, i) : NONE;
    if (close == NONE || !code)
        return NULL;
    const char *from = s->tokens[i].at;
    return format_text("%.*s = %s%s", (int)(s->tokens[close].at + 1 - from), from, code, part);
}

bool is_known_asm(const struct unit *u, const struct stream *s, size_t i) {
    size_t end;
    return translate(u, s, i, &end);
}

void rewrite_asm(struct unit *u, const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    size_t end;
    char *code = translate(u, s, i, &end);
    if (code && *code)
        change(u, t->at, (size_t)(s->tokens[end].at + 1 - t->at), "%s", code);
    else if (!code)
        complain(u, t->at, "the emulator cannot run %s: put it inside #ifdef __CUDA_ARCH__",
                 u->manner.any_program ? "inline PTX (asm) but for special registers, fences and "
                                         "barrier 0"
                                       : "inline PTX (asm)");
}
