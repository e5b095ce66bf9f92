/* build/grades VIEW WORD...: what a class is worth, made of records. The scripts in class/ are what
 * people type; they say what each view shows, and call it at the tree's root. */
#include "views.h"

#include "views/views.h"

int main(int argc, char **argv) {
    /* clang-format off */
    static const struct view views[] = {
        {"assignment", view_assignment}, {"check-marks", view_check_marks},
        {"export", view_export},         {"changes", view_changes},
        {"feedback", view_feedback},     {"judge-list", view_judge_list},
        {"lines", view_lines},           {"near-boundary", view_near_boundary},
        {"overview", view_overview},     {"points", view_points},
        {"private", view_private},       {"rubric", view_rubric},
        {"sheet", view_sheet},           {"similar", view_similar},
        {"starter", view_starter},       {"story", view_story},
        {"unsuccessful", view_unsuccessful},{"which-step", view_which_step},
        {"unmatched", view_unmatched},
        {NULL, NULL},
    };
    /* clang-format on */
    return show_view(views, argc, argv);
}
