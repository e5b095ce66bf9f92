/* Sections of a class's page for a browser. */
#pragma once

#include <stdint.h>

#include "../grades/facts.h"
#include "lib/page.h"

/* Those that list something for a person to look at. */
enum {
    LIST_FLAGS,
    LIST_PENDING,
    LIST_LEFT_OUT,
    LIST_ABSENT,
    LIST_UNMATCHED,
    LIST_LATE,
    LIST_REFUSED,
    LISTS
};

struct list_section {
    const char *title, *said, *after; /* before the list and after it; "" for nothing */
    struct words items;
    size_t count; /* of what is listed */
};
bool is_there(const struct list_section *list);

struct class_page {
    const struct class *class;
    struct page *page;
    const char *submissions; /* the file of what was noticed when these were taken in */
    struct list_section list[LISTS];
};

void find_lists(struct class_page *to);
void put_list_section(const struct class_page *to, int which);
void put_standing(const struct class_page *to); /* points and speed */

void section(struct page *page, const char *name);

/* The name, with a link to the submission's page. */
const char *person_shown(const struct class_page *to, const char *submission);
const char *page_of(const char *submission); /* from the folder of results */

/* How many grades are of that step and have that verdict, "" for not graded yet; stuck: of those
 * who are stuck at the step. */
#define EVERY_STEP SIZE_MAX
struct counted {
    size_t step;
    const char *verdict; /* NULL for any */
    bool stuck;
};
size_t count_grades(const struct class *class, struct counted of);
bool is_late_by_flag(const struct class *class, const struct submission *one);
