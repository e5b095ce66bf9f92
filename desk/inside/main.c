/* build/inside VIEW [OPTION...] FILE...: what the scripts beside this file show of a step. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "views/views.h"

struct words words_of(const char *line) {
    struct words words = {0};
    for (;;) {
        line += strspn(line, " \t");
        size_t length = strcspn(line, " \t");
        if (!length)
            return words;
        words.word = keep_more(words.word, words.count, sizeof *words.word);
        words.word[words.count++] = say("%.*s", (int)length, line);
        line += length;
    }
}

const char *word_of(const struct words *words, size_t at) {
    return at < words->count ? words->word[at] : "";
}

double number_of(const struct words *words, size_t at) { return atof(word_of(words, at)); }

const char *words_from(const struct words *words, size_t at) {
    struct text text = {0};
    for (; at < words->count; at++)
        add(&text, "%s%s", text.length ? " " : "", words->word[at]);
    return bytes_of(&text);
}

int main(int argc, char **argv) {
    static const struct view views[] = {
        {"access", view_access}, {"counted", view_counted}, {"ncu", view_ncu},
        {"ran", view_ran},       {"sass", view_sass},       {NULL, NULL},
    };
    return show_view(views, argc, argv);
}
