/* Lines of a preprocessed text. A line marker, # 12 "FILE" 1 3, says of which file the next line
 * is. */
#ifndef MARKERS_H
#define MARKERS_H

#include "text.h"

bool is_marker(const char *line);

/* Of a marker without the end of its line: whether 1 (an include begins), 2 (it has ended) or 3 (a
 * header of the system) stands behind the name. */
bool marker_has(const char *line, char number);

/* The line with copies as functions, which are watched, in place of the compiler's own. */
void write_watched(struct text *out, const char *line);

#endif
