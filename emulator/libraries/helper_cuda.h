/* What programs use of the header of this name that CUDA's samples have beside them. */
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define checkCudaErrors(call) emulator_check_call(call, #call, __FILE__, __LINE__)
#define getLastCudaError(words) emulator_check_call(cudaGetLastError(), words, __FILE__, __LINE__)
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

template <typename T>
inline void emulator_check_call(T error, const char *call, const char *file, int line) {
    if (!error)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\"\n", file, line, (int)error, call);
    exit(EXIT_FAILURE);
}

inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int) { return 0; }
inline int findCudaDevice(int, const char **) { return 0; }
inline int _ConvertSMVer2Cores(int, int) { return 128; }
inline const char *_ConvertSMVer2ArchName(int, int) { return "emulated"; }
inline bool checkCudaCapabilities(int, int) { return true; }
