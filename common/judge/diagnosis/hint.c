#include "hint.h"

#include <stdio.h>
#include <string.h>

#include "judge/text.h"

#define SECOND_TIME "set up a second time"
#define BEGIN_ANEW                                                                                 \
    "Everything was right until the step was torn down and set up a second time, as it is before " \
    "every part of a timed sample. The tear-down has to free all that the set-up allocates, and "  \
    "the set-up has to start afresh: static variables are as the tear-down left them."

#define UNCHECKED "launching the step's kernels"

/* The first that fits is taken: a verdict, and what its detail contains (NULL: anything). What is
 * UNCHECKED may have another cause as well, which is told behind that. */
static const struct {
    enum verdict_kind kind;
    const char *detail, *second; /* both must be there */
    const char *text;
} hints[] = {
    {VERDICT_BUILD_FAILED, "undefined reference to `opt_", NULL,
     "A function of the contract (common/lab.h, or the problem's contract.h) is missing, or has "
     "different parameters: the step needs all three, the set-up, the call and the teardown, "
     "exactly as there."},

    {VERDICT_NO_DEVICE_CODE, NULL, NULL,
     "No kernel ran: the program holds no code for this GPU, or code newer than the driver. This "
     "is not the kernel's fault. Build again on this machine: make clean, then the step."},

    {VERDICT_LAUNCH_FAILED, SECOND_TIME, NULL, BEGIN_ANEW},
    {VERDICT_CRASHED, SECOND_TIME, NULL, BEGIN_ANEW},

    {VERDICT_LAUNCH_FAILED, "cudaMemset", "cudaErrorInvalidValue",
     "The memory to set is not device memory, or has fewer bytes than that. Does the pointer come "
     "from cudaMalloc, or that of a __device__ variable from cudaGetSymbolAddress, and is there "
     "enough? Both sizes are in bytes: elements * sizeof."},
    {VERDICT_LAUNCH_FAILED, "cudaMemcpy", "cudaErrorInvalid",
     "That copy is not possible: its direction has to fit both pointers (what is from cudaMalloc, "
     "the input and the output are memory of the device), and both need that many bytes."},
    {VERDICT_LAUNCH_FAILED, "cudaErrorMemoryAllocation", "cudaMalloc",
     "That is more memory than the GPU has left. Is the size in bytes what it should be, and does "
     "the tear-down free what the set-up allocates? Both are called many times."},
    {VERDICT_LAUNCH_FAILED, "cudaFree", NULL,
     "The memory that is freed there was not allocated by cudaMalloc, or has already been freed."},
    {VERDICT_LAUNCH_FAILED, UNCHECKED, "cudaErrorInvalid",
     "A launch did not start, and the step did not check: put CUDA_CHECK(cudaGetLastError()) "
     "after it."},
    {VERDICT_LAUNCH_FAILED, "cudaFuncSetAttribute() allows", NULL,
     "A kernel has 48 KiB of dynamic shared memory at the most, unless the set-up calls "
     "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)."},
    {VERDICT_LAUNCH_FAILED, "the launch asks for 0 ", NULL,
     "The number of blocks, or of threads, is 0 there: nobody has set that variable (a local one of "
     "the same name hides another), or a size was divided, and rounded down; an input may be empty."},
    {VERDICT_LAUNCH_FAILED, "of at most 65535", NULL,
     "A grid has up to 2147483647 blocks in x, and only 65535 in y and in z: let x be the dimension "
     "that grows with the input, or let each block take several parts, in a loop."},
    {VERDICT_LAUNCH_FAILED, "the launch asks for", NULL,
     "Compare the numbers of the launch with what the kernel is written for."},
    {VERDICT_LAUNCH_FAILED, "stream is none that exists", NULL,
     "A cudaLaunchConfig_t has to be set as a whole: `cudaLaunchConfig_t config = {};` makes the "
     "members 0 that are not named later. Without that they hold what lay there."},
    {VERDICT_LAUNCH_FAILED, "cudaLaunchKernelEx", "attribute",
     "What config.attrs points to has to exist and to be set when the kernel is launched: a variable "
     "ends with the block or the function that it is declared in."},
    {VERDICT_LAUNCH_FAILED, "cudaGetLastError()", "cudaErrorInvalid",
     "The launch before that line asks for something impossible: 0 blocks (a size divided and "
     "rounded down?), more than 1024 threads in a block, or more than 48 KiB of shared memory "
     "without cudaFuncSetAttribute."},
    {VERDICT_LAUNCH_FAILED, "cudaErrorLaunchOutOfResources", NULL,
     "The kernel needs more registers than so large a block leaves for each thread: launch fewer "
     "threads in a block, or tell the compiler the size of a block with __launch_bounds__."},
    {VERDICT_LAUNCH_FAILED, "cudaErrorCooperativeLaunchTooLarge", NULL,
     "All blocks of a grid that meets have to run at once: as many for each multiprocessor as "
     "cudaOccupancyMaxActiveBlocksPerMultiprocessor() says."},
    {VERDICT_LAUNCH_FAILED, "cudaErrorStreamCapture", NULL,
     "A graph cannot capture that call: capture kernels and asynchronous copies only."},

    {VERDICT_CRASHED, "cudaErrorIllegalAddress", NULL,
     "A kernel reads or writes outside its memory: an index past the end, or a pointer that is "
     "null or points to host memory. Check the bound, and that the grid fits the size; "
     "compute-sanitizer names the line."},
    {VERDICT_CRASHED, "cudaErrorMisalignedAddress", NULL,
     "A read or write of 8 or 16 bytes does not start on a multiple of that: only the input as a "
     "whole is aligned, not every row or remainder."},
    {VERDICT_CRASHED, "cudaErrorAssert", NULL,
     "An assert() in the kernel does not hold: the log says which."},
    {VERDICT_CRASHED, "cudaErrorLaunchFailure", NULL,
     "The kernel stopped itself (__trap(), or a fault of the hardware in it)."},
    {VERDICT_CRASHED, "exit status 0", NULL,
     "Something called exit(): a step has to return from its functions."},
    {VERDICT_CRASHED, "its stack is full", NULL,
     "The local variables of a thread need more than its stack holds, which is 64 KiB here, or a "
     "function calls itself without end. Put large arrays into shared or global memory."},
    {VERDICT_CRASHED, "signal 11", NULL,
     "An address is invalid: an index past the end of an array, a null pointer, a variable that "
     "nothing has set, such as a launch's configuration, an allocation that failed unnoticed, or "
     "a pointer to device memory used on the host."},
    {VERDICT_CRASHED, "signal 6", NULL,
     "The program stopped itself: an abort() or __trap(), or a check of the emulator or of the C "
     "library. The log has its last words."},
    {VERDICT_CRASHED, "signal 8", NULL, "A whole number was divided by zero."},

    {VERDICT_TIMED_OUT, "because it prints too much", NULL,
     "It prints without end, or every thread prints. Let one thread print: if (blockIdx.x == 0 "
     "&& threadIdx.x == 0). In a loop, let it print in the first iterations only."},
    {VERDICT_TIMED_OUT, "running the calls", NULL,
     "Something does not end, or does far too much: a loop whose bound is never met; one that steps "
     "by 1 where it should step by the number of threads, so that every thread goes through the "
     "whole input; a wait for what another block or thread never does; __syncthreads() in a branch "
     "that not all threads of the block take."},
    {VERDICT_TIMED_OUT, "setting up", NULL,
     "The set-up does not return: look for an endless loop."},
    {VERDICT_TIMED_OUT, "tearing down", NULL,
     "The tear-down does not return: look for an endless loop."},
};

static void say_undefined(const struct verdict *verdict, struct sentence text) {
    const char *name = strstr(verdict->detail, "`opt_");
    if (verdict->kind == VERDICT_BUILD_FAILED && name)
        text_add(text, "The linker finds no %.*s.", (int)strcspn(name + 1, "'("), name + 1);
}

bool hint(const struct verdict *verdict, char *text, size_t text_size) {
    text[0] = '\0';
    say_undefined(verdict, (struct sentence){text, text_size});
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        bool fits = hints[i].kind == verdict->kind &&
                    (!hints[i].detail || strstr(verdict->detail, hints[i].detail)) &&
                    (!hints[i].second || strstr(verdict->detail, hints[i].second));
        if (fits)
            text_sentence((struct sentence){text, text_size}, hints[i].text);
        if (fits && (!hints[i].detail || strcmp(hints[i].detail, UNCHECKED) != 0))
            break;
    }
    return text[0];
}
