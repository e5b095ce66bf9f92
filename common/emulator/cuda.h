/* The driver's interface, of which the emulator has the version alone. Programs often include this
 * beside cuda_runtime.h and use nothing of it. rewrite.c refuses calls of the driver, in words. */
#ifndef EMULATOR_CUDA_H
#define EMULATOR_CUDA_H

#include "cuda_runtime_api.h"

#define CUDA_VERSION CUDART_VERSION

#endif
