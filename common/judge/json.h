// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Parts of a JSON object, in strict JSON whatever the values are. Each writer of a member begins
 * with a comma. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdio.h>

/* A string by itself. Bytes that are no UTF-8 become '?'; what a terminal obeys is escaped. */
void json_text(FILE *out, const char *text);

/* A member. NULL is the empty string. */
void json_string(FILE *out, const char *key, const char *value);
void json_string_or_null(FILE *out, const char *key,
                         const char *value); /* null where it is empty */

/* null where it is 0, which is what was not measured, or not finite. */
void json_number(FILE *out, const char *key, double value);

/* An array; null where there is none, or the first is 0. */
void json_numbers(FILE *out, const char *key, const double *values, size_t count);

#endif
