#define _GNU_SOURCE /* recursive mutexes */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>

static __thread cudaError_t last_error;
cudaError_t emulator_broken;

cudaError_t emulator_result(cudaError_t error) {
    if (emulator_broken)
        error = emulator_broken;
    if (error)
        last_error = error;
    return error;
}

void emulator_forget_errors(void) { emulator_broken = last_error = cudaSuccess; }

cudaError_t emulator_not_supported(const char *function, const char *why) {
    fprintf(stderr, "emulator: %s: %s\n", function, why);
    return emulator_result(cudaErrorNotSupported);
}

static const struct {
    cudaError_t number;
    const char *name, *text;
} errors[] = {
#define EMULATOR_ERROR(number, name, text) {name, #name, text},
#include "../include/errors.def"
};
enum { ERRORS = sizeof errors / sizeof *errors };

#define OF_ERROR(function, field)                                                                  \
    const char *function(cudaError_t error) {                                                      \
        HOST_ONLY();                                                                               \
        for (int i = 0; i < ERRORS; i++)                                                           \
            if (errors[i].number == error)                                                         \
                return errors[i].field;                                                            \
        return "unrecognized error code";                                                          \
    }
OF_ERROR(cudaGetErrorName, name)
OF_ERROR(cudaGetErrorString, text)

cudaError_t cudaPeekAtLastError(void) {
    HOST_ONLY();
    return emulator_broken ? emulator_broken : last_error;
}

cudaError_t cudaGetLastError(void) {
    HOST_ONLY();
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

/* ---- one thing at a time ---------------------------------------------------------------- */

static pthread_mutex_t work = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void emulator_lock(void) {
    if (!emulator_in_kernel())
        pthread_mutex_lock(&work);
}

void emulator_unlock(void) {
    if (!emulator_in_kernel())
        pthread_mutex_unlock(&work);
}
