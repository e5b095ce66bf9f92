#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_add(struct sentence text, const char *format, ...) {
    size_t length = strlen(text.at);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text.at + length, text.size - length, format, arguments);
    va_end(arguments);
}

void text_sentence(struct sentence text, const char *sentence) {
    text_add(text, "%s%s", sentence[0] ? text_gap(text) : "", sentence);
}

void text_begin_sentence(struct sentence text, size_t at) {
    text.at[at] = (char)toupper((unsigned char)text.at[at]);
}

void text_clean(char *text, size_t size) {
    for (size_t i = 0; i < size && text[i]; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            text[i] = '?';
}
