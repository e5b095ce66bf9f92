/* What the scheduler offers to the runtime, and to what watches. */
#pragma once

#include "../include/emulated.h"

#include <pthread.h>
#include <stdatomic.h>

#include "../findings/crash.h"

struct hazard;
struct where;

/* Run a launch, which the device can hold, and return when it has ended. */
cudaError_t emulator_run(const struct emulator_launch *launch);

/* Before it runs, or does not. Of a call each launch has a bit, of higher number than the one
 * before; all from the 64th on have the last one; outside of calls it is 0. */
void emulator_note_launch(dim3 grid, dim3 block);
extern unsigned long long emulator_launch_bit, emulator_next_bit;

/* Called on each OS thread that the emulator starts. */
extern void (*emulator_on_worker)(void);

/* The lowest address of the running CUDA thread's stack, of FIBER_STACK bytes; on the host NULL. */
const char *emulator_thread_stack(void);

/* The running CUDA thread's number in its block. */
extern __thread unsigned emulator_thread;

/* Whether threadIdx or one of its like lies there: a device has them in registers. */
static inline int emulator_is_builtin(uintptr_t address) {
    return address - (uintptr_t)&threadIdx < sizeof threadIdx ||
           address - (uintptr_t)&blockIdx < sizeof blockIdx ||
           address - (uintptr_t)&blockDim < sizeof blockDim ||
           address - (uintptr_t)&gridDim < sizeof gridDim;
}

void emulator_pass_turn(const void *site); /* let another block run; site as in emulator_yield_at */

/* Counted build: more of the launch's blocks run from now on, by turns, as in the checked one. */
void emulator_take_turns(const void *site);
extern atomic_bool emulator_in_turn;

/* Whether this OS thread is to tell where the threads are. If not, *other is the one that is. May
 * be called in a handler, and so may the next one. */
int emulator_runs_here(pthread_t *other);

/* Fill in who runs on this OS thread, and where the others of the launch that is under way are. 0:
 * a launch is under way, and no thread of it runs here. */
int emulator_find_threads(struct where *where);

/* refuse.c: a program's last words, of a failed assertion or of what no device allows; or none. */
extern char emulator_last_words[sizeof((struct crash *)0)->words];

/* session.c: to whom emulator_on_hazard has named. */
void emulator_tell_hazard(const struct hazard *hazard);

/* gpu.c: the emulated device. It is the one that emulator_emulate was given. Without that it has
 * two multiprocessors: the fewest with which every step has several blocks, and few enough for a
 * kernel whose threads take many elements in a turn to make a whole turn at the check's small size.
 */
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
