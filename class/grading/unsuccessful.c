/* Which steps of a class have not succeeded: of the pairs WHO STEP in a file those whose last
 * record is neither a pass nor what the step is there to show, each with its verdict. WHO is a
 * submission, or "-" and the GPU of this tree's own. A step without a record counts as a
 * harness-error. */
#include <stdio.h>

#include "../grades/lines.h"
#include "../grades/views.h"
#include "lib/rows.h"

static const char *who_of(const struct row *row) {
    const char *gpu = *row->device.uuid ? row->device.uuid : "cpu";
    return *row->r.submission ? row->r.submission : say("-%s", gpu);
}

/* WANTED RESULTS.jsonl */
int view_unsuccessful(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the file of pairs, and RESULTS.jsonl");
    struct rows rows = {.all = true};
    struct map last = {0};
    read_rows(&rows, words[1]);
    finish_rows(&rows);
    for (size_t i = 0; i < rows.count; i++)
        if (is_step(rows.row[i]))
            *find(&last, say("%s %s", who_of(rows.row[i]), rows.row[i]->r.step)) = rows.row[i];
    for (const char **line = lines_of_file(words[0]); *line; line++) {
        const struct row *row = *find(&last, *line);
        if (!row || !row->success)
            printf("%s %s\n", *line, row ? row->r.verdict : "harness-error");
    }
    return rows.status;
}
