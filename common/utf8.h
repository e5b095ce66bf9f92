/* Characters of UTF-8, for those who write JSON, those who read it, and those who show it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the valid character that s begins with, of which no more than `room` bytes may be
 * looked at; or 0. Strict readers (Python's) refuse overlong forms and surrogates too. */
static inline size_t utf8_length(const unsigned char *s, size_t room) {
    if (room == 0)
        return 0;
    if (*s < 0x80)
        return 1;
    size_t length = *s >= 0xf5 ? 0 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
    if (length > room)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
    bool no_character = (*s == 0xed && s[1] > 0x9f) || (*s == 0xf4 && s[1] > 0x8f);
    return overlong || no_character ? 0 : length;
}

static inline uint32_t utf8_code_point(const unsigned char *s, size_t length) {
    uint32_t point = length == 1 ? *s : *s & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (s[i] & 0x3fu);
    return point;
}

/* What a terminal obeys, or nobody sees: `printable` of common/prelude.sh says why. */
static inline bool utf8_is_hidden(uint32_t point) {
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
                                         {0x61c, 0x61c},   {0x200b, 0x200b}, {0x200e, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}
