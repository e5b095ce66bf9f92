// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* CUDA has this part in a header of its own. */
#include "cuda_pipeline_primitives.h"
