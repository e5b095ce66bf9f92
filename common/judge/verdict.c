#include "verdict.h"

#include <string.h>

static const char *const words[] = {
#define VERDICT(name, word, ...) word,
#include "verdicts.def"
#undef VERDICT
};

const char *verdict_word(enum verdict_kind kind) { return words[kind]; }

enum verdict_kind verdict_of_word(const char *word) {
    enum verdict_kind kind = 0;
    while (kind < VERDICT_KINDS && strcmp(words[kind], word) != 0)
        kind++;
    return kind;
}

/* The numbers of cudaError_t, which the judge, knowing no CUDA, spells out. They have not changed
 * since CUDA 10.1. */
enum verdict_kind verdict_of_cuda_error(int cuda_error) {
    switch (cuda_error) {
    case 98:  /* cudaErrorInvalidDeviceFunction */
    case 209: /* cudaErrorNoKernelImageForDevice */
    case 218: /* cudaErrorInvalidPtx */
    case 222: /* cudaErrorUnsupportedPtxVersion */
        return VERDICT_NO_DEVICE_CODE;
    case 702: /* cudaErrorLaunchTimeout */
        return VERDICT_TIMED_OUT;
    case 700: /* cudaErrorIllegalAddress */
    case 710: /* cudaErrorAssert */
    case 714: /* cudaErrorHardwareStackError; then illegal instruction, misaligned address, */
    case 715: /* invalid address space, invalid program counter, launch failure */
    case 716:
    case 717:
    case 718:
    case 719:
        return VERDICT_CRASHED;
    default:
        return VERDICT_LAUNCH_FAILED;
    }
}
