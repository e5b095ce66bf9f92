/* report/stale: of which steps the source is no longer what was recorded. */
#include <stdio.h>
#include <string.h>

#include "lib/source.h"
#include "lib/steps.h"
#include "lib/text.h"
#include "views.h"

static bool source_has_changed(const struct row *row) {
    const char *source = say("%s/%s.cu", row->r.step, row->r.problem);
    const char *path = say("%s/%s", labs_directory(), source);
    if (is_source(path, row->r.source_sha256))
        return false;
    puts(printable(say("labs/%s is not what was recorded in %s: %s. To do: `make record` on the "
                       "GPU, then commit",
                       source, base_name(row->file),
                       file_text(path) ? "it has changed" : "there is no such file now")));
    return true;
}

static bool check_sources(const struct rows *rows) {
    struct map checked = {0};
    bool changed = false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = rows->row[i];
        void **held = find(&checked, say("%s %s", row->r.source_sha256, row->r.step));
        if (is_step(row) && !*held) {
            *held = "checked";
            changed |= source_has_changed(row);
        }
    }
    return changed;
}

/* Of files. */
int view_stale(int count, char **words) {
    bool changed = false;
    for (int i = 0; i < count; i++) {
        struct rows rows = {0};
        rows_of(&rows, &words[i], 1);
        changed |= check_sources(&rows);
        if (rows.status)
            return rows.status;
    }
    return changed;
}
