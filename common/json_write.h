#pragma once

#include <stdio.h>

/* A text in strict JSON, whatever it is. Bytes that are no UTF-8 become '?'; what a terminal obeys
 * is escaped. */
void json_text(FILE *out, const char *text);
