#include "tokens.h"

#include <ctype.h>
#include <string.h>

#include "keep.h"

static const uint64_t begin = 14695981039346656037u, prime = 1099511628211u; /* FNV-1a */

static bool begins_with(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t hash = begin;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * prime;
    return hash;
}

/* What of a source nobody can call otherwise: the words of the language and of CUDA. */
static bool is_fixed(const char *word, size_t length) {
    static const char fixed[] =
        "alignas auto bool break case char class const constexpr continue default do double else "
        "enum extern false float for goto if inline int long namespace new nullptr operator private "
        "public register return short signed sizeof static struct switch template this true typedef "
        "typename union unsigned using void volatile while threadIdx blockIdx blockDim gridDim "
        "warpSize include define min max ";
    if (length > 2 && strncmp(word + length - 2, "_t", 2) == 0) /* a type */
        return true;
    if (begins_with(word, "__") || begins_with(word, "atomic") || begins_with(word, "cuda"))
        return true;
    for (const char *at = fixed; *at; at += strcspn(at, " ") + 1)
        if (strncmp(at, word, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

static size_t length_of_text(const char *at) {
    size_t length = 1;
    while (at[length] && at[length] != *at && at[length] != '\n')
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length + (at[length] == *at);
}

static size_t length_of_word(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' ||
           (isdigit((unsigned char)*at) && at[length] == '.'))
        length++;
    return length;
}

/* A blank or a comment. */
static size_t length_of_nothing(const char *at) {
    if (begins_with(at, "//"))
        return strcspn(at, "\n");
    if (begins_with(at, "/*")) {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    return isspace((unsigned char)*at) || *at == '\\';
}

static size_t length_of_token(const char *at) {
    size_t word = length_of_word(at);
    return *at == '"' || *at == '\'' ? length_of_text(at) : word ? word : 1;
}

static struct token token_at(const char *at, size_t length, size_t line) {
    bool is_number = isdigit((unsigned char)*at), is_text = *at == '"' || *at == '\'';
    uint64_t hash = hash_of(at, length);
    struct token token = {hash, hash, line, !is_number && length_of_word(at)};
    if (is_text || is_number)
        token.like = is_text ? 1 : 2;
    else if (token.is_word && !is_fixed(at, length))
        token.like = 3;
    return token;
}

/* Their number; token: where they go, or NULL. */
static size_t read_tokens(const char *source, struct token *token, size_t *lines) {
    size_t count = 0;
    *lines = 1;
    for (size_t length; *source; source += length) {
        if ((length = length_of_nothing(source))) {
            for (size_t i = 0; i < length; i++)
                *lines += source[i] == '\n';
            continue;
        }
        length = length_of_token(source);
        if (token)
            token[count] = token_at(source, length, *lines);
        count++;
    }
    return count;
}

struct tokens tokens_of(const char *source) {
    struct tokens tokens;
    tokens.count = read_tokens(source, NULL, &tokens.lines);
    tokens.token = keep((tokens.count + 1) * sizeof *tokens.token);
    read_tokens(source, tokens.token, &tokens.lines);
    return tokens;
}

uint64_t hash_of_tokens(const struct token *token, size_t count, bool is_exact) {
    uint64_t hash = begin;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (is_exact ? token[i].exact : token[i].like)) * prime;
    return hash;
}

/* A name is the number of names before it. There are few: a hash table would be longer than this.
 */
static uint64_t number_of_name(uint64_t *name, size_t *names, uint64_t exact) {
    size_t i = 0;
    while (i < *names && name[i] != exact)
        i++;
    if (i == *names)
        name[(*names)++] = exact;
    return i;
}

uint64_t hash_but_for_names(const struct tokens *tokens) {
    uint64_t hash = begin, *name = keep((tokens->count + 1) * sizeof *name);
    size_t names = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->token[i];
        bool is_name = token->is_word && token->like != token->exact;
        hash =
            (hash ^ (is_name ? number_of_name(name, &names, token->exact) : token->exact)) * prime;
    }
    return hash;
}
