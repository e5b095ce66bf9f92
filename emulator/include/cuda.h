/* The driver's header, which many programs include: its types. Functions are refused (code.c). */
#pragma once
#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
#define CUDA_CB

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
