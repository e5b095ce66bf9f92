/* CUDA has the make_… functions in a header of their own. */
#include "vector_types.h"
