// intrinsics.cu:4: error: cannot include intrinsics
#include <random>
#if defined __x86_64__
#include <emmintrin.h>
#else
#line 4
#include <arm_neon.h>
#endif
