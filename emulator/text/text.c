#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *need(void *memory) {
    if (!memory) {
        fputs("nvcc: error: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

void *grow(void *array, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    return need(realloc(array, *room * size));
}

static void make_room(struct text *text, size_t more) {
    if (text->size + more < text->room)
        return;
    text->room = 2 * (text->size + more) + 64;
    text->at = need(realloc(text->at, text->room));
}

void text_add(struct text *text, const char *from, size_t size) {
    make_room(text, size);
    if (size)
        memcpy(text->at + text->size, from, size);
    text->size += size;
    text->at[text->size] = '\0';
}

void text_put(struct text *text, const char *string) { text_add(text, string, strlen(string)); }

static void print(struct text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    make_room(text, (size_t)length);
    vsnprintf(text->at + text->size, (size_t)length + 1, format, arguments);
    text->size += (size_t)length;
}

void text_print(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(text, format, arguments);
    va_end(arguments);
}

char *format_list(const char *format, va_list arguments) {
    struct text text = {0};
    print(&text, format, arguments);
    return text.at;
}

char *format_text(const char *format, ...) {
    FORMATTED(text, format);
    return text;
}

struct text text_read(const char *path, bool *ok) {
    struct text text = {0};
    FILE *file = fopen(path, "rb");
    make_room(&text, 1 << 16);
    for (size_t got;
         file && (got = fread(text.at + text.size, 1, text.room - text.size - 1, file)) > 0;) {
        text.size += got;
        make_room(&text, 1 << 16);
    }
    text.at[text.size] = '\0';
    *ok = file && !ferror(file);
    if (file)
        fclose(file);
    return text;
}

bool text_write(const char *path, const char *at, size_t size) {
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(at, 1, size, file) == size;
    return file && fclose(file) == 0 && written;
}

const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

bool begins_with(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool begins_with_any(const char *text, const char *beginnings) {
    for (size_t length; *beginnings; beginnings += length + (beginnings[length] == ' ')) {
        length = strcspn(beginnings, " ");
        if (strncmp(text, beginnings, length) == 0)
            return true;
    }
    return false;
}

/* ---- changes ---------------------------------------------------------------------------- */

void edit(struct edits *edits, const char *at, size_t removed, const char *format, ...) {
    FORMATTED(text, format);
    edits->list = grow(edits->list, edits->count, &edits->room, sizeof *edits->list);
    edits->list[edits->count] = (struct edit){at, removed, text, edits->count};
    edits->count++;
}

static int by_place(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    return a->at < b->at || (a->at == b->at && a->order < b->order) ? -1 : 1;
}

void edits_make(struct edits *edits, const char *from, size_t size, struct text *to) {
    const char *p = from;
    if (edits->count)
        qsort(edits->list, edits->count, sizeof *edits->list, by_place);
    for (size_t i = 0; i < edits->count; i++) {
        struct edit *e = &edits->list[i];
        if (p < e->at) {
            text_add(to, p, (size_t)(e->at - p));
            p = e->at;
        }
        text_put(to, e->text);
        for (; p < e->at + e->removed; p++)
            if (*p == '\n')
                text_put(to, p > e->at && p[-1] == '\\' ? "\\\n" : "\n");
    }
    text_add(to, p, (size_t)(from + size - p));
    *edits = (struct edits){0};
}
