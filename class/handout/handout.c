#include "handout.h"

#include "../grades/lines.h"
#include "../grades/views.h"
#include "lib/words.h"

/* ---- starters ------------------------------------------------------------------------------------ */

/* As a comment; "" where there is none. Blank lines at its ends are left out. */
static const char *task_of(const char *story) {
    struct text text = {0};
    size_t blank = 0;
    for (const char **line = lines_in(text_below(story, "## Task")); *line; line++) {
        for (; text.length && blank && **line; blank--)
            add(&text, " *\n");
        if (**line)
            add(&text, " * %s\n", *line);
        blank = **line ? 0 : blank + 1;
    }
    return text.length ? say("/* Task\n *\n%s */\n", text.bytes) : "";
}

const char *starter_of(const char *story, const char *source) {
    const char *task = task_of(story);
    struct text text = {0};
    bool in_task = false, inside = false;
    for (const char **line = lines_of_file(source); *line; line++) {
        enum source_line is = what_line_is(*line, &in_task);
        if (begins_with(*line, "#include")) {
            add(&text, "%s", task);
            task = "";
        }
        if (is == BEGINS_SOLUTION)
            add(&text, "%s\n", replaced(*line, "BEGIN SOLUTION", "TODO"));
        else if (is != ENDS_SOLUTION && !inside)
            add(&text, "%s\n", *line);
        inside = is == BEGINS_SOLUTION || (inside && is != ENDS_SOLUTION);
    }
    return bytes_of(&text);
}

/* STEP.md SOURCE */
int view_starter(int count, char **words) {
    if (count != 2)
        give_up(2, "needs a step.md and the step's source");
    fputs(starter_of(words[0], words[1]), stdout);
    return 0;
}

/* [--left-out] STEP.md: the part of it that a student gets: its header, the goal and the task as
 * they are, a heading for what the student expects, and every other one with nothing below it, for
 * the student's own words; or the rest, which is kept back. */
int view_story(int count, char **words) {
    bool left_out = take_option("left-out", &count, &words);
    bool in_code = false, in_body = false, is_kept = false;
    for (const char **line = lines_of_file(count ? *words : ""); *line; line++) {
        in_code ^= begins_with(*line, "```") || begins_with(*line, "~~~");
        if (!in_code && begins_with(*line, "## ")) {
            bool was_kept = is_kept;
            is_kept = same(*line, "## Goal") || same(*line, "## Task");
            if (!left_out && was_kept && !is_kept)
                puts("## Prediction\n");
            if (!left_out)
                printf("%s%s\n", in_body && !was_kept ? "\n" : "", *line);
            in_body = true;
        } else if ((!in_body || is_kept) != left_out)
            puts(*line);
    }
    return 0;
}

/* [--inside] FILE...: their lines outside solutions, or inside, without white space. */
int view_lines(int count, char **words) {
    bool wanted = take_option("inside", &count, &words);
    for (int i = 0; i < count; i++) {
        bool inside = false, in_task = false;
        for (const char **line = lines_of_file(words[i]); *line; line++) {
            enum source_line is = what_line_is(*line, &in_task);
            if (is == BEGINS_SOLUTION || is == ENDS_SOLUTION)
                inside = is == BEGINS_SOLUTION;
            else if (inside == wanted)
                puts(replaced(replaced(replaced(*line, " ", ""), "\t", ""), "\r", ""));
        }
    }
    return 0;
}

/* ---- whether solutions are marked as they should ------------------------------------------------- */

static bool fault(const char *file, size_t line, const char *what) {
    printf("%s:%zu: %s\n", printable(file), line, what);
    return true;
}

static bool is_faulty(const char *file) {
    bool faulty = false, in_task = false;
    size_t opened = 0, number = 1;
    for (const char **line = lines_of_file(file); *line; line++, number++) {
        enum source_line is = what_line_is(*line, &in_task);
        if (is == BEGINS_SOLUTION && opened)
            faulty =
                fault(file, number,
                      say("a solution begins inside of the one that begins in line %zu", opened));
        else if (is == BEGINS_SOLUTION)
            opened = number;
        if (is == BEGINS_SOLUTION && !matches(*line, "^ */\\* BEGIN SOLUTION(: [^*]+)? \\*/$"))
            faulty = fault(file, number,
                           "a solution begins with the line /* BEGIN SOLUTION */, or /* BEGIN "
                           "SOLUTION: what is to be done */, on one line");
        if (is != ENDS_SOLUTION)
            continue;
        if (!opened)
            faulty = fault(file, number, "no solution begins before this END SOLUTION");
        opened = 0;
        if (!matches(*line, "^ */\\* END SOLUTION \\*/$"))
            faulty = fault(file, number, "a solution ends with the line /* END SOLUTION */");
    }
    return (opened && fault(file, opened, "this solution has no END SOLUTION")) || faulty;
}

/* FILE...: each fault on a line. 1: there is one. */
int view_check_marks(int count, char **words) {
    bool faulty = false;
    for (int i = 0; i < count; i++)
        faulty |= is_faulty(words[i]);
    return faulty;
}
