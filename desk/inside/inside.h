/* What the views of build/inside share. The scripts beside this file are what people type. Files
 * that a step's process wrote may hold anything. */
#pragma once

#include "lib/text.h"
#include "views/views.h"

#define INSIDE_VIEWS(VIEW) VIEW(counted) VIEW(ran)
INSIDE_VIEWS(DECLARE_VIEW)
