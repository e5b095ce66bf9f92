#include "diff.h"

#include <stdint.h>

#include "text.h"

enum { MOST_LINES = 2000, AROUND = 3 };

struct change {
    char mark; /* ' ', '-' or '+' */
    const char *line;
};

/* common[i * (news + 1) + j]: lines that old from i on and new from j on have in common. */
static uint16_t *common_lines(const char **old, size_t olds, const char **new, size_t news) {
    uint16_t *common = keep((olds + 1) * (news + 1) * sizeof *common);
    for (size_t i = olds; i-- > 0;)
        for (size_t j = news; j-- > 0;) {
            uint16_t *here = &common[i * (news + 1) + j], *below = here + news + 1;
            *here = same(old[i], new[j]) ? below[1] + 1 : *below > here[1] ? *below : here[1];
        }
    return common;
}

/* All lines of both, in order. Of equal ways removals come first. */
static struct change *align(const char **old, size_t olds, const char **new, size_t news,
                            const uint16_t *common, size_t *count) {
    struct change *all = keep((olds + news + 1) * sizeof *all);
    size_t i = 0, j = 0;
    *count = 0;
    while (i < olds || j < news) {
        const uint16_t *here = &common[i * (news + 1) + j];
        if (i < olds && j < news && same(old[i], new[j]))
            all[(*count)++] = (struct change){' ', old[i++]}, j++;
        else if (i < olds && (j == news || here[news + 1] >= here[1]))
            all[(*count)++] = (struct change){'-', old[i++]};
        else
            all[(*count)++] = (struct change){'+', new[j++]};
    }
    return all;
}

static bool is_near_change(const struct change *all, size_t count, size_t at) {
    size_t first = at > AROUND ? at - AROUND : 0;
    for (size_t i = first; i < count && i <= at + AROUND; i++)
        if (all[i].mark != ' ')
            return true;
    return false;
}

const char **lines_changed(const char **old, const char **new) {
    size_t olds = count_lines(old), news = count_lines(new), count, lines = 0;
    if (olds > MOST_LINES || news > MOST_LINES)
        return NULL;
    const uint16_t *common = common_lines(old, olds, new, news);
    if (2 * (size_t)common[0] < news)
        return NULL;
    const struct change *all = align(old, olds, new, news, common, &count);
    const char **shown = keep((2 * count + 1) * sizeof *shown);
    bool left_out = false;
    for (size_t i = 0; i < count; i++) {
        bool near = is_near_change(all, count, i);
        if (near && left_out)
            shown[lines++] = "@@";
        if (near)
            shown[lines++] = say("%c%s", all[i].mark, all[i].line);
        left_out = !near;
    }
    return shown;
}
