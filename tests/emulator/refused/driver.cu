// driver.cu:3
#include <cuda.h>
void f() { cuInit(0); }
