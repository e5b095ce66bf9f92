// the emulator has no thrust/sort.h of the CUDA Toolkit
#include <thrust/sort.h>
