/* What the views of build/inside share. The scripts beside this file are what people type. Files
 * that a step's process wrote may hold anything. */
#ifndef INSIDE_H
#define INSIDE_H

#include "lib/text.h"

const char *word_of(const struct words *words, size_t at); /* "" where there is none */
double number_of(const struct words *words, size_t at);    /* 0 where there is none */

int view_access(int count, char **words);
int view_counted(int count, char **words);
int view_ncu(int count, char **words);
int view_ran(int count, char **words);
int view_sass(int count, char **words);

#endif
