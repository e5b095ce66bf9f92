// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Crashes: a handler for the signals that they raise, and for exit().
 *
 * Device code runs on fibers, whose stack may be what is full, so the handler has a stack of its
 * own on each OS thread. It walks the stack that it interrupted, up to the fiber's or the OS
 * thread's first function. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../runner/crash.h"
#include "emulator.h"
#include "fiber.h"
#include "signals.h"

enum {
    HANDLER_STACK = 64 * 1024,
    MOST_FRAMES = 64,      /* walked; those of the C library and of the handler are left out */
    BELOW_STACK = 1 << 16, /* an access so near to the stack pointer is one to the stack */
};

static void (*tell_crash)(const struct crash *crash);
static uintptr_t load_address, code_begin, code_end; /* of the program itself */
static char words[sizeof((struct crash *)0)->words];

/* The registers that matter, of the code that was interrupted. */
struct place {
    uintptr_t pc, stack_pointer;
    uintptr_t caller; /* where the call of an address that is none would have returned to, or 0 */
};

static struct place place_of(const siginfo_t *info, const ucontext_t *context) {
    struct place place = {0};
#if defined(__x86_64__)
    const greg_t *registers = context->uc_mcontext.gregs;
    place.pc = (uintptr_t)registers[REG_RIP];
    place.stack_pointer = (uintptr_t)registers[REG_RSP];
    if (info->si_signo == SIGSEGV && place.pc == (uintptr_t)info->si_addr)
        place.caller = *(const uintptr_t *)place.stack_pointer;
#elif defined(__aarch64__)
    place.pc = context->uc_mcontext.pc;
    place.stack_pointer = context->uc_mcontext.sp;
    if (info->si_signo == SIGSEGV && place.pc == (uintptr_t)info->si_addr)
        place.caller = context->uc_mcontext.regs[30];
#else
    (void)info, (void)context;
#endif
    return place;
}

uint64_t emulator_code_offset(uintptr_t pc) {
    return pc >= code_begin && pc < code_end ? pc - load_address : 0;
}

static uint32_t add_frame(uint64_t *frames, uint32_t count, uintptr_t pc) {
    uint64_t offset = emulator_code_offset(pc);
    if (offset && count < CRASH_FRAMES)
        frames[count++] = offset;
    return count;
}

/* The place itself, and the calls that led there. A call is the instruction before the one that it
 * returns to. */
static uint32_t find_frames(const struct place *place, uint64_t *frames) {
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

uint32_t emulator_frames(const siginfo_t *info, const void *context, uint64_t *frames) {
    struct place place = place_of(info, context);
    return find_frames(&place, frames);
}

static bool is_below_stack(uintptr_t address, uintptr_t stack_pointer) {
    const char *stack = emulator_thread_stack();
    if (stack)
        return (uintptr_t)stack - 1 - address < FIBER_GUARD;
    return stack_pointer + BELOW_STACK - address < 2 * BELOW_STACK;
}

static void describe_thread(struct crash *crash) {
    crash->on_host = !emulator_thread_stack();
    if (crash->on_host)
        return;
    memcpy(crash->block, &blockIdx, sizeof crash->block);
    memcpy(crash->thread, &threadIdx, sizeof crash->thread);
}

static void describe_address(struct crash *crash, const siginfo_t *info,
                             const struct place *place) {
    bool mapped = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    crash->addressed = info->si_signo == SIGBUS || (info->si_signo == SIGSEGV && mapped);
    if (!crash->addressed)
        return;
    crash->address = (uintptr_t)info->si_addr;
    crash->stack_full = is_below_stack(crash->address, place->stack_pointer);
}

static void handle(int number, siginfo_t *info, void *context) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&told)) /* the first crash ends the process */
        pause();
    struct place place = place_of(info, context);
    struct crash crash = {.signal = (uint32_t)number};
    describe_thread(&crash);
    describe_address(&crash, info, &place);
    memcpy(crash.words, words, sizeof words);
    crash.frames = find_frames(&place, crash.pc);
    tell_crash(&crash);

    sigset_t these;
    sigemptyset(&these);
    sigaddset(&these, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &these, NULL);
}

static void handle_exit(void) {
    struct place nowhere = {0};
    struct crash crash = {.exits = 1};
    describe_thread(&crash);
    crash.frames = find_frames(&nowhere, crash.pc);
    tell_crash(&crash);
}

/* A stack for the handler on this OS thread, which keeps it. */
static void make_handler_stack(void) {
    stack_t stack = {.ss_size = HANDLER_STACK};
    stack.ss_sp =
        mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}

/* The program is the first that is shown. */
static int find_code(struct dl_phdr_info *program, size_t size, void *unused) {
    (void)size, (void)unused;
    load_address = program->dlpi_addr;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &program->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && header->p_flags & PF_X) {
            code_begin = load_address + header->p_vaddr;
            code_end = code_begin + header->p_memsz;
        }
    }
    return 1;
}

void emulator_on_crash(void (*tell)(const struct crash *crash)) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *frame;
    tell_crash = tell;
    dl_iterate_phdr(find_code, NULL);
    backtrace(&frame, 1); /* its first call allocates memory */
    make_handler_stack();
    emulator_on_worker = make_handler_stack;
    atexit(handle_exit);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

void emulator_refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    fprintf(stderr, "emulator: %s\n", words);
    abort();
}

/* Does it have a %n, by which printf writes to memory? */
static bool has_percent_n(const char *format) {
    while ((format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, "-+ #0'I123456789$*.hlqjztL");
        if (*format == 'n')
            return true;
        format += *format != '\0';
    }
    return false;
}

/* Takes the place of the C library's, because CUDA's has no %n: the analysis would not see the
 * write. */
int printf(const char *format, ...) {
    if (emulator_in_kernel() && has_percent_n(format))
        emulator_refuse("a kernel calls printf with %%n, which CUDA does not have");
    va_list arguments;
    va_start(arguments, format);
    int printed = vprintf(format, arguments);
    va_end(arguments);
    return printed;
}

/* The same for clock(): on a device it counts what clock64() counts. */
clock_t clock(void) {
    struct timespec t;
    if (emulator_in_kernel())
        return (clock_t)emulator_nanoseconds();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (clock_t)(t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

/* As a device does it, in programs that nobody grades: what the host calls next gets the error. */
static _Noreturn void fail_on_device(const char *assertion, const char *file, unsigned line,
                                     const char *function) {
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
            threadIdx.z, assertion);
    emulator_fail_kernel(cudaErrorAssert);
}

/* Takes the place of the C library's, so that what failed is known. It prints the same. */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                             const char *function) {
    if (emulator_any_program && emulator_in_kernel())
        fail_on_device(assertion, file, line, function);
    snprintf(words, sizeof words, "Assertion `%s' failed", assertion);
    fprintf(stderr, "%s:%u: %s: %s.\n", file, line, function, words);
    abort();
}
