/* nvcc, as programs and Makefiles call it: it compiles, links and makes libraries of sources for
 * the CUDA Toolkit. What stands beside it, ../include and ../lib64, `make emulator` builds. */
#pragma once

/* Its exit status is nvcc's. */
int drive(int count, char **words);
