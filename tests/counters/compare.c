/* compare ALL KNOWN EMULATED RECORDED: what tests/counters-compare prints (its --help says what).
 * ALL: 1 for a line for every counter. EMULATED: the lines `op` and `site` of counts files
 * (emulator/counted/files.md), each after its program's name. Exit status: 1 if anything is off. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3, FIELDS = 64, MOST = 4096 };
enum {
    REQUESTS,
    SECTORS = 3,
    WAVEFRONTS = 6,
    OF_KIND,
    CONFLICTS = 10,
    IN_L1,
    CONFLICTS_L1,
    COUNTERS
};
static const struct {
    const char *name;
    double limit;
} counters[COUNTERS] = {{"requests_load", 1},     {"requests_store", 1},  {"requests_atomic", 1},
                        {"sectors_load", 1},      {"sectors_store", 1},   {"sectors_atomic", 1},
                        {"wavefronts", 5},        {"wavefronts_load", 5}, {"wavefronts_store", 5},
                        {"wavefronts_atomic", 5}, {"conflicts", 10},      {"wavefronts_l1", 5},
                        {"conflicts_l1", 10}};

struct launch {
    char program[64], kernel[256], grid[64], grid_here[64];
    int number, op; /* op: of the counts file */
    bool recorded, emulated, has[COUNTERS], has_atomics;
    double theirs[COUNTERS], mine[COUNTERS], passes_l1[KINDS], conflicts_l1[KINDS], atomics, swaps;
};

static struct launch launches[MOST];
static size_t launch_count;
static char known[256][4][256]; /* program, launch, counter, reason */
static size_t known_count;
static int compared[COUNTERS], off_count[COUNTERS], known_off[COUNTERS];
static double worst[COUNTERS];
static bool all, off;

/* Of a program, by the order in which it makes them. */
static struct launch *find(const char *program, int number) {
    for (size_t i = 0; i < launch_count; i++)
        if (launches[i].number == number && strcmp(launches[i].program, program) == 0)
            return &launches[i];
    return NULL;
}

static struct launch *add(const char *program, int number) {
    if (launch_count == MOST) {
        fprintf(stderr, "compare: more than %d launches\n", MOST);
        exit(3);
    }
    struct launch *launch = &launches[launch_count++];
    snprintf(launch->program, sizeof launch->program, "%s", program);
    launch->number = number;
    return launch;
}

static int count(const char *program, bool recorded) {
    int sum = 0;
    for (size_t i = 0; i < launch_count; i++)
        sum += strcmp(launches[i].program, program) == 0 &&
               (recorded ? launches[i].recorded : launches[i].emulated);
    return sum;
}

static int kind_of(const char *name) {
    static const char *const names[] = {"load", "store", "atomic", "ld", "st", "red", "atom"};
    static const int kinds[] = {0, 1, 2, 0, 1, 2, 2};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, names[i]) == 0)
            return kinds[i];
    return -1;
}

/* The fields of a line, up to FIELDS, of which the last has the rest. */
static int split(char *line, const char *between, char **fields) {
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *word; n < FIELDS && (word = strsep(&line, between));)
        if (*word || *between == '\t')
            fields[n++] = word;
    return n;
}

static void each_line(const char *path, const char *between, void (*take)(char **, int)) {
    char *line = NULL, *fields[FIELDS];
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(3);
    }
    while (getline(&line, &size, file) > 0) {
        int n = *line == '#' ? 0 : split(line, between, fields);
        if (n)
            take(fields, n);
    }
    free(line);
    fclose(file);
}

static void take_known(char **fields, int n) {
    if (known_count == sizeof known / sizeof *known || n < 4)
        return;
    char(*to)[256] = known[known_count++];
    for (int i = 0; i < n; i++) {
        char *at = to[i < 3 ? i : 3];
        snprintf(at + strlen(at), sizeof *to - strlen(at), "%s%s", i > 3 ? " " : "", fields[i]);
    }
}

static void take_site(struct launch *launch, char **fields) {
    const int kind = kind_of(fields[6]);
    if (kind < 0)
        return;
    const double wavefronts = atof(fields[13]), conflicts = atof(fields[14]);
    if (strcmp(fields[7], "global") == 0) {
        launch->mine[REQUESTS + kind] += atof(fields[9]);
        launch->mine[SECTORS + kind] += atof(fields[11]);
    } else if (strcmp(fields[7], "shared") == 0) {
        launch->mine[WAVEFRONTS] += wavefronts;
        launch->mine[OF_KIND + kind] += wavefronts;
        launch->mine[CONFLICTS] += conflicts;
        launch->mine[IN_L1] += wavefronts;
        launch->mine[CONFLICTS_L1] += conflicts;
    }
}

static void take_emulated(char **fields, int n) {
    if (n >= 8 && strcmp(fields[1], "op") == 0 && strcmp(fields[3], "kernel") == 0) {
        struct launch *launch = add(fields[0], count(fields[0], false));
        launch->emulated = true;
        launch->op = atoi(fields[2]);
        snprintf(launch->grid_here, sizeof launch->grid_here, "(%s, %s, %s)", fields[5], fields[6],
                 fields[7]);
    } else if (n >= 15 && strcmp(fields[1], "site") == 0) {
        for (size_t i = 0; i < launch_count; i++)
            if (launches[i].op == atoi(fields[2]) && strcmp(launches[i].program, fields[0]) == 0)
                take_site(&launches[i], fields);
    }
}

static void take_theirs(struct launch *launch, int counter, double value) {
    launch->theirs[counter] += value;
    launch->has[counter] = true;
}

/* A counter of ncu's is one of ours, or part of one. Wavefronts are told twice: as ncu ascribes
 * them to instructions, and by the L1's own counters. */
static void take_metric(struct launch *launch, const char *metric, double value) {
    char what[64], name[8];
    int end = 0;
    if (sscanf(metric, "l1tex__t_%8[a-z]_pipe_lsu_mem_global_op_%7[a-z].sum%n", what, name, &end) ==
            2 &&
        end && !metric[end] && kind_of(name) >= 0) {
        if (strcmp(what, "requests") == 0 || strcmp(what, "sectors") == 0)
            take_theirs(launch, (*what == 'r' ? REQUESTS : SECTORS) + kind_of(name), value);
        return;
    }
    const char *at = strstr(metric, "_mem_shared_op_");
    if (!at || sscanf(at, "_mem_shared_op_%7[a-z].sum%n", name, &end) != 1 || !end || at[end] ||
        kind_of(name) < 0 || strcmp(name, "red") == 0)
        return;
    const int kind = kind_of(name);
    if (strncmp(metric, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_", 42) == 0) {
        take_theirs(launch, OF_KIND + kind, value);
        take_theirs(launch, WAVEFRONTS, value);
    } else if (strncmp(metric, "l1tex__data_pipe_lsu_wavefronts_", 32) == 0) {
        take_theirs(launch, IN_L1, value);
        launch->passes_l1[kind] = value;
    } else if (strncmp(metric, "l1tex__data_bank_conflicts_", 27) == 0) {
        take_theirs(launch, CONFLICTS_L1, value);
        launch->conflicts_l1[kind] = value;
    }
}

/* program, size, launch, kernel, metric, value; of programs that were emulated. */
static void take_recorded(char **fields, int n) {
    if (n < 6 || !find(fields[0], 0) || !count(fields[0], false))
        return;
    struct launch *launch = find(fields[0], atoi(fields[2]));
    if (!launch)
        launch = add(fields[0], atoi(fields[2]));
    launch->recorded = true;
    if (!*launch->kernel || strcmp(launch->kernel, "-") == 0)
        snprintf(launch->kernel, sizeof launch->kernel, "%s", fields[3]);
    const double value = atof(fields[5]);
    if (strcmp(fields[4], "Grid Size") == 0)
        snprintf(launch->grid, sizeof launch->grid, "%s", fields[5]);
    if (strcmp(fields[4], "smsp__sass_inst_executed_op_shared_atom.sum") == 0) {
        launch->has_atomics = true;
        launch->atomics = value;
    }
    if (strcmp(fields[4], "smsp__inst_executed_op_shared_atom_dot_cas.sum") == 0)
        launch->swaps = value;
    if (*fields[5] && !fields[5][strspn(fields[5], "0123456789.")])
        take_metric(launch, fields[4], value);
}

/* Conflicts: wavefronts less those that there would be without any. Of loads, stores and
 * compare-and-swaps the L1's counters tell these; other atomics (of 4 bytes: wider ones are loops)
 * take one each, as long as the same instructions ran. */
static void complete(struct launch *launch) {
    for (int kind = 0; launch->has[WAVEFRONTS] && kind < KINDS; kind++) {
        const bool plain = kind == 2 && launch->has_atomics && launch->swaps == 0;
        const double ideal =
            plain ? launch->atomics : launch->passes_l1[kind] - launch->conflicts_l1[kind];
        take_theirs(launch, CONFLICTS, launch->theirs[OF_KIND + kind] - ideal);
    }
}

static bool matches(const char *pattern, const char *text) {
    const size_t length = strlen(pattern);
    const bool begins = length && pattern[length - 1] == '*';
    return begins ? strncmp(pattern, text, length - 1) == 0 : strcmp(pattern, text) == 0;
}

/* 7, 4-9 or * */
static bool in_range(const char *range, int number) {
    const char *dash = strchr(range, '-');
    return *range == '*' || (number >= atoi(range) && number <= atoi(dash ? dash + 1 : range));
}

static const char *why_known(const struct launch *launch, const char *counter) {
    for (size_t k = 0; k < known_count; k++)
        if (matches(known[k][0], launch->program) && in_range(known[k][1], launch->number) &&
            matches(known[k][2], counter))
            return known[k][3];
    return NULL;
}

static void tell(const struct launch *launch, const char *counter, const char *values,
                 const char *result) {
    if (all || strcmp(result, "ok") != 0)
        printf("%s\t%d\t%s\t%s\t%s\t%s\n", launch->program, launch->number, launch->kernel, counter,
               values, result);
    if (strcmp(result, "off") == 0)
        off = true;
}

static void compare(const struct launch *launch, int counter) {
    const double theirs = launch->theirs[counter], mine = launch->mine[counter];
    if (theirs == 0 && mine == 0)
        return;
    const double difference = theirs == 0 ? 1e4 : 100 * (mine - theirs) / theirs;
    const double size = difference < 0 ? -difference : difference;
    const bool differs = size > counters[counter].limit;
    const char *reason = differs ? why_known(launch, counters[counter].name) : NULL;
    char values[128], result[300] = "ok";
    compared[counter]++;
    off_count[counter] += differs && !reason;
    known_off[counter] += reason != NULL;
    if (!reason && size > worst[counter])
        worst[counter] = size;
    if (differs)
        snprintf(result, sizeof result, reason ? "known: %s" : "off", reason);
    snprintf(values, sizeof values, "%.10g\t%.10g\t%+.2f %%", theirs, mine, difference);
    tell(launch, counters[counter].name, values, result);
}

static void compare_launch(struct launch *launch) {
    char grids[160];
    complete(launch);
    if (*launch->grid && strcmp(launch->grid, launch->grid_here) != 0) {
        snprintf(grids, sizeof grids, "%s\t%s\t", launch->grid, launch->grid_here);
        tell(launch, "grid", grids, "off");
    }
    for (int i = 0; i < COUNTERS; i++)
        if (launch->has[i])
            compare(launch, i);
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    all = strcmp(argv[1], "1") == 0;
    each_line(argv[2], " ", take_known);
    each_line(argv[3], " ", take_emulated);
    each_line(argv[4], "\t", take_recorded);
    for (size_t i = 0; i < launch_count; i++) {
        const char *program = launches[i].program;
        const int here = count(program, false), there = count(program, true);
        if (launches[i].number == 0 && here != there) {
            printf("%s: the emulator saw %d launches, ncu %d\n", program, here, there);
            off = true;
        }
    }
    for (size_t i = 0; i < launch_count; i++)
        if (launches[i].emulated && launches[i].recorded)
            compare_launch(&launches[i]);
    for (int i = 0; i < COUNTERS; i++)
        if (compared[i])
            printf("%s: %d compared, %d off, %d known, worst %.2f %%\n", counters[i].name,
                   compared[i], off_count[i], known_off[i], worst[i]);
    return off;
}
