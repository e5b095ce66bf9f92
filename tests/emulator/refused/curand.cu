// the emulator has no curand_kernel.h of the CUDA Toolkit
#include "curand_kernel.h"
