/* A test prints "ok", or FAIL lines and exits with 1. The same file runs on a real GPU. */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && ++check_failures <= 20)                                                \
            printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
    } while (0)

#define CALL(call)                                                                                 \
    do {                                                                                           \
        cudaError_t call_status = (call);                                                          \
        if (call_status != cudaSuccess) {                                                          \
            printf("FAIL %s:%d: %s: %s\n", __FILE__, __LINE__, #call,                              \
                   cudaGetErrorName(call_status));                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline int finish(void) {
    if (check_failures == 0)
        printf("ok\n");
    return check_failures != 0;
}

#endif
