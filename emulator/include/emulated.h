/* What the headers that CUDA code sees, the runtime API and the scheduler share. */
#pragma once
#include <stdint.h>
#include "cuda_runtime_api.h"

EMULATOR_BEGIN_C

/* The emulated device. */
enum {
    EMULATOR_WARP = 32,
    EMULATOR_MAX_THREADS = 1024,   /* of a block */
    EMULATOR_SHARED = 48 * 1024,   /* dynamic shared memory of a block, without asking */
    EMULATOR_SHARED_MOST = 232448, /* and the most that any GPU lets a block ask for */
    EMULATOR_MOST_MULTIPROCESSORS = 256,
    EMULATOR_MOST_BLOCKS = 32, /* of a multiprocessor */
};

unsigned emulator_multiprocessors(void);

/* Which CUDA thread runs. Thread-local: each worker runs another block. Steps only read them. */
#ifdef __cplusplus
#define EMULATOR_BUILTIN extern const __thread
#else
#define EMULATOR_BUILTIN extern __thread
#endif
EMULATOR_BUILTIN uint3 threadIdx, blockIdx;
EMULATOR_BUILTIN dim3 blockDim, gridDim;
#undef EMULATOR_BUILTIN

/* It has an address in programs that nobody grades (EMULATOR_ANY_PROGRAM). There kernels may launch
 * kernels, and call what CUDA's runtime API has for the device. */
extern const char emulator_any_program[] __attribute__((weak));
extern const char emulator_lock_step[] __attribute__((weak)); /* the same before CUDA 9 */

/* The block's dynamic shared memory. Like `__shared__` variables it is thread-local: a block stays
 * on one worker, so what belongs to the worker's OS thread belongs to the block. */
extern __thread char emulator_dynamic_shared[EMULATOR_SHARED_MOST];

/* Where the thread-local variables of this OS thread lie: a pointer into them points to shared
 * memory. No other worker can see that memory, so an atomic on it needs no lock. */
extern __thread uintptr_t emulator_shared_begin, emulator_shared_bytes;

/* The running CUDA thread's stack; 0 bytes on an OS thread that does not run a kernel. */
extern __thread uintptr_t emulator_stack_begin, emulator_stack_bytes;

/* It has an address in the checked build alone, where threads switch at any access. To look at an
 * address is no access, so that both builds can compile the same text. */
extern const char emulator_switches_threads[] __attribute__((weak));

/* One kernel launch. run(arguments) runs the kernel once, as the thread that threadIdx names. */
struct emulator_launch {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    int cooperative;
    int overlaps;       /* it may begin before the launch before it on the stream has ended */
    const void *kernel; /* its address, or NULL if only the compiler knows it */
    const char *name;   /* as written in the step's file, for messages */
    int line;
    void (*run)(const void *arguments);
    const void *arguments;
    size_t argument_bytes;
};

cudaError_t emulator_launch(const struct emulator_launch *launch);

/* What a configuration says of a launch; the kernel and its arguments are still missing. */
cudaError_t emulator_read_config(const cudaLaunchConfig_t *config, struct emulator_launch *launch);

/* A kernel that can be launched by its address: what `run` needs is a block of `bytes`, in which
 * `begin` puts the kernel itself, and each parameter has its place. */
struct emulator_kernel {
    const void *address;
    const char *name; /* as written in the step's file */
    unsigned parameters;
    size_t bytes;
    void (*run)(const void *arguments);
    void (*begin)(void *arguments, const void *kernel);
    void *(*parameter)(void *arguments, unsigned number, size_t *size);
};

/* Of a kernel with __launch_bounds__, in a section: the most threads that a block may have. */
struct emulator_bounds {
    const void *kernel;
    unsigned threads;
};
extern const struct emulator_bounds __start_launch_bounds[]
    __attribute__((weak, visibility("hidden"))),
    __stop_launch_bounds[] __attribute__((weak, visibility("hidden")));

/* From now on the kernel can be launched by its address. */
void emulator_know_kernel(const struct emulator_kernel *kernel);

/* Where the step's __device__, __constant__ and __managed__ variables lie, and those of them that
 * are const: [begin, end) of a section. Both are NULL where the step has none. Between variables
 * lies only what aligns them; the symbols of the program (type OBJECT) have names and sizes. Behind
 * the step's own a section has pages of the emulator's. */
#define EMULATOR_SECTION(space)                                                                    \
    extern char __start_emulator_##space[] __attribute__((weak, visibility("hidden")));            \
    extern char __stop_emulator_##space[] __attribute__((weak, visibility("hidden")));             \
    extern char emulator_end_of_##space[] __attribute__((visibility("hidden")));
EMULATOR_SECTION(device)
EMULATOR_SECTION(constant)
EMULATOR_SECTION(managed)
EMULATOR_SECTION(readonly)

/* ---- what device code can wait for ------------------------------------------------------ */

/* What the lanes of a warp do together: __syncwarp, shuffles, votes, __match, __reduce, and what
 * cooperative groups need. */
enum emulator_warp_operation {
    EMULATOR_SYNC,
    EMULATOR_SHUFFLE,
    EMULATOR_SHUFFLE_UP,
    EMULATOR_SHUFFLE_DOWN,
    EMULATOR_SHUFFLE_XOR,
    EMULATOR_ANY,
    EMULATOR_ALL,
    EMULATOR_BALLOT,
    EMULATOR_MATCH_ANY,
    EMULATOR_MATCH_ALL,
    EMULATOR_ADD,
    EMULATOR_MIN,
    EMULATOR_MAX,
    EMULATOR_MIN_SIGNED,
    EMULATOR_MAX_SIGNED,
    EMULATOR_AND,
    EMULATOR_OR,
    EMULATOR_XOR,
    EMULATOR_GATHER
};

/* All lanes in the mask meet here. Each brings a value, and each gets its own result. */
uint64_t emulator_warp(enum emulator_warp_operation operation, unsigned mask, uint64_t value,
                       unsigned argument, unsigned width);

/* The same, but each lane gets the values of all lanes in the mask, the lowest lane's first. */
void emulator_warp_gather(unsigned mask, uint64_t value, uint64_t *values);

/* line: of the call in the step's source. Threads that meet at different lines are told. */
void emulator_syncthreads(unsigned line);
/* The same, and for how many of them the predicate holds. */
struct emulator_votes {
    unsigned holds, threads;
};
struct emulator_votes emulator_syncthreads_vote(int predicate, unsigned line);
unsigned emulator_lanes_at(const void *site); /* that meet at the same call: at this one, if 0 */
void emulator_grid_sync(void);
int emulator_is_cooperative(void);
int emulator_in_kernel(void); /* whether the caller is a thread of a kernel */
unsigned emulator_lane(void);
void emulator_yield(void);                /* let other threads of the block run */
void emulator_yield_at(const void *site); /* the same; where the call in the step returns to */
void emulator_fence(int device_wide);     /* or of the block alone */
void emulator_returns(void);              /* a thread leaves its kernel by a `return` in it */
uint64_t emulator_nanoseconds(void);
/* Called by a thread of a kernel: the launch ends with this error. */
void emulator_fail_kernel(cudaError_t error) __attribute__((noreturn));

/* The programmatic dependent launch: what cudaGridDependencySynchronize and
 * cudaTriggerProgrammaticLaunchCompletion become. */
void emulator_grid_dependency_wait(void);
void emulator_grid_dependency_trigger(void);

/* ---- what the CUDA Toolkit's libraries do (libraries/) ---------------------------------- */

/* Memory that a library's function uses, as the device: `count` ranges, each beginning `pitch`
 * bytes behind the one before it: a matrix, or a vector with a stride. */
struct emulator_use {
    const void *begin;
    size_t bytes, count;
    ptrdiff_t pitch;
    int writes; /* and otherwise reads */
};

/* Work of a library on a stream begins, and is complete when the function returns. waits: so does
 * the host on a device. `function` is what the message names if a range is no memory of the device,
 * which breaks the device as an illegal access of a kernel does (cudaErrorIllegalAddress). A stream
 * that is being captured takes no such work (cudaErrorStreamCaptureUnsupported). */
cudaError_t emulator_library_uses(const char *function, cudaStream_t stream,
                                  const struct emulator_use *uses, unsigned count, int waits);

/* A program with Thrust has this symbol: Thrust runs on the host, on memory of the device. */
extern const char emulator_runs_thrust[] __attribute__((weak));
/* A function that asks for __CUDA_ARCH__ runs on the host. Thrust may have called it for the
 * device: the first time, a program that includes Thrust says so. */
void emulator_took_host_side(const char *function);

/* May a kernel use these bytes? May only the device? */
int emulator_is_reachable(const void *begin, size_t bytes);
int emulator_is_device_only(const void *begin);

/* Device code did what no device allows: a message for stderr and the judge, and SIGABRT. */
void emulator_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The same of what the emulator itself lacks, which the judge is told nothing of; and what an
 * allocation gave, which ends so where it is NULL. */
void emulator_give_up(const char *why) __attribute__((noreturn));
void *emulator_need(void *memory);
/* The list with room for one element more; list: NULL if it has none yet. */
void *emulator_grow(void *list, size_t count, size_t *room, size_t size);

/* Atomics of block scope have this order, others are relaxed: the checked build sees it so. */
#define EMULATOR_BLOCK_SCOPE __ATOMIC_ACQ_REL
/* And so does a load past the L1 cache, in the checked build. */
#define EMULATOR_PAST_L1 __ATOMIC_SEQ_CST

/* What nvcc makes of an atomic in shared memory, which the counted build asks for. */
enum emulator_atomic {
    EMULATOR_ATOMIC_PLAIN, /* ATOMS.ADD, MIN, AND and so on */
    EMULATOR_ATOMIC_EXCHANGE,
    EMULATOR_ATOMIC_ONE,   /* ATOMS.POPC.INC: an addition of 1 */
    EMULATOR_ATOMIC_SWAP,  /* ATOMS.CAS */
    EMULATOR_ATOMIC_LOOP,  /* LDS, ATOMS.CAST.SPIN, until no other lane comes in between */
    EMULATOR_ATOMIC_KNOWN, /* the same, of an addition of what nvcc knows */
    EMULATOR_ATOMIC_LOOK,  /* an addition of 0, which only reads */
};

/* Its next atomic is made of these instructions. */
void emulator_next_atomic(enum emulator_atomic instructions) __attribute__((weak));

/* In checked programs alone: what a thread reads next, it reads by __ldg. */
void emulator_read_only_load(const void *address, size_t size) __attribute__((weak));

/* In checked programs alone, where asynchronous copies are made when they are waited for: what a
 * thread copies next by memcpy is one of its next batch. Its batch ends. It waits for all of its
 * batches but the last. */
void emulator_next_copy_later(void) __attribute__((weak));
void emulator_copies_commit(void) __attribute__((weak));
void emulator_copies_wait(size_t prior) __attribute__((weak));

/* Numbers of 16 bits: the nearest; NaN becomes 0x7fff. From a float there is no double rounding,
 * since a double holds it. */
unsigned short emulator_to_half(double value);
unsigned short emulator_to_bfloat(double value);
float emulator_from_half(unsigned short bits);

/* Note an error for cudaGetLastError, and return it. */
cudaError_t emulator_result(cudaError_t error);

/* Note the address and size of a __device__ or __constant__ variable that the host asked for. */
void emulator_know_symbol(const void *begin, size_t size);
/* Whether these bytes lie in one. */
int emulator_is_symbol(const void *pointer, size_t size);

EMULATOR_END_C
