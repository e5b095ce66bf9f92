// the emulator has no cublas_v2.h of the CUDA Toolkit
#include <cublas_v2.h>
