/* The course's random walk. See walk.h. */
#include "walk.h"

/* drand48() maps its state x to RANDOM_A1 * x + RANDOM_C1 modulo 2^48, and returns x / 2^48. Two
 * and four such steps in one are of the same form. 64-bit arithmetic keeps the low 48 bits right.
 */
#define RANDOM_A1 UINT64_C(0x5deece66d)
#define RANDOM_C1 UINT64_C(0xb)
#define RANDOM_A2 (RANDOM_A1 * RANDOM_A1)
#define RANDOM_C2 (RANDOM_A1 * RANDOM_C1 + RANDOM_C1)
#define RANDOM_A4 (RANDOM_A2 * RANDOM_A2)
#define RANDOM_C4 (RANDOM_A2 * RANDOM_C2 + RANDOM_C2)

/* drand48() - 0.5 for a state: exact, as 48 bits fit a double. Shifting drops what lies above them,
 * and flipping the top bit of an unsigned number subtracts half its range. */
static double centred(uint64_t state) {
    return (double)(int64_t)(state << 16 ^ UINT64_C(1) << 63) * 0x1p-64;
}

/* The course's step to the next pixel, with its operations in its order: they round. Its bin ids
 * have two axes, each moved by a pair of random numbers, the lower axis first. With a histogram of
 * one row the upper axis is always clamped to 0, but its pair is drawn all the same. */
static int32_t next_bin(int32_t bin, uint64_t *random) {
    const double root = 1.4142135623730950488;
    double one = centred(RANDOM_A1 * *random + RANDOM_C1);
    double two = centred(RANDOM_A2 * *random + RANDOM_C2);

    *random = RANDOM_A4 * *random + RANDOM_C4;
    bin += (int32_t)(one * two * 4.0 * root * root * 2);
    return bin < 0 ? 0 : bin >= WALK_BINS ? WALK_BINS - 1 : bin;
}

struct image_walker image_walker_start(long seed) {
    /* As srand48() does: of the seed 32 bits count, the low 16 bits of the state are fixed. */
    uint64_t random = (uint64_t)(uint32_t)seed << 16 | 0x330e;

    return (struct image_walker){random, WALK_BINS / 2, true};
}

void image_walker_rows(struct image_walker *walker, uint32_t *pixels, size_t rows, size_t width) {
    uint64_t random = walker->random; /* a copy, which the stores to pixels cannot reach */

    if (width == 0)
        return;
    for (size_t row = 0; row < rows; row++) {
        int32_t bin = (int32_t)walker->above;

        if (walker->at_first_pixel)
            walker->at_first_pixel = false;
        else
            bin = next_bin(bin, &random);
        walker->above = (uint32_t)bin;
        *pixels++ = (uint32_t)bin;
        for (size_t column = 1; column < width; column++) {
            bin = next_bin(bin, &random);
            *pixels++ = (uint32_t)bin;
        }
    }
    walker->random = random;
}

/* A row's pixels after the first move nothing but the random state, which jumps over them at once.
 */
void image_walker_skip(struct image_walker *walker, size_t rows, size_t width) {
    uint64_t factor = 1, addend = 0; /* of width - 1 steps of RANDOM_A4 and RANDOM_C4 in one */
    for (size_t column = 1; column < width; column++) {
        factor *= RANDOM_A4;
        addend = addend * RANDOM_A4 + RANDOM_C4;
    }
    for (size_t row = 0; row < rows && width; row++) {
        uint32_t pixel;
        image_walker_rows(walker, &pixel, 1, 1);
        walker->random = factor * walker->random + addend;
    }
}

void image_walk(uint32_t *pixels, size_t height, size_t width, long seed) {
    struct image_walker walker = image_walker_start(seed);

    image_walker_rows(&walker, pixels, height, width);
}
