#include "json_write.h"

#include <stdint.h>
#include <string.h>

#include "utf8.h"

static void write_escape(FILE *out, uint32_t point) {
    if (point < 0x10000)
        fprintf(out, "\\u%04x", point);
    else
        fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                0xdc00 + ((point - 0x10000) & 0x3ff));
}

/* Hidden characters are escaped: who looks at the file itself sees them, and no terminal obeys.
 * What a step printed may be anything, and a record is JSON. */
void json_text(FILE *out, const char *text) {
    const unsigned char *s = (const unsigned char *)text, *end = s + strlen(text);
    fputc('"', out);
    while (s < end) {
        size_t length = utf8_length(s, end - s);
        if (length == 0)
            fputc('?', out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (utf8_is_hidden(utf8_code_point(s, length)))
            write_escape(out, utf8_code_point(s, length));
        else
            fwrite(s, 1, length, out);
        s += length ? length : 1;
    }
    fputc('"', out);
}
