#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *text_of(FILE *file, const char *name, size_t most, size_t *size, char *error,
              size_t error_size) {
    size_t room = 1 << 16, used = 0;
    char *data = malloc(room);
    while (data) {
        used += fread(data + used, 1, room - used, file);
        if (used < room || used > most)
            break;
        room *= 2;
        char *larger = realloc(data, room);
        if (!larger)
            free(data);
        data = larger;
    }
    *size = used;
    if (data && !ferror(file) && used <= most)
        return data;
    snprintf(error, error_size, "%s: %s", name,
             !data          ? "not enough memory to read it"
             : ferror(file) ? "it cannot be read"
                            : "it is too large");
    free(data);
    return NULL;
}

void text_begin(struct text *text, const char *name, const char *data, size_t size) {
    memset(text, 0, sizeof *text);
    text->name = name;
    text->at = text->line_end = data;
    text->end = data + size;
}

bool text_fail(struct text *text, const char *format, ...) {
    if (text->failed)
        return false;
    text->failed = true;
    int used = snprintf(text->error, sizeof text->error, "%.80s:%u: ", text->name, text->line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->error + used, sizeof text->error - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

bool text_line(struct text *text) {
    if (text->failed)
        return false;
    text->at = text->line_end;
    if (text->line && text->at < text->end)
        text->at++; /* the newline */
    if (text->at >= text->end)
        return false;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    text->line_end = newline ? newline : text->end;
    text->line++;
    return true;
}

bool text_more(const struct text *text) { return !text->failed && text->at < text->line_end; }

bool text_field(struct text *text, char field[TEXT_FIELD]) {
    size_t used = 0;
    while (text->at < text->line_end && *text->at != ' ') {
        if (used == TEXT_FIELD - 1)
            return text_fail(text, "a field is longer than %d characters", TEXT_FIELD - 1);
        unsigned char c = (unsigned char)*text->at++;
        field[used++] = (char)(c > ' ' && c < 127 ? c : '?');
    }
    field[used] = '\0';
    if (text->at < text->line_end)
        text->at++; /* the blank */
    return !text->failed;
}

bool text_rest(struct text *text, char *rest, size_t size) {
    size_t used = 0;
    for (; text->at < text->line_end; text->at++) {
        unsigned char c = (unsigned char)*text->at;
        if (used + 1 < size)
            rest[used++] = (char)(c >= ' ' && c < 127 ? c : '?');
    }
    rest[used] = '\0';
    return !text->failed;
}

bool text_end_of_line(struct text *text) {
    if (text->failed)
        return false;
    return text->at == text->line_end || text_fail(text, "more fields than this line has");
}

static bool whole_number(struct text *text, const char *what, int base, uint64_t high,
                         uint64_t *number) {
    char field[TEXT_FIELD];
    uint64_t value = 0;
    if (!text_field(text, field))
        return false;
    bool good = field[0] != '\0';
    for (const char *c = field; *c && good; c++) {
        unsigned digit = *c >= '0' && *c <= '9'   ? (unsigned)(*c - '0')
                         : *c >= 'a' && *c <= 'f' ? (unsigned)(*c - 'a') + 10
                                                  : 99;
        good = digit < (unsigned)base && value <= (UINT64_MAX - digit) / (unsigned)base;
        value = good ? value * (unsigned)base + digit : 0;
    }
    if (!good || value > high)
        return text_fail(text, "%s: a %s of at most %llu is expected, not \"%s\"", what,
                         base == 16 ? "hexadecimal number" : "whole number",
                         (unsigned long long)high, field);
    *number = value;
    return true;
}

bool text_count(struct text *text, const char *what, uint64_t high, uint64_t *number) {
    return whole_number(text, what, 10, high, number);
}

bool text_hex(struct text *text, const char *what, uint64_t high, uint64_t *number) {
    return whole_number(text, what, 16, high, number);
}

bool text_real(struct text *text, const char *what, double low, double high, double *number) {
    char field[TEXT_FIELD], *end;
    if (!text_field(text, field))
        return false;
    double value = strtod(field, &end);
    bool plain = field[0] && strspn(field, "0123456789.eE+-") == strlen(field);
    if (!plain || *end || !isfinite(value) || value < low || value > high)
        return text_fail(text, "%s: a number from %g to %g is expected, not \"%s\"", what, low,
                         high, field);
    *number = value;
    return true;
}

bool text_small(struct text *text, const char *what, uint64_t high, unsigned *number) {
    uint64_t value = 0;
    bool good = text_count(text, what, high, &value);
    *number = (unsigned)value;
    return good;
}

void *text_grown(struct text *text, void *array, size_t count, size_t element) {
    if (count & (count - 1))
        return array;
    void *moved = realloc(array, (count ? 2 * count : 1) * element);
    if (!moved)
        text_fail(text, "not enough memory");
    return moved;
}
