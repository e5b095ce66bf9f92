/* What each kernel of an object uses of static shared memory. A __shared__ array is a thread-local
 * variable of the object; a kernel uses those that it and the functions it calls refer to. (A call
 * of a static function that was not inlined leaves no relocation, so it is not followed.) */
#pragma once
#include "../text/text.h"

/* `errors` gets a line for each kernel that has more than a block can have, in nvcc's words, about
 * the author's file. False: the object cannot be read. */
bool check_shared(const char *path, const char *author, struct text *errors);
