/* A counts file: what a counted run of a step (emulator/counted/) saw its kernels do in one
 * call. emulator/counted/files.md has the format. The file is untrusted: a step's process
 * wrote it. */
#ifndef MODEL_COUNTS_H
#define MODEL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* More than these are refused. */
enum {
    COUNTS_BYTES = 256 << 20,
    COUNTS_OPS = 4096,
    COUNTS_SITES = 1 << 14, /* of all operations */
    COUNTS_NAME = 256,
    COUNTS_REQUEST_LINES = 64
};

enum counts_kind { COUNTS_LOAD, COUNTS_STORE, COUNTS_ATOMIC };
enum counts_space { COUNTS_GLOBAL, COUNTS_SHARED, COUNTS_LOCAL };
enum counts_what { COUNTS_KERNEL, COUNTS_MEMSET, COUNTS_COPY };

/* A place of the source that accesses memory, in one operation. */
struct counts_site {
    unsigned line, loop; /* loop: the line of its innermost loop, or 0 */
    enum counts_kind kind;
    enum counts_space space;
    unsigned bytes; /* that one lane accesses */
    uint64_t requests, lanes, sectors, lines, wavefronts, conflicts, same, most;
};

/* The figures of a site, .name = site->name and so on, for a struct that has them by these names:
 * what is sent, and what a record holds. */
#define COUNTS_FIGURES(site)                                                                       \
    .bytes = (site)->bytes, .requests = (site)->requests, .lanes = (site)->lanes,                  \
    .sectors = (site)->sectors, .lines = (site)->lines, .wavefronts = (site)->wavefronts,          \
    .conflicts = (site)->conflicts, .same = (site)->same, .most = (site)->most

/* One 128-byte line of global memory that a request uses, and which of its four sectors. */
struct counts_line {
    uint64_t address; /* / 128 */
    unsigned sectors; /* bits */
};

/* One thing that a traced warp did. Its letter is that of the file: s r b w f d t g l. */
struct counts_item {
    char what;
    unsigned char multiplicity;
    unsigned char line_count;
    unsigned short wavefronts;
    uint32_t mask;       /* of lanes; of l: the loop's last line */
    uint32_t site;       /* of the operation */
    uint32_t first_line; /* in struct counts' lines; of l: the loop's first one */
    uint64_t turn;
    double weight; /* of s */
};

struct counts_warp {
    uint64_t block;
    unsigned warp;
    size_t first, end; /* of struct counts' items */
};

struct counts_op {
    enum counts_what what;
    uint64_t bytes; /* of a memset or a copy; the rest is a kernel's */
    unsigned line;
    unsigned grid[3], block[3];
    uint64_t static_shared, dynamic_shared;
    bool overlaps;
    uint64_t before; /* the operations, as bits, that it comes after; all bits: all before it */
    uint64_t counted_blocks;
    char name[COUNTS_NAME];
    struct counts_site *sites;
    size_t site_count;
    size_t local_count; /* behind these: stores to what a thread has for itself */
    uint64_t read_sectors, written_sectors;
    uint64_t hot_adds, hot_requests, hot_near;
    uint64_t barriers, warp_operations, fences;
    uint64_t most_work;   /* of a warp: requests, and turns of loops without; 0: not known */
    uint64_t empty_turns; /* of all warps: turns of loops without requests */
    uint64_t match_passes, group_passes, constant_passes, constant_bytes;
    struct counts_warp *warps;
    size_t warp_count;
};

struct counts {
    char gpu[64];
    unsigned multiprocessors;
    uint64_t rows, columns, input_bytes, output_bytes;
    struct counts_op *ops;
    size_t op_count;
    struct counts_item *items; /* of all traces */
    size_t item_count;
    struct counts_line *lines; /* of all requests */
    size_t line_count;
};

/* Read a counts file of `size` bytes. On success the caller ends with counts_free(); otherwise
 * `counts` is empty and error has one line, which begins with name. */
bool counts_parse(const char *data, size_t size, const char *name, struct counts *counts,
                  char *error, size_t error_size);
void counts_free(struct counts *counts);

/* Blocks and threads of a launch, and its warps in a block. */
uint64_t counts_blocks(const struct counts_op *op);
unsigned counts_threads(const struct counts_op *op);
unsigned counts_warps(const struct counts_op *op);

/* As the files call them. */
const char *counts_kind_name(enum counts_kind kind);
const char *counts_space_name(enum counts_space space);

#endif
