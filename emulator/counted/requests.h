/* What a GPU's memory system counts of one request of a warp, and sums of that by place. */
#pragma once

#include "counts.h"

struct measure {
    unsigned wavefronts, conflicts; /* of shared memory; conflicts are part of wavefronts */
    unsigned multiplicity;          /* the most lanes on one address */
    unsigned sectors;               /* of global memory, 32 bytes each */
    unsigned l1_passes;             /* of a wide load, or of many lines, through the L1; else 0 */
    unsigned line_count;            /* and the lines that they lie in, */
    unsigned parts;                 /* of an atomic: sectors in which lanes meet, */
    uint64_t part[WARP];            /* their numbers: address / 32, */
    uint8_t sent[WARP];             /* and how often each is sent */
    uint64_t line[2 * WARP];        /* by number: address / 128; in the order of lanes */
    uint8_t used[2 * WARP];         /* with the sectors of each: bits */
};

void request_measure(const struct request *request, struct measure *measure);

/* Note the memory that it uses (region_touch). */
void request_touch(const struct request *request, const struct measure *measure);

/* What the counts file has of each site, in its order. */
enum figure { REQUESTS, LANES, SECTORS, LINES, WAVEFRONTS, CONFLICTS, SAME, MOST, FIGURES };

struct counter {
    uint32_t site, loop;
    uint8_t kind, space, bytes;
    uint8_t atomic; /* of an atomic: enum emulator_atomic */
    bool merged;    /* one lane adds for its warp: see counter_finish */
    uint64_t figure[FIGURES];
};

enum { COUNTERS = 4096, HOT_ADDRESSES = 1 << 14, NEAR = 512 };

struct hot {
    uint64_t address, adds, requests;
    bool merges; /* each time all lanes of a request, and nvcc has one lane add for them */
};

/* Addresses, or parts of memory of NEAR bytes, for which `adds` are the sectors that are sent. */
struct hot_table {
    struct hot hot[HOT_ADDRESSES];
    unsigned count;
};

/* What has no address, and what warps do of it one after the other. */
enum event { BARRIERS, OPERATIONS, FENCES, MATCHES, GROUPS, CONSTANTS, EMPTY_TURNS, EVENTS };

/* Open hash tables. Where one is full, what is new is not counted, which `overflow` tells. */
struct tally {
    struct counter counters[COUNTERS];
    struct hot_table addresses, near;
    uint64_t event[EVENTS];
    uint64_t constant_begin, constant_end; /* of the constants read: their addresses */
    unsigned counter_count;
    bool overflow;
};

/* What nvcc makes of an atomic whose address all lanes share, once all its requests are counted. */
void counter_finish(struct counter *counter);
/* Add the figures of one counter to those of another; whose they are, and `merged`, stay. */
void counter_add(struct counter *sum, const struct counter *add);
void tally_add(struct tally *tally, const struct request *request, const struct measure *measure);
/* The same for what has no address of memory. */
void tally_event(struct tally *tally, const struct request *request);
/* How much the hottest got, and by how many requests: 0 if there is none. */
uint64_t hottest(const struct hot_table *table, uint64_t *requests);
/* Add what `from` has, and make it empty. */
void tally_merge(struct tally *into, struct tally *from);
