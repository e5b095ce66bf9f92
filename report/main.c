/* build/report VIEW [OPTION...] FILE...: what a person reads, made of records. The scripts beside
 * this file are what people type; they say what each view shows, and call it at the tree's root. */
#include "views/views.h"

int main(int argc, char **argv) {
    static const struct view views[] = {REPORT_VIEWS(AS_VIEW){NULL, NULL}};
    return show_view(views, argc, argv);
}
