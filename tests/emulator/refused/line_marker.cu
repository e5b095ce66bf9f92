// looks like a line marker
#include <cuda_runtime.h>
/* not a comment any more */ # 1 "/usr/include/stdio.h" 1
int f(int);
