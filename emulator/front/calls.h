/* Calls that the compiler makes: of functions of libraries, and with classes that go by value. */
#pragma once
#include "../text/text.h"

/* What the libraries that every program is linked with have under a name, and CUDA's device code
 * (DEVICE_FUNCTION of patterns.h) has not. */
enum what { NOBODYS, FUNCTION, VARIABLE };
enum what outside(const char *name);

/* Such functions that the object at `path` asks for, and those that only compute, a name a line: a
 * kernel may come to one by a pointer, which spaces.h cannot see. False: it cannot be read. */
bool find_outside(const char *path, struct text *names);

/* gcc's dump of what it optimized (-fdump-tree-optimized-uid). Whether it has a class go by value
 * from memory that others see into a call, or from a call to there: nobody sees that access. */
bool goes_by_value(const char *dump);

/* The functions in the dump that return in memory what is copied bit by bit, a name in each line.
 * gcc has nobody see their stores there. False: there is none. */
bool find_returning(const char *dump, struct text *names);
