// no_kernel.cu:2: error: can not read what is launched
void f() { 3 + <<<1, 1>>>(); }
