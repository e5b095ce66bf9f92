#define _GNU_SOURCE
#include "fiber.h"
#include "../include/emulated.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Since Linux 6.13, and in no older header. */
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

/* A guard that is installed splits no mapping: a thousand of them take a third of the time. */
static bool guard(char *low) {
    return madvise(low, FIBER_GUARD, MADV_GUARD_INSTALL) == 0 ||
           mprotect(low, FIBER_GUARD, PROT_NONE) == 0;
}

/* Stacks are taken from the system several at a time, each above its guard. */
static char *stack_new(void) {
    enum { STACKS = 32, PITCH = FIBER_GUARD + FIBER_STACK };
    static __thread char *next;
    static __thread int left;
    if (!left) {
        next = mmap(NULL, (size_t)STACKS * PITCH, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (next == MAP_FAILED)
            emulator_need(NULL);
        left = STACKS;
    }
    char *low = next;
    if (!guard(low))
        emulator_give_up("cannot protect what lies below a thread's stack");
    next += PITCH;
    left--;
    return low + FIBER_GUARD;
}

struct fiber *fiber_new(void) {
    struct fiber *fiber = emulator_need(calloc(1, sizeof *fiber));
    fiber->stack = stack_new();
    return fiber;
}

void fiber_spoil(struct fiber *fiber, size_t bytes) {
    enum { RED_ZONE = 128, PAGE = 4096 }; /* below its stack pointer a function may have data */
    char *begin = fiber->stack + FIBER_STACK - bytes;
    char *end = (char *)fiber->stack_pointer - RED_ZONE;
    char *page = (char *)((uintptr_t)end / PAGE * PAGE);
    if (bytes == FIBER_STACK && madvise(begin, (size_t)(page - begin), MADV_DONTNEED) == 0)
        begin = page;
    if (begin < end)
        memset(begin, 0xA7, (size_t)(end - begin));
}

/* Only what a called function must preserve is saved; the caller of fiber_switch has saved the
 * rest, because to the compiler this is a call like any other. The final return reads its address
 * from the new stack, so it returns to whoever called fiber_switch from there. */

#if defined(__x86_64__)
/* six registers, the address to return to, and a zero where a debugger looks for the caller */
enum { SAVED_WORDS = 8, ENTRY_WORD = 6 };
__asm__(".text\n"
        ".globl fiber_switch\n"
        ".type fiber_switch, @function\n"
        "fiber_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq (%rsi), %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size fiber_switch, . - fiber_switch\n");
#else
/* x19 to x30, of which x30 is the address to return to, and the low halves of v8 to v15 */
enum { SAVED_WORDS = 20, ENTRY_WORD = 11 };
__asm__(".text\n"
        ".globl fiber_switch\n"
        ".type fiber_switch, %function\n"
        "fiber_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x2, sp\n"
        "    str x2, [x0]\n"
        "    ldr x2, [x1]\n"
        "    mov sp, x2\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size fiber_switch, . - fiber_switch\n");
#endif

__asm__(".section .note.GNU-stack, \"\", %progbits\n.text\n");

void fiber_prepare(struct fiber *fiber, void (*entry)(void)) {
    uintptr_t *saved =
        (uintptr_t *)(fiber->stack + FIBER_STACK - fiber_offset((uintptr_t)fiber->stack)) -
        SAVED_WORDS;
    for (int i = 0; i < SAVED_WORDS; i++)
        saved[i] = 0;
    saved[ENTRY_WORD] = (uintptr_t)entry;
    fiber->stack_pointer = saved;
}
