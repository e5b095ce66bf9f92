/* From what a warp did (a counts file's trace, in the source's order) to what the GPU's warp does:
 * its memory instructions in the machine code's order, the instructions between them, and the
 * places where it waits for a load. README.md, "Order", says by which rules. */
#ifndef MODEL_ORDER_H
#define MODEL_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code.h"
#include "counts.h"

/* Loads of a warp that can be waited for: those before are taken for done. */
enum { ORDER_SLOTS = 256 };

enum order_what {
    ORDER_MEMORY, /* a request */
    ORDER_USE,    /* wait for the load of `slot` */
    ORDER_BARRIER,
    ORDER_WARP_OPERATION,
    ORDER_FENCE,
    ORDER_GRID_BARRIER,
    ORDER_DEPENDENCY, /* cudaGridDependencySynchronize() */
    ORDER_TRIGGER,    /* cudaTriggerProgrammaticLaunchCompletion() */
    ORDER_WEIGHT,     /* what follows stands for weight times as much */
    ORDER_INSTRUCTIONS
};

struct order_step {
    unsigned char what;
    bool returns;            /* a request whose result is waited for: a load, or such an atomic */
    bool separate;           /* an atomic whose lanes on one address go one after the other */
    bool past_l1;            /* a load that the L2 answers */
    unsigned char slot;      /* of a load */
    unsigned char bytes;     /* of a request: that a lane accesses */
    float instructions;      /* that the warp issues up to and with this one */
    float units[CODE_UNITS]; /* of these instructions, those that need each unit */
    float weight;
    uint32_t item; /* the request: of struct counts' items */
};

/* One warp. */
struct order {
    struct order_step *steps;
    size_t count, room;
};

/* What is assumed where there is no machine code. Factors on the rules' numbers. */
struct order_assumptions {
    double loads_in_flight; /* 1: as the rules say; 2: twice as many turns go together */
};

/* A loop of the source that makes no request, as the machine code has it. */
struct order_loop {
    unsigned first, last;                   /* its lines */
    double visits, turns;                   /* in traces */
    uint64_t most;                          /* turns of a visit */
    double instructions, units[CODE_UNITS]; /* of a turn; none: there is no such loop */
};

/* What is the same for all warps of a kernel. */
struct order_rules {
    const struct counts *counts;
    const struct counts_op *op;
    const struct code_kernel *kernel; /* its machine code, or NULL */
    int *best;                        /* for each site, how well its instructions fit */
    bool *repeated;                   /* one of these is in a loop */
    struct order_loop *loops;
    size_t loop_count;
    int measuring;          /* of them: those before it have been measured */
    unsigned char *in_loop; /* for each instruction of the machine code: a turn counts it */
    uint64_t *together;     /* for each site, the turns of its loop whose loads start together */
};

/* kernel: its machine code, or NULL. False: no memory. The caller ends with order_rules_free(). */
bool order_rules_make(const struct counts *counts, const struct counts_op *op,
                      const struct code_kernel *kernel, const struct order_assumptions *assumptions,
                      struct order_rules *rules);
void order_rules_free(struct order_rules *rules);

/* The steps of one warp. False: no memory. The caller ends with order_free(). */
bool order_make(const struct order_rules *rules, const struct counts_warp *warp,
                struct order *order);
void order_free(struct order *order);

#endif
