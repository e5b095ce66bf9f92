// What comes after what: the order of a stream, of events, and of the default stream.
#include <cuda_runtime.h>

__global__ void one(unsigned *out) { atomicAdd(out, 1); }

static unsigned *out;
static cudaStream_t streams[3];
static cudaEvent_t event;
extern "C" void step_setup(void) {
    cudaMalloc(&out, 256);
    cudaStreamCreate(&streams[0]);
    for (int i = 1; i < 3; i++)
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaEventCreate(&event);
}

//: op 0 memset 4
//: op 1 kernel @ 1 1 1 32 1 1 0 0 0 1 one
//: after 2 0
//: after 3 4
//: after 4 0
//: after 6 10
//: after 7 3f
extern "C" void step(void) {
    cudaMemsetAsync(out, 0, 4);
    one<<<1, 32, 0, streams[0]>>>(out); // which the default stream orders
    one<<<1, 32, 0, streams[1]>>>(out);
    one<<<1, 32, 0, streams[1]>>>(out);
    cudaMemsetAsync(out, 0, 4, streams[2]);
    cudaEventRecord(event, streams[1]);
    cudaStreamWaitEvent(0, event, 0);
    cudaStreamWaitEvent(0, event, 0);
    cudaEventRecord(event, streams[2]);
    cudaStreamWaitEvent(0, event, 0);
    one<<<1, 32>>>(out); // all
    one<<<1, 32, 0, streams[2]>>>(out);
    one<<<1, 32, 0, streams[0]>>>(out);
}
