// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What the headers that a step sees, the runtime API and the scheduler share. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <stddef.h>
#include <stdint.h>
#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The emulated device. */
enum {
    EMULATOR_WARP = 32,
    EMULATOR_MAX_THREADS = 1024,   /* of a block */
    EMULATOR_SHARED = 48 * 1024,   /* dynamic shared memory of a block, without asking */
    EMULATOR_SHARED_MOST = 232448, /* and the most that any GPU lets a block ask for */
    EMULATOR_MOST_MULTIPROCESSORS = 256,
    EMULATOR_MOST_BLOCKS = 32, /* of a multiprocessor */
};

/* It is the one that emulator_emulate was given. Without that it has two multiprocessors: the
 * fewest with which every step has several blocks, and few enough for a kernel whose threads take
 * many elements in a turn to make a whole turn at the check's small size. */
struct emulator_device {
    char name[64];
    unsigned multiprocessors;
    unsigned threads, blocks, registers; /* of a multiprocessor */
    unsigned shared_bytes;               /* of a multiprocessor */
    unsigned shared_block_bytes;         /* of a block, after cudaFuncSetAttribute */
    unsigned compute_capability;         /* ten times the major number plus the minor one */
    unsigned l2_bytes;
};
extern struct emulator_device emulator_device;
unsigned emulator_multiprocessors(void);

/* Emulate the GPU that this text describes: a file of common/gpus, of which the keys name,
 * compute_capability, multiprocessors, threads, blocks, registers, shared_bytes, shared_block_bytes
 * and l2_bytes count here. What it does not say stays as it is. Before the first allocation. */
void emulator_emulate(const char *gpu);

/* Which CUDA thread is running. Thread-local, because each worker runs a different block. Steps
 * only read them. */
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

/* The block's dynamic shared memory. Like `__shared__` variables it is thread-local: a block stays
 * on one worker, so what belongs to the worker's OS thread belongs to the block. */
extern __thread char emulator_dynamic_shared[EMULATOR_SHARED_MOST];

/* Where the thread-local variables of this OS thread lie: a pointer into them points to shared
 * memory. No other worker can see that memory, so an atomic on it needs no lock. */
extern __thread uintptr_t emulator_shared_begin, emulator_shared_bytes;

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
    /* of a kernel that a kernel launches (children.h): */
    const struct emulator_origin *origin; /* NULL: the host launches it */
    struct emulator_family *family;       /* what it launches itself, while it runs */
    unsigned depth;
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

/* From now on the kernel can be launched by its address. */
void emulator_know_kernel(const struct emulator_kernel *kernel);

/* Where the step's __device__, __constant__ and __managed__ variables lie, and those of them that
 * are const: [begin, end) of a section. Both are NULL where the step has none. Between variables
 * lies only what aligns them; the symbols of the program (type OBJECT) have names and sizes. */
#define EMULATOR_SECTION(space)                                                                    \
    extern char __start_emulator_##space[] __attribute__((weak, visibility("hidden")));            \
    extern char __stop_emulator_##space[] __attribute__((weak, visibility("hidden")));
EMULATOR_SECTION(device)
EMULATOR_SECTION(constant)
EMULATOR_SECTION(managed)
EMULATOR_SECTION(readonly)
#undef EMULATOR_SECTION

/* ---- what device code can wait for ------------------------------------------------------ */

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
    EMULATOR_GATHER,
};

/* All lanes in the mask meet here. Each brings a value, and each gets its own result. */
uint64_t emulator_warp(enum emulator_warp_operation operation, unsigned mask, uint64_t value,
                       unsigned argument, unsigned width);

/* The same, but each lane gets the values of all lanes in the mask, the lowest lane's first. */
void emulator_warp_gather(unsigned mask, uint64_t value, uint64_t *values);

/* line: of the call in the step's source. Threads that meet at different lines are told. */
void emulator_syncthreads(unsigned line);
int emulator_syncthreads_count(int predicate, unsigned line);
int emulator_syncthreads_and(int predicate, unsigned line);
int emulator_syncthreads_or(int predicate, unsigned line);
unsigned emulator_activemask(void); /* lanes that meet at the same call */
void emulator_grid_sync(void);
int emulator_is_cooperative(void);
const struct emulator_launch *emulator_running_launch(void);
int emulator_in_kernel(void); /* whether the caller is a thread of a kernel */
unsigned emulator_lane(void);
void emulator_yield(void);                /* let other threads of the block run */
void emulator_yield_at(const void *site); /* the same; where the call in the step returns to */
void emulator_fence(int device_wide);     /* or of the block alone */
uint64_t emulator_nanoseconds(void);
/* Called by a thread of a kernel: the launch ends with this error. */
void emulator_fail_kernel(cudaError_t error) __attribute__((noreturn));

/* ---- hazards (runner/hazard.h) ---------------------------------------------------------- */

struct hazard;

/* From now on `tell` is called with each hazard when it is seen, on any OS thread, one at a time.
 * The runner sends it to the judge. Where nobody has asked, hazards are not told. Call it before
 * emulator_begin_step, which makes this final: nothing that the step writes can change it. */
void emulator_on_hazard(void (*tell)(const struct hazard *hazard));
void emulator_tell_hazard(const struct hazard *hazard);

struct crash;

/* From now on a signal that a crash raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) has `tell`
 * called first, in its handler: it may do only what is safe there (runner/crash.h is what it gets).
 * Then the process ends by that signal, as it does without this. exit() has `tell` called, too.
 * Call it before the first launch. */
void emulator_on_crash(void (*tell)(const struct crash *crash));

struct where;

/* From now on `tell` is called after each so many seconds of the process's CPU time, in a signal's
 * handler, with where the threads are (runner/where.h). 0 seconds: no more. Call emulator_on_crash
 * first. */
void emulator_watch_time(double cpu_s, void (*tell)(const struct where *where));

/* The harness says what a call of the step may use: the input (read only) and the output, whose
 * content is garbage. Between calls, and where this is never called, all device memory may be used.
 */
void emulator_begin_call(const void *input, size_t input_bytes, void *output, size_t output_bytes);
void emulator_end_call(void);

/* The harness says that from here on allocations are the step's (begin), and that by now it should
 * have freed them (end): those that are left are leaks. */
void emulator_begin_step(void);
void emulator_end_step(void);

/* Kernels launched so far, in graphs too. */
extern unsigned long long emulator_launches;

/* The one of them with the most threads: its blocks, and the threads of each. */
extern struct emulator_widest { unsigned blocks, threads; } emulator_widest;

/* The programmatic dependent launch: what cudaGridDependencySynchronize and
 * cudaTriggerProgrammaticLaunchCompletion become. */
void emulator_grid_dependency_wait(void);
void emulator_grid_dependency_trigger(void);

/* ---- what the CUDA Toolkit's libraries do (libraries/) ---------------------------------- */

/* Memory that a library's function uses, as the device: `count` ranges, each beginning `pitch`
 * bytes behind the one before it. The first one has `bytes` bytes, and each other one `grow` bytes
 * more than the one before it: a matrix, a vector with a stride, or a triangle. */
struct emulator_use {
    const void *begin;
    size_t bytes, count;
    ptrdiff_t pitch, grow;
    int writes; /* and otherwise reads */
};

/* Work of a library on a stream begins, and is complete when the function returns. waits: so does
 * the host on a device. `function` is what the message names if a range is no memory of the device,
 * which breaks the device as an illegal access of a kernel does (cudaErrorIllegalAddress). A stream
 * that is being captured takes no such work (cudaErrorStreamCaptureUnsupported). */
cudaError_t emulator_library_uses(const char *function, cudaStream_t stream,
                                  const struct emulator_use *uses, unsigned count, int waits);

/* A program that includes Thrust has this symbol: Thrust's algorithms run as code of the host, on
 * memory of the device. */
extern const char emulator_runs_thrust[] __attribute__((weak));
/* A function that asks for __CUDA_ARCH__ runs on the host. Thrust may have called it for the
 * device: the first time, a program that includes Thrust says so. */
void emulator_took_host_side(const char *function);

/* May a kernel use these bytes? May only the device? */
int emulator_is_reachable(const void *begin, size_t bytes);
int emulator_is_device_only(const void *begin);

/* ---- crash.c ---------------------------------------------------------------------------- */

/* Device code did what no device allows: a message on stderr, which the judge gets too, and the end
 * of the process by SIGABRT. */
void emulator_refuse(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Called on each OS thread that the emulator starts. */
extern void (*emulator_on_worker)(void);

/* The lowest address of the running CUDA thread's stack, FIBER_STACK bytes; NULL in the host's
 * code. */
const char *emulator_thread_stack(void);

/* ---- what the checked build adds (checked/) --------------------------------------------- */

/* The analysis watches these events. It is not linked into plain programs, where the functions do
 * not exist: EMULATOR_WATCH calls one if it does. All but the last group are called on the OS
 * thread of the block that they are about; lanes are bits, threads are numbers in the block, and a
 * site is the return address of a call in the step's code. */
#define EMULATOR_WATCH(function, ...)                                                              \
    do {                                                                                           \
        if (function)                                                                              \
            function(__VA_ARGS__);                                                                 \
    } while (0)
#define EMULATOR_WATCHES __attribute__((weak))

EMULATOR_WATCHES void watch_begin_launch(const struct emulator_launch *launch);
EMULATOR_WATCHES void watch_end_launch(void);
EMULATOR_WATCHES void watch_begin_block(uint64_t number, unsigned threads);
EMULATOR_WATCHES void watch_pause(void); /* the thread is about to wait or to end */
EMULATOR_WATCHES void watch_arrive(unsigned line, const void *site); /* at __syncthreads */
EMULATOR_WATCHES void watch_barrier(void);                           /* it opens */
EMULATOR_WATCHES void watch_warp_barrier(unsigned warp, unsigned lanes);
EMULATOR_WATCHES void watch_fence(int device_wide);
EMULATOR_WATCHES void watch_grid_sync(void);
EMULATOR_WATCHES void watch_dependency_wait(void);
/* A mask that does not fit; `other` is a thread that it names and that is elsewhere, if there is a
 * site. */
EMULATOR_WATCHES void watch_mask(unsigned thread, const void *site, unsigned other,
                                 const void *other_site, unsigned mask, const char *what);
EMULATOR_WATCHES void watch_deadlock(unsigned thread, const void *site, unsigned other,
                                     const void *other_site);

enum emulator_memory {
    EMULATOR_DEVICE_MEMORY,
    EMULATOR_MANAGED_MEMORY,
    EMULATOR_PINNED_MEMORY,
    EMULATOR_REGISTERED_MEMORY, /* the program's own */
    EMULATOR_GRAPH_MEMORY,      /* of a graph's node; nobody has to free it */
};
EMULATOR_WATCHES void watch_allocated(const void *begin, size_t size, enum emulator_memory kind);
EMULATOR_WATCHES void watch_freed(const void *begin);
EMULATOR_WATCHES void watch_unregistered(const void *begin);
/* Whether the program may register this: not what is the harness's. */
EMULATOR_WATCHES int watch_may_register(const void *begin, size_t size);
/* from: NULL for a memset. waits: the host goes on only when it is done. */
EMULATOR_WATCHES void watch_copy(void *to, const void *from, size_t size, cudaStream_t stream,
                                 int waits);
/* A thread starts a child (children.h): note what is over for it. Later the child, if it is a copy,
 * is made. */
struct emulator_origin;
EMULATOR_WATCHES void watch_child(struct emulator_origin *origin);
EMULATOR_WATCHES void watch_child_copy(void *to, const void *from, size_t size, cudaStream_t stream,
                                       const struct emulator_origin *origin);
/* A texture or a surface is read or written in memory, at `site` in the step. */
EMULATOR_WATCHES void watch_texel(const void *address, size_t size, int writes, const void *site);
/* A further row of the copy before it. */
EMULATOR_WATCHES void watch_row(void *to, const void *from, size_t size);
EMULATOR_WATCHES void watch_library(cudaStream_t stream, const struct emulator_use *uses,
                                    unsigned count, int waits);
/* A library was given what is no memory of the device. */
EMULATOR_WATCHES void watch_library_astray(const struct emulator_use *use, const char *function);
EMULATOR_WATCHES void watch_stream(cudaStream_t stream, int blocking);
EMULATOR_WATCHES void watch_event(cudaEvent_t event, cudaStream_t stream);
EMULATOR_WATCHES void watch_wait(cudaStream_t stream, cudaEvent_t event);
/* The host waits for an event, a stream, or (both NULL) for everything. */
EMULATOR_WATCHES void watch_host_waits(cudaStream_t stream, cudaEvent_t event);
/* A function of the host runs in the order of a stream: it knows what that has done so far. */
EMULATOR_WATCHES void watch_begin_host_function(cudaStream_t stream);
EMULATOR_WATCHES void watch_end_host_function(void);
EMULATOR_WATCHES void watch_begin_call(const void *input, size_t input_bytes, void *output,
                                       size_t output_bytes);
EMULATOR_WATCHES void watch_end_call(void);
EMULATOR_WATCHES void watch_begin_step(void);
EMULATOR_WATCHES void watch_end_step(void);

/* Atomics of block scope carry this memory order, and all others are relaxed: so the checked build
 * tells them apart. */
#define EMULATOR_BLOCK_SCOPE __ATOMIC_ACQ_REL
/* And so does a load past the L1 cache, in the checked build. */
#define EMULATOR_PAST_L1 __ATOMIC_SEQ_CST

/* The instructions that nvcc makes of an atomic in shared memory, which the counted build asks for.
 */
enum emulator_atomic {
    EMULATOR_ATOMIC_PLAIN, /* ATOMS.ADD, MIN, AND, EXCH and so on */
    EMULATOR_ATOMIC_ONE,   /* ATOMS.POPC.INC: an addition of 1 */
    EMULATOR_ATOMIC_SWAP,  /* ATOMS.CAS */
    EMULATOR_ATOMIC_LOOP,  /* LDS, ATOMS.CAST.SPIN, until no other lane comes in between */
};

/* The running CUDA thread's number in its block. */
extern __thread unsigned emulator_thread;

/* ---- for racy.c ------------------------------------------------------------------------- */

void emulator_pass_turn(const void *site); /* let another block run; site as in emulator_yield_at */

/* The running CUDA thread's stack; 0 bytes on an OS thread that does not run a kernel. */
extern __thread uintptr_t emulator_stack_begin, emulator_stack_bytes;

/* Called when a block starts, and whenever a thread continues after another one ran. Where they
 * exist, the blocks of a grid take turns: only one worker runs at any time, so that every run with
 * the same seed is the same. They are no pointers, which a step could change. */
EMULATOR_WATCHES void racy_begin_block(uint64_t number);
EMULATOR_WATCHES void racy_resume(void);

/* ---- what the counted build adds (counted/) --------------------------------------------- */

/* Count the next call, from emulator_begin_call to emulator_end_call, which writes the counts file
 * to `file`, ended by a zero byte. Where it does not fit in `size` bytes, or there is another
 * reason why there are no counts, it writes one line that says why, and no counts file. */
EMULATOR_WATCHES void counted_next_call(char *file, size_t size);

/* A thread begins, or continues after another one ran: emulator_thread is its number. */
EMULATOR_WATCHES void counted_resume(void);
EMULATOR_WATCHES void counted_begin_block(uint64_t number, unsigned threads);
EMULATOR_WATCHES void counted_end_block(void);
EMULATOR_WATCHES void counted_end_thread(void);
/* It comes to a block barrier, a warp operation (which meets the lanes of the mask), … */
EMULATOR_WATCHES void counted_barrier(const void *site);
EMULATOR_WATCHES void counted_warp_operation(const void *site);
EMULATOR_WATCHES void counted_fence(const void *site);
/* Its next atomic is made of these instructions. */
EMULATOR_WATCHES void emulator_next_atomic(enum emulator_atomic instructions);
EMULATOR_WATCHES void counted_dependency(int waits,
                                         const void *site); /* or lets the next launch begin */
/* On the host, in stream order. from: NULL for a memset. */
EMULATOR_WATCHES void counted_begin_launch(const struct emulator_launch *launch);
EMULATOR_WATCHES void counted_end_launch(void);
EMULATOR_WATCHES void counted_copy(const void *to, const void *from, size_t size);
EMULATOR_WATCHES void counted_allocated(const void *begin, size_t size);
EMULATOR_WATCHES void counted_freed(const void *begin);
EMULATOR_WATCHES void counted_shape(size_t rows, size_t columns); /* of calls from now on */
EMULATOR_WATCHES void counted_begin_call(const void *input, size_t input_bytes, const void *output,
                                         size_t output_bytes);
EMULATOR_WATCHES void counted_end_call(void);

/* Note an error for cudaGetLastError, and return it. */
cudaError_t emulator_result(cudaError_t error);

/* Run a launch, which the device can hold, and return when it has ended. */
cudaError_t emulator_run(const struct emulator_launch *launch);

/* Note the address and size of a __device__ or __constant__ variable that the host asked for. */
void emulator_know_symbol(const void *begin, size_t size);

#ifdef __cplusplus
}
#endif

#endif
