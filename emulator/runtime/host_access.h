/* What of the device's memory the host can reach, and how much of it has reached the host.
 *
 * In a graded step the pages of all memory that kernels can use have no access while the host's
 * code runs. They are opened around each launch and each copy, and the step's other threads stand
 * still meanwhile. A touch by the host, by the step's
 * code or a library's, is a fault: of the device's own memory it is a hazard, and ends the process
 * as on a GPU; of memory that both sides share it moves the page to the host, and is counted like a
 * copy. Memory that the host has registered is its own: all of it is counted each time. In programs
 * that nobody grades everything is open. */
#pragma once
#include <stddef.h>

/* The pages for so much memory: to open or close a large one takes no longer than a small one. */
size_t emulator_page_for(size_t bytes);

/* Open whole pages for the device, where nothing else comes to lie later; NULL: there are none. */
char *emulator_map(size_t bytes);

/* The host is to lose access to these pages, which have just been made. */
void emulator_close_new(char *pages, size_t bytes);

/* Kernels and copies need the memory, or no more. May nest. The caller has runtime.h's lock. */
void emulator_open_memory(void);
void emulator_close_memory(void);

/* So many bytes were copied: count them if they went from memory of kernels to the host's own. */
void emulator_count_copy(const void *to, const void *from, size_t bytes);
