/* What changes from one text to another, line by line, as `diff -U 3` shows it. */
#pragma once

/* Both end with NULL, as what is returned: each line begins with ' ', '-' or '+', and "@@" stands
 * where lines are left out. NULL where little of `new` was in `old`, so that the whole is shorter
 * to read. No line: nothing changes. */
const char **lines_changed(const char **old, const char **new);
