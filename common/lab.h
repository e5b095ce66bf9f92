/* The contract between a step and the harness: the first file to read.
 *
 * A step is one file in one directory under labs/. It is named after the function that it
 * implements, and implements the three functions of that problem, declared below:
 *
 *   <function>_setup     untimed, once, before the first call. Allocate scratch memory and choose
 *                        launch sizes here. It sees the shape of the input, never the input.
 *   <function>           timed, many times. Launch work on the default stream and return. No
 *                        allocation, no transfer and no synchronization in here. Every call gets
 *                        another input and another output.
 *   <function>_teardown  untimed, once, after the last call. Free what the set-up allocated.
 *
 * Inputs and outputs are in device memory and belong to the harness. Both start on a 128-byte
 * boundary, so that 16-byte loads are allowed. The output is full of garbage before a call, and is
 * read once the harness has synchronized. Scratch memory must be ready for the next call by then.
 *
 * The same file is built by nvcc for a GPU, and by gcc or clang for the emulator (the `cpu`
 * device).
 */
#ifndef LAB_H
#define LAB_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h> /* the CUDA Toolkit's on the gpu device, common/emulator's on the cpu device */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- opt: the saturating histogram of an image ---------------------------------------------- */

enum {
    HISTO_BINS = 1024, /* every pixel of an image is a bin id below this */
    HISTO_MAX = 255,   /* a count stops here: bins[b] = min(number of pixels equal to b, 255) */
};

/* image: height x width bin ids, row by row, without padding between rows. bins: HISTO_BINS bytes.
 */
void opt_2dhisto_setup(size_t height, size_t width);
void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins);
void opt_2dhisto_teardown(void);

/* ---- what the harness gives every step ------------------------------------------------------ */

/* Wrap every CUDA call: CUDA_CHECK(cudaMalloc(&counts, size)). If the call failed, the step ends
 * here and its verdict names the file, the line, the call and the error. After a kernel launch,
 * CUDA_CHECK(cudaGetLastError()) does the same for the launch. */
#define CUDA_CHECK(call) lab_check((call), __FILE__, __LINE__, #call)
void lab_check(cudaError_t status, const char *file, int line, const char *call);

/* Number of multiprocessors of the GPU that runs the step, to choose a number of blocks by. */
int lab_multiprocessors(void);

/* Its compute capability, ten times the major number plus the minor one: 90 for 9.0. */
int lab_compute_capability(void);

#ifdef __cplusplus
}
#endif

#endif
