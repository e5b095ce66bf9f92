/* Calls by an address. The compiler has the objects that are watched make them by way of thunks,
 * one for each register that may hold the address. A kernel's lead to functions of the step alone:
 * what others, behind a pointer or a virtual function, read and write nobody sees. */
#include "../include/emulated.h"
#include "hooks.h"
#include "image.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* The step's calls of functions of libraries come here first: see front/assembly.h. */
void emulator_host_function(const char *name) {
    if (emulator_in_kernel())
        emulator_refuse("a kernel calls %s: calling a __host__ function from a __global__ function "
                        "is not allowed",
                        name);
}

/* A function begins that stores to there what it returns, and nobody sees it (front/calls.h). Its
 * caller may take it for one of another type. */
void emulator_returns_to(const void *to) {
    if (emulator_in_kernel() && !emulator_any_program &&
        (uintptr_t)to - emulator_stack_begin >= emulator_stack_bytes)
        emulator_refuse("a kernel has a function return to memory that is not the thread's own, "
                        "where the analysis cannot see it: assign what it returns");
}

#ifdef __x86_64__
/* The step's functions: [begin, end). In programs that nobody grades all is. */
__attribute__((visibility("hidden"))) uintptr_t emulator_step_begin, emulator_step_end;

__attribute__((visibility("hidden"))) const char emulator_no_name[] =
    "by an address what is no function of the step's";

/* A function of C++'s that is no library's: those are std's, or in one of these namespaces. */
static bool is_own(const char *name) {
    const char *first = name + 2 + strspn(name + 2, "NK");
    return strncmp(name, "_Z", 2) == 0 && isdigit((unsigned char)*first) &&
           strncmp(first, "9__gnu_cxx", 10) != 0 && strncmp(first, "10__cxxabiv1", 12) != 0;
}

static void widen(const ElfW(Sym) * symbol, const char *name, const char *section, bool of_step) {
    uintptr_t begin = emulator_image.base + symbol->st_value, end = begin + symbol->st_size;
    bool local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    (void)section;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !(local ? of_step : is_own(name)))
        return;
    if (begin < emulator_step_begin)
        emulator_step_begin = begin;
    if (end > emulator_step_end)
        emulator_step_end = end;
}

/* Only where objects are watched are there thunks to ask. */
__attribute__((constructor)) static void find_step(void) {
    emulator_step_end = UINTPTR_MAX;
    if (emulator_any_program || (!racy_resume && !counted_resume))
        return;
    emulator_step_begin = UINTPTR_MAX;
    emulator_step_end = 0;
    emulator_find_image();
    emulator_each_symbol(widen);
}

/* Where the address is outside, the host may be calling: what may hold arguments stays as it is. */
#define PUSH(r) "pushq %" #r "\n"
#define POP(r) "popq %" #r "\n"
#define SAVE(n) "movups %xmm" #n ", 16*" #n "(%rsp)\n"
#define RESTORE(n) "movups 16*" #n "(%rsp), %xmm" #n "\n"
/* clang-format off */
__asm__(".text\n"
        ".type emulator_look_at_call, @function\n"
        "emulator_look_at_call:\n"
        ".cfi_startproc\n"
        PUSH(rbp)
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset rbp, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register rbp\n"
        PUSH(rax)
        "movq 16(%rbp), %rax\n" /* what the thunk has pushed */
        "cmpq emulator_step_begin(%rip), %rax\n"
        "jb 1f\n"
        "cmpq emulator_step_end(%rip), %rax\n"
        "jb 2f\n"
        "1:\n"
        PUSH(rcx) PUSH(rdx) PUSH(rsi) PUSH(rdi) PUSH(r8) PUSH(r9) PUSH(r10) PUSH(r11)
        "subq $136, %rsp\n"
        "andq $-16, %rsp\n"
        SAVE(0) SAVE(1) SAVE(2) SAVE(3) SAVE(4) SAVE(5) SAVE(6) SAVE(7)
        "leaq emulator_no_name(%rip), %rdi\n"
        "call emulator_host_function\n"
        RESTORE(0) RESTORE(1) RESTORE(2) RESTORE(3) RESTORE(4) RESTORE(5) RESTORE(6) RESTORE(7)
        "leaq -72(%rbp), %rsp\n"
        POP(r11) POP(r10) POP(r9) POP(r8) POP(rdi) POP(rsi) POP(rdx) POP(rcx)
        "2:\n"
        POP(rax)
        POP(rbp)
        ".cfi_def_cfa rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size emulator_look_at_call, . - emulator_look_at_call\n");

#define THUNK(r)                                                                                   \
    __asm__(".globl __x86_indirect_thunk_" #r "\n"                                                 \
            ".type __x86_indirect_thunk_" #r ", @function\n"                                       \
            "__x86_indirect_thunk_" #r ":\n"                                                       \
            ".cfi_startproc\n"                                                                     \
            PUSH(r)                                                                                \
            ".cfi_def_cfa_offset 16\n"                                                             \
            "call emulator_look_at_call\n"                                                         \
            "leaq 8(%rsp), %rsp\n"                                                                 \
            ".cfi_def_cfa_offset 8\n"                                                              \
            "jmp *%" #r "\n"                                                                       \
            ".cfi_endproc\n"                                                                       \
            ".size __x86_indirect_thunk_" #r ", . - __x86_indirect_thunk_" #r "\n");
THUNK(rax) THUNK(rbx) THUNK(rcx) THUNK(rdx) THUNK(rsi) THUNK(rdi) THUNK(rbp)
THUNK(r8) THUNK(r9) THUNK(r10) THUNK(r11) THUNK(r12) THUNK(r13) THUNK(r14) THUNK(r15)
/* clang-format on */
#endif
