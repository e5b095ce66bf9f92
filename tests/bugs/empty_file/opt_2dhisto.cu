/* Must be rejected: there is nothing in it. */
#include "lab.h"
