/* Sections of the class's page for a browser. */
#ifndef CLASS_OVERVIEW_H
#define CLASS_OVERVIEW_H

#include "parts.h"

/* The grid of students by steps: a cell for each, with the verdict's sign and colour, which says
 * the rest in its title and links to the student's page. */
void put_grid(const struct class_page *to);

#endif
