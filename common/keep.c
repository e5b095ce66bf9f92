#include "keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks are linked, so that a checker for leaks finds what a view has forgotten on purpose. */
static struct block {
    struct block *before;
    size_t used, size;
    max_align_t data[];
} * blocks[2], **last = &blocks[false]; /* those to stay, and those aside; the last one of either */

enum { USUAL = 1 << 16 };

static struct block *new_block(size_t size) {
    struct block *block = calloc(1, sizeof *block + size);
    if (!block) {
        fputs("there is no memory left\n", stderr);
        exit(3);
    }
    block->size = size;
    return block;
}

/* What is large has a block of its own, and leaves the room of the last one to what is small. */
void *keep(size_t size) {
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (*last && size > USUAL / 4) {
        struct block *block = new_block(size);
        block->before = (*last)->before;
        (*last)->before = block;
        return block->data;
    }
    if (!*last || (*last)->size - (*last)->used < size) {
        struct block *block = new_block(size > USUAL ? size : USUAL);
        block->before = *last;
        *last = block;
    }
    char *taken = (char *)(*last)->data + (*last)->used;
    (*last)->used += size;
    return taken;
}

void keep_aside(bool aside) { last = &blocks[aside]; }

/* One block stays for what comes next. */
void keep_drop(void) {
    struct block *block = blocks[true];
    while (block && block->before) {
        struct block *before = block->before;
        free(block);
        block = before;
    }
    if (block)
        memset(block->data, 0, block->used), block->used = 0;
    blocks[true] = block;
}

void *keep_more(void *list, size_t count, size_t item) {
    if (count & (count - 1)) /* room is the next power of two */
        return list;
    void *more = keep((count ? 2 * count : 1) * item);
    return count ? memcpy(more, list, count * item) : more;
}

char *keep_part(const char *text, size_t length) { return memcpy(keep(length + 1), text, length); }
