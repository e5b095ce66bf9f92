/* The contract between a step and the harness: the first file to read. The harness is everything
 * here but the steps: it builds a step, calls its functions, checks the outputs and measures the
 * time.
 *
 * A step is a directory under labs/ with one source file. The file is named after the function
 * that it implements, and defines the three functions of that problem, which are declared below:
 *
 *   <function>_setup     untimed, before the calls. Allocate scratch memory and choose launch sizes
 *                        here. It sees the shape of the input, never the input, which may have
 *                        no elements.
 *   <function>           timed, many times. Launch work on the default stream and return. Do
 *                        not allocate, transfer or synchronize here. Every call gets an output of
 *                        its own, and an input that no earlier call has seen.
 *   <function>_teardown  untimed, after the calls. Free what the set-up allocated. More calls may
 *                        follow, but only after another call of the set-up.
 *
 * Calls are queued: the next one is made when this one has returned, which is before its kernels
 * have run. Work on the default stream runs in the order in which it was launched, so a call may
 * leave its scratch memory as the next one needs it, for instance zeroed by its last kernel. Work
 * on a stream of the step's own has to come after the default stream's, and the default stream has
 * to wait for it: streams of cudaStreamCreate do both; with cudaStreamNonBlocking it takes events.
 *
 * Inputs and outputs are in device memory and belong to the harness. Both start on a 128-byte
 * boundary, so that 16-byte loads are allowed. An image has at most 2^24 pixels; a buffer, a text
 * or an array has at most 2^27 elements, so that an int can count them. The harness writes to an
 * input only on the default stream, between calls, and never to one that a call is using. The
 * output holds garbage before a call. The harness reads it after it has synchronized, often many
 * calls later.
 *
 * The same file is built by nvcc for a GPU, and by gcc or clang for the emulator (the `cpu`
 * device).
 */
#ifndef LAB_H
#define LAB_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime.h> /* the CUDA Toolkit's on the gpu device, emulator/'s on the cpu device */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- opt: the saturating histogram of an image ------------------------------------------ */

enum {
    HISTO_BINS = 1024, /* every pixel of an image is a bin id below this */
    HISTO_MAX = 255,   /* a count stops here: bins[b] = min(number of pixels equal to b, 255) */
};

/* image: height x width bin ids, row by row, without padding. bins: HISTO_BINS bytes. */
void opt_2dhisto_setup(size_t height, size_t width);
void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins);
void opt_2dhisto_teardown(void);

/* ---- byte: the histogram of bytes ------------------------------------------------------- */

enum { BYTE_BINS = 256 };

/* histo[b] = number of bytes equal to b: BYTE_BINS counts. */
void opt_bytehisto_setup(size_t size);
void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo);
void opt_bytehisto_teardown(void);

/* ---- text: the histogram of a text's letters, four letters a bin ------------------------ */

enum { TEXT_BINS = 7 };

/* histo[0] = number of letters a to d, histo[1] of e to h, ... histo[6] of y and z. Nothing else
 * in the text is counted, capital letters included. */
void opt_texthisto_setup(size_t length);
void opt_texthisto(const char *text, size_t length, uint32_t *histo);
void opt_texthisto_teardown(void);

/* ---- sum: the sum of an array of floats ------------------------------------------------- */

/* *result = sum of data[0..count), right to 4e-6 of the sum of the absolute values, for numbers
 * drawn at random. Where all are alike, rounding errors are alike, too: it may be off by more. */
void opt_sum_setup(size_t count);
void opt_sum(const float *data, size_t count, float *result);
void opt_sum_teardown(void);

/* ---- what the harness gives every step -------------------------------------------------- */

/* Wrap every CUDA call: CUDA_CHECK(cudaMalloc(&counts, size)). If the call failed, the step ends
 * here and its verdict names the file, the line, the call and the error. After a kernel launch,
 * CUDA_CHECK(cudaGetLastError()) does the same for the launch. */
#define CUDA_CHECK(call) lab_check((call), __FILE__, __LINE__, #call)
void lab_check(cudaError_t status, const char *file, int line, const char *call);

/* Number of multiprocessors of the GPU that runs the step. Use it to choose a number of blocks. */
int lab_multiprocessors(void);

/* Its compute capability, ten times the major number plus the minor one: 90 for 9.0. */
int lab_compute_capability(void);

#ifdef __cplusplus
}
#endif

#endif
