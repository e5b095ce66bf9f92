/* A fiber: a separate stack that the program can leave in the middle of a function and return to.
 * A CUDA thread that waits for others keeps its local variables on the stack of its fiber. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the emulator runs on x86-64 and 64-bit Arm"
#endif

enum {
    FIBER_STACK = 64 * 1024, /* bytes of stack for each CUDA thread */
    /* Below it, without access: an overflow ends the process by SIGSEGV. With its stack an odd
     * number of pages: at a power of two, stacks would compete for a few sets of the TLB. */
    FIBER_GUARD = 68 * 1024,
};

struct fiber {
    void *stack_pointer; /* first: the assembly finds it by this offset */
    char *stack;         /* lowest address; NULL for the stack that the OS gave a thread */
    struct fiber *next;
};

/* Where a stack's first frame begins, below its end. If all ended at the same offset in a page,
 * they would compete for a few lines of the cache. */
static inline size_t fiber_offset(uintptr_t stack) {
    return stack / (FIBER_GUARD + FIBER_STACK) % 16 * 128;
}

/* A new fiber with its own stack. Fibers are never freed: each worker
 * keeps those it has for the next block. */
struct fiber *fiber_new(void);

/* Make the next switch to this fiber call entry(), on an empty stack. entry must not return. */
void fiber_prepare(struct fiber *fiber, void (*entry)(void));

/* Save the caller's place in `from`, and continue where `to` was left. */
void fiber_switch(struct fiber *from, struct fiber *to);

/* Nobody runs on it: garbage for what is left in so many bytes at the upper end of its stack, as
 * far as it is not needed to go on; of all of it most pages become zeros. */
void fiber_spoil(struct fiber *fiber, size_t bytes);

/* A switch to this fiber comes soon: have its stack brought into the cache, for which a switch
 * would otherwise wait: what was saved there, and below it what is called next. */
static inline void fiber_expect(const struct fiber *fiber) {
    for (int at = -256; at <= 128; at += 64)
        __builtin_prefetch((const char *)fiber->stack_pointer + at, 1);
}
