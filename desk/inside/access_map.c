#include "access.h"

#include <math.h>
#include <string.h>

#define ROOM_IN(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- how often each element was read ---------------------------------------------------------- */

static void take_call(struct access_map *map, const struct words *words) {
    map->rows = number_of(words, 1);
    map->columns = number_of(words, 2);
    map->elements = map->rows * map->columns;
    map->element_bytes = map->elements > 0 ? number_of(words, 3) / map->elements : 1;
    map->flat = map->rows == 1 || map->columns == 1;
    map->grid_rows = map->flat ? 1 : (int)smaller(map->rows, GRID_ROWS);
    map->grid_columns = (int)smaller(map->flat ? map->elements : map->columns, GRID_COLUMNS);
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

const struct reader *reader_of(struct access_map *map, double element) {
    return *find(&map->reader, say("%.0f", element));
}

bool in_strip(const struct access_map *map, double first, double element) {
    return element < map->elements &&
           (map->flat || floor(element / map->columns) == floor(first / map->columns));
}

/* ---- requests --------------------------------------------------------------------------------- */

static bool is_touched(const struct request *request, double byte) {
    for (int i = 0; i < request->lanes; i++)
        if (byte >= request->offset[i] && byte < request->offset[i] + request->bytes)
            return true;
    return false;
}

static void use_sector(struct request *request, double number) {
    int i = request->sectors;
    request->used_bytes++;
    while (i > 0 && request->sector[i - 1].number > number)
        i--;
    if (i > 0 && request->sector[i - 1].number == number) {
        request->sector[i - 1].used++;
        return;
    }
    memmove(&request->sector[i + 1], &request->sector[i],
            (request->sectors++ - i) * sizeof *request->sector);
    request->sector[i].number = number;
    request->sector[i].used = 1;
}

/* Those lanes that stand in `request` already have used their sectors. */
static void take_lane(struct request *request, double offset) {
    for (double b = offset; b < offset + request->bytes; b++)
        if (!is_touched(request, b))
            use_sector(request, floor(b / SECTOR));
    if (request->lanes && offset != request->offset[request->lanes - 1] + request->bytes)
        request->side_by_side = false;
    request->offset[request->lanes++] = offset;
}

static void take_request(struct access_map *map, const struct words *words) {
    double bytes = number_of(words, 7);
    if (map->requests == ROOM_IN(map->request) || words->count < 11 || !(bytes >= 1 && bytes <= 64))
        return;
    struct request *request = &map->request[map->requests++];
    *request = (struct request){.op = word_of(words, 1),
                                .block = number_of(words, 2),
                                .warp = number_of(words, 3),
                                .line = word_of(words, 4),
                                .kind = word_of(words, 5),
                                .array = word_of(words, 6),
                                .bytes = (int)bytes,
                                .number = number_of(words, 8),
                                .side_by_side = true};
    for (size_t i = 10; i < words->count && request->lanes < LANES; i++)
        take_lane(request, fmin(fmax(number_of(words, i), 0), 1e15));
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

static void take_total(struct access_map *map, const struct words *words) {
    if (map->totals < ROOM_IN(map->total))
        map->total[map->totals++] = (struct total){.op = word_of(words, 1),
                                                   .line = word_of(words, 2),
                                                   .kind = word_of(words, 3),
                                                   .array = word_of(words, 4),
                                                   .bytes = number_of(words, 5),
                                                   .requests = number_of(words, 6),
                                                   .lanes = number_of(words, 7),
                                                   .sectors = number_of(words, 8)};
}

static void take_reader(struct access_map *map, const struct words *words) {
    struct reader *reader = keep(sizeof *reader);
    *reader = (struct reader){.block = word_of(words, 3),
                              .thread = word_of(words, 4),
                              .request = word_of(words, 5),
                              .times = number_of(words, 7)};
    *find(&map->reader, word_of(words, 1)) = reader;
}

struct access_map read_access_map(const char *path, const char *step) {
    struct access_map map = {.step = printable(step)};
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words words = words_of(printable(*line));
        const char *what = word_of(&words, 0);
        if (strcmp(what, "call") == 0)
            take_call(&map, &words);
        else if (strcmp(what, "op") == 0)
            take_launch(&map, &words);
        else if (strcmp(what, "total") == 0)
            take_total(&map, &words);
        else if (strcmp(what, "r") == 0)
            take_request(&map, &words);
        else if (strcmp(what, "reader") == 0)
            take_reader(&map, &words);
        else if (strcmp(what, "reads") == 0)
            take_run(&map, number_of(&words, 1), number_of(&words, 2), number_of(&words, 3));
        else if (strcmp(what, "cut") == 0)
            map.cut_at = number_of(&words, 1);
    }
    return map;
}
