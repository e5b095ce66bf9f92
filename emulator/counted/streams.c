/* Which operations of a call come before another one: by streams, events and the default stream. */
#include "counts.h"
#include "../scheduler/hooks.h"

#include <stdbool.h>

enum { ENDS = 128, MOST_OPERATIONS = 64 };

/* What a stream or an event comes after: operations, as bits. Without a key it is the default
 * stream, which waits for the streams that block, and they for it. */
struct ends {
    const void *key;
    uint64_t operations;
    bool blocks;
};

static struct ends ends[ENDS] = {{.blocks = true}};
static unsigned count = 1;
static uint64_t before[MOST_OPERATIONS];

/* If there are too many, the later ones are taken for the default stream. */
static struct ends *find(const void *key) {
    unsigned i = 0;
    if (key == cudaStreamLegacy)
        key = NULL;
    while (i < count && ends[i].key != key)
        i++;
    if (i == count && count < ENDS)
        ends[count++] = (struct ends){.key = key, .blocks = true};
    return &ends[i < count ? i : 0];
}

static uint64_t ends_of(const struct ends *stream) {
    uint64_t operations = stream->operations;
    for (unsigned i = 0; i < count; i++)
        if (stream->blocks && ends[i].blocks && (!stream->key || !ends[i].key))
            operations |= ends[i].operations;
    return operations;
}

void watch_stream(cudaStream_t stream, int blocking) { find(stream)->blocks = blocking; }

void watch_event(cudaEvent_t event, cudaStream_t stream) {
    uint64_t operations = ends_of(find(stream));
    struct ends *of = find(event);
    of->operations = operations;
    of->blocks = false;
}

void watch_wait(cudaStream_t stream, cudaEvent_t event) {
    uint64_t operations = find(event)->operations;
    find(stream)->operations |= operations;
}

void streams_begin_call(void) {
    for (unsigned i = 0; i < count; i++)
        ends[i].operations = 0;
}

uint64_t streams_before(unsigned operation, cudaStream_t stream) {
    if (operation >= MOST_OPERATIONS)
        return UINT64_MAX;
    struct ends *on = find(stream);
    uint64_t direct = ends_of(on), all = direct;
    for (unsigned i = 0; i < operation; i++)
        if (direct >> i & 1)
            all |= before[i];
    before[operation] = all;
    on->operations = UINT64_C(1) << operation;
    return all;
}
