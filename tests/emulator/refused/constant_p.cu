// constant_p.cu:4: error: __builtin_constant_p depends on how a step is compiled
#define PASTE(a, b) a##b

int f(int x) { return PASTE(__builtin_con, stant_p)(x); }
