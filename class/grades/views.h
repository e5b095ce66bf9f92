/* Views of grades, as report/views/views.h has views. */
#pragma once

#include "views/views.h"

/* clang-format off */
#define CLASS_VIEWS(VIEW) \
    VIEW(assignment) VIEW(changes) VIEW(check_marks) VIEW(export) VIEW(feedback) VIEW(fetch) \
    VIEW(judge_list) VIEW(lines) VIEW(overview) VIEW(points) \
    VIEW(sheet) VIEW(similar) VIEW(starter) VIEW(story) VIEW(unmatched) \
    VIEW(unsuccessful)
/* clang-format on */
CLASS_VIEWS(DECLARE_VIEW)
