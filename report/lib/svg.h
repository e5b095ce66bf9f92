/* What a chart says of itself, for who does not see it. */
#pragma once

struct page;

/* What a problem's chart is called: "speedup", of the sister problems "speedup-opt_sum". */
const char *chart_name(const char *chart, const char *problem);

/* Those of a problem that lie in a folder, with what they say of themselves; `drawn` has the names
 * of those that are meant, or is NULL for all. The page finds them behind `address`. */
void put_charts(struct page *page, const char *folder, const char *address, const char *problem,
                const char *drawn);

/* A script of sed that puts both in the place of gnuplot's, which has no words of its own for that,
 * and takes out the names that gnuplot gives to what has none: a browser shows them. */
const char *sed_to_describe(const char *title, const char *description);
