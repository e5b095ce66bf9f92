// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What a chart says of itself, which report/plot has written into it. */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

/* The text of the first element of that name, "title" or "desc"; "" if there is none. */
const char *svg_text(const char *path, const char *name);

#endif
