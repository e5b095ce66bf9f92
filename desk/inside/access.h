/* An access map (emulator/counted/access.h describes it), as it is read.
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

#endif
