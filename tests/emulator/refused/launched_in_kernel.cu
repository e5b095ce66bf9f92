// a graded step has no dynamic parallelism on the emulator: launch child on the host
__global__ void child(int *p) {}
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
