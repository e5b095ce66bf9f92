/* The access map of a call: which thread reads which element of the input, and writes which byte of
 * the output. It is written where the environment's HISTOLAB_ACCESS names a file;
 * desk/inside/access draws it. To find every element that is missed, every block is counted then,
 * however many there are.
 *
 * The access map, version 1, is text, one item a line, fields separated by one blank, all numbers
 * decimal but MASK.
 *
 *   histolab-access 1
 *   call ROWS COLUMNS INPUT_BYTES OUTPUT_BYTES
 *   op N BLOCKS THREADS NAME
 *       a kernel: blocks, threads of a block. N as in the counts file
 *   total N LINE KIND ARRAY BYTES REQUESTS LANES SECTORS
 *       of each place in the source that accesses the input or the output, which is ARRAY: BYTES of
 *       one lane's access; REQUESTS of warps, their LANES and sectors of 32 bytes, summed up. KIND
 *       load|store|atomic
 *   r N BLOCK WARP LINE KIND ARRAY BYTES NUMBER MASK OFFSET...
 *       one of the first requests of the first warps of blocks 0 and 1. NUMBER from 1 on, of the
 *       warp's requests to that array. MASK of lanes, hex; OFFSET in bytes from the array's begin,
 *       of each lane in the mask, the lowest lane's first
 *   reader ELEMENT N BLOCK THREAD NUMBER LINE TIMES
 *       of the first 64 elements of the first two rows that are read: by whom first (the lowest
 *       block and thread), in which request of its warp, and how often in all
 *   reads FIRST LAST TIMES
 *       so often were the elements from FIRST to LAST read, at the byte of them that was read most;
 *       255: as often or more. In order, all elements of the input
 *   cut ELEMENT
 *       from this one on the map says nothing of how often, since it would be too long */
#pragma once

#include "counts.h"

/* A counted call begins. The arrays are the host's addresses of memory of the device. */
void access_begin_call(const void *input, size_t rows, size_t columns, size_t input_bytes,
                       const void *output, size_t output_bytes);
/* Whether it is drawn; then access_request wants the requests of all blocks. */
bool access_wanted(void);
/* Kernel `op` begins, of so many blocks and threads. */
void access_begin_launch(unsigned op, uint64_t blocks, unsigned threads);
/* A request that has addresses, of this block of the kernel. A block stays on one OS thread. */
void access_request(uint64_t block, unsigned warp, const struct request *request, unsigned sectors);
void access_end_launch(const char *name);
/* Write the file. Ends the process with a message where that is impossible. */
void access_end_call(void);
