// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Who wants to be on the leaderboard: lines `WHO NICKNAME`. WHO is a submission's id, or what
 * people.tsv knows of its person. # begins a comment. */
#ifndef CLASS_NICKNAMES_H
#define CLASS_NICKNAMES_H

#include "../grades/points.h"

struct nicknames {
    struct nickname {
        const struct submission *who;
        const char *name;
    } * one; /* those who handed in something */
    size_t count;
};

/* What is wrong with a line is told, and the line left out: nobody may stand there under a name
 * that is another's. */
struct nicknames read_nicknames(const char *path, const struct class *class);

#endif
