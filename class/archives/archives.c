/* Of what strangers hand in: whether an archive may be unpacked, and which step a loose file is. */
#include "archives.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../grades/views.h"
#include "lib/steps.h"
#include "lib/words.h"

/* ---- the list of an archive's files ------------------------------------------------------------- */

static const char *const patterns[] = {
    "*.[cC][uU]",    "*.[mM][dD]", "*.[zZ][iI][pP]", "*.[tT][gG][zZ]", "*.[tT][aA][rR].[gG][zZ]",
    "*.[tT][aA][rR]"};
static const char *const endings[] = {".cu", ".md", ".zip", ".tgz", ".tar.gz", ".tar"};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct limits {
    double files, bytes;
    const char *max_files, *max_mib, *max_list;
};

static const char *quoted(const char *name) {
    size_t length = strlen(name);
    return length > 200 ? say("'%.80s...%s'", name, name + length - 100) : say("'%s'", name);
}

static const char *what_is(char type) {
    return strchr("lh", type)   ? "a link"
           : strchr("cb", type) ? "a device"
           : type == 'p'        ? "a FIFO"
           : type == 's'        ? "a socket"
                                : "an entry that is neither file nor folder";
}

static bool consists_of(const char *text, const char *letters) {
    return *text && !text[strspn(text, letters)];
}

/* As `ls -l` has it: type, owner, size, day, time; the name is the rest of the line. */
static const char *name_in(const char *line, struct words *words) {
    *words = words_of(line);
    for (int field = 0; field < 5; field++) {
        line += strcspn(line, " ");
        line += field < 4 ? strspn(line, " ") : *line == ' ';
    }
    return line;
}

static const char *why_refused(const char *line, const struct limits *limits, double *files,
                               double *bytes, size_t listed) {
    static const char digits[] = "0123456789";
    struct words words;
    if (listed > atof(limits->max_list) * (1 << 20))
        return say("it holds more than %s MiB of names", limits->max_list);
    const char *name = name_in(line, &words);
    if (!strchr("-d", *line))
        return say("it holds %s, %s", what_is(*line), quoted(name));
    if (words.count <= 5 || !consists_of(words.word[2], digits) ||
        !isdigit((unsigned char)*words.word[4]) || !consists_of(words.word[4] + 1, "0123456789:"))
        return "its list of files cannot be read";
    if (*name == '/')
        return say("it holds an absolute path, %s", quoted(name));
    if (matches(name, "(^|/)[.][.](/|$)"))
        return say("it holds a path with '..', %s", quoted(name));
    if (++*files > limits->files)
        return say("it holds more than %s files", limits->max_files);
    *bytes += strtod(words.word[2], NULL);
    return *bytes > limits->bytes ? say("it unpacks to more than %s MiB", limits->max_mib) : NULL;
}

/* FILES BYTES MOST_FILES MOST_MIB LIST_MIB: judges the list on standard input, as far as the first
 * reason to refuse it. Prints `refused REASON`, or how many files there are, how many bytes they
 * unpack to, and which of the patterns that are unpacked occur; then a line for each file that fits
 * none. */
int view_judge_list(int count, char **words) {
    if (count != 5)
        give_up(2, "needs FILES BYTES MOST_FILES MOST_MIB LIST_MIB");
    struct limits limits = {atof(words[0]), atof(words[1]), words[2], words[3], words[4]};
    bool occurs[PATTERNS] = {false};
    double files = 0, bytes = 0;
    struct words fields;
    struct text others = {0};
    char *line = NULL;
    size_t room = 0, listed = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[strcspn(line, "\n")] = '\0';
        const char *why = why_refused(line, &limits, &files, &bytes, listed += length);
        if (why) {
            printf("refused %s\n", why);
            return 0;
        }
        bool fits = *line != '-';
        for (size_t p = 0; p < PATTERNS && *line == '-'; p++) {
            size_t end = strlen(line), size = strlen(endings[p]);
            bool ends_so = end > size && strcasecmp(line + end - size, endings[p]) == 0;
            occurs[p] |= ends_so;
            fits |= ends_so;
        }
        if (!fits)
            add(&others, "\n%s", name_in(line, &fields));
    }
    free(line);
    printf("%.0f %.0f", files, bytes);
    for (size_t p = 0; p < PATTERNS; p++)
        if (occurs[p])
            printf(" %s", patterns[p]);
    puts(bytes_of(&others));
    return 0;
}

/* ---- loose files -------------------------------------------------------------------------------- */

struct known_step {
    const char *name, *short_name, *function; /* in small letters */
    const char *task[2];                      /* its first lines, "" where there are none */
};

/* A line without what makes it a comment. */
static const char *bare(const char *line) {
    line = without(line, "^[ \t]*(/?\\*+|//+)?[ \t]*");
    return without(line, "[ \t]*(\\*/)?[ \t]*\r?$");
}

static void read_task(struct known_step *step) {
    const char *task = text_below(say("labs/%s/step.md", step->name), "## Task");
    size_t told = 0;
    step->task[0] = step->task[1] = "";
    for (const char **line = lines_in(task); *line && told < 2; line++)
        if ((*line)[strspn(*line, " \t")])
            step->task[told++] = bare(*line);
}

static const struct known_step *steps_known(size_t *count) {
    const char *const *name = all_steps(count);
    struct known_step *step = keep((*count + 1) * sizeof *step);
    for (size_t i = 0; i < *count; i++) {
        const char *file = base_name(step_source(name[i]));
        step[i].name = name[i];
        step[i].short_name = short_name(name[i]);
        step[i].function = in_small(say("%.*s", (int)strcspn(file, "."), file));
        read_task(&step[i]);
    }
    return step;
}

static bool is_of_word(char c) { return islower((unsigned char)c) || isdigit((unsigned char)c); }

/* (No regular expression: a name may hold its signs.) */
static bool has_word(const char *text, const char *word) {
    word = in_small(word);
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[strlen(word)]))
            return true;
    return false;
}

/* The steps that a name names: in full, else by their short names. file: "", or what begins with
 * their function. */
static const char *named(const struct known_step *step, size_t count, const char *name,
                         const char *file) {
    struct text full = {0}, brief = {0};
    for (size_t i = 0; i < count; i++) {
        bool fits = !*file || begins_with(file, step[i].function);
        if (has_word(name, step[i].name))
            add(&full, "%s", fits ? say(" %s", step[i].name) : "");
        if (fits && has_word(name, step[i].short_name))
            add(&brief, " %s", step[i].name);
    }
    return full.bytes ? full.bytes : bytes_of(&brief);
}

static const char *told_by_name(const struct known_step *step, size_t count, const char *path) {
    struct words parts = pieces_of(in_small(path), "/");
    const char *file = without(parts.word[parts.count - 1], "[.](cu|md)$");
    const char *found = named(step, count, file, "");
    for (size_t i = parts.count - 1; i-- > 0 && !*found;)
        found = named(step, count, parts.word[i], file);
    return found;
}

/* By what a starter begins with: the step's short name in its first comment, or its task. */
static const char *told_by_text(const struct known_step *step, size_t count, const char *text) {
    enum { LINES_READ = 300, BYTES_READ = 32 << 10 };
    struct map there = {0};
    struct text found = {0};
    const char **line = lines_in(say("%.*s", BYTES_READ, text)), *first = "";
    for (size_t i = 0; i < LINES_READ && line[i]; i++) {
        const char *words = bare(line[i]);
        *find(&there, words) = &there;
        first = *first ? first : words;
    }
    for (size_t i = 0; i < count; i++)
        if (begins_with(first, say("%s:", step[i].short_name)) ||
            (*step[i].task[1] && *find(&there, step[i].task[0]) && *find(&there, step[i].task[1])))
            add(&found, " %s", step[i].name);
    return bytes_of(&found);
}

/* By name: the file is called after one step (opt05.cu, "opt05_multiblock (2).cu",
 * my-opt05-final.cu); or it lies in a folder that is, and begins with the step's function
 * (opt05/opt_2dhisto-3.cu). */
const char *step_of_loose(const char *path, const char *text) {
    static const struct known_step *step;
    static size_t count;
    if (!step)
        step = steps_known(&count);
    const char *found = told_by_name(step, count, path);
    if (*found)
        return say("name%s", found);
    found = told_by_text(step, count, text);
    return *found ? say("text%s", found) : "";
}
