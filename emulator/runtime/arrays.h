/* What arrays.c and textures.c share: how an array lies in memory. */
#pragma once
#include "../include/emulated.h"
#include <stdbool.h>

/* Rows lie side by side, slices too. A height or depth of 0: no such dimension. */
struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* elements, rows, slices */
    size_t element_bytes;
    char *data; /* of cudaMalloc */
};

/* The bytes of an element, or 0 if CUDA has none such: 1, 2 or 4 like channels of 8 to 32 bits. */
size_t emulator_element_bytes(const struct cudaChannelFormatDesc *desc);

size_t emulator_array_row(cudaArray_const_t array);                        /* bytes of a row */
size_t emulator_array_offset(cudaArray_const_t array, size_t y, size_t z); /* of a row's begin */
