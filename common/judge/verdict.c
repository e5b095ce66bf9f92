#include "verdict.h"

#include <stddef.h>
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
static const struct {
    int cuda_error;
    enum verdict_kind kind;
} meanings[] = {
    {98, VERDICT_NO_DEVICE_CODE},  /* cudaErrorInvalidDeviceFunction */
    {209, VERDICT_NO_DEVICE_CODE}, /* cudaErrorNoKernelImageForDevice */
    {218, VERDICT_NO_DEVICE_CODE}, /* cudaErrorInvalidPtx */
    {222, VERDICT_NO_DEVICE_CODE}, /* cudaErrorUnsupportedPtxVersion */
    {700, VERDICT_CRASHED},        /* cudaErrorIllegalAddress */
    {702, VERDICT_TIMED_OUT},      /* cudaErrorLaunchTimeout */
    {710, VERDICT_CRASHED},        /* cudaErrorAssert */
    {714, VERDICT_CRASHED},        /* cudaErrorHardwareStackError */
    {715, VERDICT_CRASHED},        /* cudaErrorIllegalInstruction */
    {716, VERDICT_CRASHED},        /* cudaErrorMisalignedAddress */
    {717, VERDICT_CRASHED},        /* cudaErrorInvalidAddressSpace */
    {718, VERDICT_CRASHED},        /* cudaErrorInvalidPc */
    {719, VERDICT_CRASHED},        /* cudaErrorLaunchFailure */
};

enum verdict_kind verdict_of_cuda_error(int cuda_error) {
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].cuda_error == cuda_error)
            return meanings[i].kind;
    return VERDICT_LAUNCH_FAILED;
}
