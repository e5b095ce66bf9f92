// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "svg.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

const char *svg_text(const char *path, const char *name) {
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
    const char *text = file_text(path);
    text = text ? strstr(text, say("<%s", name)) : NULL;
    text = text ? strchr(text, '>') : NULL;
    const char *end = text ? strstr(text, say("</%s>", name)) : NULL;
    if (!end)
        return "";
    text = say("%.*s", (int)(end - text - 1), text + 1);
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        text = replaced(text, entities[i][0], entities[i][1]);
    return text;
}
