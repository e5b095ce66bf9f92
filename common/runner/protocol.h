/* What judge and runner say to each other.
 *
 * The runner inherits four file descriptors. Over the control socket (SOCK_SEQPACKET) each packet
 * is one `struct message`. The three others are shared memory: the strip and the windows can only
 * be read by the runner, the outputs can be written.
 *
 * The runner of the counted build gets a fifth, COUNTS_FD_BYTES of shared memory that it can write.
 * It begins with the text of a GPU file (common/gpus), ended by a zero byte: the device to emulate.
 * When the counted call of a sample has ended, the runner has written a counts file over it, from
 * the first byte on and ended by a zero byte. The judge copies it when it gets COPIED.
 * The runner of the checked build gets the same memory, for the reads of a sample's calls
 * (emulator/findings/reads.h), one call's after the other's, as many as there is room for.
 *
 *   judge            runner
 *   BEGIN      ->                 nobody measures on the GPU now
 *   JOB        ->                 shape and sizes
 *              <-    PREPARED     strip in device memory: from here on the step's code runs
 *              <-    READY        step set up
 *   SAMPLE     ->                 so many calls
 *              <-    ARMED        outputs poisoned, device idle
 *   GO         ->                 their windows are in the shared memory, the strip's patches in
 *                                 this message: nobody could know them before the judge's clock,
 *                                 which starts here
 *              <-    DONE         all calls made and synchronized: the judge's clock stops
 *              <-    COPIED       outputs are in the shared memory
 *   ...                           more samples
 *   TEAR_DOWN  ->
 *              <-    TORN_DOWN
 *   SET_UP     ->                 if there are to be more
 *              <-    READY        step set up again, its memory elsewhere
 *   ...
 *   JOB        ->                 after TORN_DOWN: the same step with another shape, in the same
 *                                 shared memory; then as from the first JOB on
 *
 * In place of any answer the runner may send FAILED, with the CUDA error that ended it: the
 * harness's fault before PREPARED, the step's after it, whatever it says. Before any
 * answer it may send HAZARDs, one a message: what the checked build saw since the last answer. On
 * the cpu device it sends CRASHED when a signal or exit() is about to end it, and WHERE whenever
 * the set-up, a call or the tear-down has used so much more CPU time. Where the job asks for it,
 * REACHEDs come before TORN_DOWN: which accesses the step has reached so far. The judge believes
 * nothing of this: it times by its own clock too, and compares every output.
 */
#pragma once

#include <stdint.h>

/* By their paths: a step that includes this header has no -Iemulator/findings (tests/cheats). */
#include "../../emulator/findings/crash.h"
#include "../../emulator/findings/hazard.h"
#include "../../emulator/findings/reads.h"
#include "../../emulator/findings/where.h"
#include "launch_size.h"

enum { CONTROL_FD = 3, STRIP_FD, WINDOWS_FD, OUTPUTS_FD, COUNTS_FD };

enum { COUNTS_FD_BYTES = 384 << 20 };

/* Begins a line of the runner's own among what the step prints, where the job asks for it:
 * "set-up", "call 0", "tear-down". What follows was printed there. On a GPU, where kernels print
 * late, there are none. */
enum { PRINTED_MARK = 0x1e };

/* An element of the strip changes just before a call: what was known of the strip is out of date.
 */
struct patch {
    uint64_t element; /* counted from the strip's start */
    uint64_t call;
    unsigned char value[8]; /* the element's bytes */
};

enum { MOST_PATCHES = 16 };

enum message_kind {
    MESSAGE_BEGIN = 1,
    MESSAGE_JOB,
    MESSAGE_PREPARED,
    MESSAGE_READY,
    MESSAGE_SAMPLE,
    MESSAGE_ARMED,
    MESSAGE_GO,
    MESSAGE_DONE,
    MESSAGE_COPIED,
    MESSAGE_TEAR_DOWN,
    MESSAGE_TORN_DOWN,
    MESSAGE_SET_UP,
    MESSAGE_FAILED,
    MESSAGE_HAZARD,
    MESSAGE_CRASHED,
    MESSAGE_WHERE,
    MESSAGE_REACHED,
};

struct message {
    uint32_t kind;

    /* JOB. windows: that many uint64_t, each the first row of a call's input in the strip. A
     * call's output is slot_bytes after the one before. */
    uint64_t rows, columns, row_bytes, window_bytes, strip_bytes, element_bytes;
    uint64_t output_bytes, slot_bytes, max_calls;
    uint32_t counted;     /* COUNTS_FD is there */
    uint32_t marked;      /* with marks in what is printed */
    uint32_t reach;       /* with REACHED when it is torn down, if the program is a checked one */
    uint32_t reads;       /* COUNTS_FD is there, and is for reads */
    uint32_t only_reach;  /* and analyse nothing */
    uint32_t only_launch; /* no kernel runs */
    uint64_t check_only;  /* launches of a call that a checked program analyses; 0: all */
    uint32_t in_order;    /* a checked program runs its threads as the plain one does */
    double where_s; /* CPU time after which to tell where the step is: of all calls of a sample; 0:
                       never */

    /* SAMPLE */
    uint64_t calls;
    uint64_t copied; /* outputs to copy: those of the calls, or those of no calls at all */
    uint64_t count;  /* the call to count, from 1 on; 0: none */
    uint32_t synced; /* synchronize after every call, as the journal's code did */
    uint32_t again;  /* calls that were made before, for a mark */
    uint32_t whole;  /* each call with allocation and both copies, as others have timed it */
    uint32_t poison; /* byte that fills the outputs beforehand */

    /* SET_UP: device memory put in the way, so that the step's lies elsewhere */
    uint64_t shift_bytes;

    /* GO: in the order of their calls */
    uint32_t patches;
    struct patch patch[MOST_PATCHES];

    /* DONE */
    double event_s;      /* seconds between the device's events around the calls, without patches */
    uint64_t launches;   /* of kernels, by the step in these calls; of a graph: one */
    uint64_t idle_calls; /* calls in which there was none */
    uint64_t host_calls; /* calls of which more came to the host than of kernels' work */
    struct launch_size widest; /* of all launches of this process; all 0 where it is unknown */
    uint64_t of_blocks;        /* bit n: number n of a call has had more than one block */
    uint64_t meetings;         /* of threads in the last call: emulator_meetings */

    /* FAILED */
    int32_t cuda_error;
    char text[496];

    struct hazard hazard;   /* HAZARD */
    struct crash crash;     /* CRASHED */
    struct where where;     /* WHERE */
    struct reached reached; /* REACHED */
};
