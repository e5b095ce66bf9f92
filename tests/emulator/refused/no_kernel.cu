// no_kernel.cu:2: error: cannot read what is launched
void f() { 3 + <<<1, 1>>>(); }
