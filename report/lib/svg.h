/* What a chart says of itself, for who does not see it. */
#pragma once

/* The text of the first element of that name, "title" or "desc"; "" if there is none. */
const char *svg_text(const char *path, const char *name);

/* A script of sed that puts both in the place of gnuplot's, which has no words of its own for that,
 * and takes out the names that gnuplot gives to what has none: a browser shows them. */
const char *sed_to_describe(const char *title, const char *description);
