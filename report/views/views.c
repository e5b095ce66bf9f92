#include "views.h"

#include <string.h>

#include "lib/words.h"

int show_view(const struct view *views, int argc, char **argv) {
    for (const struct view *view = views; argc > 1 && view->name; view++)
        if (same(view->name, replaced(argv[1], "-", "_"))) {
            int status = view->show(argc - 2, argv + 2);
            if (fflush(stdout) == 0 && !ferror(stdout))
                return status;
            fprintf(stderr, "%s: cannot write\n", argv[0]);
            return 3;
        }
    fprintf(stderr, "%s: needs the name of a view, and its files\n", argv[0]);
    return 2;
}

const char *take_option(const char *name, int *count, char ***words) {
    size_t length = strlen(name);
    const char *word = *count > 0 ? **words : "";
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0)
        return NULL;
    word += 2 + length;
    if (*word && *word != '=')
        return NULL;
    ++*words;
    --*count;
    return *word ? word + 1 : word;
}

const char *take_text(const char *name, int *count, char ***words) {
    const char *value = take_option(name, count, words);
    return value ? value : "";
}

void rows_of(struct rows *rows, char **files, int count) {
    for (int i = 0; i < count; i++)
        read_rows(rows, files[i]);
    finish_rows(rows);
}

/* --columns=NAME,NAME (only these, and without a header), --all, --flagged, --skip-broken. */
int view_rows(int count, char **words) {
    struct rows rows = {0};
    const char *columns = take_option("columns", &count, &words);
    rows.all = take_option("all", &count, &words);
    rows.flagged = take_option("flagged", &count, &words);
    rows.skip_broken = take_option("skip-broken", &count, &words);
    rows_of(&rows, words, count);
    if (!columns)
        print_rows(&rows);
    struct words names = words_of(replaced(columns ? columns : "", ",", " "));
    foreach (row, &rows)
        for (size_t n = 0; n < names.count; n++)
            printf("%s%c", cell_of(row, names.word[n]), n + 1 < names.count ? '\t' : '\n');
    return rows.status;
}

/* [--marked] FILE: a step's source without its task and, unless --marked, what marks a solution. */
int view_source(int count, char **words) {
    bool marked = take_option("marked", &count, &words);
    for (const char **line = source_lines(count ? *words : "", marked); *line; line++)
        puts(*line);
    return 0;
}
