#include "stuck.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "places.h"
#include "judge/text.h"

enum {
    MOST_SPOTS = WHERE_GROUPS + 1,
    SPOTS_TOLD = 3,
    MANY_LAUNCHES = 16, /* in a call, from which on the loop may be the one around them */
};

/* CUDA threads at one line. */
struct spot {
    struct place place;
    bool waits;
    unsigned long long threads;
    uint64_t blocks;
    const uint32_t *block, *thread; /* of the first */
};

static void add_spot(struct spot *spots, size_t *count, const struct spot *spot) {
    for (size_t i = 0; i < *count; i++)
        if (spots[i].waits == spot->waits && spots[i].place.line == spot->place.line &&
            strcmp(spots[i].place.file, spot->place.file) == 0) {
            spots[i].threads += spot->threads;
            spots[i].blocks |= spot->blocks;
            return;
        }
    spots[(*count)++] = *spot;
}

/* Those that could go on come first, then the most threads; an unknown line tells least. */
static int compare(const void *left, const void *right) {
    const struct spot *a = left, *b = right;
    if (!a->place.line != !b->place.line)
        return !a->place.line - !b->place.line;
    if (a->waits != b->waits)
        return a->waits - b->waits;
    return a->threads < b->threads ? 1 : a->threads > b->threads ? -1 : 0;
}

/* Finds the lines of all, by one process. Returns the number of spots; the host's is in *host. */
static size_t find_spots(const struct where *where, const char *program, struct spot *spots,
                         struct place *host) {
    uint32_t frames = where->frames < CRASH_FRAMES ? where->frames : CRASH_FRAMES;
    uint32_t groups = where->groups < WHERE_GROUPS ? where->groups : WHERE_GROUPS;
    uint64_t pc[CRASH_FRAMES + WHERE_GROUPS];
    struct place places[CRASH_FRAMES + WHERE_GROUPS];
    size_t count = 0;
    memcpy(pc, where->pc, frames * sizeof *pc);
    for (uint32_t i = 0; i < groups; i++)
        pc[frames + i] = where->group[i].pc;
    places_of(program, pc, frames + groups, places);
    *host = own_place(places, frames);
    struct spot runs = {*host, false, 1, where->blocks, where->block, where->thread};
    if (!where->on_host)
        add_spot(spots, &count, &runs);
    for (uint32_t i = 0; i < groups; i++) {
        const struct where_group *group = &where->group[i];
        struct spot spot = {own_place(&places[frames + i], 1),
                            group->waits,
                            group->threads,
                            group->blocks,
                            group->block,
                            group->thread};
        add_spot(spots, &count, &spot);
    }
    qsort(spots, count, sizeof *spots, compare);
    return count;
}

static void say_line(const struct place *place, struct sentence text) {
    if (place->line)
        text_add(text, "%.100s:%u", place_file_name(place), place->line);
    else
        text_add(text, "at an unknown line");
}

static void say_spot(const struct spot *spot, struct sentence text) {
    const uint32_t *b = spot->block, *t = spot->thread;
    int blocks = __builtin_popcountll(spot->blocks);
    say_line(&spot->place, text);
    if (spot->threads == 1)
        text_add(text, ": thread (%u,%u,%u) of block (%u,%u,%u) %s here", t[0], t[1], t[2], b[0],
                 b[1], b[2], spot->waits ? "waits" : "is");
    else if (blocks == 1)
        text_add(text, ": %llu threads of block (%u,%u,%u) %s here", spot->threads, b[0], b[1],
                 b[2], spot->waits ? "wait" : "are");
    else
        text_add(text, ": %llu threads of %d blocks %s here", spot->threads, blocks,
                 spot->waits ? "wait" : "are");
}

static unsigned blocks_begun(const struct where *where) {
    uint64_t begun = where->blocks;
    for (uint32_t i = 0; i < where->groups && i < WHERE_GROUPS; i++)
        begun |= where->group[i].blocks;
    return (unsigned)__builtin_popcountll(begun);
}

bool stuck_on_blocks(const struct where *where) {
    const unsigned begun = blocks_begun(where);
    uint64_t running = 1, waiting = 0;
    for (uint32_t i = 0; i < where->groups && i < WHERE_GROUPS; i++)
        *(where->group[i].waits ? &waiting : &running) += where->group[i].threads;
    return stuck_known(where) && !where->on_host && !where->ended && where->grid > begun &&
           begun < WHERE_BLOCKS && waiting && running <= begun;
}

static void explain_begun(const struct where *where, struct sentence why) {
    const unsigned begun = blocks_begun(where);
    text_add(
        why,
        "%u of the %llu blocks launched in line %u have begun, each with one thread in a loop while "
        "its others wait for it; the other %llu begin only when one of these ends, so a "
        "loop that waits for all blocks never ends. Launch no more blocks than fit on the GPU at "
        "a time.",
        begun, (unsigned long long)where->grid, where->launch_line,
        (unsigned long long)where->grid - begun);
}

static void explain_slow(const struct where *where, struct sentence why) {
    text_add(
        why,
        "It goes on, so it may be slow and not endless: of the %llu blocks of the launch in line %u "
        "%llu have ended. Does every thread go through the whole input, where each should have a part "
        "of it? Do more threads wait at barriers than have work? Is that number of blocks the one that "
        "you meant?",
        (unsigned long long)where->grid, where->launch_line, (unsigned long long)where->ended);
}

/* Which loop it is: that of the line, or one on the host that launches. */
static void explain_loop(const struct where *where, const struct spot *spots, size_t count,
                         const struct place *line, struct sentence why) {
    bool many = where->launches > MANY_LAUNCHES, one = where->on_host || spots[0].threads == 1;
    if (many)
        text_add(why,
                 "Is there an end to the loop on the host around the launch in line %u? "
                 "It has launched %llu kernels so far.",
                 where->launch_line, (unsigned long long)where->launches);
    else
        text_add(why, "%s in a loop without an end%s%s%s",
                 one ? "It seems to be" : "They seem to be",
                 line->text[0] ? ", at the line: `" : ".", line->text, line->text[0] ? "`." : "");
    text_add(why,
             " Can its condition become false, and does each turn change what that depends on?");
    if (!many && !where->on_host)
        text_add(
            why,
            " If it ends, but too late: does it step by 1, so that each thread goes through the whole "
            "input, where it should step by the number of all threads?"
            " If it waits for another thread: that one may have ended, wait at a barrier, or be of a "
            "block that has not begun.");
    if (!many && !where->on_host && count > 1 && spots[count - 1].waits)
        text_add(why, " The others wait for them.");
}

void stuck_describe(const struct where *where, const char *program, struct sentence text,
                    struct sentence why) {
    struct spot spots[MOST_SPOTS];
    struct place host;
    text.at[0] = why.at[0] = '\0';
    if (!stuck_known(where))
        return;
    size_t count = find_spots(where, program, spots, &host);
    if (where->on_host) {
        say_line(&host, text);
        text_add(text, ", on the host");
    }
    for (size_t i = 0; !where->on_host && i < count && i < SPOTS_TOLD; i++) {
        if (i && !spots[i].place.line)
            break;
        text_add(text, i ? "; " : "");
        say_spot(&spots[i], text);
    }
    if (where->launches > MANY_LAUNCHES)
        text_add(text, "; %llu kernels launched so far, the last in line %u",
                 (unsigned long long)where->launches, where->launch_line);
    if (stuck_on_blocks(where))
        explain_begun(where, why);
    else if (where->goes_on && where->launches <= MANY_LAUNCHES && !where->on_host)
        explain_slow(where, why);
    else
        explain_loop(where, spots, count, where->on_host ? &host : &spots[0].place, why);
}
