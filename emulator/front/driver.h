/* nvcc, as programs and Makefiles call it: it compiles, links and makes libraries, of sources that
 * were written for the CUDA Toolkit. What stands beside it, ../include and ../lib64, is what
 * `make emulator` builds. */
#pragma once

/* Its exit status is nvcc's. */
int drive(int count, char **words);
