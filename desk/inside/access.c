/* Draws an access map as text of 80 columns: emulator/counted/files.md describes it. Elements are
 * numbered from 0, and so are sectors. */
#include "inside.h"

#include <math.h>
#include <string.h>

enum { SECTOR = 32, LANES = 32, GRID_ROWS = 16, GRID_COLUMNS = 64 };

struct request {
    const char *line, *array, *place; /* place: the launch, line, kind and array */
    double block, warp, number;
    int bytes; /* of a lane */
    int lanes;
    double offset[LANES]; /* in bytes */
    double step;          /* from each lane's offset to the next; NAN where it differs */
    int sectors, used_bytes;
    int used[3 * LANES]; /* bytes of each sector */
};

/* Elements that were missed or repeated. */
struct odd_elements {
    double count;
    struct text first;
    int listed;
};

struct access_map {
    const char *step;
    double rows, columns, elements, element_bytes;
    bool flat; /* one row, or one column */
    double grid_threads, block_threads;
    const char *launch[6];
    struct words total[12]; /* all requests at one place of the source: words of the map */
    struct request request[24];
    int launches, more_launches, totals, requests;
    struct map reader; /* by the element's number; words of a line of the map */
    double cut_at;     /* 0: it is whole */
    bool any_read;
    struct odd_elements missed, repeated;
    /* The whole input, each cell for some elements: 0 read once, x some missed, 2 some repeated, *
     * both. An input of two dimensions keeps its shape. */
    int grid_rows, grid_columns;
    char cell[GRID_ROWS][GRID_COLUMNS];
};

#define ROOM_IN(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- how often each element was read ---------------------------------------------------------- */

static void take_call(struct access_map *map, const struct words *words) {
    map->rows = number_of(words, 1);
    map->columns = number_of(words, 2);
    map->elements = map->rows * map->columns;
    map->element_bytes = map->elements > 0 ? number_of(words, 3) / map->elements : 1;
    map->flat = map->rows == 1 || map->columns == 1;
    map->grid_rows = map->flat ? 1 : (int)fmin(map->rows, GRID_ROWS);
    map->grid_columns = (int)fmin(map->flat ? map->elements : map->columns, GRID_COLUMNS);
}

static void mark_cells(struct access_map *map, double row, double from, double to, char mark) {
    char *cell = map->cell[(int)fmin(floor(row), GRID_ROWS - 1)];
    int last = (int)fmin(to * map->grid_columns, GRID_COLUMNS - 1);
    for (int c = (int)(from * map->grid_columns); c <= last; c++)
        cell[c] = cell[c] && cell[c] != mark ? '*' : mark;
}

static void list_elements(const struct access_map *map, struct odd_elements *odd, double first,
                          double last) {
    odd->count += last - first + 1;
    for (double e = first; e <= last && odd->listed < 5; e++, odd->listed++)
        if (map->flat)
            add(&odd->first, " %.0f", e);
        else
            add(&odd->first, " (%.0f, %.0f)", floor(e / map->columns), fmod(e, map->columns));
}

static void take_run(struct access_map *map, double first, double last, double times) {
    char mark = times > 0 ? '2' : 'x';
    last = fmin(last, map->elements - 1);
    if (!(first >= 0) || !(first <= last))
        return;
    map->any_read = map->any_read || times > 0;
    if (times == 1)
        return;
    list_elements(map, times > 0 ? &map->repeated : &map->missed, first, last);
    if (map->flat) {
        mark_cells(map, 0, first / map->elements, last / map->elements, mark);
        return;
    }
    double first_row = floor(first / map->columns), last_row = floor(last / map->columns);
    for (double row = first_row; row <= last_row; row++)
        mark_cells(map, row * map->grid_rows / map->rows,
                   row > first_row ? 0 : fmod(first, map->columns) / map->columns,
                   (row < last_row ? map->columns - 1 : fmod(last, map->columns)) / map->columns,
                   mark);
}

/* Whether an element is in the strip that begins at `first`: the elements of one row. */
static bool in_strip(const struct access_map *map, double first, double element) {
    return element < map->elements &&
           (map->flat || floor(element / map->columns) == floor(first / map->columns));
}

/* ---- requests --------------------------------------------------------------------------------- */

/* A lane may use bytes that another one uses, too. */
static void count_sectors(struct request *request) {
    double *byte = keep(request->lanes * request->bytes * sizeof *byte);
    size_t count = 0;
    for (int i = 0; i < request->lanes; i++)
        for (int b = 0; b < request->bytes; b++)
            byte[count++] = request->offset[i] + b;
    sort_numbers(byte, count);
    for (size_t i = 0; i < count; i++) {
        if (i && byte[i] == byte[i - 1])
            continue;
        request->sectors += !i || floor(byte[i] / SECTOR) != floor(byte[i - 1] / SECTOR);
        request->used[request->sectors - 1]++;
        request->used_bytes++;
    }
}

static double step_of(const struct request *request) {
    const double *offset = request->offset;
    double step = request->lanes > 1 ? offset[1] - offset[0] : request->bytes;
    for (int i = 2; i < request->lanes; i++)
        step = offset[i] - offset[i - 1] == step ? step : NAN;
    return step;
}

static void take_request(struct access_map *map, const struct words *words) {
    double bytes = number_of(words, 7);
    if (map->requests == ROOM_IN(map->request) || words->count < 11 || !(bytes >= 1 && bytes <= 64))
        return;
    struct request *request = &map->request[map->requests++];
    *request = (struct request){.place = say("%s %s", word_of(words, 1), joined(words, 4, 7)),
                                .block = number_of(words, 2),
                                .warp = number_of(words, 3),
                                .line = word_of(words, 4),
                                .array = word_of(words, 6),
                                .bytes = (int)bytes,
                                .number = number_of(words, 8)};
    for (size_t i = 10; i < words->count && request->lanes < LANES; i++)
        request->offset[request->lanes++] = fmin(fmax(number_of(words, i), 0), 1e15);
    request->step = step_of(request);
    count_sectors(request);
}

/* ---- reading ---------------------------------------------------------------------------------- */

static void take_launch(struct access_map *map, const struct words *words) {
    double blocks = number_of(words, 2), threads = number_of(words, 3);
    if (blocks * threads > map->grid_threads) {
        map->grid_threads = blocks * threads;
        map->block_threads = threads;
    }
    if (map->launches < ROOM_IN(map->launch))
        map->launch[map->launches++] = say("%s: %s of %s", joined(words, 4, words->count),
                                           plural(blocks, "block"), plural(threads, "thread"));
    else
        map->launch[map->launches - 1] = say(".. %d launches more", ++map->more_launches + 1);
}

static struct access_map read_access_map(const char *path, const char *step) {
    struct access_map map = {.step = printable(step)};
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words words = words_of(printable(*line));
        const char *what = word_of(&words, 0);
        if (same(what, "call"))
            take_call(&map, &words);
        else if (same(what, "op"))
            take_launch(&map, &words);
        else if (same(what, "total") && words.count >= 9 && map.totals < ROOM_IN(map.total))
            map.total[map.totals++] = words;
        else if (same(what, "r"))
            take_request(&map, &words);
        else if (same(what, "reader"))
            *(struct words *)found(&map.reader, word_of(&words, 1), sizeof words) = words;
        else if (same(what, "reads"))
            take_run(&map, number_of(&words, 1), number_of(&words, 2), number_of(&words, 3));
        else if (same(what, "cut"))
            map.cut_at = number_of(&words, 1);
    }
    return map;
}

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
    bool is_input = same(request->array, "input");
    double size = is_input ? map->element_bytes : 1;
    double each = is_input ? request->bytes / size : 1;
    const double *offset = request->offset;
    int last = request->lanes - 1;
    if (last == 0)
        return span(request, 0, size);
    if (isnan(request->step))
        return say("%s %s ..", span(request, 0, size), span(request, 1, size));
    if (request->step == 0)
        return say("%s, all lanes", span(request, 0, size));
    if (request->step == request->bytes)
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

/* The first request tells how its lanes lie. */
static bool is_side_by_side(const struct access_map *map, const char *place) {
    for (int i = 0; i < map->requests; i++)
        if (same(place, map->request[i].place))
            return map->request[i].step == map->request[i].bytes;
    return false;
}

/* Its words: "total", N, LINE, KIND, ARRAY, BYTES, REQUESTS, LANES, SECTORS. */
static const char *total_in_words(const struct access_map *map, const struct words *total) {
    double requests = number_of(total, 6), each = number_of(total, 8) / requests;
    double lanes = number_of(total, 7) / requests, bytes = number_of(total, 5);
    const char *kind = word_of(total, 3);
    const char *verb = same(kind, "load") ? "reads" : same(kind, "store") ? "writes" : "adds to";
    return say("Line %s %s the %s, %.1f %s a request: %s", word_of(total, 2), verb,
               word_of(total, 4), each, each == 1 ? "sector" : "sectors",
               verdict(each, fmax(lanes * bytes / SECTOR, 1), lanes,
                       is_side_by_side(map, joined(total, 1, 5))));
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

/* A row of the strip: a word of each element's reader, or the numbers of the elements themselves.
 * It is left out where all are as usual. */
static void print_row(struct access_map *map, const char *name, double first, int count, int word,
                      const char *usual) {
    struct words nobody = words_of("reader - - - - - - 0");
    struct text cells = {0};
    bool is_odd = false;
    for (double e = first; e < first + count && in_strip(map, first, e); e++) {
        const struct words *reader = *find(&map->reader, say("%.0f", e));
        const char *cell = word ? word_of(reader ? reader : &nobody, word)
                                : say("%.0f", map->flat ? e : fmod(e, map->columns));
        add(&cells, " %*s", count < 16 ? 4 : 3, cell);
        is_odd = is_odd || (!same(cell, usual) && !same(cell, "-"));
    }
    if (is_odd || !*usual)
        printf("%-7s%s\n", name, bytes_of(&cells));
}

static void print_strip(struct access_map *map, double first, int count) {
    if (!in_strip(map, first, first))
        return;
    double row = map->flat ? 0 : floor(first / map->columns);
    print_row(map, row == 0 ? "element" : say("row %.0f", row), first, count, 0, "");
    print_row(map, "block", first, count, 3, "0");
    print_row(map, "thread", first, count, 4, "");
    print_row(map, "request", first, count, 5, "");
    print_row(map, "times", first, count, 7, "1");
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
        add(&marks, "%s", mark_of(request->used[i]));
    const char *elements = elements_of_lanes(map, request);
    bool is_output = same(request->array, "output");
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
