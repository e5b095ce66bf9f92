/* build/report VIEW [OPTION...] FILE...: what a person reads, made of records. The scripts beside
 * this file are what people type; they say what each view shows, and call it at the tree's root. */
#include "views/views.h"

int main(int argc, char **argv) {
    /* clang-format off */
    static const struct view views[] = {
        {"accuracy", view_accuracy},
        {"by-roof", view_by_roof},
        {"compare", view_compare},
        {"counting", view_counting},
        {"hint", view_hint},
        {"index", view_index},
        {"charts", view_charts},
        {"describe", view_describe},
        {"in-short", view_in_short},
        {"journal", view_journal},
        {"journal-records", view_journal_records},
        {"keep", view_keep},
        {"ladder", view_ladder},
        {"machines", view_machines},
        {"markdown", view_markdown},
        {"one-step", view_one_step},
        {"own-ladder", view_own_ladder},
        {"progress", view_progress},
        {"readme", view_readme},
        {"rows", view_rows},
        {"source", view_source},
        {"table", view_table},
        {"verdicts", view_verdicts},
        {NULL, NULL},
    };
    /* clang-format on */
    return show_view(views, argc, argv);
}
