#include "crashes.h"

#include <string.h>

/* Other addresses tell nothing: they are different each time. */
enum { NEAR_NULL = 1 << 20 };

/* Functions of the harness lie between the step's and main, and templates of the C++ library
 * between the launch and the kernel. */
static bool is_others(const struct place *place) {
    static const char *const rooms[] = {"common/runner/", "common/problems/", "common/program/",
                                        "emulator/"};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (strncmp(place->file, rooms[i], strlen(rooms[i])) == 0)
            return true;
    return place->file[0] == '/' && !place_in_sources(place);
}

struct place own_place(const struct place *places, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (places[i].line && !is_others(&places[i]))
            return places[i];
    return (struct place){0};
}

static struct place find_place(const struct crash *crash, const char *program) {
    struct place places[CRASH_FRAMES];
    size_t count = crash->frames < CRASH_FRAMES ? crash->frames : CRASH_FRAMES;
    places_of(program, crash->pc, count, places);
    return own_place(places, count);
}

void crash_describe(const struct crash *crash, const char *program, struct sentence text) {
    text.at[0] = '\0';
    if (!crash->signal && !crash->exits)
        return;
    struct place place = find_place(crash, program);
    if (place.line)
        text_add(text, " at %s:%u", place_file_name(&place), place.line);
    if (crash->on_host)
        text_add(text, ", on the host");
    else
        text_add(text, ", thread (%u,%u,%u) of block (%u,%u,%u)", crash->thread[0],
                 crash->thread[1], crash->thread[2], crash->block[0], crash->block[1],
                 crash->block[2]);
    if (crash->words[0]) {
        text_add(text, ": %.*s", (int)sizeof crash->words, crash->words);
        text_clean(text.at, text.size);
    } else if (crash->stack_full) {
        text_add(text, ": its stack is full");
    } else if (crash->addressed && crash->address < NEAR_NULL) {
        text_add(text, ": address 0x%llx", (unsigned long long)crash->address);
    }
}
