/* build/inside VIEW [OPTION...] FILE...: what the scripts beside this file show of a step. */
#include "views/views.h"

#define INSIDE_VIEWS(VIEW) VIEW(counted) VIEW(ran)
INSIDE_VIEWS(DECLARE_VIEW)

int main(int argc, char **argv) {
    static const struct view views[] = {INSIDE_VIEWS(AS_VIEW){NULL, NULL}};
    return show_view(views, argc, argv);
}
