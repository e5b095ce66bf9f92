/* The GPU that is emulated: how much of everything it has. */
#include <stdlib.h>
#include <string.h>

#include "../findings/emulator.h"
#include "scheduler.h"

struct emulator_device emulator_device = {
    .name = "histolab emulator",
    .multiprocessors = 2,
    .threads = 2048,
    .blocks = 16,
    .registers = 65536,
    .shared_bytes = 96 * 1024,
    .shared_block_bytes = 96 * 1024,
    .compute_capability = 90,
    .l2_bytes = 512 * 1024,
};

unsigned emulator_multiprocessors(void) { return emulator_device.multiprocessors; }

/* The number in a line of the text, if the line has this key; else the old value. */
static void take(const char *line, const char *key, unsigned most, unsigned *value) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || (line[length] != ' ' && line[length] != '\t'))
        return;
    unsigned long number = strtoul(line + length, NULL, 10);
    *value = number > most ? most : number < 1 ? 1 : (unsigned)number;
}

/* Blanks in it become _. */
static void take_name(const char *line) {
    if (strncmp(line, "name ", 5) != 0)
        return;
    size_t length = strcspn(line + 5, "\r\n#");
    if (length >= sizeof emulator_device.name)
        length = sizeof emulator_device.name - 1;
    memcpy(emulator_device.name, line + 5, length);
    emulator_device.name[length] = 0;
    for (char *s = emulator_device.name; (s = strpbrk(s, " \t"));)
        *s = '_';
}

/* 9.0 is 90. */
static void take_capability(const char *line) {
    static const char key[] = "compute_capability ";
    if (strncmp(line, key, sizeof key - 1) != 0)
        return;
    char *rest;
    unsigned long major = strtoul(line + sizeof key - 1, &rest, 10);
    unsigned long minor = *rest == '.' ? strtoul(rest + 1, NULL, 10) : 0;
    emulator_device.compute_capability = (unsigned)(10 * (major % 100) + minor % 10);
}

void emulator_emulate(const char *gpu) {
    struct emulator_device *d = &emulator_device;
    for (const char *line = gpu; line && *line;) {
        take_name(line);
        take_capability(line);
        take(line, "multiprocessors", EMULATOR_MOST_MULTIPROCESSORS, &d->multiprocessors);
        take(line, "threads", 1u << 16, &d->threads);
        take(line, "blocks", EMULATOR_MOST_BLOCKS, &d->blocks);
        take(line, "registers", 1u << 20, &d->registers);
        take(line, "shared_bytes", 1u << 20, &d->shared_bytes);
        take(line, "shared_block_bytes", EMULATOR_SHARED_MOST, &d->shared_block_bytes);
        take(line, "l2_bytes", 1u << 30, &d->l2_bytes);
        line = strchr(line, '\n');
        line += line != NULL;
    }
}
