/* Reads what a program told of itself (told.h), and prints it in words, for desk/run: lines of
 * fields with tabs between.
 *
 *   hazard KIND SEVERITY ARRAY INDEX NOTE ALLOCATED     with each place on a line below it:
 *   place FILE LINE SOURCE DOES BLOCK THREAD ON-HOST        as a row's cell `hazards` has them
 *   more SEVERITY COUNT                         that were not kept
 *   cause WORDS                                 of the first fault: what it is, and what mends it
 *   crash WORDS                                 where
 *   stuck WORDS WHY                             where the threads were when its time was up
 *   exit LAUNCHES                               it ended by itself
 *   missing WORDS                               why no lines are known
 *
 * usage: program-told TOLD PROGRAM SOURCE
 *   SOURCE  the path of the program's source; that of its directory begins with / */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/findings/crashes.h"
#include "judge/fault.h"
#include "judge/findings/hazards.h"
#include "judge/findings/places.h"
#include "judge/findings/stuck.h"
#include "problem.h"
#include "told.h"

/* places.c asks it for the name of the source, without its .cu. */
static char source_name[256];
const struct problem problem = {.function = source_name};

/* Tabs separate fields. */
static void print_text(const char *text) {
    for (; *text; text++)
        putchar((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
}

static void print_three(const uint32_t three[3]) {
    printf("\t%u %u %u", three[0], three[1], three[2]);
}

static void print_place(const struct hazard_place *told, const struct place *at) {
    printf("place\t");
    print_text(at->file);
    putchar('\t');
    if (at->line)
        printf("%u", at->line);
    putchar('\t');
    print_text(at->text);
    putchar('\t');
    print_text(told->does);
    print_three(told->block);
    print_three(told->thread);
    printf("\t%s\n", told->on_host ? "true" : "false");
}

static void print_hazard(const struct seen_hazard *seen) {
    const struct hazard *hazard = &seen->hazard;
    printf("hazard\t%s\t%s\t", hazard_word(hazard->kind),
           hazard_severity_word(hazard_severity(hazard->kind)));
    print_text(hazard->array);
    putchar('\t');
    if (hazard->array[0] && hazard->indexed)
        printf("%lld", (long long)hazard->index);
    putchar('\t');
    print_text(hazard->note);
    printf("\t%s\n", hazard->allocated ? "true" : "false");
    for (uint32_t i = 0; i < hazard->places; i++)
        print_place(&hazard->place[i], &seen->at[i]);
}

static void print_cause(const struct hazards *hazards) {
    struct verdict verdict = {.kind = VERDICT_PASS};
    char diagnosis[1024] = "";
    hazards_settle(hazards, &verdict, diagnosis, sizeof diagnosis);
    if (verdict.kind != VERDICT_HAZARD)
        return;
    printf("cause\t");
    print_text(diagnosis);
    putchar('\n');
}

static void print_hazards(const struct hazards *hazards) {
    const struct seen_hazard *seen;
    for (size_t n = 0; (seen = hazards_nth(hazards, n)); n++)
        print_hazard(seen);
    for (int severity = HAZARD_REMARK; severity <= HAZARD_FAULT; severity++)
        if (hazards->of[severity].more)
            printf("more\t%s\t%zu\n", hazard_severity_word(severity), hazards->of[severity].more);
    print_cause(hazards);
}

static void print_crash(const struct crash *crash, const char *program) {
    char text[1024];
    crash_describe(crash, program, TEXT(text));
    printf("crash\t");
    print_text(text);
    putchar('\n');
}

static void print_stuck(const struct where *where, const char *program) {
    char text[1024], why[1024];
    stuck_describe(where, program, TEXT(text), TEXT(why));
    printf("stuck\t");
    print_text(text);
    putchar('\t');
    print_text(why);
    putchar('\n');
}

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

int main(int count, char **arguments) {
    if (count != 4)
        usage_error("usage: program-told TOLD PROGRAM SOURCE");
    FILE *file = fopen(arguments[1], "rb");
    const char *program = arguments[2];
    struct hazards hazards = {0};
    struct told told;
    if (!file)
        fault("cannot read %s", arguments[1]);
    set_source(arguments[3]);
    while (fread(&told, sizeof told, 1, file) == 1)
        if (told.kind == TOLD_HAZARD)
            hazards_add(&hazards, &told.hazard);
        else if (told.kind == TOLD_CRASH)
            print_crash(&told.crash, program);
        else if (told.kind == TOLD_ENDED)
            print_stuck(&told.where, program);
        else if (told.kind == TOLD_EXIT)
            printf("exit\t%llu\n", (unsigned long long)told.launches);
    fclose(file);
    hazards_find_places(&hazards, program);
    print_hazards(&hazards);
    if (places_missing())
        printf("missing\t%s\n", places_missing());
    return fflush(stdout) || ferror(stdout) ? EXIT_HARNESS : EXIT_PASS;
}
