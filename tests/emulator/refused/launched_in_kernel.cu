// the emulator has no dynamic parallelism: launch child on the host
__global__ void child(int *p) {}
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
