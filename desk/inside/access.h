/* An access map (emulator/counted/access.h describes it), and what both drawings of it share.
 * Elements are numbered from 0, and so are sectors. */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdbool.h>
#include <stdio.h>

#include "inside.h"
#include "lib/text.h"

enum { SECTOR = 32, LANES = 32, GRID_ROWS = 16, GRID_COLUMNS = 64 };

struct request {
    const char *op, *line, *kind, *array;
    double block, warp, number;
    int bytes; /* of a lane */
    int lanes;
    double offset[LANES]; /* in bytes */
    int sectors, used_bytes;
    struct {
        double number;
        int used;        /* bytes */
    } sector[3 * LANES]; /* in their order */
    bool side_by_side;   /* each lane goes on where the one before ends */
};

/* All requests at one place of the source. */
struct total {
    const char *op, *line, *kind, *array;
    double bytes, requests, lanes, sectors;
};

struct reader {
    const char *block, *thread, *request;
    double times;
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
    struct total total[12];
    struct request request[24];
    int launches, more_launches, totals, requests;
    struct map reader; /* by the element's number */
    double cut_at;     /* 0: it is whole */
    bool any_read;
    struct odd_elements missed, repeated;
    /* The whole input, each cell for some elements: 0 read once, x some missed, 2 some repeated, *
     * both. An input of two dimensions keeps its shape. */
    int grid_rows, grid_columns;
    char cell[GRID_ROWS][GRID_COLUMNS];
};

struct access_map read_access_map(const char *path, const char *step);

/* NULL where nobody reads it. */
const struct reader *reader_of(struct access_map *map, double element);

/* Whether an element is in the strip that begins at `first`: the elements of one row. */
bool in_strip(const struct access_map *map, double first, double element);

/* Whether a lane accesses that byte. */
bool is_touched(const struct request *request, double byte);

/* ---- words ------------------------------------------------------------------------------------ */

const char *input_in_words(const struct access_map *map);
const char *elements_of_lanes(const struct access_map *map, const struct request *request);
const char *total_in_words(const struct access_map *map, const struct total *total);

/* What was missed and repeated: lines. */
struct said {
    const char *line[6];
    int lines;
};
struct said reads_in_words(struct access_map *map);

/* What to type where most threads have little to read; "" if they have enough, or always have so
 * much: a grid that is as large as the input. */
const char *larger_size(const struct access_map *map);

/* ---- drawings --------------------------------------------------------------------------------- */

void draw_text(struct access_map *map);

#endif
