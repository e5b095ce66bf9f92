// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Of cuFFT's extended functions the emulator has plans by types of 64 bits. Callbacks, several
 * devices and half precision it has not: a program that names them does not compile. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The types of both sides, and of the calculation, are those of a cufftType; any other is
 * CUFFT_NOT_SUPPORTED. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType in,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType out, long long batch, size_t *work,
                                cudaDataType execution);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

#ifdef __cplusplus
}
#endif

#endif
