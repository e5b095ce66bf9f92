/* Draws an access map as text of 80 columns. */
#include <math.h>
#include <string.h>

#include "access.h"

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

static void print_reads(struct access_map *map) {
    bool colour = shows_colour();
    struct said said = reads_in_words(map);
    for (int i = 0; i < said.lines; i++)
        printf("%s%s\n", i == 0 && map->requests + map->totals ? "\n" : "", said.line[i]);
    if (map->missed.count + map->repeated.count == 0)
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

void draw_text(struct access_map *map) {
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

/* desk/inside/access STEP MAP SVG: on the terminal, and larger into SVG. */
int view_access(int count, char **words) {
    if (count != 2)
        return 2;
    struct access_map map = read_access_map(words[1], words[0]);
    draw_text(&map);
    return 0;
}
