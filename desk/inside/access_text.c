/* Draws an access map as text of 80 columns. */
#include <math.h>
#include <string.h>

#include "access.h"

/* ---- words ------------------------------------------------------------------------------------ */

static const char *input_in_words(const struct access_map *map) {
    const char *size = map->flat ? plural(map->elements, "element")
                                 : say("%.0f x %.0f elements", map->rows, map->columns);
    return say("The input: %s of %s", size, plural(map->element_bytes, "byte"));
}

/* The elements of one lane. */
static const char *span(const struct request *request, int lane, double size) {
    double first = floor(request->offset[lane] / size);
    double last = floor((request->offset[lane] + request->bytes - 1) / size);
    return first == last ? say("%.0f", first) : say("%.0f-%.0f", first, last);
}

static const char *elements_of_lanes(const struct access_map *map, const struct request *request) {
    bool is_input = strcmp(request->array, "input") == 0;
    double size = is_input ? map->element_bytes : 1;
    double each = is_input ? request->bytes / size : 1;
    const double *offset = request->offset;
    int last = request->lanes - 1, i = 2;
    if (last == 0)
        return span(request, 0, size);
    double step = offset[1] - offset[0];
    while (i <= last && offset[i] - offset[i - 1] == step)
        i++;
    if (i <= last)
        return say("%s %s ..", span(request, 0, size), span(request, 1, size));
    if (step == 0)
        return say("%s, all lanes", span(request, 0, size));
    if (step == request->bytes)
        return say("%.0f-%.0f%s", floor(offset[0] / size),
                   floor((offset[last] + request->bytes - 1) / size),
                   each > 1 ? say(", %.6g a lane", each) : "");
    return say("%s %s .. %s", span(request, 0, size), span(request, 1, size),
               span(request, last, size));
}

/* Sectors of a request, and the fewest that its lanes' bytes fit in. */
static const char *verdict(double each, double least, double lanes, bool side_by_side) {
    if (lanes < 1.5)
        return "a single lane takes part";
    if (each <= 1.1 * least)
        return "coalesced";
    if (each <= least + 1.2 && side_by_side)
        return "coalesced, but misaligned";
    if (each >= 0.9 * lanes)
        return "uncoalesced, one for each lane";
    return say("partly coalesced: %.1f would be enough", least);
}

static const char *total_in_words(const struct access_map *map, const struct total *total) {
    double each = total->sectors / total->requests, lanes = total->lanes / total->requests;
    const char *verb = strcmp(total->kind, "load") == 0    ? "reads"
                       : strcmp(total->kind, "store") == 0 ? "writes"
                                                           : "adds to";
    const struct request *drawn = NULL; /* the first one tells how its lanes lie */
    for (int i = map->requests - 1; i >= 0; i--) {
        const struct request *r = &map->request[i];
        if (strcmp(total->op, r->op) == 0 && strcmp(total->line, r->line) == 0 &&
            strcmp(total->kind, r->kind) == 0 && strcmp(total->array, r->array) == 0)
            drawn = r;
    }
    return say(
        "Line %s %s the %s, %.1f %s a request: %s", total->line, verb, total->array, each,
        each == 1 ? "sector" : "sectors",
        verdict(each, fmax(lanes * total->bytes / SECTOR, 1), lanes, drawn && drawn->side_by_side));
}

static const char *larger_size(const struct access_map *map) {
    if (map->elements >= 4 * map->grid_threads)
        return "";
    for (double each = 1; each <= 4; each++) {
        double threads = each * map->block_threads;
        if (floor((map->elements + threads - 1) / threads) ==
            map->grid_threads / map->block_threads)
            return "";
    }
    return map->flat ? say("SIZE=%.0f", 8 * map->grid_threads)
                     : say("SIZE=%.0fx1021", floor(map->grid_threads / 128) + 1);
}

/* ---- the first elements, and their readers ---------------------------------------------------- */

static void print_row(const char *name, const struct text *cells) {
    printf("%-7s%s\n", name, bytes_of(cells));
}

static void print_strip(struct access_map *map, double first, int count) {
    static const struct reader nobody = {"-", "-", "-", 0};
    int wide = count < 16 ? 4 : 3;
    struct text elements = {0}, blocks = {0}, threads = {0}, requests = {0}, times = {0};
    bool other_block = false, other_times = false;
    for (double e = first; e < first + count && in_strip(map, first, e); e++) {
        const struct reader *reader = reader_of(map, e);
        reader = reader ? reader : &nobody;
        add(&elements, " %*.0f", wide, map->flat ? e : fmod(e, map->columns));
        add(&blocks, " %*s", wide, reader->block);
        add(&threads, " %*s", wide, reader->thread);
        add(&requests, " %*s", wide, reader->request);
        add(&times, " %*.0f", wide, reader->times);
        other_block = other_block || (*reader->block != '-' && *reader->block != '0');
        other_times = other_times || reader->times != 1;
    }
    if (!elements.length)
        return;
    double row = map->flat ? 0 : floor(first / map->columns);
    print_row(row == 0 ? "element" : say("row %.0f", row), &elements);
    if (other_block)
        print_row("block", &blocks);
    print_row("thread", &threads);
    print_row("request", &requests);
    if (other_times)
        print_row("times", &times);
    puts("");
}

static void print_readers(struct access_map *map) {
    if (!map->any_read)
        return;
    puts("The first elements. Neighbours should have neighbouring threads in one request.");
    print_strip(map, 0, 16);
    print_strip(map, 16, 16);
    if (!map->flat)
        print_strip(map, map->columns, 8);
}

/* ---- requests --------------------------------------------------------------------------------- */

/* How much of a sector is used. */
static const char *mark_of(int used) {
    bool blocks = shows_utf8();
    return used == SECTOR       ? blocks ? "█" : "#"
           : used >= SECTOR / 2 ? blocks ? "▓" : "+"
           : blocks             ? "░"
                                : ".";
}

static void print_request(const struct access_map *map, const struct request *request) {
    struct text marks = {0};
    for (int i = 0; i < request->sectors && i < 16; i++)
        add(&marks, "%s", mark_of(request->sector[i].used));
    const char *elements = elements_of_lanes(map, request);
    bool is_output = strcmp(request->array, "output") == 0;
    printf("%5.0f %4.0f %4.0f %4s  %-24s %7d %4.0f%%  %s%s\n", request->block, request->warp,
           request->number, request->line, say("%s%s", is_output ? "output " : "", elements),
           request->sectors, 100.0 * request->used_bytes / (SECTOR * request->sectors),
           bytes_of(&marks), request->sectors > 16 ? ".." : "");
}

static void print_requests(const struct access_map *map) {
    if (map->requests) {
        printf("First requests of warps. A mark is a 32-byte sector: %s all used, %s half, %s "
               "less\n",
               mark_of(SECTOR), mark_of(SECTOR / 2), mark_of(1));
        puts("block warp  no. line  elements or output bytes sectors  used");
    }
    for (int i = 0; i < map->requests; i++)
        print_request(map, &map->request[i]);
    for (int i = 0; i < map->totals; i++)
        printf("%s%s\n", i ? "" : "\n", total_in_words(map, &map->total[i]));
}

/* ---- missed and repeated elements ------------------------------------------------------------- */

static void print_odd(const struct access_map *map, const struct odd_elements *odd,
                      const char *sentence) {
    if (odd->count)
        printf("%s\nThe first%s:%s%s\n", sentence, map->flat ? "" : " (row, column)",
               bytes_of(&odd->first), odd->count > odd->listed ? " .." : "");
}

static void print_reads(struct access_map *map) {
    bool colour = shows_colour();
    double covered = map->cut_at > 0 ? map->cut_at : map->elements;
    double missed = map->missed.count, repeated = map->repeated.count;
    fputs(map->requests + map->totals ? "\n" : "", stdout);
    if (map->any_read) {
        print_odd(map, &map->missed,
                  say("Missed: %.0f of %.0f elements %s read by no thread.", missed, covered,
                      missed == 1 ? "is" : "are"));
        print_odd(map, &map->repeated,
                  say("Repeated: %s %s read more than once.", plural(repeated, "element"),
                      repeated == 1 ? "is" : "are"));
        if (missed + repeated == 0)
            printf("Each of the %.0f elements is read exactly once.\n", covered);
        if (map->cut_at > 0)
            printf("This covers only the elements before %.0f, because the whole map would be too "
                   "long. A smaller SIZE shows all.\n",
                   map->cut_at);
    } else
        puts("No thread reads the input.");
    if (missed + repeated == 0)
        return;
    puts("\nThe whole input: . read once   x some missed   2 some repeated   * both");
    for (int r = 0; r < map->grid_rows; r++) {
        for (int c = 0; c < map->grid_columns; c++)
            if (map->cell[r][c])
                printf(colour ? "\033[1;31m%c\033[0m" : "%c", map->cell[r][c]);
            else
                putchar('.');
        puts("");
    }
}

static void draw(struct access_map *map) {
    printf("%s: which thread reads which element\n%s\n", map->step, input_in_words(map));
    for (int i = 0; i < map->launches; i++)
        puts(map->launch[i]);
    puts("");
    print_readers(map);
    print_requests(map);
    print_reads(map);
    if (map->any_read && *larger_size(map))
        printf("\nMost threads have little to read in such a small input: %s shows more.\n",
               larger_size(map));
}

/* desk/inside/access STEP MAP */
int view_access(int count, char **words) {
    if (count != 2)
        return 2;
    struct access_map map = read_access_map(words[1], words[0]);
    draw(&map);
    return 0;
}
