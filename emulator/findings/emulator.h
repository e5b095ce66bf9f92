/* What whoever runs CUDA code here may say to the emulator and hear of it: the host program that
 * holds the code, and never the code itself. What is found comes in structures of fixed size. */
#pragma once

#include <stddef.h>

#include "crash.h"
#include "hazard.h"
#include "reads.h"
#include "where.h"

/* Emulate the GPU that this text describes: a file of common/gpus, of which the keys name,
 * compute_capability, multiprocessors, threads, blocks, registers, shared_bytes, shared_block_bytes
 * and l2_bytes count here. What it does not say stays as it is. Before the first allocation. */
void emulator_emulate(const char *gpu);

/* From now on `tell` is called with each hazard when it is seen, on any OS thread, one at a time.
 * The runner sends it to the judge. Where nobody has asked, hazards are not told. Call it before
 * emulator_begin_step, which makes this final: nothing that the step writes can change it. */
void emulator_on_hazard(void (*tell)(const struct hazard *hazard));

/* From now on a signal that a crash raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) has `tell`
 * called first, in its handler: it may do only what is safe there. Then the process ends as without
 * this. exit() has `tell` called, too. Call it before the first launch. */
void emulator_on_crash(void (*tell)(const struct crash *crash));

/* From now on `tell` is called after each so many seconds of the process's CPU time, in a signal's
 * handler, with where the threads are. 0: no more. Call emulator_on_crash first. */
void emulator_watch_time(double cpu_s, void (*tell)(const struct where *where));

/* The harness says what a call of the step may use: the input (read only) and the output, whose
 * content is garbage. Between calls, and where none is told of, all device memory may be used. */
void emulator_begin_call(const void *input, size_t input_bytes, void *output, size_t output_bytes);
void emulator_end_call(void);

/* The harness says that from here on allocations are the step's (begin), and that by now it should
 * have freed them (end): those that are left are leaks. */
void emulator_begin_step(void);
void emulator_end_step(void);

/* Kernels launched so far, in graphs too. */
extern unsigned long long emulator_launches;

/* Launches are admitted or refused, and no kernel runs; memory that is allocated holds zeros. */
extern int emulator_only_launch;

/* Bytes that have reached the host so far, from memory that kernels can use: by copies of any kind,
 * by the host's looks at memory that both share, which count as the page that they move, and by
 * what kernels of the counted build store at addresses of the host. */
extern unsigned long long emulator_host_bytes;

/* Why the last refused launch cannot start, in words; empty: none was, or it is not known. */
extern char emulator_refusal[160];

/* The one of them with the most threads: its blocks, and the threads of each. */
extern struct emulator_widest { unsigned blocks, threads; } emulator_widest;

/* Which launches of a call had more than one block: bit 0 the first; of all calls so far. */
extern unsigned long long emulator_of_blocks;

/* Meetings of threads at barriers and of lanes in operations: of the last call's busiest block. */
extern unsigned long long emulator_meetings;

/* Calls a function that the checked or the counted build has, where the program is such a build. */
#define EMULATOR_WATCH(function, ...)                                                              \
    do {                                                                                           \
        if (function)                                                                              \
            function(__VA_ARGS__);                                                                 \
    } while (0)

/* Count the next call, from emulator_begin_call to emulator_end_call, which writes the counts file
 * to `file`, ended by a zero byte. Where it does not fit in `size` bytes, or there are no counts,
 * it writes one line that says why. The two exist in counted programs alone. */
void counted_next_call(char *file, size_t size) __attribute__((weak));
void counted_shape(size_t rows, size_t columns) __attribute__((weak)); /* of calls from now on */

/* In checked programs alone: call `tell` with all accesses of the code, part by part. And from now
 * on only note what is reached: nothing is analysed, which takes a fraction of the time. */
void emulator_tell_reached(void (*tell)(const struct reached *reached)) __attribute__((weak));
void emulator_only_reach(void) __attribute__((weak));

/* In checked programs alone: analyse the first launches of each kernel, until it has used so many
 * seconds of CPU time; what is left just runs, and what it writes counts as written. Less than 0:
 * all, as without this. And how many were analysed, so far to their end. */
void emulator_check_for(double cpu_s) __attribute__((weak));
extern unsigned long long emulator_checked_launches __attribute__((weak));

/* In checked programs alone: analyse these launches of each call, by their bits as above. */
void emulator_check_only(unsigned long long launches) __attribute__((weak));

/* In checked programs alone: count in `reads` how often each element of the next call's input is
 * read; NULL: count nothing. It has room for all elements, of so many bytes each. */
void emulator_count_reads(struct reads *reads, size_t element_bytes) __attribute__((weak));

/* How the checked build runs threads from now on: mixed, as a new process does; or in the plain
 * one's order, blocks mixed or one by one, since what a kernel sees of it then tells it nothing. */
enum emulator_order { EMULATOR_MIXED, EMULATOR_IN_ORDER, EMULATOR_ONE_BY_ONE };
void emulator_run_threads(enum emulator_order order) __attribute__((weak));
