#define _GNU_SOURCE
#include "reach.h"
#include "../findings/emulator.h"
#include "../scheduler/scheduler.h"
#include "../scheduler/image.h"

#include <string.h>
#include <sys/mman.h>

unsigned char *reach_marks;
uintptr_t reach_begin, reach_size;
bool reach_only;

/* The linker's: where the functions of REACH_HOOK are. */
extern const unsigned char __start_emulator_hooks[], __stop_emulator_hooks[];

/* Pages that nothing marks take no memory. */
__attribute__((constructor)) static void start(void) {
    emulator_find_image();
    reach_begin = emulator_image.code;
    reach_size = emulator_image.code_end - emulator_image.code;
    reach_marks =
        mmap(NULL, reach_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (reach_marks == MAP_FAILED)
        emulator_need(NULL);
}

/* Where the instruction at code[i] returns to, if it calls a hook; else 0. */
#if defined(__x86_64__)
enum { INSTRUCTION_STEP = 1, CALL_BYTES = 5 };
static intptr_t call_target(const unsigned char *code) {
    int32_t distance;
    memcpy(&distance, code + 1, sizeof distance);
    return *code == 0xe8 ? (intptr_t)code + CALL_BYTES + distance : 0;
}
#else
enum { INSTRUCTION_STEP = 4, CALL_BYTES = 4 };
static intptr_t call_target(const unsigned char *code) {
    uint32_t instruction;
    memcpy(&instruction, code, sizeof instruction);
    int32_t words = (int32_t)(instruction << 6) >> 6;
    return instruction >> 26 == 0x25 ? (intptr_t)code + 4 * (intptr_t)words : 0;
}
#endif

static bool calls_hook(const unsigned char *code) {
    uintptr_t target = (uintptr_t)call_target(code), begin = (uintptr_t)__start_emulator_hooks;
    return target - begin < (uintptr_t)__stop_emulator_hooks - begin;
}

void emulator_tell_reached(void (*tell)(const struct reached *reached)) {
    const unsigned char *code = (const unsigned char *)reach_begin;
    struct reached part = {0};
    for (uintptr_t i = 0; i + CALL_BYTES <= reach_size; i += INSTRUCTION_STEP) {
        if (!calls_hook(code + i))
            continue;
        uintptr_t back = i + CALL_BYTES;
        part.pc[part.accesses] = (uint32_t)(reach_begin + back - 1 - emulator_image.base);
        part.reached[part.accesses++] = back < reach_size && reach_marks[back];
        if (part.accesses == REACHED_ACCESSES) {
            tell(&part);
            part.accesses = 0;
        }
    }
    if (part.accesses)
        tell(&part);
}

void emulator_only_reach(void) { reach_only = true; }
