// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* CUDA's types for the host are in one header here. */
#include "cuda_runtime_api.h"
