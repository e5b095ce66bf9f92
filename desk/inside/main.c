/* build/inside VIEW [OPTION...] FILE...: what the scripts beside this file show of a step. */
#include "inside.h"

#include <stdlib.h>

#include "views/views.h"

const char *word_of(const struct words *words, size_t at) {
    return at < words->count ? words->word[at] : "";
}

double number_of(const struct words *words, size_t at) { return atof(word_of(words, at)); }

int main(int argc, char **argv) {
    static const struct view views[] = {
        {"access", view_access}, {"counted", view_counted}, {"ncu", view_ncu},
        {"ran", view_ran},       {"sass", view_sass},       {NULL, NULL},
    };
    return show_view(views, argc, argv);
}
