#define _DEFAULT_SOURCE /* strsep */
#include "assembly.h"
#include "../text/markers.h"
#include "process.h"
#include "symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The object is linked, so that each label has an address: a line each. False: it could not be. */
static bool find_addresses(const char *object, const char *linked, size_t count,
                           struct text *addresses) {
    struct command command = {0};
    struct text said = {0};
    command_words(&command, "ld", "--unresolved-symbols=ignore-all", "--defsym=__dso_handle=0",
                  "-e", "0", "-o", linked, object);
    bool ok = command_run(&command, NULL, NULL, &said) == 0;
    struct object o = {0};
    ok = ok && object_open(&o, linked);
    uint64_t *at = need(calloc(count + 1, sizeof *at));
    for (size_t i = 0; ok && i < o.symbol_count; i++) {
        size_t number;
        if (sscanf(name_of(&o, &o.symbols[i]), "counted.%zu", &number) == 1 && number &&
            number <= count)
            at[number] = o.symbols[i].st_value - 1;
    }
    for (size_t i = 1; ok && i <= count; i++)
        text_print(addresses, "0x%llx\n", (unsigned long long)at[i]);
    return ok;
}

/* Of "DIRECTORY/FILE:LINE": the line, where the file is in the directory; else 0. */
static unsigned line_in(const char *place, size_t length, const char *directory) {
    const char *colon = place + length;
    while (colon > place && *colon != ':')
        colon--;
    const char *name = colon;
    while (name > place && name[-1] != '/')
        name--;
    size_t own = strlen(directory), before = (size_t)(name - place);
    bool inside = before >= own && strncmp(name - own, directory, own) == 0 &&
                  (before == own || name[-(ptrdiff_t)own - 1] == '/');
    return inside && colon > place ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

/* Of the functions that were inlined into one another, the innermost that is in an own file. */
static void read_lines(const struct text *output, const char *directory, unsigned *lines,
                       size_t count) {
    size_t n = 0;
    for (const char *line = output->at; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        if (begins_with(line, "0x"))
            n++;
        else if (n && n <= count && !lines[n - 1])
            lines[n - 1] = line_in(line, length, directory);
    }
}

static void ask_for_lines(const char *object, const struct text *text, unsigned *lines,
                          size_t count) {
    char *linked = format_text("%s.linked", object), *directory = source_directory(text);
    struct text addresses = {0}, output = {0};
    struct command command = {0};
    command_words(&command, "addr2line", "-a", "-i", "-e", linked);
    if (find_addresses(object, linked, count, &addresses) &&
        command_run(&command, &addresses, &output, NULL) == 0 && output.size)
        read_lines(&output, directory ? directory : "", lines, count);
    unlink(linked);
}

bool find_counted_lines(const char *object, const struct text *text, struct text *spots,
                        size_t count) {
    if (!count)
        return true;
    unsigned *lines = need(calloc(count, sizeof *lines));
    uint32_t *section = need(calloc(2 * count, sizeof *section));
    char **spot = need(calloc(count, sizeof *spot)), *next = spots->at;
    ask_for_lines(object, text, lines, count);
    for (size_t i = 0, first = 0; i < count; i++, first = 0) {
        spot[i] = strsep(&next, "\n");
        while (lines[first] != lines[i] || strcmp(spot[first], spot[i]) != 0)
            first++;
        section[2 * i] = lines[i];
        section[2 * i + 1] = (uint32_t)first + 1; /* of the first one at this line and spot */
    }
    return section_fill(object, "counted_lines", section, 2 * count * sizeof *section);
}
