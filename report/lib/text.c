#include "text.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

const char *usual_program = "report";

const char *program(void) { return otherwise(setting("PROGRAM"), usual_program); }

void give_up(int status, const char *what) {
    fprintf(stderr, "%s: %s\n", program(), printable(what));
    exit(status);
}

/* Room for so many bytes more, and the NUL behind them. */
static char *end_with_room(struct text *text, size_t length) {
    if (text->room - text->length <= length) {
        size_t room = 2 * text->room + length + 1;
        char *bytes = keep(room);
        if (text->length)
            memcpy(bytes, text->bytes, text->length);
        text->bytes = bytes;
        text->room = room;
    }
    return text->bytes + text->length;
}

static void add_list(struct text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    vsnprintf(end_with_room(text, length), length + 1, format, arguments);
    text->length += length;
}

void add(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_list(text, format, arguments);
    va_end(arguments);
}

void add_bytes(struct text *text, const char *bytes, size_t length) {
    char *end = end_with_room(text, length);
    memcpy(end, bytes, length);
    end[length] = '\0';
    text->length += length;
}

const char *bytes_of(const struct text *text) { return text->bytes ? text->bytes : ""; }

char *say(const char *format, ...) {
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    add_list(&text, format, arguments);
    va_end(arguments);
    return text.bytes;
}

FILE *open_reading(const char *path, bool *packed) {
    const char *end = strrchr(path, '.');
    *packed = end && same(end, ".gz") && access(path, R_OK) == 0;
    return *packed ? popen(say("gzip -dc -- '%s'", replaced(path, "'", "'\\''")), "r")
                   : fopen(path, "r");
}

bool close_reading(FILE *file, bool packed) { return (packed ? pclose(file) : fclose(file)) == 0; }

char *file_text(const char *path) {
    bool packed;
    FILE *file = open_reading(path, &packed);
    struct text text = {0};
    char part[4096];
    size_t length;
    if (!file)
        return NULL;
    add(&text, "%s", "");
    while ((length = fread(part, 1, sizeof part, file)) > 0) {
        for (char *at = part; (at = memchr(at, '\0', part + length - at));)
            *at = 0x7f; /* a control character as well, which ends no text */
        add_bytes(&text, part, length);
    }
    close_reading(file, packed);
    return text.bytes;
}

void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file)
        fputs(text, file);
    if (!file || fclose(file) != 0)
        give_up(3, say("cannot write %s", path));
}

const char **lines_in(const char *text) {
    const char **line = NULL;
    size_t count = 0;
    for (; text && *text; text += *text != '\0') {
        size_t length = strcspn(text, "\n");
        append(line, count, say("%.*s", (int)length, text));
        text += length;
    }
    append(line, count, NULL);
    return line;
}

const char **lines_of_file(const char *path) { return lines_in(file_text(path)); }

size_t count_lines(const char **lines) {
    size_t count = 0;
    while (lines[count])
        count++;
    return count;
}

const char *setting(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

const char *otherwise(const char *text, const char *other) { return *text ? text : other; }

bool shows_colour(void) { return isatty(1) && !*setting("NO_COLOR"); }

struct map_entry {
    const char *key;
    void *value;
};

static struct map_entry *entry_of(const struct map *map, const char *key) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const char *c = key; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    size_t at = hash % map->room;
    while (map->entry[at].key && !same(map->entry[at].key, key))
        at = (at + 1) % map->room;
    return &map->entry[at];
}

static void grow(struct map *map) {
    struct map larger = {.count = map->count, .room = map->room ? 2 * map->room : 64};
    larger.entry = keep(larger.room * sizeof *larger.entry);
    for (size_t i = 0; i < map->room; i++)
        if (map->entry[i].key)
            *entry_of(&larger, map->entry[i].key) = map->entry[i];
    *map = larger;
}

void **find(struct map *map, const char *key) {
    if (2 * map->count >= map->room)
        grow(map);
    struct map_entry *entry = entry_of(map, key);
    if (!entry->key) {
        entry->key = say("%s", key);
        map->count++;
    }
    return &entry->value;
}

void *found(struct map *map, const char *key, size_t size) {
    void **value = find(map, key);
    if (!*value)
        *value = keep(size);
    return *value;
}

bool is_new(struct map *map, const char *key) {
    void **seen = find(map, key);
    bool before = *seen;
    *seen = map;
    return !before;
}

static void merge(void **list, void **work, size_t count,
                  int (*compare)(const void *, const void *)) {
    size_t half = count / 2, i = 0, j = half;
    if (count < 2)
        return;
    merge(list, work, half, compare);
    merge(list + half, work, count - half, compare);
    for (size_t at = 0; at < count; at++)
        work[at] =
            i < half && (j == count || compare(list[i], list[j]) <= 0) ? list[i++] : list[j++];
    memcpy(list, work, count * sizeof *list);
}

void sort_stably(void *list, size_t count, int (*compare)(const void *, const void *)) {
    merge(list, keep(count * sizeof(void *)), count, compare);
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

void sort_texts(const char **list, size_t count) { sort_stably(list, count, by_text); }

/* ---- what may be shown ------------------------------------------------------------------------ */

static bool is_control(unsigned char c, const char *but) {
    return (c < 0x20 && !strchr(but, c)) || c == 0x7f;
}

static const char *shown(const char *text, const char *but) {
    char *result = keep(strlen(text) + 1), *out = result;
    const unsigned char *s = (const unsigned char *)text, *end = s + strlen(text);
    enum { NOTHING, BLANK, NO_UTF8, HIDDEN } before = NOTHING, now;
    while (s < end) {
        size_t length = utf8_length(s, end - s);
        now = is_control(*s, but)                                        ? BLANK
              : !length                                                  ? NO_UTF8
              : utf8_is_hidden(utf8_code_point(s, length)) && length > 1 ? HIDDEN
                                                                         : NOTHING;
        if (now == NOTHING) {
            memcpy(out, s, length);
            out += length;
        } else if (now != before) /* a run of them is one */
            *out++ = now == BLANK ? ' ' : '?';
        before = now;
        s += length ? length : 1;
    }
    return result;
}

const char *printable(const char *text) { return shown(text, ""); }

const char *printable_lines(const char *text) { return shown(text, "\n\t"); }

const char *printable_with_marks(const char *text) {
    return shown(text, "\001\002\003\004\005\006");
}

/* ---- width ------------------------------------------------------------------------------------ */

size_t width(const char *text) {
    size_t columns = 0;
    for (; *text; text++)
        columns += !(*text >= 1 && *text <= 6) && (*text & 0xc0) != 0x80;
    return columns;
}

static size_t missing(const char *text, size_t columns) {
    size_t room = width(text);
    return room < columns ? columns - room : 0;
}

const char *pad(const char *text, size_t columns) {
    return say("%s%*s", text, (int)missing(text, columns), "");
}

const char *lpad(const char *text, size_t columns) {
    return say("%*s%s", (int)missing(text, columns), "", text);
}

/* How many bytes the first characters are: a count of bytes would cut one in two. */
static size_t bytes_within(const char *text, size_t columns) {
    size_t end = 0;
    for (; text[end]; end++)
        if (((unsigned char)text[end] & 0xc0) != 0x80 && columns-- == 0)
            break;
    return end;
}

const char *leading(const char *text, size_t columns) {
    return say("%.*s", (int)bytes_within(text, columns), text);
}

const char *clip(const char *text, size_t columns) {
    text = printable(text);
    return width(text) > columns ? say("%s~", leading(text, columns - 1)) : text;
}

static void end_line(struct text *lines, const char *indent, struct text *line) {
    add(lines, "%s%s%s", lines->length ? "\n" : "", indent, bytes_of(line));
    *line = (struct text){0};
}

/* What stays on one line: a word, and "make" with the goal behind it. */
static const char *next_word(const char **text) {
    *text += strspn(*text, " \t\n");
    size_t length = strcspn(*text, " \t\n");
    const char *word = say("%.*s", (int)length, *text);
    *text += length;
    bool is_make = length >= 4 && same(word + length - 4, "make") &&
                   (length == 4 || !isalpha((unsigned char)word[length - 5]));
    return is_make && **text ? say("%s %s", word, next_word(text)) : word;
}

const char *wrapped(const char *text, const char *indent, size_t columns) {
    struct text lines = {0}, line = {0};
    for (;;) {
        const char *word = next_word(&text);
        if (!*word)
            break;
        while (width(word) > columns) { /* a path or a type's name can be longer than a line */
            if (line.length)
                end_line(&lines, indent, &line);
            size_t end = bytes_within(word, columns);
            add_bytes(&line, word, end);
            end_line(&lines, indent, &line);
            word += end;
        }
        if (line.length && width(line.bytes) + 1 + width(word) > columns)
            end_line(&lines, indent, &line);
        add(&line, "%s%s", line.length ? " " : "", word);
    }
    if (line.length)
        end_line(&lines, indent, &line);
    return bytes_of(&lines);
}

const char *repeated(const char *text, size_t count) {
    struct text result = {0};
    while (count--)
        add(&result, "%s", text);
    return bytes_of(&result);
}

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *beside(const char *path, const char *name) {
    return say("%.*s%s", (int)(base_name(path) - path), path, name);
}

size_t words_in(const char *text) { return words_of(text).count; }

const char *first_sentences(const char *text, size_t words) {
    const char *first = text;
    for (const char *end = strstr(text, ". "); end; end = strstr(end + 1, ". ")) {
        const char *longer = say("%.*s", (int)(end + 1 - text), text);
        if (first != text && words_in(longer) > words)
            return first;
        first = longer;
    }
    return first == text || words_in(text) <= words ? text : first;
}

bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool begins_with(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool is_one_of(const char *word, const char *words) {
    return *word && !strchr(word, ' ') && strstr(say(" %s ", words), say(" %s ", word));
}

const char *replaced(const char *text, const char *from, const char *to) {
    struct text result = {0};
    for (const char *at; (at = strstr(text, from)); text = at + strlen(from))
        add(&result, "%.*s%s", (int)(at - text), text, to);
    add(&result, "%s", text);
    return result.bytes;
}

const char *in_small(const char *text) {
    char *small = say("%s", text);
    for (char *at = small; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return small;
}

const char *slug(const char *text) {
    struct text slug = {0};
    for (bool letter = false; *text; text++) {
        bool now = isalnum((unsigned char)*text);
        if (now || letter)
            add(&slug, "%c", now ? tolower((unsigned char)*text) : '-');
        letter = now;
    }
    return bytes_of(&slug);
}

void add_word(struct words *words, const char *word) { append(words->word, words->count, word); }

struct words pieces_of(const char *text, const char *between) {
    struct words pieces = {0};
    for (;; text++) {
        size_t length = strcspn(text, between);
        add_word(&pieces, say("%.*s", (int)length, text));
        text += length;
        if (!*text)
            return pieces;
    }
}

struct words words_of(const char *text) {
    struct words pieces = pieces_of(text, " \t\n"), words = {0};
    for (size_t i = 0; i < pieces.count; i++)
        if (*pieces.word[i])
            add_word(&words, pieces.word[i]);
    return words;
}

const char *word_of(const struct words *words, size_t at) {
    return at < words->count ? words->word[at] : "";
}

const char *joined(const struct words *words, size_t first, size_t end) {
    struct text text = {0};
    for (size_t i = first; i < end; i++)
        add(&text, "%s%s", i > first ? " " : "", words->word[i]);
    return bytes_of(&text);
}

/* Where it matches: NULL, or the text from there on; its length. */
static const char *match_of(const char *text, const char *pattern, size_t *length) {
    regex_t form;
    regmatch_t found;
    if (regcomp(&form, pattern, REG_EXTENDED) != 0)
        abort();
    bool any = regexec(&form, text, 1, &found, 0) == 0;
    regfree(&form);
    *length = any ? found.rm_eo - found.rm_so : 0;
    return any ? text + found.rm_so : NULL;
}

bool matches(const char *text, const char *pattern) {
    size_t length;
    return match_of(text, pattern, &length);
}

const char *without(const char *text, const char *pattern) {
    size_t length;
    const char *at = match_of(text, pattern, &length);
    return at ? say("%.*s%s", (int)(at - text), text, at + length) : text;
}

/* ---- names that are near to what somebody typed ------------------------------------------------ */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t distance(const char *a, const char *b) {
    size_t length = strlen(b), *cost = keep((length + 1) * sizeof *cost);
    for (size_t j = 0; j <= length; j++)
        cost[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t before = cost[0];
        cost[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t over = cost[j + 1];
            cost[j + 1] = least(before + (a[i] != b[j]), least(over, cost[j]) + 1);
            before = over;
        }
    }
    return cost[length];
}

const char *did_you_mean(const char *word, const char *const *name, size_t count) {
    struct text text = {0};
    size_t most = 3, told = 0, best = 1 + strlen(word) / 4, nearest = best + 1;
    for (size_t i = 0; i < count; i++)
        nearest = least(nearest, distance(word, name[i]));
    for (size_t i = 0; i < count && nearest <= best && told < most; i++)
        if (distance(word, name[i]) == nearest)
            add(&text, "%s%s", told++ ? " or " : "; did you mean ", name[i]);
    return told ? say("%s?", text.bytes) : "";
}

/* ---- numbers ---------------------------------------------------------------------------------- */

const char *significant(double value, int digits) {
    double whole = fabs(value);
    int decimals = digits - 1;
    if (isnan(value))
        return "-";
    for (; whole >= 10 && decimals > 0; whole /= 10)
        decimals--;
    for (; whole > 0 && whole < 1 && decimals < 9; whole *= 10)
        decimals++;
    return say("%.*f", decimals, value);
}

const char *with_unit(double value, int digits, const char *unit) {
    return isnan(value) ? "-" : say("%s%s", significant(value, digits), unit);
}

const char *percent(double fraction) {
    if (isnan(fraction))
        return "-";
    return fraction < 0.01 ? significant(100 * fraction, 2) : say("%.1f", 100 * fraction);
}

const char *number_or_nan(double value) { return isnan(value) ? "NaN" : say("%.9g", value); }

/* gnuplot takes a quote for the begin of a text, and two tabs for one. */
const char *text_for_gnuplot(const char *text) {
    return otherwise(replaced(replaced(printable(text), "\"", "'"), "\\", "'"), "-");
}

const char *plain_number(double value) { return isnan(value) ? "" : say("%.15g", value); }

const char *plural(double count, const char *what) {
    return say("%s %s%s", plain_number(count), what, count == 1 ? "" : "s");
}

const char *where_known(double value, const char *text) { return isnan(value) ? "" : text; }

double ratio_of(double a, double b) { return b == 0 ? NAN : a / b; }

double known(double value) { return isnan(value) ? 0 : value; }

static int by_size(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

void sort_numbers(double *list, size_t count) { qsort(list, count, sizeof *list, by_size); }

double quantile(const double *sorted, size_t count, double q) {
    double at = (count - 1) * q;
    size_t low = (size_t)at;
    return low + 1 >= count ? sorted[count - 1]
                            : sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]);
}
