/* How a program ended, and what the checked build saw in it, for desk/run. It reads what
 * build/program-told prints (common/program/told.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "lib/hazards.h"
#include "lib/page.h"

struct ran {
    const char *name;
    int status;           /* as a shell has it */
    const char *kind;     /* of build: checked, plain, counted */
    const char *cpu_s;    /* that it may take */
    struct words line[6]; /* the last one of each kind below; no words: there was none */
    struct hazards_fields *hazard;
    size_t hazards, faults;
    double more;
};
enum { CAUSE, CRASH, STUCK, EXIT, MISSING, KINDS };
static const char *const kinds[KINDS] = {"cause", "crash", "stuck", "exit", "missing"};

/* ---- reading ---------------------------------------------------------------------------------- */

static double number_or_none(const char *text) { return *text ? atof(text) : NAN; }

/* What a step does in its set-up and tear-down, a program does anywhere. */
static void add_hazard(struct ran *ran, const struct words *words) {
    bool leak = strcmp(word_of(words, 1), "leak") == 0;
    struct hazards_fields hazard = {.kind = word_of(words, 1),
                                    .severity = leak ? "remark" : word_of(words, 2),
                                    .array = word_of(words, 3),
                                    .has_allocated = same(word_of(words, 6), "true"),
                                    .index = number_or_none(word_of(words, 4)),
                                    .note = word_of(words, 5)};
    append(ran->hazard, ran->hazards, hazard);
    ran->faults += same(hazard.severity, "fault");
}

static void read_three(const char *text, record_triple three) {
    struct words words = words_of(text);
    for (size_t i = 0; i < 3; i++)
        three[i] = number_of(&words, i);
}

static void add_place(struct ran *ran, const struct words *words) {
    struct record_objects *places = &ran->hazard[ran->hazards - 1].places;
    struct places_fields *place = keep_more((void *)places->item, places->count, sizeof *place);
    places->item = place;
    place += places->count++;
    *place = (struct places_fields){.file = word_of(words, 1),
                                    .line = number_or_none(word_of(words, 2)),
                                    .source = word_of(words, 3),
                                    .does = word_of(words, 4),
                                    .host = strcmp(word_of(words, 7), "true") == 0 ? RECORD_TRUE
                                                                                   : RECORD_FALSE};
    read_three(word_of(words, 5), place->block);
    read_three(word_of(words, 6), place->thread);
}

static void read_told(struct ran *ran, const char *path) {
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words words = pieces_of(*line, "\t");
        if (strcmp(words.word[0], "hazard") == 0)
            add_hazard(ran, &words);
        else if (strcmp(words.word[0], "place") == 0 && ran->hazards)
            add_place(ran, &words);
        else if (strcmp(words.word[0], "more") == 0)
            ran->more += number_of(&words, 2);
        for (size_t i = 0; i < KINDS; i++)
            if (strcmp(words.word[0], kinds[i]) == 0)
                ran->line[i] = words;
    }
}

static bool was_told(const struct ran *ran, int kind) { return ran->line[kind].count > 0; }

static const char *told(const struct ran *ran, int kind, size_t at) {
    return word_of(&ran->line[kind], at);
}

/* ---- words ------------------------------------------------------------------------------------ */

static const char *signal_name(int number) {
    static const char *const names[] = {
        [2] = "interrupted",         [4] = "illegal instruction", [6] = "abort",
        [7] = "bus error",           [8] = "arithmetic error",    [9] = "killed",
        [11] = "segmentation fault", [15] = "terminated"};
    bool known = number >= 0 && number < (int)(sizeof names / sizeof *names) && names[number];
    return known ? say(" (%s)", names[number]) : "";
}

static const char *how_it_ended(const struct ran *ran) {
    const char *where = told(ran, STUCK, 1);
    int number = ran->status - 128;
    if (was_told(ran, STUCK))
        return say("did not end: it was stopped after %s s of CPU time%s%s.", ran->cpu_s,
                   *where ? ", at " : "", where);
    if (was_told(ran, CRASH) || number > 0)
        return say("crashed: signal %d%s%s.", number, signal_name(number), told(ran, CRASH, 1));
    return say("ended with exit status %d.", ran->status);
}

static const char *explained(const struct hazards_fields *hazard) {
    static const char *const others[][3] = {
        {"leak", "Memory that the program allocated is still there when it ends.",
         "Free it with cudaFree when nothing uses it any more."},
        {"use-after-free", NULL, "Free it when no work is left that uses it."},
        {"uninitialized", NULL,
         "Initialize it first. Neither cudaMalloc nor __shared__ gives zeros."}};
    const char *meaning = hazard_meaning(hazard), *remedy = hazard_remedy(hazard);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], hazard->kind) == 0) {
            meaning = others[i][1] ? others[i][1] : meaning;
            remedy = others[i][2];
        }
    return say("%s %s", meaning, remedy);
}

/* ---- the page --------------------------------------------------------------------------------- */

static void put_places(struct page *page, const struct hazards_fields *hazard) {
    const struct places_fields *place = hazard->places.item;
    for (size_t i = 0; i < hazard->places.count; i++) {
        page->margin = "    ";
        paragraph(page, strong(hazard_place(&place[i])));
        page->margin = "        ";
        if (*place[i].source)
            preformatted(page, clip(place[i].source, page->columns - strlen(page->margin)));
    }
}

/* What a kind means is said once; of the first fault the judge's words for its cause. */
static void put_fault(struct page *page, const struct ran *ran, size_t at, bool explain) {
    const struct hazards_fields *hazard = &ran->hazard[at];
    const char *cause = told(ran, CAUSE, 1);
    blank_line(page);
    paragraph(page, say("%s%s", coloured(hazard_title(hazard), RED),
                        *hazard->note ? say(" (%s)", hazard->note) : ""));
    put_places(page, hazard);
    page->margin = "    ";
    if (explain)
        paragraph(page, at == 0 && *cause ? cause : explained(hazard));
    page->margin = "";
}

static void put_hazards(struct page *page, const struct ran *ran) {
    struct map said = {0};
    if (!ran->hazards) {
        bool idle = was_told(ran, EXIT) && atof(told(ran, EXIT, 1)) == 0;
        paragraph(page, say("no hazards found%s", idle ? ", but it has launched no kernel" : ""));
        return;
    }
    const char *more = ran->more > 0 ? say(", and %.0f more that were not kept", ran->more) : "";
    paragraph(page,
              ran->faults ? say("%s%s:", plural(ran->faults, "hazard"), more) : "no hazards found");
    for (size_t i = 0; i < ran->hazards; i++)
        if (strcmp(ran->hazard[i].severity, "fault") == 0)
            put_fault(page, ran, i, is_new(&said, ran->hazard[i].kind));
    for (size_t i = 0; i < ran->hazards; i++)
        if (strcmp(ran->hazard[i].severity, "fault") != 0) {
            blank_line(page);
            paragraph(page, say("remark: %s. %s", hazard_in_short(&ran->hazard[i]),
                                explained(&ran->hazard[i])));
        }
    if (*told(ran, MISSING, 1))
        paragraph(page, told(ran, MISSING, 1));
    blank_line(page);
    paragraph(page, "How to read a hazard: guides/hazards.md");
}

/* desk/run NAME STATUS KIND CPU_S TOLD. 0 the program ended with 0, and nothing wrong was seen; 1
 * something was. */
int view_ran(int count, char **words) {
    if (count != 5)
        return 2;
    struct ran ran = {
        .name = words[0], .status = atoi(words[1]), .kind = words[2], .cpu_s = words[3]};
    read_told(&ran, words[4]);
    struct page *page = new_page();
    page->columns = 80;
    page->colour = shows_colour();
    const char *line = say("%s %s", ran.name, how_it_ended(&ran));
    blank_line(page);
    (width(ran.name) > 50 ? preformatted : paragraph)(page, line); /* a path stays in one piece */
    if (was_told(&ran, STUCK))
        paragraph(page, told(&ran, STUCK, 2));
    if (strcmp(ran.kind, "checked") == 0)
        put_hazards(page, &ran);
    else if (strcmp(ran.kind, "plain") == 0 && ran.status != 0 && !was_told(&ran, STUCK))
        paragraph(page, "Races and other hazards are looked for without PLAIN=1 (--plain).");
    write_page(page, TEXT_PAGE, stdout);
    return ran.status != 0 || ran.faults > 0;
}
