// in_header/part.cuh:4
#include "in_header/part.cuh"
void f(int *p) { run(p); }
