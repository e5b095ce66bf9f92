#include "reading.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"
#include "judge/text.h"

/* ---- some elements in words --------------------------------------------------------------- */

/* Which of the elements: those that were read so often. */
struct choice {
    const struct element_reads *of;
    const struct wrong_call *call;   /* only to say lines */
    const struct thread_use *reader; /* those of the thread that this is of; NULL: of all */
    size_t rows, columns, size;      /* size: rows x columns */
    const char *element;
    uint32_t least, most; /* times */
    size_t count, first, last;
};

static bool has(const struct choice *choice, size_t i) {
    return i < choice->size && choice->of[i].times >= choice->least &&
           choice->of[i].times <= choice->most;
}

static void choose(struct choice *choice, uint32_t least, uint32_t most) {
    choice->least = least;
    choice->most = most;
    choice->count = 0;
    for (size_t i = 0; i < choice->size; i++) {
        if (!has(choice, i))
            continue;
        if (choice->count++ == 0)
            choice->first = i;
        choice->last = i;
    }
}

/* Those from `begin` on, `length` of every `period`. */
struct pattern {
    size_t begin, length, period;
};

static bool fits(const struct choice *choice, struct pattern pattern) {
    for (size_t i = 0; i <= choice->last; i++) {
        bool in = i >= pattern.begin && (i - pattern.begin) % pattern.period < pattern.length;
        if (in != has(choice, i))
            return false;
    }
    return choice->last + pattern.period >= choice->size;
}

/* False where the elements lie in no pattern that can be said. */
static bool find_pattern(const struct choice *choice, struct pattern *pattern) {
    size_t end = choice->first, next;
    while (has(choice, end))
        end++;
    for (next = end; next < choice->size && !has(choice, next); next++)
        ;
    *pattern = (struct pattern){choice->first, end - choice->first, next - choice->first};
    return next < choice->size && fits(choice, *pattern);
}

/* Whether one is named alone: "is", and not "are". */
static bool say_range(const char *unit, size_t first, size_t last, struct sentence text) {
    if (first == last)
        text_add(text, "%s %zu", unit, first);
    else
        text_add(text, "%ss %zu to %zu", unit, first, last);
    return first == last;
}

static bool say_stretch(const struct choice *choice, struct sentence text) {
    size_t columns = choice->columns;
    bool rows = columns > 1 && choice->first % columns == 0 && choice->count % columns == 0;
    bool at_end = choice->first == 0 || choice->last + 1 == choice->size;
    if (rows)
        return say_range("row", choice->first / columns, choice->last / columns, text);
    if (choice->count == 1)
        text_add(text, "%s %zu%s", choice->element, choice->first,
                 choice->first == 0 ? ", the first,"
                 : at_end           ? ", the last,"
                                    : "");
    else if (at_end)
        text_add(text, "the %s %zu %ss", choice->first == 0 ? "first" : "last", choice->count,
                 choice->element);
    else
        say_range(choice->element, choice->first, choice->last, text);
    return choice->count == 1;
}

static bool say_pattern(const struct choice *choice, const struct pattern *pattern,
                        struct sentence text) {
    size_t last = pattern->begin + pattern->length - 1;
    bool image = choice->rows > 1 && choice->columns > 1, one = false;
    if (image && pattern->period == choice->columns && last < choice->columns) {
        one = say_range("column", pattern->begin, last, text);
        text_add(text, " of every row");
    } else if (last < pattern->period) {
        one = say_range(choice->element, pattern->begin, last, text);
        text_add(text, " of every %zu", pattern->period);
    } else {
        text_add(text, "%zu of every %zu %ss, from number %zu on,", pattern->length,
                 pattern->period, choice->element, pattern->begin);
    }
    return one;
}

static bool is_stretch(const struct choice *choice) {
    return choice->last - choice->first + 1 == choice->count;
}

static bool are_ends(const struct choice *choice) {
    return choice->count == 2 && choice->first == 0 && choice->last + 1 == choice->size;
}

static bool say_choice(const struct choice *choice, struct sentence text) {
    enum { FEW = 4 };
    struct pattern pattern;
    if (is_stretch(choice))
        return say_stretch(choice, text);
    if (are_ends(choice)) {
        text_add(text, "the first and the last %s", choice->element);
        return false;
    }
    if (find_pattern(choice, &pattern))
        return say_pattern(choice, &pattern, text);
    if (choice->count > FEW) {
        text_add(text, "%zu of the %zu %ss", choice->count, choice->size - choice->first,
                 choice->element);
        if (choice->first)
            text_add(text, " from number %zu on", choice->first);
        return false;
    }
    text_add(text, "%ss %zu", choice->element, choice->first);
    for (size_t i = choice->first + 1; i <= choice->last; i++)
        if (has(choice, i))
            text_add(text, i < choice->last ? ", %zu" : " and %zu", i);
    return false;
}

/* ---- where -------------------------------------------------------------------------------- */

static bool is_same_thread(const struct thread_use *a, const struct thread_use *b) {
    return a->thread == b->thread && a->launch == b->launch;
}

/* The offsets of the reads, each once: of all first ones, and of others as far as they are noted.
 */
static size_t find_readers(const struct choice *choice, uint64_t *offsets, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < choice->size && !choice->reader; i++)
        if (has(choice, i) && choice->of[i].pc)
            count = places_add(offsets, count, most, choice->of[i].pc);
    const struct reads *reads = choice->call->reads;
    const size_t bytes = choice->call->problem->element_bytes;
    for (const struct thread_use *use = reads->use; use < noted_end(reads); use++) {
        if (use->array != OF_INPUT || (choice->reader && !is_same_thread(use, choice->reader)))
            continue;
        for (size_t i = use->at / bytes; i * bytes < (size_t)use->at + use->bytes; i++)
            if (has(choice, i))
                count = places_add(offsets, count, most, use->pc);
    }
    return count;
}

size_t reading_say_lines(const char *program, const uint64_t *offsets, size_t count,
                         struct sentence text) {
    unsigned line[MOST_READERS];
    const size_t lines = places_lines(program, offsets, count, line);
    for (size_t i = 0; i < lines; i++)
        text_add(text, "%s%u", i ? ", " : lines == 1 ? "line " : "lines ", line[i]);
    return lines;
}

static void say_lines(const struct choice *choice, struct sentence text) {
    uint64_t offsets[MOST_READERS] = {0};
    const size_t count = find_readers(choice, offsets, MOST_READERS);
    reading_say_lines(choice->call->program, offsets, count, text);
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Where kernels have used memory tells which of them were launched. */
static void say_none_read(const struct choice *unread, struct sentence text) {
    const struct reads *reads = unread->call->reads;
    uint64_t offsets[MOST_READERS] = {0};
    char lines[160] = "";
    size_t count = 0;
    for (const struct thread_use *use = reads->use; use < noted_end(reads); use++)
        if (use->thread != (uint32_t)OF_HOST)
            count = places_add(offsets, count, MOST_READERS, use->pc);
    if (noted_all(unread->call) && count < MOST_READERS)
        reading_say_lines(unread->call->program, offsets, count, TEXT(lines));
    text_add(text, "No %s is read.", unread->element);
    if (lines[0])
        text_add(text, " The kernels that were launched use memory in %s alone.", lines);
    text_add(text, " Look whether the kernel that reads is launched, and uses what it reads.");
}

static void say_unread(const struct choice *unread, struct sentence text) {
    if (unread->count == unread->size) {
        say_none_read(unread, text);
        return;
    }
    bool one = say_choice(unread, text);
    text_add(text, " %s never read.", one ? "is" : "are");
}

/* How often those were that were read more than once. */
static void say_times(const struct choice *often, struct sentence text) {
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < often->size; i++) {
        if (!has(often, i))
            continue;
        least = often->of[i].times < least ? often->of[i].times : least;
        most = often->of[i].times > most ? often->of[i].times : most;
    }
    if (least == most)
        text_add(text, least == 2 ? "twice" : "%u times", least);
    else
        text_add(text, "%u to %u times", least, most);
}

static void say_often(const struct choice *often, struct sentence text) {
    size_t at = strlen(text.at);
    char lines[80] = "";
    if (at)
        text_add(text, " ");
    at = strlen(text.at);
    bool one = often->count == often->size;
    if (one)
        text_add(text, "every %s", often->element);
    else
        one = say_choice(often, text);
    text_add(text, " %s read ", one ? "is" : "are");
    say_times(often, text);
    say_lines(often, TEXT(lines));
    text_add(text, lines[0] ? ", in %s." : ".", lines);
    text_begin_sentence(text, at);
}

/* ---- what one thread has read ------------------------------------------------------------- */

/* Not the first, where there is another: its index tells more. */
static const struct thread_use *choose_reader(const struct reads *reads) {
    const struct thread_use *first = NULL;
    for (const struct thread_use *use = reads->use; use < noted_end(reads); use++) {
        if (use->array != OF_INPUT)
            continue;
        if (use->thread == 1)
            return use;
        first = first ? first : use;
    }
    return first;
}

/* "Thread 255 of block 0 and thread 0 of block 1 read character 25000." Of the first that is read
 * often; nothing where it is by one thread. */
static void say_readers(const struct choice *often, struct sentence text) {
    const struct reads *reads = often->call->reads;
    const size_t at = often->first * often->call->problem->element_bytes;
    const struct thread_use *first = NULL;
    for (const struct thread_use *use = reads->use; use < noted_end(reads); use++) {
        if (use->array != OF_INPUT || at < use->at || at >= (size_t)use->at + use->bytes)
            continue;
        first = first ? first : use;
        if (use->thread == first->thread)
            continue;
        text_add(text, " Thread %u of block %u and thread %u of block %u read %s %zu.",
                 first->thread % OF_BLOCK, first->thread / OF_BLOCK, use->thread % OF_BLOCK,
                 use->thread / OF_BLOCK, often->element, often->first);
        return;
    }
}

/* Of what a thread reads: elements that follow each other. */
struct stretch {
    size_t first, end;
};

static size_t take_stretches(const struct wrong_call *of, const struct thread_use *reader,
                             struct stretch *stretches, size_t most) {
    const size_t element_bytes = of->problem->element_bytes;
    size_t count = 0;
    for (const struct thread_use *use = of->reads->use; use < noted_end(of->reads); use++) {
        if (use->array != OF_INPUT || !is_same_thread(use, reader))
            continue;
        const size_t first = use->at / element_bytes, end = first + use->bytes / element_bytes;
        if (count && stretches[count - 1].end == first)
            stretches[count - 1].end = end;
        else if (count == most)
            return count;
        else
            stretches[count++] = (struct stretch){first, end};
    }
    return count;
}

/* "Thread 1 of block 0 reads pixels 1024 to 1083, in line 13." */
static void say_reader(struct choice read, struct sentence text) {
    enum { SHOWN = 4 };
    struct stretch stretches[SHOWN + 1];
    char lines[80] = "";
    const struct thread_use *reader = noted_all(read.call) ? choose_reader(read.call->reads) : NULL;
    read.reader = reader;
    say_lines(&read, TEXT(lines));
    if (!reader) {
        if (lines[0])
            text_add(text, " The others are, in %s.", lines);
        return;
    }
    const size_t count = take_stretches(read.call, reader, stretches, SHOWN + 1);
    text_add(text, "%sThread %u of block %u reads ", text_gap(text), reader->thread % OF_BLOCK,
             reader->thread / OF_BLOCK);
    if (count == 1)
        say_range(read.element, stretches[0].first, stretches[0].end - 1, text);
    for (size_t i = 0; count > 1 && i < count && i < SHOWN; i++) {
        if (i == 0)
            text_add(text, "%ss", read.element);
        const size_t first = stretches[i].first, last = stretches[i].end - 1;
        text_add(text, first < last ? "%s %zu to %zu" : "%s %zu", i ? "," : "", first, last);
    }
    if (count > SHOWN)
        text_add(text, " and so on");
    text_add(text, lines[0] ? ", in %s." : ".", lines);
}

static struct choice choice_of(const struct element_reads *of, struct shape shape,
                               const char *element) {
    return (struct choice){.of = of,
                           .rows = shape.rows,
                           .columns = shape.columns,
                           .size = shape.rows * shape.columns,
                           .element = element ? element : "element"};
}

enum reading reading_describe(const struct wrong_call *of, const char *then, struct sentence text) {
    const bool once = of->problem->counting || of->problem->summing;
    text.at[0] = '\0';
    if (!of->reads || !of->shape.rows || !of->shape.columns)
        return READING_UNKNOWN;
    struct choice read = choice_of(of->reads->of, of->shape, of->problem->element);
    read.call = of;
    struct choice unread = read, often = read;
    char lines[80] = "";
    choose(&read, 1, UINT32_MAX);
    choose(&unread, 0, 0);
    if (once)
        choose(&often, 2, UINT32_MAX);
    if (unread.count)
        say_unread(&unread, text);
    text_begin_sentence(text, 0);
    if (often.count) { /* before who reads: it is why a count may be too high */
        say_often(&often, text);
        say_readers(&often, text);
    }
    if (read.count && unread.count)
        say_reader(read, text);
    if (text.at[0])
        return READING_ODD;
    say_lines(&read, TEXT(lines));
    text_add(text, "Every %s is read%s%s%s%s.", read.element, once ? " once" : "",
             lines[0] ? ", in " : "", lines, then);
    return READING_ONCE;
}

bool reading_begins_anew(const struct wrong_call *of, struct sentence text) {
    const struct thread_use *last = NULL;
    bool again = false;
    for (const struct thread_use *use = noted_end(of->reads); use-- > of->reads->use && !again;) {
        if (use->array != OF_INPUT)
            continue;
        again = last && is_same_thread(use, last) && use->pc == last->pc && use->at == last->at;
        last = last ? last : use;
    }
    const size_t element = last ? last->at / of->problem->element_bytes : 0;
    const unsigned line =
        again && element < noted_size(of) ? places_line(of->program, last->pc) : 0;
    if (line)
        text_add(text,
                 "Line %u reads %s %zu again (thread %u of block %u), %u times so far. Does each "
                 "turn of its loop change the index, and does that come to the end? One of 8 or 16 "
                 "bits begins anew at 0.",
                 line, of->problem->element, element, last->thread % OF_BLOCK,
                 last->thread / OF_BLOCK, of->reads->of[element].times);
    return line;
}

void reading_name(const bool *some, struct shape shape, const char *element, struct sentence text) {
    const size_t size = shape.rows * shape.columns;
    struct element_reads *of = allocate(size * sizeof *of);
    struct choice choice = choice_of(of, shape, element);
    for (size_t i = 0; i < size; i++)
        of[i].times = some[i];
    choose(&choice, 1, 1);
    const bool one = say_choice(&choice, text);
    text_add(text, one ? " is" : " are");
    text_begin_sentence(text, 0);
    free(of);
}
