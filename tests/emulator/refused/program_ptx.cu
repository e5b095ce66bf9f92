// the emulator cannot run this inline PTX: it does not know wgmma.fence.sync.aligned
__global__ void fences() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
