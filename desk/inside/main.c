/* build/inside VIEW [OPTION...] FILE...: what the scripts beside this file show of a step. */
#include "inside.h"

#include <stdlib.h>

double number_of(const struct words *words, size_t at) { return atof(word_of(words, at)); }

int main(int argc, char **argv) {
    static const struct view views[] = {INSIDE_VIEWS(AS_VIEW){NULL, NULL}};
    return show_view(views, argc, argv);
}
