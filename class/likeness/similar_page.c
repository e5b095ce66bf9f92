/* Two sources side by side. Students wrote them: all of them is text, for the page to escape. */
#include <string.h>

#include "lib/text.h"
#include "similar.h"

enum {
    GIVEN_SHOWN = 3, /* lines in a row that are nobody's own; the rest of them is left out */
    MOST_ROWS = 500, /* of a pair */
};

/* Of each line what stands before it: "" of its author's own, "." where it comes from this tree, "
 * " where there is no code, =1 of the first stretch that both have. */
struct side {
    const char **line, **sign;
    size_t lines;
};

static struct side side_of(const struct source *source) {
    struct side side = {.line = lines_of_file(source->path)};
    side.lines = count_lines(side.line);
    side.sign = keep((side.lines + 1) * sizeof *side.sign);
    for (size_t i = 0; i < side.lines; i++)
        side.sign[i] = " ";
    for (size_t i = 0; i < source->all.count; i++)
        if (source->all.token[i].line <= side.lines)
            side.sign[source->all.token[i].line - 1] = ".";
    for (size_t i = 0; i < source->own.count; i++)
        if (source->own.token[i].line <= side.lines)
            side.sign[source->own.token[i].line - 1] = "";
    return side;
}

static void mark(struct side *side, size_t first, size_t last, size_t number) {
    for (size_t line = first; line <= last && line <= side->lines; line++)
        if (!*side->sign[line - 1])
            side->sign[line - 1] = say("=%zu", number);
}

struct rows_shown {
    struct table *table;
    struct side a, b;
    size_t i, j;        /* lines that come next */
    size_t passed_over; /* of those that are nobody's own */
    size_t rows;
};

static bool is_given(const struct side *side, size_t line, size_t end) {
    return line >= end || strspn(side->sign[line], ". ");
}

static void put_side(struct table *table, const struct side *side, size_t line, size_t end) {
    if (line >= end) {
        put_over(table, "", 3);
        return;
    }
    const char *sign = side->sign[line];
    put_cells(table, say("%zu", line + 1), sign,
              printable(replaced(side->line[line], "\t", "    ")));
    attribute(table, "class", !*sign ? "own" : *sign == '=' ? "same" : "given");
}

static void say_passed_over(struct rows_shown *to) {
    if (to->passed_over > GIVEN_SHOWN && to->rows <= MOST_ROWS) {
        row(to->table);
        put_over(to->table, say("(%zu more)", to->passed_over - GIVEN_SHOWN), 6);
    }
    to->passed_over = 0;
}

/* As far as these lines, side by side. */
static void put_lines(struct rows_shown *to, size_t a_end, size_t b_end) {
    for (; to->i < a_end || to->j < b_end; to->i++, to->j++) {
        if (is_given(&to->a, to->i, a_end) && is_given(&to->b, to->j, b_end))
            to->passed_over++;
        else
            say_passed_over(to);
        if (to->passed_over > GIVEN_SHOWN || ++to->rows > MOST_ROWS)
            continue;
        row(to->table);
        put_side(to->table, &to->a, to->i, a_end);
        put_side(to->table, &to->b, to->j, b_end);
    }
    to->i = a_end;
    to->j = b_end;
}

/* Stretches stand side by side where both have them in the same order; code that was moved is
 * marked all the same. */
void show_pair(struct page *page, const struct pair *pair, const char *name_a, const char *name_b) {
    size_t count, tokens;
    struct shared *shared = shared_lines(pair->a, pair->b, &count, &tokens);
    struct rows_shown to = {.table = new_table(), .a = side_of(pair->a), .b = side_of(pair->b)};
    attribute(to.table, "class", "pair");
    for (size_t side = 0; side < 2; side++) {
        table_column(to.table, "line", RIGHT);
        table_column(to.table, "", RIGHT);
        table_column(to.table, side ? name_b : name_a, LEFT);
    }
    for (size_t i = 0; i < count; i++) {
        mark(&to.a, shared[i].a_first, shared[i].a_last, i + 1);
        mark(&to.b, shared[i].b_first, shared[i].b_last, i + 1);
    }
    for (size_t i = 0; i < count; i++)
        if (shared[i].a_first > to.i && shared[i].b_first > to.j) {
            put_lines(&to, shared[i].a_first - 1, shared[i].b_first - 1);
            put_lines(&to, shared[i].a_last, shared[i].b_last);
        }
    put_lines(&to, to.a.lines, to.b.lines);
    say_passed_over(&to);
    if (to.rows > MOST_ROWS) {
        row(to.table);
        put_over(to.table, say("(%zu more rows)", to.rows - MOST_ROWS), 6);
    }
    put_table(page, to.table);
}
