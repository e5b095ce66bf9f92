/* The table of what a GPU and compute-sanitizer did with the cases that have hazards. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

enum { RUN = 1, MEMCHECK, RACECHECK, INITCHECK, SYNCCHECK, COLUMNS };

/* In the order of the table's columns. */
static const int TOOLS[] = {MEMCHECK, RACECHECK, SYNCCHECK, INITCHECK};
static const char *const DID[] = {"right", "wrong",   "sometimes wrong",
                                  "hangs", "crashes", "several"};
enum { TOOL_COUNT = 4, DID_COUNT = 6 };

struct row {
    int steps, emulator, seen[TOOL_COUNT + 1], did[DID_COUNT];
};

static const char *const KINDS[] = {
#define HAZARD(name, kind, severity, what, cure) kind,
#include "hazards.def"
#undef HAZARD
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* What is expected of the case STEM/NAME, or NULL. */
static const struct change *find_case(const struct changes *changes, size_t count,
                                      const char *name) {
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < changes[i].count; c++) {
            char folder[512];
            case_folder(&changes[i], &changes[i].list[c], folder, sizeof folder);
            if (!strcmp(folder + strlen("build/changes/"), name))
                return is_hazard(&changes[i].list[c]) ? &changes[i].list[c] : NULL;
        }
    return NULL;
}

/* The first of the kinds that are expected, or KIND_COUNT of a right step. */
static size_t row_of(const struct change *change) {
    const char *finds = change_value(change, "finds");
    size_t kind = 0;
    while (kind < KIND_COUNT && (strlen(KINDS[kind]) != strcspn(finds, "|") ||
                                 strncmp(KINDS[kind], finds, strcspn(finds, "|"))))
        kind++;
    return kind;
}

/* A report counts whatever it says, with one exception: a leak that is told of a step that does not
 * leak, because a crash came before its tear-down. */
static bool counts(const char *found, size_t row) {
    bool leaks = row == KIND_COUNT || !strcmp(KINDS[row], "leak");
    return strncmp(found, "nothing", 7) && strcmp(found, "too slow") &&
           strncmp(found, "failed: ", 8) && (strncmp(found, "Leaked", 6) || leaks);
}

static void add_result(struct row *row, size_t kind, char **cells) {
    bool any = false;
    row->steps++;
    for (int i = 0; i < DID_COUNT; i++)
        row->did[i] += strcspn(cells[RUN], ":") == strlen(DID[i]) &&
                       !strncmp(cells[RUN], DID[i], strlen(DID[i]));
    for (int i = 0; i < TOOL_COUNT; i++) {
        bool seen = counts(cells[TOOLS[i]], kind);
        row->seen[i] += seen;
        any |= seen;
    }
    row->seen[TOOL_COUNT] += any;
}

static void add_row(struct row *sum, const struct row *row) {
    sum->steps += row->steps;
    sum->emulator += row->emulator;
    for (int i = 0; i <= TOOL_COUNT; i++)
        sum->seen[i] += row->seen[i];
    for (int i = 0; i < DID_COUNT; i++)
        sum->did[i] += row->did[i];
}

static void print_row(const char *name, const struct row *row, bool with_emulator) {
    const char *between = "";
    printf("| %s | %d | ", name, row->steps);
    if (with_emulator)
        printf("%d", row->emulator);
    printf(" |");
    for (int i = 0; i <= TOOL_COUNT; i++)
        printf(" %d |", row->seen[i]);
    putchar(' ');
    for (int i = 0; i < DID_COUNT; i++)
        if (row->did[i]) {
            printf("%s%d %s", between, row->did[i], DID[i]);
            between = ", ";
        }
    puts(" |");
}

/* Cuts a line at its tabs. */
static int cut(char *line, char **cells) {
    int count = 0;
    while (line && count < COLUMNS)
        cells[count++] = strsep(&line, "\t");
    return count;
}

static void read_results(const struct changes *changes, size_t count, char *results,
                         struct row *rows) {
    char *cells[COLUMNS];
    for (char *line; (line = strsep(&results, "\n"));) {
        if (*line == '#')
            printf("%s\n\n", line + 2);
        else if (cut(line, cells) == COLUMNS) {
            const struct change *change = find_case(changes, count, cells[0]);
            if (change)
                add_result(&rows[row_of(change)], row_of(change), cells);
        }
    }
}

/* Whether the GPU has run the case: a line of the results begins with its name. */
static bool has_result(const char *results, const char *name) {
    for (const char *at = results; (at = strstr(at, name)); at++)
        if ((at == results || at[-1] == '\n') && at[strlen(name)] == '\t')
            return true;
    return false;
}

/* Of a wrong step the emulator's mark is that the case came out; of a right one, that it did not.
 */
static void read_compared(const struct changes *changes, size_t count, const char *results,
                          char *compared, struct row *rows) {
    for (char *line; (line = strsep(&compared, "\n"));) {
        bool good = !strncmp(line, "ok     ", 7);
        if (!good && strncmp(line, "NOT OK ", 7))
            continue;
        char *name = line + 7;
        name[strcspn(name, ":")] = '\0';
        const struct change *change = find_case(changes, count, name);
        if (change && has_result(results, name))
            rows[row_of(change)].emulator += good == (row_of(change) < KIND_COUNT);
    }
}

void print_table(const struct changes *changes, size_t count, const char *results, char *compared) {
    struct row rows[KIND_COUNT + 1] = {0}, all = {0};
    char *copy = strdup(results);
    if (copy)
        read_results(changes, count, copy, rows);
    free(copy);
    if (compared)
        read_compared(changes, count, results, compared, rows);
    puts(
        "| kind | steps | emulator | memcheck | racecheck | synccheck | initcheck | any tool | what the GPU did |\n"
        "|---|---|---|---|---|---|---|---|---|");
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        if (rows[kind].steps)
            print_row(KINDS[kind], &rows[kind], compared);
        add_row(&all, &rows[kind]);
    }
    print_row("all that are wrong", &all, compared);
    print_row("right: false alarms", &rows[KIND_COUNT], compared);
}
