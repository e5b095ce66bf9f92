/* build/expect: the cases of tests/changes/ for tests/part-changes, lint and tests/hazards-on-gpu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static const char USAGE[] =
    "Usage: build/expect check FILE.changes...\n"
    "   or: build/expect list cpu|gpu [--long|--quick] FILE.changes...\n"
    "   or: build/expect compare cpu|gpu DIRECTORY FILE.changes...\n"
    "   or: build/expect table GPU.tsv COMPARED|- FILE.changes...\n"
    "Knows what must come out of each case of tests/changes/: tests/expect/expect.h says how it is written.\n"
    "\n"
    "  check    that each case fits its base, says what must come out of it, and why\n"
    "  list     a line for each case that each run of the tests has: its name, what it implements, how many calls show\n"
    "           it, `sandbox` if it needs one, why clang does not show it (or -), and the judge's options, with tabs\n"
    "           between. --long: of all cases; --quick: of the first with each verdict and each kind of hazard\n"
    "  compare  the record of each case that ran (DIRECTORY/CASE.jsonl, and CASE.status, the judge's exit status) with\n"
    "           what must come out; how many did comes last\n"
    "  table    what a GPU and compute-sanitizer did with the cases (tests/changes/gpu.tsv), in Markdown. COMPARED is\n"
    "           what `compare` printed of the same cases\n"
    "\n"
    "Exit status: 0 all as it should be, 1 not (it says what), 2 wrong usage.\n";

static int usage_error(const char *what, const char *which) {
    fprintf(stderr, "expect: %s%s: see build/expect --help\n", what, which);
    return 2;
}

/* Reads all files. NULL, after a message, where one is none. */
static struct changes *read_all(char **paths, size_t *count) {
    struct complaint complaint;
    for (*count = 0; paths[*count];)
        ++*count;
    struct changes *all = calloc(*count + 1, sizeof *all);
    for (size_t i = 0; all && i < *count; i++)
        if (!changes_read(paths[i], &all[i], &complaint)) {
            fprintf(stderr, "%s\n", complaint.text);
            free(all);
            return NULL;
        }
    return all;
}

static int print_sum(const struct marks *marks, enum device device) {
    if (marks->wrong + marks->right && device == CPU)
        printf(
            "# of %d wrong steps found %d, with the right kind %d, lines %d, array %d; with others too %d; "
            "of %d right steps %d false alarms\n",
            marks->wrong, marks->found, marks->kind, marks->lines, marks->array, marks->others,
            marks->right, marks->alarms);
    if (marks->mistakes)
        printf(
            "# of %d mistakes a diagnosis names %d, a hazard and its lines %d, a verdict and no more %d\n",
            marks->mistakes, marks->diagnosed, marks->by_hazard, marks->by_verdict);
    return marks->failed > 0;
}

static int compare(const struct changes *all, size_t count, enum device device,
                   const char *directory) {
    struct marks marks = {0};
    for (size_t i = 0; i < count; i++)
        compare_cases(&all[i], device, directory, &marks);
    return print_sum(&marks, device);
}

static int table(const struct changes *all, size_t count, const char *results,
                 const char *compared) {
    bool with_compared = strcmp(compared, "-") != 0;
    char *read = file_text(results), *also = with_compared ? file_text(compared) : NULL;
    bool done = read && (also || !with_compared);
    if (done)
        print_table(all, count, read, also);
    else
        usage_error("cannot read ", read ? compared : results);
    free(read);
    free(also);
    return done ? 0 : 2;
}

/* How many words stand before the files. */
static int first_file(char **words, enum choice *choice) {
    static const struct {
        const char *verb;
        int words;
    } VERBS[] = {{"check", 2}, {"list", 3}, {"compare", 4}, {"table", 4}};
    for (size_t i = 0; words[1] && i < sizeof VERBS / sizeof *VERBS; i++) {
        if (strcmp(words[1], VERBS[i].verb))
            continue;
        const char *option = *words[1] == 'l' && words[2] && words[3] ? words[3] : "";
        *choice = !strcmp(option, "--long") ? ALL : !strcmp(option, "--quick") ? QUICK : USUAL;
        return VERBS[i].words + (*choice != USUAL);
    }
    return 0;
}

static int check(const struct changes *all, size_t count) {
    int worst = 0;
    for (size_t i = 0; i < count; i++)
        worst |= check_changes(&all[i]);
    return worst;
}

static int list(const struct changes *all, size_t count, enum device device, enum choice choice) {
    struct kinds seen = {.count = 0};
    for (size_t i = 0; i < count; i++)
        list_cases(&all[i], device, choice, &seen);
    return 0;
}

static int run(const struct changes *all, size_t count, char **words, enum choice choice) {
    enum device device = !strcmp(words[2], "gpu") ? GPU : CPU;
    switch (words[1][1]) {
    case 'h':
        return check(all, count);
    case 'i':
        return list(all, count, device, choice);
    case 'o':
        return compare(all, count, device, words[3]);
    default:
        return table(all, count, words[2], words[3]);
    }
}

int main(int count, char **words) {
    enum choice choice = USUAL;
    int first = first_file(words, &choice);
    if (count == 2 && !strcmp(words[1], "--help"))
        return fputs(USAGE, stdout) < 0;
    if (!first || count <= first)
        return usage_error("wrong usage", "");
    bool takes_device = !strcmp(words[1], "list") || !strcmp(words[1], "compare");
    if (takes_device && strcmp(words[2], "cpu") && strcmp(words[2], "gpu"))
        return usage_error("the device is cpu or gpu, not ", words[2]);
    size_t files;
    struct changes *all = read_all(words + first, &files);
    if (!all)
        return 1;
    int status = run(all, files, words, choice);
    for (size_t i = 0; i < files; i++)
        changes_free(&all[i]);
    free(all);
    return status;
}
