/* What a chart says of itself, for who does not see it. */
#pragma once

/* The text of the first element of that name, "title" or "desc"; "" if there is none. */
const char *svg_text(const char *path, const char *name);

/* Puts both in the place of gnuplot's, which has no words of its own for that. A file that is not
 * there stays so. */
void describe_svg(const char *path, const char *title, const char *description);
