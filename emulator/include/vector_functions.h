// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* CUDA has the make_… functions in a header of their own. */
#include "vector_types.h"
