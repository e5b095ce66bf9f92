/* What a student may see of what came out of grading. */
#pragma once

#include "lib/rows.h"

/* A text without this machine's directories (ENVIRON RESULTS is one more) and without the row's
 * seed. At most 600 characters, none of them a control character. row: NULL for no record. */
const char *of_student(const char *text, const struct row *row);

/* What a submission's files are called. */
const char *file_name(const char *submission);
