// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* cuda_runtime_api.h has them. */
#include "cuda_runtime_api.h"
