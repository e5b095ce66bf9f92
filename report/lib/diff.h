/* What changes from one text to another, line by line, as `diff -u` shows it: the longest common
 * subsequence stays, three lines of it stand around each change. */
#pragma once

/* Both end with NULL, as what is returned: each line begins with ' ', '-' or '+', and "@@" stands
 * where lines are left out. NULL where little of `new` was in `old`, so that the whole is shorter
 * to read, or where they are too long (2 000 lines). No line: nothing changes. */
const char **lines_changed(const char **old, const char **new);
