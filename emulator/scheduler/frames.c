#define _GNU_SOURCE
#include "frames.h"
#include "../findings/crash.h"
#include "image.h"

#include <execinfo.h>

enum { MOST_FRAMES = 64 }; /* walked; those of the C library and of the handler are left out */

void frames_begin(void) {
    void *frame;
    emulator_find_image();
    backtrace(&frame, 1); /* its first call allocates memory */
}

struct frames_place frames_place_of(const siginfo_t *info, const ucontext_t *context) {
    struct frames_place place = {0};
#if defined(__x86_64__)
    const greg_t *registers = context->uc_mcontext.gregs;
    place.pc = (uintptr_t)registers[REG_RIP];
    place.stack_pointer = (uintptr_t)registers[REG_RSP];
    if (info->si_signo == SIGSEGV && place.pc == (uintptr_t)info->si_addr)
        place.caller = *(const uintptr_t *)place.stack_pointer;
#else
    place.pc = context->uc_mcontext.pc;
    place.stack_pointer = context->uc_mcontext.sp;
    if (info->si_signo == SIGSEGV && place.pc == (uintptr_t)info->si_addr)
        place.caller = context->uc_mcontext.regs[30];
#endif
    return place;
}

uint64_t frames_offset(uintptr_t pc) {
    const struct image *image = &emulator_image;
    return pc >= image->code && pc < image->code_end ? pc - image->base : 0;
}

static uint32_t add_frame(uint64_t *frames, uint32_t count, uintptr_t pc) {
    uint64_t offset = frames_offset(pc);
    if (offset && count < CRASH_FRAMES)
        frames[count++] = offset;
    return count;
}

uint32_t frames_find(const struct frames_place *place, uint64_t *frames) {
    void *walked[MOST_FRAMES];
    int count = backtrace(walked, MOST_FRAMES), next = 0;
    uint32_t found = add_frame(frames, 0, place->pc);
    found = add_frame(frames, found, place->caller - 1);
    for (int i = 0; i < count; i++) /* those before it are the handler's */
        if ((uintptr_t)walked[i] == place->pc)
            next = i + 1;
    while (next < count)
        found = add_frame(frames, found, (uintptr_t)walked[next++] - 1);
    return found;
}
