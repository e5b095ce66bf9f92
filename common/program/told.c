/* Reads what a program told of itself (told.h), and makes a record of it, as of a step, for
 * desk/run: its hazards, with their places, and of the first fault the cause. The verdict says how
 * it ended: `pass` (by itself), `no-kernel` (so, and it had launched none), `crashed` or
 * `timed-out`, with where in `detail`, or `missing`: it told nothing of that.
 *
 * usage: program-told TOLD PROGRAM SOURCE RECORD
 *   SOURCE  the path of the program's source; that of its directory begins with / */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/findings/crashes.h"
#include "judge/fault.h"
#include "judge/findings/hazards.h"
#include "judge/findings/places.h"
#include "judge/findings/stuck.h"
#include "judge/record.h"
#include "problem.h"
#include "told.h"

/* places.c asks it for the name of the source, without its .cu. */
static char source_name[256];
const struct problem problem = {.function = source_name};

/* The name of the source, and the directory that it lies in. */
static void set_source(char *source) {
    char *slash = strrchr(source, '/'), *dot;
    if (*source != '/')
        usage_error("SOURCE begins with /, and is not %s", source);
    snprintf(source_name, sizeof source_name, "%s", slash + 1);
    dot = strrchr(source_name, '.');
    if (dot)
        *dot = '\0';
    *slash = '\0';
    places_sources(*source ? source : "/");
}

static void take(struct record *record, const struct told *told, const char *program) {
    struct verdict *verdict = &record->verdict;
    char why[512];
    if (told->kind == TOLD_HAZARD)
        hazards_add(&record->hazards, &told->hazard);
    else if (told->kind == TOLD_CRASH) {
        verdict->kind = VERDICT_CRASHED;
        crash_describe(&told->crash, program, TEXT(verdict->detail));
    } else if (told->kind == TOLD_ENDED) {
        verdict->kind = VERDICT_TIMED_OUT;
        stuck_describe(&told->where, program, TEXT(verdict->detail), TEXT(why));
        if (*why)
            record_note(record, "%s", why);
    } else if (told->kind == TOLD_EXIT)
        verdict->kind = told->launches ? VERDICT_PASS : VERDICT_NO_KERNEL;
}

int main(int count, char **arguments) {
    if (count != 5)
        usage_error("usage: program-told TOLD PROGRAM SOURCE RECORD");
    FILE *file = fopen(arguments[1], "rb");
    struct record record = {.fields.step = "program", .verdict = {.kind = VERDICT_MISSING}};
    struct verdict verdict = {.kind = VERDICT_PASS};
    struct told told;
    if (!file)
        fault("cannot read %s", arguments[1]);
    set_source(arguments[3]);
    while (fread(&told, sizeof told, 1, file) == 1)
        take(&record, &told, arguments[2]);
    fclose(file);
    hazards_find_places(&record.hazards, arguments[2]);
    hazards_settle(&record.hazards, &verdict, record.diagnosis, sizeof record.diagnosis);
    if (verdict.kind != VERDICT_HAZARD)
        record.diagnosis[0] = '\0';
    record_append(&record, arguments[4]);
    return EXIT_PASS;
}
