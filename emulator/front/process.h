/* Other programs: compilers, and what reads their debug information. */
#pragma once
#include "../text/text.h"

/* A command line that grows. It keeps the pointers. */
struct command {
    const char **words; /* the last one is NULL */
    size_t count, room;
};

void command_add(struct command *command, const char *word);
/* The last one is NULL; or there is no list. */
void command_list(struct command *command, const char *const *words);
#define command_words(command, ...) command_list(command, (const char *const[]){__VA_ARGS__, NULL})

/* Runs it, gives it `input`, and keeps what it prints; what is NULL stays this program's own.
 * Returns its exit status as a shell has it. */
int command_run(const struct command *command, const struct text *input, struct text *output,
                struct text *errors);
