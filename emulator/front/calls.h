/* What an object's device code calls. Device code is what a kernel reaches: functions that it calls
 * or whose addresses it takes, and so on. The object has each function in a section of its own
 * (-ffunction-sections), so that each of these is a relocation. Kernels are what __global__ marks:
 * see include/cuda_runtime.h. */
#ifndef CALLS_H
#define CALLS_H

#include "../text/text.h"

/* `path` is of the object, `author` of the source that it was made of. Whether device
 * code of CUDA has such a function: DEVICE_FUNCTION (patterns.h). What it has not is refused where
 * a kernel reaches it: `errors` gets a line for each call, in nvcc's words. What else of the
 * libraries the object asks for goes to `outside`, a name in each line: a kernel may still come to
 * it by a pointer. False: the object cannot be read. */
bool find_calls(const char *path, const char *author, struct text *errors, struct text *outside);

/* What the libraries that every program is linked with have under a name, and CUDA's device code
 * has not. */
enum what { NOBODYS, FUNCTION, VARIABLE };
enum what outside(const char *name);

/* gcc's dump of what it optimized (-fdump-tree-optimized-uid). Whether it has a class go by value
 * from memory that others see into a call, or from a call to there: it has nobody see that access.
 */
bool goes_by_value(const char *dump);

#endif
