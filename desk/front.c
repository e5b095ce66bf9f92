/* build/front: what a person typed after make, and the program that it means. desk/goals.def has
 * the goals. Any other goal is a step, by any beginning of its name, or a mistake.
 *
 *     build/front                the goal in the environment's TYPED, which desk/front.mk sets
 *     build/front --steps TEXT   prints the beginning of steps' names that the text means: for
 *                                grade.sh
 *     build/front --words        prints all goals and steps, a line each: for a shell's completion
 *     build/front --nearest TEXT WORD...   prints which of the words may be meant: for scripts
 */
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/steps.h"
#include "lib/text.h"

enum { WRONG_USAGE = 2, FAULT = 3, WIDTH = 79, NAMES_WIDTH = 22 };

/* FIRST: listed by `make` alone, too. A VALUE is no goal: a variable that programs and rules read.
 */
struct goal {
    const char *name, *program, *what;
    enum listed { FIRST, MORE, CLASS, VALUE } listed;
};

/* clang-format off */
static const struct goal goals[] = {
#define GOAL(name, program, what) {name, program, what, FIRST},
#define MORE(name, program, what) {name, program, what, MORE},
#define CLASS(name, program, what) {name, program, what, CLASS},
#define VALUE(name, what) {#name, "", what, VALUE},
#include "goals.def"
#ifdef CLASS_GOALS
#include CLASS_GOALS
#endif
};
/* clang-format on */
enum { GOALS = sizeof goals / sizeof *goals };

/* What was typed for a variable; "" where nothing was. The environment's own NAME is not meant. */
static const char *given(const char *name) {
    return is_one_of(name, setting("GIVEN")) ? setting(name) : "";
}

/* ---- steps -------------------------------------------------------------------------------------- */

static const char *const *steps;
static size_t step_count;

/* The beginning of a name that somebody meant: a path below labs/, capitals, blanks around it, a
 * number without its zero ("opt5 " is opt05). */
static const char *beginning_of(const char *text) {
    const char *path = strstr(text, "labs/");
    if (path)
        text = path + strlen("labs/");
    text += strspn(text, " \t\n");
    size_t length = path ? strcspn(text, "/") : strlen(text);
    const char *name = in_small(without(say("%.*s", (int)length, text), "[ \t\n/]+$"));
    length = strlen(name);
    return matches(name, "^[a-z]+[1-9]$") ? say("%.*s0%c", (int)length - 1, name, name[length - 1])
                                          : name;
}

static size_t steps_that_begin(const char *beginning) {
    size_t count = 0;
    for (size_t i = 0; i < step_count; i++)
        count += begins_with(steps[i], beginning);
    return count;
}

/* The whole name of the only one; of several, the beginning. */
static const char *completed(const char *beginning) {
    const char *found = beginning;
    bool one = steps_that_begin(beginning) == 1;
    for (size_t i = 0; i < step_count; i++)
        if (same(short_name(steps[i]), beginning) || (one && begins_with(steps[i], beginning)))
            found = steps[i];
    return found;
}

/* A folder whose source is gone, or has another name, has a step's words: the goal's program says
 * what it must hold. */
static bool has_words(const char *beginning) {
    glob_t found;
    return matches(beginning, "^[a-z0-9_.-]+$") &&
           glob(say("%s/%s*/step.md", labs_directory(), beginning), 0, NULL, &found) == 0;
}

static bool is_step(const char *beginning) {
    return *beginning && (steps_that_begin(beginning) || has_words(beginning));
}

/* Near names among steps, and goals where they could be meant. */
static const char *nearest(const char *text, bool with_goals) {
    const char **name = keep((GOALS + 2 * step_count) * sizeof *name);
    size_t count = 0;
    for (size_t i = 0; with_goals && i < GOALS; i++)
        if (goals[i].listed != VALUE)
            name[count++] = goals[i].name;
    for (size_t i = 0; i < step_count; i++) {
        name[count++] = short_name(steps[i]);
        name[count++] = steps[i];
    }
    return did_you_mean(text, name, count);
}

static const char *example(void) {
    return is_step("opt05") || !step_count ? "opt05" : short_name(steps[step_count - 1]);
}

static const char *the_step(const char *goal, const char *typed) {
    if (!*typed)
        give_up(WRONG_USAGE, say("which step? Use: make %s-%s", goal, example()));
    const char *beginning = beginning_of(typed), *step = completed(beginning);
    if (!is_step(beginning))
        give_up(WRONG_USAGE, say("there is no step '%s'%s (ls labs/ lists them)", typed,
                                 nearest(beginning, false)));
    if (steps_that_begin(step) > 1) {
        struct text all = {0};
        for (size_t i = 0; i < step_count; i++)
            if (begins_with(steps[i], step))
                add(&all, " %s", steps[i]);
        give_up(WRONG_USAGE, say("several steps begin with '%s':%s", typed, bytes_of(&all)));
    }
    return step;
}

/* ---- values -------------------------------------------------------------------------------------- */

static const char *in_capitals(const char *text) {
    char *capitals = say("%s", text);
    for (char *at = capitals; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return capitals;
}

/* The name in capitals at the end of a program's word, "" where there is none. */
static const char *value_in(const char *word) {
    size_t option = strcspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    bool is_value = option == 0 || strchr("=?*", word[option - 1]);
    return is_value && strspn(word + option, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(word + option)
               ? word + option
               : "";
}

/* A program's words with the values that were typed. */
static struct words filled(const struct goal *goal, const char *typed_step) {
    struct words words = words_of(goal->program), filled = {0};
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.word[i], *name = value_in(word), *value = given(name);
        size_t option = strlen(word) - strlen(name);
        char kind = *name && option ? word[option - 1] : '\0';
        struct words each = kind == '*' ? words_of(value) : (struct words){0};
        if (same(word, "<step>"))
            value = the_step(goal->name, typed_step);
        else if (same(word, "<new>"))
            value = typed_step;
        else if (!*name)
            value = word;
        for (size_t w = 0; w < each.count; w++) {
            add_word(&filled, say("%.*s", (int)option - 1, word));
            add_word(&filled, each.word[w]);
        }
        if (kind == '?' && *value && !is_one_of(value, "1 yes 0 no"))
            give_up(WRONG_USAGE, say("%s is 1, or 0 for no, not '%s'", name, value));
        if ((kind == '=' && *value) || is_one_of(value, kind == '?' ? "1 yes" : ""))
            add_word(&filled, say("%.*s", (int)option - 1, word));
        if (*value ? !kind || kind == '=' : same(word, "<new>"))
            add_word(&filled, value);
    }
    return filled;
}

/* ---- help ---------------------------------------------------------------------------------------- */

static void tell(const char *name, const char *what) {
    const char *lines = wrapped(replaced(what, "opt05", example()), "", WIDTH - NAMES_WIDTH);
    printf("  %s%s\n", pad(say("%s ", name), NAMES_WIDTH - 2),
           replaced(lines, "\n", say("\n%*s", NAMES_WIDTH, "")));
}

static bool takes_step(const struct goal *goal) { return strstr(goal->program, "<step>"); }

static void tell_goal(const struct goal *goal) {
    tell(goal->listed == VALUE ? goal->name
         : takes_step(goal)    ? say("make %s-%s", goal->name, example())
                               : say("make %s", goal->name),
         goal->what);
}

/* `make` alone: what fits a terminal of 24 lines. */
static void tell_first_goals(void) {
    puts("histolab: make GPU kernels fast, step by step.");
    fflush(stdout);
    if (system("desk/ladder --short") == -1)
        perror("make");
    tell(say("make %s", example()), "build, check and time one step (any beginning of a name)");
    for (size_t i = 0; i < GOALS; i++)
        if (goals[i].listed == FIRST)
            tell_goal(&goals[i]);
    puts("make help lists all goals and values; ./grade.sh --help has more options.");
    puts("Guides: README.md lists them; begin with guides/students.md.");
}

static void tell_all_goals(void) {
    const char *const headings[] = {"", "\nMore:\n", "\nFor instructors and engineers:\n",
                                    say("\nValues, as in make %s DEVICE=cpu:\n", example())};
    tell(say("make %s", example()),
         "build, check and time one step (any beginning of a name, or opt5)");
    for (int listed = FIRST; listed <= VALUE; listed++) {
        const char *heading = headings[listed]; /* a handout has no goals of a class */
        for (size_t i = 0; i < GOALS; i++) {
            if ((int)goals[i].listed != listed)
                continue;
            printf("%s", heading);
            heading = "";
            tell_goal(&goals[i]);
        }
    }
}

static void print_words(void) {
    puts("help");
    for (size_t i = 0; i < GOALS; i++) {
        if (goals[i].listed != VALUE)
            puts(goals[i].name);
        for (size_t s = 0; takes_step(&goals[i]) && s < step_count; s++)
            printf("%s-%s\n", goals[i].name, steps[s]);
    }
    for (size_t s = 0; s < step_count; s++)
        puts(steps[s]);
}

/* ---- what was typed ------------------------------------------------------------------------------ */

static const struct goal *goal_named(const char *name) {
    for (size_t i = 0; i < GOALS; i++)
        if (goals[i].listed != VALUE && same(goals[i].name, name))
            return &goals[i];
    return NULL;
}

/* Whether a goal takes the word behind it: make watch opt05, make new opt18_mine. */
static bool takes_word(const struct goal *goal) {
    return goal && (takes_step(goal) || strstr(goal->program, "<new>")) && !*given("STEP");
}

/* All that a goal calls is a script, but for make. */
__attribute__((noreturn)) static void start(struct words called) {
    cpu_set_t set;
    struct words words = {0};
    if (!same(called.word[0], "make"))
        add_word(&words, "bash");
    for (size_t i = 0; i < called.count; i++)
        add_word(&words, called.word[i]);
    add_word(&words, NULL);
    if (sched_getaffinity(0, sizeof set, &set) ==
        0) /* what it starts may compile with so many at a time */
        setenv("JOBS", say("%d", CPU_COUNT(&set)), 0);
    execvp(words.word[0], (char *const *)words.word);
    fprintf(stderr, "make: cannot start %s: %s\n", words.word[0], strerror(errno));
    exit(FAULT);
}

static void start_goal(const struct goal *goal, const char *step) {
    struct words words = filled(goal, step);
    if (same(words.word[0], "make")) /* typed in labs/ */
        add_word(&words, goal->name);
    start(words);
}

/* make diff-opt05: the goal, and its step; NULL where it is none. */
static const struct goal *goal_of_step(const char *typed, const char **step) {
    for (const char *dash = strchr(typed, '-'); dash; dash = strchr(dash + 1, '-')) {
        const struct goal *goal = goal_named(say("%.*s", (int)(dash - typed), typed));
        *step = dash + 1;
        if (goal && takes_step(goal))
            return goal;
    }
    return NULL;
}

/* ---- values that change nothing ------------------------------------------------------------------ */

/* Those that a goal's program takes, or the one that it is, behind others. */
static void add_values(struct text *names, const struct goal *goal) {
    struct words words = words_of(goal->listed == VALUE ? goal->name : goal->program);
    for (size_t i = 0; i < words.count; i++) {
        const char *name = value_in(words.word[i]);
        if (*name && !is_one_of(name, bytes_of(names)))
            add(names, "%s%s", *bytes_of(names) ? " " : "", name);
    }
}

/* What is passed over, because it is mistyped or another goal's, nobody would notice. Of what make
 * itself does nobody knows what it takes. */
static void check_values(const char *goal_name) {
    struct words typed = words_of(setting("GIVEN")), all = words_of(setting("GOALS"));
    struct text known = {0}, taken = {0};
    bool any = !all.count;
    for (size_t i = 0; i < all.count; i++) {
        const char *step;
        const struct goal *goal = goal_named(all.word[i]);
        if (goal || (goal = goal_of_step(all.word[i], &step)))
            add_values(&taken, goal);
        any |= goal && same(goal->program, "make");
    }
    for (size_t i = 0; i < GOALS; i++) {
        add_values(&known, &goals[i]);
        if (goals[i].listed == VALUE)
            add_values(&taken, &goals[i]);
    }
    for (size_t i = 0; i < typed.count; i++) {
        const char *name = typed.word[i];
        struct words names = words_of(bytes_of(&known));
        if (!is_one_of(name, bytes_of(&known)))
            give_up(WRONG_USAGE, say("nothing reads %s%s", name,
                                     did_you_mean(in_capitals(name), names.word, names.count)));
        if (!any && !is_one_of(name, bytes_of(&taken)))
            give_up(WRONG_USAGE, say("%s takes no %s: it takes %s", goal_name, name,
                                     replaced(bytes_of(&taken), " ", ", ")));
    }
}

static void answer(const char *typed) {
    struct words all = words_of(setting("GOALS"));
    struct words words = words_of(typed);
    const char *name = words.count ? words.word[0] : "", *step;
    const struct goal *before = all.count > 1 ? goal_named(all.word[0]) : NULL;
    if (takes_word(before) && same(all.word[1], name) && !goal_named(name))
        return; /* it was that goal's word */
    const struct goal *goal = goal_named(name);
    if (goal)
        start_goal(goal, *given("STEP")                    ? given("STEP")
                         : all.count > 1 && goal == before ? all.word[1]
                                                           : setting("HERE"));
    if ((goal = goal_of_step(name, &step)))
        start_goal(goal, step);
    const char *beginning = beginning_of(typed);
    if (is_step(beginning))
        start(words_of(say("desk/try %s", completed(beginning))));
    give_up(WRONG_USAGE, say("there is no goal '%s'%s (make help lists what there is)", typed,
                             nearest(beginning, true)));
}

int main(int count, char **words) {
    usual_program = "make";
    steps = all_steps(&step_count);
    if (count > 1 && same(words[1], "--words")) {
        print_words();
    } else if (count > 2 && same(words[1], "--nearest")) {
        puts(did_you_mean(words[2], (const char *const *)words + 3, (size_t)count - 3));
    } else if (count > 2 && same(words[1], "--steps")) {
        const char *beginning = beginning_of(words[2]);
        if (!is_step(beginning))
            give_up(WRONG_USAGE, say("there is no step '%s'%s (ls labs/ lists them)", words[2],
                                     nearest(beginning, false)));
        puts(beginning);
    } else {
        const char *typed = setting("TYPED");
        check_values(typed);
        if (same(typed, "start"))
            tell_first_goals();
        else if (same(typed, "help"))
            tell_all_goals();
        else
            answer(typed);
    }
    return 0;
}
