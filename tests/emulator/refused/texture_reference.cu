// CUDA 12 removed references to textures and surfaces
#include <cuda_runtime.h>

texture<float, 2, cudaReadModeElementType> image;
