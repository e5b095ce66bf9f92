// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* cuda_runtime.h has the qualifiers. */
#include "cuda_runtime.h"
