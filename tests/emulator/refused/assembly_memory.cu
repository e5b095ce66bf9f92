// assembly_memory.cu:6: error: the emulator has no assembly
#define PASTE(a, b) a##b

// No instruction, but the compiler may put a register into the memory of its operand.
__global__ void k(int *p) {
    PASTE(as, m) volatile("" : "+r"(p), "=m"(*p) : : "memory");
}
