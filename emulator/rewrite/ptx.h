// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Inline PTX as C++: the instructions that programs put into asm, one call each of what
 * ptx_functions.h has (PTX ISA 8.5). There are no labels and no branches. */
#ifndef PTX_TRANSLATE_H
#define PTX_TRANSLATE_H

/* Translates the asm statement that begins at `p`, with its name. Returns a statement without its
 * semicolon, for the caller to free, and sets *end behind the closing bracket. If it cannot, it
 * returns NULL, and `why` says in a few words what it cannot read. */
char *ptx_translate(const char *p, const char **end, char why[128]);

#endif
