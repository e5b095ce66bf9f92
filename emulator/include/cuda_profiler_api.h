/* Tells a profiler where to look; nothing looks here. */
#pragma once
#include "cuda_runtime_api.h"

EMULATOR_BEGIN_C

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

EMULATOR_END_C
