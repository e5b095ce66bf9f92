/* What the files of the runtime API share. */
#pragma once
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"

#include <stdbool.h>
#include <time.h>

/* At the beginning of each function that only the host may call. */
#define HOST_ONLY() emulator_host_only(__func__)
static inline void emulator_host_only(const char *function) {
    if (emulator_in_kernel())
        emulator_refuse("a kernel calls %s: calling a __host__ function from a __global__ function "
                        "is not allowed",
                        function);
}

/* What include/calls/ has, by the file that knows its values. */
#define EMULATOR_CALL(name, parameters, value)                                                     \
    cudaError_t name parameters {                                                                  \
        HOST_ONLY();                                                                               \
        return emulator_result(value);                                                             \
    }

/* In a function of the API: it ends with this error, which is noted for cudaGetLastError. */
#define FAIL_IF(condition, error)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return emulator_result(error);                                                         \
    } while (0)

/* Several threads of a program may call the runtime: the analysis hears of one thing at a time. Not
 * for what a kernel calls, whose launch holds the lock. May be taken again by who has it. */
void emulator_lock(void);
void emulator_unlock(void);
#define TELL(function, ...)                                                                        \
    do {                                                                                           \
        if (function) {                                                                            \
            emulator_lock();                                                                       \
            function(__VA_ARGS__);                                                                 \
            emulator_unlock();                                                                     \
        }                                                                                          \
    } while (0)

/* errors.c: a kernel died with this error. As on a device, nothing works until cudaDeviceReset. */
extern cudaError_t emulator_broken;
void emulator_forget_errors(void);

/* Says on stderr what the emulator does not do, and returns cudaErrorNotSupported. */
cudaError_t emulator_not_supported(const char *function, const char *why);

/* device.c */
extern const size_t emulator_memory_bytes;
extern size_t emulator_limits[]; /* by enum cudaLimit */
bool emulator_is_device(int device);

/* ---- allocations.c ---------------------------------------------------------------------- */

/* Every allocation has its own pages, and ends where pages without access begin, as many as an
 * index of another block is likely to miss it by. Its size is rounded up to 256 bytes, as
 * cudaMalloc does. An access past that ends the process, like any illegal address. */
struct allocation {
    struct allocation *next;
    char *pages, *begin; /* pages: NULL if it is registered, and the program's own */
    size_t page_bytes, size;
    enum emulator_memory kind;
};

/* Whether the host has no access. */
static inline bool emulator_is_on_device(const struct allocation *a) {
    return a->kind == EMULATOR_DEVICE_MEMORY || a->kind == EMULATOR_HEAP_MEMORY;
}

/* ---- memory.c --------------------------------------------------------------------------- */

void emulator_add_allocation(struct allocation *a);
/* Out of the list, if one begins there that is of a wanted kind (bits); or NULL. */
struct allocation *emulator_take_allocation(const void *pointer, unsigned kinds);

/* A copy of what is known of the allocation that holds this address; false: there is none. */
bool emulator_find_allocation(const void *pointer, struct allocation *found);

/* The first of all, which are linked; nobody else adds or takes one until they are let go. */
const struct allocation *emulator_hold_allocations(void);
void emulator_let_allocations_go(void);

/* Whether these bytes can be what the caller says: the device's or the host's. */
bool emulator_is_plausible(const void *pointer, size_t size, bool on_device);

/* ---- streams.c, nodes.c --------------------------------------------------------------------- */

/* A stream that is captured, or an event that was recorded in one. */
struct capture {
    cudaGraph_t graph;
    cudaStream_t origin;    /* that cudaStreamBeginCapture was called with */
    unsigned branch;        /* a number for each stream */
    cudaGraphNode_t record; /* of an event */
};

struct CUstream_st {
    struct CUstream_st *next;
    struct capture capture; /* graph: NULL if its work runs at once */
    unsigned flags;
    int priority;
};

struct CUevent_st {
    struct timespec when;
    bool recorded, timed;
    struct capture capture; /* graph: NULL unless it was recorded in a captured stream */
};

bool emulator_is_stream(cudaStream_t stream);     /* one that exists */
bool emulator_is_own_stream(cudaStream_t stream); /* not one of CUDA's three default streams */
bool emulator_is_capturing(cudaStream_t stream);
cudaStream_t emulator_hold_streams(void); /* the first of all, as with allocations */
void emulator_let_streams_go(void);

/* A copy of rows; or a set, which has no `from`, and fills each row with a value. */
struct side {
    char *begin;
    size_t pitch; /* bytes from a row to the next */
};
struct transfer {
    struct side to, from;
    size_t width, height; /* bytes, rows */
    bool sets;
    int value; /* of a set */
};

struct transfer emulator_row(void *to, const void *from, size_t size);
/* Checked; noted for cudaGetLastError. waits: the host goes on only when it is done. */
cudaError_t emulator_copy_rows(struct transfer transfer, enum cudaMemcpyKind kind,
                               cudaStream_t stream, bool waits);

/* ---- nodes.c, work.c ------------------------------------------------------------------------ */

/* A piece of work, of a stream or in a graph. */
struct CUgraphNode_st {
    struct CUgraphNode_st *next; /* in its graph, in the order in which they were captured */
    enum cudaGraphNodeType type;
    struct emulator_launch launch; /* owns its arguments */
    struct transfer transfer;      /* a copy or a set */
    struct {
        cudaHostFn_t fn;
        void *data;
    } host;
    cudaGraph_t child; /* kept */
    cudaEvent_t event; /* of a node the one of a node that records it: `moment` */
    struct CUevent_st moment;
    unsigned branch;
    bool joined; /* another branch waits for it */
    bool waits;  /* the host goes on only when it is done */
};

/* Captured once, it does not change any more: whoever keeps it shares it. */
struct CUgraph_st {
    cudaGraphNode_t first, end;
    unsigned branches;
    _Atomic unsigned users;
};

cudaGraph_t emulator_new_graph(void); /* which the caller keeps */
cudaGraph_t emulator_keep_graph(cudaGraph_t graph);
void emulator_free_graph(cudaGraph_t graph); /* when nobody keeps it any more */

/* A new node of the graph, which does this work. */
cudaGraphNode_t emulator_new_node(cudaGraph_t graph, const struct CUgraphNode_st *work);
/* Does the work in the order of the stream: now, or it is recorded into the graph that the stream
 * is captured into. Only this function decides that. `work` is on the caller's stack: what is kept
 * of it is copied. */
cudaError_t emulator_submit(cudaStream_t stream, struct CUgraphNode_st *work);

/* ---- host_access.c ----------------------------------------------------------------------- */

/* The pages for so much memory: to open or close a large one takes no longer than a small one. */
size_t emulator_page_for(size_t bytes);

/* Open whole pages for the device, where nothing else comes to lie later; NULL: there are none. */
char *emulator_map(size_t bytes);

/* The host is to lose access to these pages, which have just been made. */
void emulator_close_new(char *pages, size_t bytes);

/* Kernels and copies need the memory, or no more. May nest. The caller has the lock. */
void emulator_open_memory(void);
void emulator_close_memory(void);

/* So many bytes were copied: count them if they went from memory of kernels to the host's own. */
void emulator_count_copy(const void *to, const void *from, size_t bytes);
