#include "source.h"

#include <stdint.h>
#include <string.h>

#include "text.h"

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------------- */

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, int by) { return word >> by | word << (32 - by); }

static void add_block(uint32_t state[8], const unsigned char *block) {
    uint32_t word[ROUNDS], s[8];
    for (int i = 0; i < 16; i++, block += 4)
        word[i] = (uint32_t)block[0] << 24 | block[1] << 16 | block[2] << 8 | block[3];
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t a = word[i - 15], b = word[i - 2];
        word[i] = word[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + word[i - 7] +
                  (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + word[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

const char *sha256(const char *text) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t length = strlen(text), blocks = (length + 9 + BLOCK - 1) / BLOCK;
    unsigned char *padded = keep(blocks * BLOCK);
    struct text digits = {0};
    memcpy(padded, text, length);
    padded[length] = 0x80;
    for (int i = 0; i < 8; i++) /* the length in bits ends it */
        padded[blocks * BLOCK - 1 - i] = (uint64_t)length * 8 >> 8 * i;
    for (size_t i = 0; i < blocks; i++)
        add_block(state, padded + i * BLOCK);
    for (int i = 0; i < 8; i++)
        add(&digits, "%08x", state[i]);
    return bytes_of(&digits);
}

/* ---- sources -------------------------------------------------------------------------------- */

enum source_line what_line_is(const char *line, bool *in_task) {
    size_t length = strlen(line);
    bool is_task = *in_task || same(line, "/* Task");
    *in_task = is_task && !(length >= 2 && same(line + length - 2, "*/"));
    return is_task                          ? OF_TASK
           : strstr(line, "BEGIN SOLUTION") ? BEGINS_SOLUTION
           : strstr(line, "END SOLUTION")   ? ENDS_SOLUTION
                                            : OF_STEP;
}

const char **source_lines(const char *path, bool marked) {
    const char **line = lines_of_file(path), **to = line, **first = line;
    bool in_task = false;
    for (; *line; line++) {
        enum source_line is = what_line_is(*line, &in_task);
        if (is == OF_STEP || (marked && is != OF_TASK))
            *to++ = *line;
    }
    *to = NULL;
    return first;
}

static const char *without_markers(const char *text) {
    struct text rest = {0};
    for (const char **line = lines_in(text); *line; line++) {
        bool in_task = false;
        enum source_line is = what_line_is(*line, &in_task);
        if (is != BEGINS_SOLUTION && is != ENDS_SOLUTION)
            add(&rest, "%s\n", *line);
    }
    return bytes_of(&rest);
}

struct sums sums_of(const char *path) {
    const char *text = file_text(path);
    return text ? (struct sums){sha256(text), sha256(without_markers(text))}
                : (struct sums){"", ""};
}

bool has_sum(const struct sums *sums, const char *sum) {
    return same(sums->whole, sum) || same(sums->unmarked, sum);
}
