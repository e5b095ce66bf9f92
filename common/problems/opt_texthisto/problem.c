/* The histogram of a text's letters: its inputs, its CPU reference, its check. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/strip.h"
#include "lab.h"
#include "problem.h"
#include "problems/byte_counts.h"
#include "problems/in_threads.h"
#include "problems/running.h"
#include "random.h"

enum { LETTERS = 26, LETTERS_PER_BIN = 4, IGNORED = TEXT_BINS };

/* make unpacks it; grade.sh runs the judge where this is. */
static const char ENGLISH[] = "build/data/english.txt";

static size_t region_bytes(const struct strip *strip) {
    return strip->region_rows * strip->window.columns;
}

static char random_letter(uint64_t *random) { return 'a' + random_below(random, LETTERS); }

/* ---- a file as the input ---------------------------------------------------------------- */

static bool load(const char *path, struct shape *shape, void **elements, char *error,
                 size_t error_size) {
    size_t size;
    char *text = file_bytes(path, SIZE_MAX / 4, &size);
    if (!text) {
        snprintf(error, error_size, "cannot read the text %s: %s", path, strerror(errno));
        return false;
    }
    *shape = (struct shape){size, 1};
    *elements = text;
    return true;
}

/* ---- inputs: each fills the whole strip ------------------------------------------------- */

/* A character is one draw, so a thread can begin anywhere. */
struct draw {
    char *characters;
    size_t size;
    uint64_t seed;
    char (*character)(uint64_t *random); /* or of the text */
    const char *text;
    size_t text_size, start;
};

/* Where a thread's share begins. Its copy of the draw ends with the share, and has drawn what is
 * before it. */
static size_t begin(struct draw *draw, size_t thread, size_t threads) {
    size_t first = cores_begin(draw->size, thread, threads);
    draw->size = cores_begin(draw->size, thread + 1, threads);
    random_skip(&draw->seed, first);
    return first;
}

static void draw_english(void *argument, size_t thread, size_t threads) {
    struct draw draw = *(struct draw *)argument;
    size_t i = begin(&draw, thread, threads), next = (draw.start + i) % draw.text_size;
    for (; i < draw.size; i++) {
        uint64_t bits =
            random_next(&draw.seed); /* the lowest decide, the upper half is the letter */
        draw.characters[i] =
            bits % 256 ? draw.text[next] : (char)('a' + ((bits >> 32) * LETTERS >> 32));
        next = next + 1 < draw.text_size ? next + 1 : 0;
    }
}

/* The English text over and over, from anywhere in it, with salt: one character in 256 becomes a
 * uniform letter. Without it windows that differ by whole repetitions would have the same answer.
 */
static void fill_english(struct strip *strip, uint64_t seed) {
    struct shape shape;
    void *text;
    char error[256];
    if (!load(ENGLISH, &shape, &text, error, sizeof error) || shape.rows == 0)
        fault("the input 'english' needs %s: start in the directory that has it", ENGLISH);
    struct draw draw = {strip->elements, strip_bytes(strip), 0, NULL, text, shape.rows, 0};
    draw.start = random_below(&seed, shape.rows);
    draw.seed = seed;
    in_threads(draw_english, &draw);
    free(text);
}

static void draw_each(void *argument, size_t thread, size_t threads) {
    struct draw draw = *(struct draw *)argument;
    for (size_t i = begin(&draw, thread, threads); i < draw.size; i++)
        draw.characters[i] = draw.character(&draw.seed);
}

static void fill_each(struct strip *strip, uint64_t seed, char (*character)(uint64_t *random)) {
    struct draw draw = {strip->elements, strip_bytes(strip), seed, character, NULL, 0, 0};
    in_threads(draw_each, &draw);
}

static void fill_letters(struct strip *strip, uint64_t seed) {
    fill_each(strip, seed, random_letter);
}

/* Every character of a region is the same letter: of seven regions one in each bin. */
static void fill_letter(struct strip *strip, uint64_t seed) {
    char *characters = strip->elements;
    for (size_t region = 0; region < strip->regions; region++) {
        const size_t first = region % TEXT_BINS * LETTERS_PER_BIN, left = LETTERS - first;
        const size_t among = left < LETTERS_PER_BIN ? left : LETTERS_PER_BIN;
        memset(characters + region * region_bytes(strip),
               'a' + (int)(first + random_below(&seed, among)), region_bytes(strip));
    }
}

static char random_byte(uint64_t *random) { return (char)random_next(random); }

/* Not a text: all byte values, so that everything that is not a letter occurs too. */
static void fill_bytes(struct strip *strip, uint64_t seed) { fill_each(strip, seed, random_byte); }

static void salt(const struct strip *strip, uint64_t *random, void *element) {
    (void)strip;
    *(char *)element = random_letter(random);
}

static const struct input inputs[] = {
    {.name = "english", .slide = 1, .fill = fill_english, .salt = salt},
    {.name = "letters", .slide = 1, .fill = fill_letters, .salt = salt},
    {.name = "letter", .extreme = true, .fill = fill_letter, .salt = salt},
    {.name = "bytes", .slide = 1, .fill = fill_bytes, .salt = salt},
    {.name = NULL},
};

/* ---- expected outputs ------------------------------------------------------------------- */

static size_t bin_of_letter(int letter) {
    return letter >= 0 && letter < LETTERS ? (size_t)letter / LETTERS_PER_BIN : IGNORED;
}

static size_t bin_of(const void *element) { return bin_of_letter(*(const uint8_t *)element - 'a'); }

/* What is in no bin is counted behind the bins. */
enum { CLASSES = TEXT_BINS + 1 };

static void count(void *counts, const void *characters, size_t size) {
    uint32_t *bins = counts;
    for (size_t i = 0; i < size; i++)
        bins[bin_of((const uint8_t *)characters + i)]++;
}

static const struct running running = {sizeof(uint32_t[CLASSES]), count, running_join_counts,
                                       running_replace_counts};

static void expect(const struct strip *strip, const void *index, size_t row, void *output) {
    uint32_t counts[CLASSES];
    running_expect(strip, index, row, counts);
    memcpy(output, counts, TEXT_BINS * sizeof *counts);
}

/* ---- for a diagnosis -------------------------------------------------------------------- */

static const struct counting counting = {TEXT_BINS, sizeof(uint32_t), UINT32_MAX, bin_of};

/* ---- the original's CPU solution -------------------------------------------------------- */

static void count_letters(const uint8_t *text, size_t size, uint32_t *histo) {
    for (size_t i = 0; i < size; i++) {
        const int letter = text[i] - 'a';
        if (letter >= 0 && letter < LETTERS)
            histo[letter / LETTERS_PER_BIN]++;
    }
}

static void reference(const void *window, struct shape shape, void *output) {
    memset(output, 0, TEXT_BINS * sizeof(uint32_t));
    count_letters(window, shape.rows * shape.columns, output);
}

/* ---- the same on all cores, with vector instructions ------------------------------------ */

/* Seven counts for each lane of a vector: a comparison gives 255, which is -1, where it holds. A
 * letter's bin is told by the bin's first letter, which a mask gives: vectors of bytes have no
 * division. */
typedef uint8_t characters __attribute__((vector_size(16)));
enum { WIDTH = sizeof(characters), MOST_TURNS = UINT8_MAX };
enum { FIRST_OF_BIN = (uint8_t)-LETTERS_PER_BIN };
_Static_assert((LETTERS_PER_BIN & (LETTERS_PER_BIN - 1)) == 0, "a mask gives a bin's first letter");

static void count_turns(const uint8_t *text, size_t turns, uint32_t *counts) {
    characters lanes[TEXT_BINS] = {{0}};
    for (size_t t = 0; t < turns; t++) {
        characters letters;
        memcpy(&letters, text + t * WIDTH, WIDTH);
        letters -= 'a';
        characters first = (letters & FIRST_OF_BIN) | ~(characters)(letters < LETTERS);
#pragma GCC unroll 7
        for (uint8_t bin = 0; bin < TEXT_BINS; bin++)
            lanes[bin] -= (characters)(first == (uint8_t)(bin * LETTERS_PER_BIN));
    }
    for (size_t bin = 0; bin < TEXT_BINS; bin++)
        for (size_t lane = 0; lane < WIDTH; lane++)
            counts[bin] += lanes[bin][lane];
}

static void count_in_vectors(const uint8_t *text, size_t size, uint32_t *counts) {
    size_t turns = size / WIDTH;
    for (size_t t = 0; t < turns; t += MOST_TURNS)
        count_turns(text + t * WIDTH, turns - t < MOST_TURNS ? turns - t : MOST_TURNS, counts);
    count_letters(text + turns * WIDTH, size % WIDTH, counts);
}

static void all_cores(const void *window, struct shape shape, void *output) {
    byte_counts_on_all_cores(count_in_vectors, window, shape.rows * shape.columns, output,
                             TEXT_BINS);
}

static const struct solution solutions[] = {
    {"reference", reference}, {"all_cores", all_cores}, {NULL, NULL}};

const struct problem problem = {
    .function = "opt_texthisto",
    .shape = {100 * 1024 * 1024, 1},
    .cpu_shape = {4 * 1024 * 1024, 1},
    .check_shape = {100003, 1},
    .tiny_shape = {211, 1},
    .check_input = "bytes",
    .inputs = inputs,
    .element_bytes = 1,
    .output_bytes = TEXT_BINS * sizeof(uint32_t),
    .expected_bytes = TEXT_BINS * sizeof(uint32_t),
    .load = load,
    .index_bytes = running_bytes,
    .prepare = running_prepare,
    .expect = expect,
    .change = running_change,
    .running = &running,
    .right = running_counts_right,
    .element = "character",
    .counting = &counting,
    .solutions = solutions,
};
