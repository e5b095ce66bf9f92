/* What arrays.c and textures.c share: how an array lies in memory. */
#pragma once
#include "../include/emulated.h"
#include <stdbool.h>

/* Rows lie side by side, slices (or layers) too. A height or depth of 0: no such dimension. */
struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* elements, rows, slices or layers */
    unsigned int flags;
    size_t element_bytes;
    char *data;    /* of cudaMalloc */
    bool is_level; /* of a mipmapped array, which owns it */
};

enum { EMULATOR_MOST_LEVELS = 17 };

struct cudaMipmappedArray {
    unsigned levels;
    cudaArray_t level[EMULATOR_MOST_LEVELS];
};

/* The bytes of an element, or 0 if CUDA has none such: 1, 2 or 4 like channels of 8 to 32 bits. */
size_t emulator_element_bytes(const struct cudaChannelFormatDesc *desc);

size_t emulator_array_row(cudaArray_const_t array);                        /* bytes of a row */
size_t emulator_array_offset(cudaArray_const_t array, size_t y, size_t z); /* of a row's begin */
