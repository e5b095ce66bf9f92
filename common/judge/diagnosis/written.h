/* Which of a wrong call's many outputs are wrong, which nobody wrote and which several threads
 * wrote, in words, and what the thread had read that wrote a wrong one. */
#pragma once

#include "noted.h"

/* Outputs held `poison` before the call. No text where the problem has one output. */
void written_describe(const struct wrong_call *of, unsigned char poison, struct words text);
