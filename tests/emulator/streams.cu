/* Streams, events, and a graph made from a captured stream. */
#include "check.h"

__global__ void add(int *p, int value) { atomicAdd(p + threadIdx.x, value); }

int main() {
    cudaStream_t one, two;
    cudaEvent_t start, end;
    float ms = -1;
    int *p, host[32];
    CALL(cudaMalloc(&p, sizeof host));
    CALL(cudaStreamCreate(&one));
    CALL(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CALL(cudaEventCreate(&start));
    CALL(cudaEventCreate(&end));
    CALL(cudaEventRecord(start));
    CALL(cudaMemsetAsync(p, 0, sizeof host, one));
    add<<<1, 32, 0, one>>>(p, 1);
    CALL(cudaEventRecord(end, one));
    CALL(cudaStreamWaitEvent(two, end));
    add<<<1, 32, 0, two>>>(p, 10);
    CALL(cudaStreamSynchronize(two));
    CALL(cudaEventRecord(end));
    CALL(cudaEventSynchronize(end));
    CALL(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms >= 0 && ms < 10000);
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 11);

    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CALL(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CALL(cudaMemsetAsync(p, 0, sizeof host, one));
    for (int i = 1; i <= 4; i++)
        add<<<1, 32, 0, one>>>(p, i);
    CALL(cudaStreamEndCapture(one, &graph));
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[5] == 11); /* nothing has run */
    CALL(cudaGraphInstantiate(&executable, graph, 0));
    CALL(cudaGraphDestroy(graph));
    for (int i = 0; i < 3; i++)
        CALL(cudaGraphLaunch(executable, one));
    CALL(cudaStreamSynchronize(one));
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(host[i] == 10);
    CALL(cudaGraphExecDestroy(executable));

    cudaLaunchAttribute attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CALL(cudaLaunchKernelEx(&config, add, p, 5));
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[31] == 20);
    CALL(cudaStreamDestroy(one));
    CALL(cudaStreamDestroy(two));
    CALL(cudaEventDestroy(start));
    CALL(cudaEventDestroy(end));
    return finish();
}
