/* What the compiler wrote for the assembler, line by line. */
#pragma once
#include "../text/text.h"

/* The functions of libraries that device code may call and that store where a pointer leads: calls
 * of theirs are calls of hooks. */
extern const char storing_functions[];

/* For the checked build: behind each __shared__ array, which is a thread-local variable, lies
 * memory that nobody uses, so that an index past its end is seen. */
void separate_shared(const struct text *from, struct text *to);

/* For the counted build: a label behind each call of a hook, so that its place and its line can be
 * found, and two sections: where the calls are (counted_places), and two words for each of them
 * (counted_lines). `spots` gets where each stands, by the compiler. Returns how many there are. */
size_t label_calls(const struct text *from, struct text *to, struct text *spots);

/* Fills the section counted_lines of the object, which was made of the preprocessed text. False:
 * there is no such section. Where no lines are found they are 0. */
bool find_counted_lines(const char *object, const struct text *text, struct text *spots,
                        size_t count);

/* A function named host.NAME, which looks at who calls it, unless it only computes, and goes on to
 * the function NAME of a library, which it calls real.NAME. A kernel may come to it by a pointer,
 * and nobody sees what it reads and writes. */
void write_look(const char *name, bool computes, struct text *to);

/* Each of the functions, a name in each line, first asks where what it returns goes. */
void look_at_results(const struct text *from, const struct text *names, struct text *to);
