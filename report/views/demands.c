// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* tests/demands: what a step.md demands of counters, and nobody can understand. */
#include <stdio.h>
#include <string.h>

#include "lib/idea.h"
#include "lib/text.h"
#include "views.h"

static const char *what_is_wrong(const char *line) {
    static const char key[] = "counters:";
    struct demand demand;
    if (!begins_with(line, key))
        return "";
    line += strlen(key);
    return *line == ' ' ? parse_demand(line + 1, &demand) : "expected a blank after counters:";
}

/* A header ends at the first empty line. */
int view_demands(int count, char **words) {
    int status = 0;
    for (int i = 0; i < count; i++) {
        const char **line = lines_of_file(words[i]);
        for (size_t n = 0; line[n] && line[n][strspn(line[n], "\r")]; n++) {
            const char *wrong = what_is_wrong(say("%.*s", (int)strcspn(line[n], "\r"), line[n]));
            if (!*wrong)
                continue;
            printf("%s\n", printable(say("%s:%zu: %s", words[i], n + 1, wrong)));
            status = 1;
        }
    }
    return status;
}
