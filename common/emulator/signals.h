// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What the emulator's handlers of signals share. All of it may be called in a handler. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

struct where;

/* ---- crash.c: once emulator_on_crash has been called ------------------------------------ */

/* The offset of an instruction in the program; 0 where it is not the program's own. */
uint64_t emulator_code_offset(uintptr_t pc);

/* The offsets of where a signal came, and of the calls that led there: at most CRASH_FRAMES, whose
 * number it returns. `context` is the ucontext_t that the handler got. */
uint32_t emulator_frames(const siginfo_t *info, const void *context, uint64_t *frames);

/* ---- emulator.c ------------------------------------------------------------------------- */

/* Whether this OS thread is to tell where the threads are. If not, *other is the one that is. */
int emulator_runs_here(pthread_t *other);

/* Fill in who runs on this OS thread, and where the others of the launch that is under way are. */
void emulator_find_threads(struct where *where);

#endif
