#include "lexer.h"

#include <ctype.h>
#include <string.h>

bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool is(const struct token *t, const char *text) {
    return strlen(text) == t->length && memcmp(t->at, text, t->length) == 0;
}

bool same(const struct token *a, const struct token *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

bool is_any_of(const struct token *t, const char *words) {
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (length == t->length && memcmp(t->at, words, length) == 0)
            return true;
    }
    return false;
}

bool is_asm(const struct token *t) { return is_any_of(t, "asm __asm__ __asm"); }

int opens(const struct token *t) {
    if (t->kind != PUNCTUATION)
        return 0;
    return strchr("([{", *t->at) ? 1 : strchr(")]}", *t->at) ? -1 : 0;
}

int lines_in(const char *from, const char *to) {
    int lines = 0;
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

static const char *give_up(struct lexer *lexer, const char *p, const char *why) {
    if (!lexer->why)
        lexer->why = why;
    return p + strlen(p);
}

/* Past the end of the quoted text that starts at p. A text without an end in its line may be in a
 * part that is not compiled (an apostrophe inside #if 0): it is left to the compiler. */
static const char *skip_quoted(const char *p) {
    char quote = *p++;
    while (*p != quote && *p != '\0' && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* R"tag( … )tag": nothing inside has a meaning except the end. p is at the quote. */
static const char *skip_raw_string(struct lexer *lexer, const char *p) {
    char end[32] = ")";
    size_t length = 1;
    for (p++; *p != '('; p++) {
        if (*p == '\0' || *p == '\n' || length > 17)
            return give_up(lexer, p, "this raw string has no beginning");
        end[length++] = *p;
    }
    end[length++] = '"';
    end[length] = '\0';
    const char *close = strstr(p, end);
    return close ? close + length : give_up(lexer, p, "this raw string has no end");
}

const char *skip_blank(struct lexer *lexer, const char *p) {
    if (p[0] == '\\' && p[1] == '\n')
        return p + 2;
    if (p[0] == '/' && p[1] == '/') {
        while (*p && *p != '\n')
            p += p[0] == '\\' && p[1] == '\n' ? 2 : 1;
        return p;
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : give_up(lexer, p, "this comment has no end");
    }
    return isspace((unsigned char)*p) ? p + 1 : p;
}

const char *skip_token(struct lexer *lexer, const char *p, enum kind *kind) {
    const char *start = p;
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        *kind = NUMBER; /* 1'000, 0x1p-3, 1e+5f */
        while (is_name_character(*p) || *p == '.' || (*p == '\'' && is_name_character(p[1])) ||
               ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
            p++;
        return p;
    }
    *kind = TEXT;
    if (*p == '"' || *p == '\'')
        return skip_quoted(p);
    if (is_name_character(*p)) {
        while (is_name_character(*p))
            p++;
        const struct token prefix = {NAME, start, (size_t)(p - start), 0, 0};
        if (*p == '"' && is_any_of(&prefix, "R LR uR UR u8R"))
            return skip_raw_string(lexer, p);
        *kind = NAME;
        return p;
    }
    *kind = PUNCTUATION;
    return p[0] == ':' && p[1] == ':' ? p + 2 : p + 1;
}
