/* Sections of a class's page for a browser. */
#pragma once

#include "../grades/facts.h"
#include "lib/page.h"

struct class_page {
    const struct class *class;
    struct page *page;
    const char *submissions; /* the file of what was noticed when these were taken in */
};

void section(struct page *page, const char *name);
const char *id_of(const char *section); /* which links point at: "flags-to-decide" */

/* The name, with a link to the submission's page. */
const char *person_shown(const struct class_page *to, const char *submission);
const char *page_of(const char *submission); /* from the folder of results */

const char *graded_in_words(const struct class *class);
size_t count_in_class(const struct class *class, const char *verdict);
void put_standing(const struct class_page *to); /* points, verdicts and speed */

/* Of all steps of all submissions. */
bool is_undecided(const struct grade *grade); /* flagged, and nobody has decided */
bool is_pending(const struct grade *grade);
size_t count_grades(const struct class *class, bool (*is_wanted)(const struct grade *grade));

/* Why steps are left out, or pending. */
void put_left_out(const struct class_page *to);
void put_pending(const struct class_page *to);

void put_flags(const struct class_page *to);

/* Who handed in nothing, and who was late; maybe so that only the learning platform knows it. */
size_t count_late(const struct class *class);
bool is_late_by_flag(const struct class *class, const struct submission *one);
void put_absent(const struct class_page *to);
void put_late(const struct class_page *to);

size_t count_refused(const struct class_page *to); /* entries of the next */
void put_refused(const struct class_page *to);
size_t count_unmatched(const struct class *class);
void put_unmatched(const struct class_page *to);
