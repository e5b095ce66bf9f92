/* Captured graphs, forks, callbacks. */
#include "check.h"

__global__ void set_to(int *values, int value) { values[threadIdx.x] = value; }
__global__ void add(int *to, const int *a, const int *b) {
    to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static const int COUNT = 32;
static int *a, *b, *sum;

static void count_up(void *data) { ++*(int *)data; }

/* A copy, a set, a kernel, a function of the host, and all that as a part of another graph. */
static void captured() {
    cudaStream_t stream;
    cudaGraph_t graph, copy, outer;
    cudaGraphExec_t executable, twice;
    int called = 0, result[COUNT], three[COUNT];
    for (int i = 0; i < COUNT; i++)
        three[i] = 3;
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CALL(cudaMemcpyAsync(a, three, sizeof three, cudaMemcpyHostToDevice, stream));
    CALL(cudaMemsetAsync(b, 0, COUNT * sizeof(int), stream));
    add<<<1, COUNT, 0, stream>>>(sum, a, b);
    CALL(cudaMemcpyAsync(result, sum, sizeof result, cudaMemcpyDeviceToHost, stream));
    CALL(cudaLaunchHostFunc(stream, count_up, &called));
    CALL(cudaStreamEndCapture(stream, &graph));
    size_t count = 0;
    CALL(cudaGraphGetNodes(graph, NULL, &count));
    CHECK(count == 5 && called == 0);
    CALL(cudaGraphClone(&copy, graph));
    CALL(cudaGraphInstantiate(&executable, graph, 0));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaGraphLaunch(executable, stream));
    CALL(cudaDeviceSynchronize());
    CHECK(result[0] == 3 && result[COUNT - 1] == 3 && called == 2);

    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CALL(cudaGraphLaunch(executable, stream));
    set_to<<<1, COUNT, 0, stream>>>(sum, 7);
    CALL(cudaGraphLaunch(executable, stream));
    CALL(cudaStreamEndCapture(stream, &outer));
    CALL(cudaGraphInstantiateWithFlags(&twice, outer, 0));
    CALL(cudaGraphExecDestroy(executable));
    CALL(cudaGraphDestroy(copy));
    CALL(cudaGraphUpload(twice, stream));
    CALL(cudaGraphLaunch(twice, stream));
    CALL(cudaStreamSynchronize(stream));
    CHECK(result[1] == 3 && called == 4);
    CALL(cudaGraphExecDestroy(twice));
    CALL(cudaGraphDestroy(outer));
    CALL(cudaStreamDestroy(stream));
}

/* Two streams in one capture. */
static void forked() {
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int result = 0;
    CALL(cudaStreamCreate(&first));
    CALL(cudaStreamCreate(&second));
    CALL(cudaEventCreate(&fork));
    CALL(cudaEventCreate(&join));
    CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CALL(cudaEventRecord(fork, first));
    CALL(cudaStreamWaitEvent(second, fork, 0));
    set_to<<<1, COUNT, 0, first>>>(a, 10);
    set_to<<<1, COUNT, 0, second>>>(b, 20);
    cudaStreamCaptureStatus status;
    CALL(cudaStreamIsCapturing(second, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    CALL(cudaEventRecord(join, second));
    CALL(cudaStreamWaitEvent(first, join, 0));
    add<<<1, COUNT, 0, first>>>(sum, a, b);
    CALL(cudaStreamEndCapture(first, &graph));
    size_t nodes;
    CALL(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 3);
    CALL(cudaGraphInstantiate(&executable, graph, 0));
    CALL(cudaGraphLaunch(executable, first));
    CALL(cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, first));
    CALL(cudaStreamSynchronize(first));
    CHECK(result == 30);
    CALL(cudaGraphExecDestroy(executable));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaEventRecord(fork, first)); /* again, and no capture */
    CALL(cudaStreamWaitEvent(second, fork, 0));
    CALL(cudaStreamIsCapturing(second, &status));
    CHECK(status == cudaStreamCaptureStatusNone);

    CALL(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CALL(cudaEventRecord(fork, first));
    CALL(cudaStreamWaitEvent(second, fork, 0));
    set_to<<<1, COUNT, 0, second>>>(b, 20);
    CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
    cudaGetLastError();
    CALL(cudaStreamDestroy(first));
    CALL(cudaStreamDestroy(second));
    CALL(cudaEventDestroy(fork));
    CALL(cudaEventDestroy(join));
}

/* No graph allocates memory here. */
static void allocating() {
#ifdef __HISTOLAB_EMULATOR__
    cudaStream_t stream;
    cudaGraph_t graph;
    int *values;
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&values, COUNT, stream) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaStreamDestroy(stream));
#endif
}

static void told(cudaStream_t, cudaError_t status, void *data) {
    *(int *)data += status == cudaSuccess ? 10 : 0;
}

static void callbacks() {
    cudaStream_t stream;
    int calls = 0, *pinned;
    CALL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1));
    unsigned flags;
    CALL(cudaStreamGetFlags(stream, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    CALL(cudaMallocHost(&pinned, sizeof *pinned));
    set_to<<<1, 1, 0, stream>>>(pinned, 3);
    /* It comes after the kernel, so it may look at what that wrote. */
    CALL(cudaLaunchHostFunc(stream, count_up, pinned));
    CALL(cudaStreamAddCallback(stream, told, &calls, 0));
    CALL(cudaStreamSynchronize(stream));
    CHECK(*pinned == 4 && calls == 10);
    CALL(cudaFreeHost(pinned));
    CALL(cudaStreamDestroy(stream));
}

int main() {
    CALL(cudaMalloc(&a, COUNT * sizeof(int)));
    CALL(cudaMalloc(&b, COUNT * sizeof(int)));
    CALL(cudaMalloc(&sum, COUNT * sizeof(int)));
    captured();
    forked();
    allocating();
    callbacks();
    return finish();
}
