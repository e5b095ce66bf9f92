/* Memory of programs that end soon: what is taken stays until then, and nobody gives it back,
 * except for what was taken aside. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Zeros. No memory ends the program. */
void *keep(size_t size);

/* list, which has room for `count` items, with room for one more; and with that item. */
void *keep_more(void *list, size_t count, size_t item);
#define append(list, count, ...)                                                                   \
    ((list) = keep_more(list, count, sizeof *(list)), (list)[(count)++] = __VA_ARGS__)

/* What is taken from here on stays until keep_drop(), or with `false` as usual again. */
void keep_aside(bool aside);
void keep_drop(void);

char *keep_part(const char *text, size_t length); /* of a text, with a NUL behind it */
