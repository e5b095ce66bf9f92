// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Draws an access map as SVG: who reads the first elements, what the first requests fetch, and what
 * was missed or repeated. Nothing is said by grey alone: a number or a pattern says it too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "lib/page_parts.h"

enum { WIDTH = 1020, LEFT_EDGE = 190, CELL = 25 };
static const char ink[] = "#1a1a1a";

struct drawing {
    struct text body;
    double y;
};

/* ---- what a drawing is made of ---------------------------------------------------------------- */

enum weight { PLAIN, BOLD };
enum place { FROM, AROUND }; /* x is where the text begins, or its middle */

static void text_at(struct drawing *drawing, double x, double y, const char *text, int size,
                    enum weight weight, enum place place) {
    add(&drawing->body, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\"%s%s>%s</text>\n", x, y, size,
        weight == BOLD ? " font-weight=\"bold\"" : "",
        place == AROUND ? " text-anchor=\"middle\"" : "", html_escaped(text));
}

static void line(struct drawing *drawing, double step, const char *text, int size,
                 enum weight weight) {
    text_at(drawing, 20, drawing->y += step, text, size, weight, FROM);
}

static void box(struct drawing *drawing, double x, double y, double width, double height,
                const char *fill, const char *stroke) {
    add(&drawing->body,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"%s\"/>\n",
        x, y, width, height, fill, stroke);
}

static void head(struct drawing *drawing, const char *title, const char *explanation) {
    line(drawing, 40, title, 16, BOLD);
    line(drawing, 19, explanation, 12, PLAIN);
    drawing->y += 12;
}

/* ---- who reads the first elements ------------------------------------------------------------- */

/* Of a request by its number: the first is white. */
static const char *shade(const char *number) {
    static const char *const shades[] = {"#ffffff", "#dfe7ef", "#c3d2e2", "#a9bfd6"};
    return shades[(atoll(number) + 3) & 3];
}

static void draw_cell(struct drawing *drawing, double x, const struct reader *reader) {
    double y = drawing->y, middle = x + CELL / 2.0;
    if (!reader) {
        box(drawing, x, y, CELL, 50, "url(#missed)", ink);
        return;
    }
    bool narrow = strlen(reader->thread) > 3;
    box(drawing, x, y, CELL, 50, shade(reader->request), ink);
    text_at(drawing, middle, y + 16, reader->thread, narrow ? 9 : 11, narrow ? PLAIN : BOLD,
            AROUND);
    text_at(drawing, middle, y + 30, reader->request, 10, PLAIN, AROUND);
    if (reader->times > 1)
        text_at(drawing, middle, y + 44, say("x%.0f", reader->times), 10, BOLD, AROUND);
    else if (atof(reader->block) > 0)
        text_at(drawing, middle, y + 44, say("b%s", reader->block), 9, PLAIN, AROUND);
}

static void draw_strip(struct drawing *drawing, struct access_map *map, double first) {
    double x = LEFT_EDGE;
    if (first >= map->elements)
        return;
    const char *which = map->flat || first < map->columns
                            ? say("elements %.0f to %.0f", first,
                                  fmin(first + 31, (map->flat ? map->elements : map->columns) - 1))
                            : say("row %.0f, columns 0 to %.0f", floor(first / map->columns),
                                  fmin(31, map->columns - 1));
    text_at(drawing, 20, drawing->y + 20, which, 12, PLAIN, FROM);
    text_at(drawing, 20, drawing->y + 36, "thread, request", 12, PLAIN, FROM);
    for (double e = first; e < first + 32 && in_strip(map, first, e); e++) {
        draw_cell(drawing, x, reader_of(map, e));
        x += CELL + (fmod((e - first + 1) * map->element_bytes, SECTOR) == 0 ? 4 : 0);
    }
    drawing->y += 62;
}

static void draw_readers(struct drawing *drawing, struct access_map *map) {
    if (!map->any_read)
        return;
    head(drawing, "Who reads the first elements",
         "A cell is an element, with its thread and the number of that thread's request. "
         "Neighbours should be neighbouring threads in one request.");
    draw_strip(drawing, map, 0);
    draw_strip(drawing, map, 32);
    if (!map->flat)
        draw_strip(drawing, map, map->columns);
}

/* ---- requests --------------------------------------------------------------------------------- */

/* What lanes use of a sector that begins at this byte: a box for bytes that lie side by side. */
static void draw_used(struct drawing *drawing, double x, const struct request *request,
                      double first) {
    int from = 0;
    for (int b = 0; b <= SECTOR; b++) {
        if (b < SECTOR && is_touched(request, first + b))
            continue;
        if (b > from)
            box(drawing, x + 17.0 * from / SECTOR, drawing->y + 4, 17.0 * (b - from) / SECTOR, 20,
                ink, "none");
        from = b + 1;
    }
}

static void draw_request(struct drawing *drawing, const struct access_map *map,
                         const struct request *request) {
    double x = LEFT_EDGE + 25;
    text_at(drawing, 20, drawing->y + 12,
            say("block %.0f warp %.0f no. %.0f line %s", request->block, request->warp,
                request->number, request->line),
            12, PLAIN, FROM);
    text_at(drawing, 20, drawing->y + 26,
            say("%s%s", strcmp(request->array, "output") == 0 ? "output " : "",
                elements_of_lanes(map, request)),
            12, PLAIN, FROM);
    for (int i = 0; i < request->sectors; i++) {
        double number = request->sector[i].number;
        x += i == 0 ? 0 : number == request->sector[i - 1].number + 1 ? 19 : 22.5;
        box(drawing, x, drawing->y + 3, 19, 22, "#ffffff", "#666666");
        draw_used(drawing, x + 1, request, number * SECTOR);
    }
    text_at(drawing, x + 26, drawing->y + 18, say("%d", request->sectors), 12, BOLD, FROM);
    drawing->y += 36;
}

static void draw_requests(struct drawing *drawing, const struct access_map *map) {
    if (!map->requests)
        return;
    head(drawing, "What the first requests fetch",
         "Below its name: the elements of its lanes, or bytes of the output. A box is a sector of "
         "32 bytes. Dark: used. White: moved but not used. A gap: not moved.");
    for (int i = 0; i < map->requests; i++)
        draw_request(drawing, map, &map->request[i]);
    drawing->y += 6;
    for (int i = 0; i < map->totals; i++)
        line(drawing, 20, total_in_words(map, &map->total[i]), 13, BOLD);
}

/* ---- missed and repeated elements ------------------------------------------------------------- */

static void draw_part(struct drawing *drawing, double x, double y, char mark) {
    box(drawing, x, y, 15, 15,
        !mark         ? "#ffffff"
        : mark == 'x' ? "url(#missed)"
                      : "#444444",
        "#999999");
    if (mark == '2' || mark == '*')
        add(&drawing->body,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"middle\" "
            "fill=\"#ffffff\">%c</text>\n",
            x + 7.5, y + 11.5, mark);
}

static void draw_reads(struct drawing *drawing, struct access_map *map) {
    struct said said = reads_in_words(map);
    drawing->y += 12;
    for (int i = 0; i < said.lines; i++)
        line(drawing, 20, said.line[i], 13, BOLD);
    if (map->missed.count + map->repeated.count == 0)
        return;
    head(drawing, "The whole input",
         say("White: read once. Hatched: some elements missed. Dark with 2: some read more than "
             "once. Dark with *: both. %s",
             map->flat ? "From left to right." : "Row by row, as the image lies."));
    for (int r = 0; r < map->grid_rows; r++)
        for (int c = 0; c < map->grid_columns; c++)
            draw_part(drawing, 20 + 15 * c, drawing->y + 15 * r, map->cell[r][c]);
    drawing->y += 15 * map->grid_rows + 10;
}

/* ---- the document ----------------------------------------------------------------------------- */

/* All that the drawing says, for who does not see it. */
static const char *description(struct access_map *map) {
    struct text text = {0};
    struct said said = reads_in_words(map);
    add(&text, "%s. ", input_in_words(map));
    for (int i = 0; i < map->totals; i++)
        add(&text, "%s. ", total_in_words(map, &map->total[i]));
    for (int i = 0; i < said.lines; i++)
        add(&text, "%s ", said.line[i]);
    return bytes_of(&text);
}

void draw_svg(struct access_map *map, FILE *out) {
    struct drawing drawing = {.y = 34};
    const char *title = say("%s: which thread reads which element", map->step);
    line(&drawing, 0, title, 20, BOLD);
    line(&drawing, 22, input_in_words(map), 13, PLAIN);
    for (int i = 0; i < map->launches; i++)
        line(&drawing, 18, map->launch[i], 13, PLAIN);
    draw_readers(&drawing, map);
    draw_requests(&drawing, map);
    draw_reads(&drawing, map);
    int height = (int)drawing.y + 20;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"DejaVu Sans, Arial, "
            "Helvetica, sans-serif\">\n"
            "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n",
            WIDTH, height, WIDTH, height, html_escaped(title), html_escaped(description(map)));
    fprintf(out,
            "<defs><pattern id=\"missed\" width=\"6\" height=\"6\" "
            "patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#ffffff\"/>"
            "<path d=\"M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2\" stroke=\"%s\" stroke-width=\"1.2\"/>"
            "</pattern></defs>\n",
            ink);
    fprintf(
        out,
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n<g fill=\"%s\">\n%s</g>\n</svg>\n",
        WIDTH, height, ink, bytes_of(&drawing.body));
}
