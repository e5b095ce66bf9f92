/* Includes itself twice at each level: the compiler stops at 200 levels, and there are 2^200 ways
 * down. Until then it complains without end. */
#include "FUNCTION.cu"
#include "FUNCTION.cu"
