// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What a tool of compute-sanitizer found: a line for each finding, and one that sums it up. */
#include "inside.h"

#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

struct sanitized {
    const char *tool;
    const char *finding, *places, *who, *what; /* of one; "" before it is known */
    struct map told;
    int told_count;
    const char *failed, *unusable; /* why the tool did not work; "" */
    bool wrong, summed;
    int found;
};

/* Whether a part of the line is as the regular expression says: that part, or NULL. */
static const char *part_like(const char *line, const char *expression) {
    regex_t compiled;
    regmatch_t at;
    if (regcomp(&compiled, expression, REG_EXTENDED) != 0)
        return NULL;
    bool fits = regexec(&compiled, line, 1, &at, 0) == 0;
    regfree(&compiled);
    return fits ? say("%.*s", (int)(at.rm_eo - at.rm_so), line + at.rm_so) : NULL;
}

static void finish(struct sanitized *s) {
    const char *text = say("%s%s%s", s->finding, *s->places ? ", " : "", s->places);
    if (*s->finding && !*find(&s->told, text)) {
        *find(&s->told, text) = s;
        if (++s->told_count <= 3)
            printf("  %s%s%s%s%s\n", text, *s->who ? ", " : "", s->who, *s->what ? ": " : "",
                   s->what);
    }
    s->finding = s->places = s->who = s->what = "";
}

/* Where, by whom: under the finding, and further in. */
static void take_detail(struct sanitized *s, const char *line) {
    const char *words = line + strspn(line, " "), *place;
    if (part_like(line, "^ +(at|and) ")) {
        if ((place = part_like(line, "[^/ ]+\\.cuh?:[0-9]+")))
            s->places = say("%s%s%s", s->places, *s->places ? ", " : "", place);
    } else if (part_like(line, "^ +by thread"))
        s->who = words;
    else if (part_like(line, "^ +(Access|Address) "))
        s->what = words;
    else if (part_like(line, "^ +(Saved host|Host Frame)"))
        finish(s);
}

/* A line of the tool's own. */
static void take_line(struct sanitized *s, const char *line) {
    const char *sum = part_like(line, ".*SUMMARY: *");
    if (sum) {
        s->summed = true;
        s->found = atoi(line + strlen(sum));
    } else if (part_like(line,
                         "^(Invalid|Misaligned|Uninitialized|Barrier error|Unused|Program hit|"
                         "(Error|Warning): (Race reported|Potential)|ERROR: Race|Divergent)")) {
        finish(s);
        const char *rest = part_like(line, " access at .* in block .*");
        s->finding = rest ? say("%.*s access", (int)(strstr(line, rest) - line), line) : line;
    } else if (part_like(line, "^Error: (process|Target|Device|.*(not supported|launch|attach|"
                               "connect))|^Device not supported")) {
        if (!*s->unusable)
            s->unusable = line;
    } else if (*s->finding)
        take_detail(s, line);
}

/* If the output is wrong at this size, that is worth knowing, whatever the tool finds. */
static void take_driver(struct sanitized *s, const char *line) {
    bool is_wrong = begins_with(line, "call");
    s->wrong = s->wrong || is_wrong;
    if (is_wrong && strcmp(s->tool, "memcheck") == 0)
        printf("  %s\n", line);
    else if (!is_wrong)
        s->failed = line;
}

static const char *looks_for(const char *tool) {
    static const char *const tools[][2] = {
        {"memcheck", "accesses outside of memory, misaligned ones, failed calls"},
        {"racecheck",
         "threads that touch one word of shared memory without a barrier between them"},
        {"initcheck", "reads of device memory that nothing has written"},
        {"synccheck", "barriers that not all threads reach"}};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(tools[i][0], tool) == 0)
            return tools[i][1];
    return "";
}

/* desk/inside/sanitize TOOL LOG. 0 nothing found, 1 something found, 3 the tool did not work. */
int view_sanitize(int count, char **words) {
    static const char driver[] = "driver: ", own[] = "=========";
    if (count != 2)
        return 2;
    struct sanitized s = {words[0], "", "", "", "", {0}, 0, "", "", false, false, 0};
    for (const char **next = lines_of_file(words[1]); *next; next++) {
        const char *line = printable_lines(*next);
        if (begins_with(line, driver))
            take_driver(&s, line + strlen(driver));
        else if (begins_with(line, own))
            take_line(&s, line + strlen(own) + (line[strlen(own)] == ' '));
    }
    finish(&s);
    bool works = s.summed && !*s.unusable;
    const char *whole = say("; its whole output: %s", printable(words[1]));
    if (*s.failed && !s.found)
        printf("%-10s did not work: %s\n", s.tool, s.failed);
    else if (!works)
        printf("%-10s did not work: %s%s\n", s.tool,
               *s.unusable ? s.unusable : "it printed no summary", whole);
    else if (s.found)
        printf("%-10s %d found (%s)%s\n", s.tool, s.found, looks_for(s.tool), whole);
    else
        printf("%-10s nothing found (%s)%s\n", s.tool, looks_for(s.tool),
               s.wrong ? "; but the output is wrong" : "");
    return !works || (*s.failed && !s.found) ? 3 : s.found > 0 || s.wrong;
}
