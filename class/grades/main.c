/* build/grades VIEW WORD...: what a class is worth, made of records. The scripts in class/ are what
 * people type; they say what each view shows, and call it at the tree's root. */
#include "views.h"

int main(int argc, char **argv) {
    static const struct view views[] = {CLASS_VIEWS(AS_VIEW){NULL, NULL}};
    usual_program = "class";
    return show_view(views, argc, argv);
}
