/* What an object asks of the system, past the functions of libc that have a name for it. */
#pragma once

#include "front/object.h"

struct system_calls {
    bool own;      /* instructions of its own that call the system */
    bool harmless; /* each call of syscall() asks for what every program may know: gettid, getcpu,
                      sched_yield, getpid, getrandom, clocks and sleep */
};

/* False: objdump cannot read it. */
bool find_system_calls(const struct object *o, bool calls_syscall, struct system_calls *found);
