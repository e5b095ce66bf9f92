/* Memory of programs that end soon: what is taken stays until then, and nobody gives it back. */
#pragma once

#include <stddef.h>

/* Zeros. No memory ends the program. */
void *keep(size_t size);

/* list, which has room for `count` items, with room for one more; and with that item. */
void *keep_more(void *list, size_t count, size_t item);
#define append(list, count, ...)                                                                   \
    ((list) = keep_more(list, count, sizeof *(list)), (list)[(count)++] = __VA_ARGS__)

char *keep_part(const char *text, size_t length); /* of a text, with a NUL behind it */
