/* The order of a call's operations on streams. The runtime tells of streams and events. */
#pragma once

#include <stdint.h>

#include "../scheduler/hooks.h"

void streams_begin_call(void);

/* The operations, as bits, that have ended when this one, put on the stream now, begins. Of more
 * than 64, the later ones come after all. */
uint64_t streams_before(unsigned operation, cudaStream_t stream);
