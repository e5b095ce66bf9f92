/* Turns what only nvcc can read into C++:
 *
 *   kernel<<<grid, block>>>(a)
 *       ::emulator::launcher(kernel, ::emulator::config(grid, block), "kernel", __LINE__)(a)
 *   extern __shared__ int name[];
 *       int *const name = ::emulator::dynamic_shared;
 *   __noinline__
 *       __attribute__((noinline))
 *   __device__ int x;
 *       EMULATOR_VARIABLE(device, x) int x;
 *   asm (inline PTX), a launch in a kernel
 *       an error, if the compiler ever gets there
 *   cudaLaunchKernel((void *)k, …)
 *       cudaLaunchKernel(k, …), so that k keeps its type
 *   #include "file", if it stands beside this one or in a directory of the manner, and has any of
 *   these
 *       its text, or the path of a file with it
 *   #include <cub/cub.cuh>, and whatever else of the CUDA Toolkit the emulator lacks
 *       #error
 *
 * __CUDA_ARCH__ is 900, except in the bodies of the host's functions, where it is undefined as in
 * nvcc's pass for the host. Where an #if asks for it and would choose what the emulator lacks, it
 * is undefined too, and a note says so.
 *
 * Line numbers in the compiler's messages are those of the source. */
#pragma once
#include "../text/text.h"

/* How a source is to be rewritten. */
struct manner {
    bool any_program; /* of somebody's own, which nobody grades */
    bool older;       /* for a toolkit before CUDA 13 */
    bool relaxed;     /* what is constexpr is of both sides */
    /* Directories in which a program has headers, beside its own (-I). A step has none. */
    const char *const *directories;
    size_t directory_count;
    /* Directories of headers that a program may include, and a step may not: those of libraries/
     * that stand for the toolkit's, and CCCL's, where Thrust is. NULL: there are none. */
    const char *libraries, *cccl;
    /* A directory for headers that have something to rewrite in them: each is written there once.
     * Where headers with CUDA in them include each other often, as Boost's do, there is no end to a
     * text with all of them in it. NULL: a header's text takes the place of its #include. */
    const char *headers;
};

/* What the braces around a token are. */
enum scope { NAMESPACE, TYPE, HOST, DEVICE, BOTH, INSIDE };

/* What the source at `path` becomes, and notes for people. What cannot be read ends the program:
 * FILE:LINE: error: … on stderr, exit status 1. `functions` gets a line for each function with a
 * body: SCOPE FIRST-LINE LAST-LINE FILE, for enum scope. */
struct text rewrite(const struct manner *manner, const char *path, struct text *notes,
                    struct text *functions);
