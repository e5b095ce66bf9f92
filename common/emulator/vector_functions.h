#include "vector_types.h"
