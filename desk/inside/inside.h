/* What the views of build/inside share. The scripts beside this file are what people type. Files
 * that a step's process wrote may hold anything. */
#pragma once

#include "lib/text.h"
#include "views/views.h"

/* clang-format off */
#define INSIDE_VIEWS(VIEW) \
    VIEW(counted) VIEW(ncu) VIEW(ran) VIEW(sass)
/* clang-format on */
INSIDE_VIEWS(DECLARE_VIEW)
