// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* array_types.h has them. */
#include "cuda_runtime_api.h"
