#include "written.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"
#include "noted.h"
#include "reading.h"

struct written {
    const struct wrong_call *of;
    const struct problem *problem;
    size_t count;       /* of outputs */
    struct shape shape; /* theirs */
    uint64_t *writer;   /* the last one of each output, and 1; 0: nobody */
    bool *wrong, *unwritten, *several;
};

static bool is_output(const struct written *w, const struct thread_use *use) {
    return use->writes && noted_is_output(w->of->reads, use->array);
}

static bool covers(const struct thread_use *use, size_t i, size_t bytes) {
    return i * bytes < (size_t)use->at + use->bytes && (i + 1) * bytes > use->at;
}

/* Both are threads of one launch, and not the same. */
static bool clash(uint64_t a, uint64_t b) {
    return a != b && a >> 32 == b >> 32 && (uint32_t)a != (uint32_t)OF_HOST &&
           (uint32_t)b != (uint32_t)OF_HOST;
}

static void find_writers(struct written *w) {
    const size_t bytes = w->problem->output_bytes;
    for (size_t u = 0; noted_all(w->of) && u < w->of->reads->uses; u++) {
        const struct thread_use *use = &w->of->reads->use[u];
        for (size_t i = use->at / bytes; is_output(w, use) && covers(use, i, bytes); i++) {
            if (i >= w->count)
                break;
            w->several[i] |=
                noted_stores(use) && w->writer[i] && clash(w->writer[i] - 1, noted_thread(use));
            w->writer[i] = noted_thread(use) + 1;
        }
    }
}

/* Where nothing is noted, a byte may be as it was by chance. */
static void find_wrong(struct written *w, unsigned char poison) {
    enum { NO_CHANCE = 4 };
    const size_t bytes = w->problem->output_bytes;
    bool clashes = false;
    char why[256];
    for (size_t i = 0; i < w->count; i++) {
        const unsigned char *got = (const unsigned char *)w->of->got + i * bytes;
        const char *right = (const char *)w->of->expected + i * w->problem->expected_bytes;
        bool left = noted_all(w->of) ? !w->writer[i] : bytes >= NO_CHANCE;
        w->wrong[i] = !w->problem->right(right, got, why, sizeof why);
        for (size_t b = 0; b < bytes; b++)
            left &= got[b] == poison;
        w->unwritten[i] = w->wrong[i] && left;
        clashes |= w->wrong[i] && w->several[i];
        w->wrong[i] &= !left && !w->several[i];
    }
    if (!clashes)
        memset(w->several, 0, w->count);
}

/* "Column 29 of every row is wrong."; nothing where it is true of none. */
static void say_which(const struct written *w, const bool *which, const char *what,
                      struct words text) {
    char words[160] = "Every output is";
    if (!memchr(which, true, w->count))
        return;
    if (memchr(which, false, w->count)) {
        words[0] = '\0';
        reading_name(which, w->shape, "output", TEXT(words));
    }
    text_add(text, "%s%s %s.", text_gap(text), words, what);
}

/* What its thread had read of the input since it wrote the output before. */
static void say_example(const struct written *w, size_t output, struct words text) {
    enum { SHOWN = 9 };
    const size_t bytes = w->problem->element_bytes;
    const char *element = w->problem->element ? w->problem->element : "element";
    size_t read[SHOWN], count = 0;
    for (size_t u = 0; noted_all(w->of) && u < w->of->reads->uses; u++) {
        const struct thread_use *use = &w->of->reads->use[u];
        if (noted_thread(use) + 1 != w->writer[output])
            continue;
        if (is_output(w, use) && covers(use, output, w->problem->output_bytes)) {
            const unsigned line =
                count && count <= SHOWN ? places_line(w->of->program, use->pc) : 0;
            if (!line)
                return;
            text_add(text, " Line %u writes output %zu after its thread has read %s%s", line,
                     output, element, count > 1 ? "s" : "");
            for (size_t i = 0; i < count; i++)
                text_add(text, "%s %zu", i ? "," : "", read[i]);
            text_add(text, ".");
            return;
        }
        if (is_output(w, use))
            count = 0;
        else if (use->array == OF_INPUT && use->bytes == bytes && count++ < SHOWN)
            read[count - 1] = use->at / bytes;
    }
}

void written_describe(const struct wrong_call *of, unsigned char poison, struct words text) {
    const size_t count = of->problem->outputs ? of->problem->outputs(of->shape) : 1;
    struct written w = {.of = of, .problem = of->problem, .count = count, .shape = of->shape};
    text.at[0] = '\0';
    if (count < 2)
        return;
    if (w.count != w.shape.rows * w.shape.columns)
        w.shape = (struct shape){w.count, 1};
    w.writer = allocate(w.count * sizeof *w.writer);
    w.wrong = allocate(3 * w.count);
    w.unwritten = w.wrong + w.count;
    w.several = w.unwritten + w.count;
    memset(w.writer, 0, w.count * sizeof *w.writer);
    memset(w.wrong, 0, 3 * w.count);
    find_writers(&w);
    find_wrong(&w, poison);
    say_which(&w, w.unwritten, "never written", text);
    say_which(&w, w.several, "written by several threads", text);
    say_which(&w, w.wrong, "wrong", text);
    const bool *first = memchr(w.wrong, true, w.count);
    if (!first)
        first = memchr(w.several, true, w.count);
    if (first)
        say_example(&w, (size_t)(first - w.wrong) % w.count, text);
    free(w.wrong);
    free(w.writer);
}
