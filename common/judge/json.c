// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "json.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Length of the valid UTF-8 character at s, or 0. What a step printed may be anything, a record is
 * JSON, and strict readers (Python's) refuse overlong forms and surrogates too. */
static size_t utf8_length(const unsigned char *s) {
    if (*s < 0x80)
        return 1;
    size_t length = *s >= 0xf5 ? 0 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
    bool no_character = (*s == 0xed && s[1] > 0x9f) || (*s == 0xf4 && s[1] > 0x8f);
    return overlong || no_character ? 0 : length;
}

static uint32_t code_point(const unsigned char *s, size_t length) {
    uint32_t point = length == 1 ? *s : *s & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (s[i] & 0x3fu);
    return point;
}

/* What a terminal obeys, or nobody sees: common/printable.awk says why. */
static bool is_hidden(uint32_t point) {
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
                                         {0x61c, 0x61c},   {0x200b, 0x200b}, {0x200e, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}

static void write_escape(FILE *out, uint32_t point) {
    if (point < 0x10000)
        fprintf(out, "\\u%04x", point);
    else
        fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                0xdc00 + ((point - 0x10000) & 0x3ff));
}

/* Hidden characters are escaped: who looks at the file itself sees them, and no terminal obeys. */
void json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length(s);
        if (length == 0)
            fputc('?', out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (is_hidden(code_point(s, length)))
            write_escape(out, code_point(s, length));
        else
            fwrite(s, 1, length, out);
        s += length ? length : 1;
    }
    fputc('"', out);
}

void json_string(FILE *out, const char *key, const char *value) {
    fprintf(out, ",\"%s\":", key);
    json_text(out, value ? value : "");
}

void json_string_or_null(FILE *out, const char *key, const char *value) {
    if (value[0])
        json_string(out, key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}

void json_number(FILE *out, const char *key, double value) {
    if (value == 0 || !isfinite(value))
        fprintf(out, ",\"%s\":null", key);
    else
        fprintf(out, ",\"%s\":%.9g", key, value);
}

void json_numbers(FILE *out, const char *key, const double *values, size_t count) {
    fprintf(out, ",\"%s\":", key);
    if (!count || values[0] == 0) {
        fputs("null", out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            fprintf(out, "%c%.9g", i ? ',' : '[', values[i]);
        else
            fprintf(out, "%cnull", i ? ',' : '[');
    fputc(']', out);
}
