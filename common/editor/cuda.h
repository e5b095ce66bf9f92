/* What an editor needs to know CUDA's words without a toolkit: clangd reads this before each .cu
 * file (.clangd at the tree's root). No build does. The words are those of the emulator, so that
 * what is underlined here is refused there.
 *
 * clang reads the file as CUDA, in which a kernel may call no function of the host. So the
 * emulator's functions count as functions of both sides, and the qualifiers become clang's own. */
#pragma once

#pragma clang force_cuda_host_device begin
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#pragma clang force_cuda_host_device end

#undef __host__
#undef __device__
#undef __global__
#undef __constant__
#undef __managed__
#undef __shared__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __shared__ __attribute__((shared))
#if __clang_major__ < 15 /* a keyword of its own since then */
#define __noinline__ __attribute__((noinline))
#endif

/* clang looks for one of these two, by the version of the toolkit that it finds, to read k<<<grid,
 * block>>>(). */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                cudaStream_t stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                              cudaStream_t stream = 0);

/* The emulator's build makes a kernel's type known to these (rewrite.c). */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments);
