// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "asm.h"
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool is_empty_asm(const struct token *t) {
    const char *p = t->at;
    while (is_name_character(*p) || isspace((unsigned char)*p))
        p++;
    p += *p == '(';
    return strncmp(p + strspn(p, " \t\n"), "\"\"", 2) == 0;
}

bool is_known_asm(const struct unit *u, const struct token *t) {
    char why[128];
    const char *end;
    char *text = u->manner.any_program ? ptx_translate(t->at, &end, why) : NULL;
    bool known = text || is_empty_asm(t);
    free(text);
    return known;
}

void rewrite_asm(struct unit *u, const struct token *t) {
    char why[128] = "";
    const char *end;
    char *text = u->manner.any_program ? ptx_translate(t->at, &end, why) : NULL;
    if (text)
        change(u, t->at, (size_t)(end - t->at), "%s", text);
    else if (u->manner.any_program)
        complain(u, t->at, "the emulator cannot run this inline PTX: it does not know %s", why);
    else
        complain(u, t->at,
                 "the emulator cannot run inline PTX (asm): put it inside #ifdef __CUDA_ARCH__");
    free(text);
}
