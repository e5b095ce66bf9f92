/* Graphs that a program makes itself, captured forks, callbacks. */
#include "check.h"

#include <vector>

__global__ void set_to(int *values, int value) { values[threadIdx.x] = value; }
__global__ void add(int *to, const int *a, const int *b) {
    to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static const int COUNT = 32;
static int *a, *b, *sum;

static void count_up(void *data) { ++*(int *)data; }

static cudaGraphNode_t set_node(cudaGraph_t graph, int **values, int *value) {
    cudaGraphNode_t node;
    void *arguments[] = {values, value};
    cudaKernelNodeParams p = {};
    p.func = (void *)set_to;
    p.gridDim = dim3(1);
    p.blockDim = dim3(COUNT);
    p.kernelParams = arguments;
    CALL(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p));
    return node;
}

static void by_hand() {
    cudaGraph_t graph, copy;
    cudaGraphExec_t executable;
    cudaGraphNode_t nodes[3], join, back, call, zero;
    int one = 1, two = 2, called = 0, result[COUNT];
    CALL(cudaGraphCreate(&graph, 0));
    nodes[0] = set_node(graph, &a, &one);
    nodes[1] = set_node(graph, &b, &two);
    cudaMemsetParams set = {};
    set.dst = sum;
    set.elementSize = 4;
    set.width = COUNT;
    set.height = 1;
    set.value = 77;
    CALL(cudaGraphAddMemsetNode(&zero, graph, NULL, 0, &set));
    nodes[2] = zero;
    cudaKernelNodeParams p = {};
    void *arguments[] = {&sum, &a, &b};
    p.func = (void *)add;
    p.gridDim = dim3(1);
    p.blockDim = dim3(COUNT / 2);
    p.kernelParams = arguments;
    CALL(cudaGraphAddKernelNode(&join, graph, nodes, 3, &p));
    CALL(cudaGraphAddMemcpyNode1D(&back, graph, &join, 1, result, sum, sizeof result,
                                  cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {count_up, &called};
    CALL(cudaGraphAddHostNode(&call, graph, &back, 1, &host));

    size_t count = 0;
    CALL(cudaGraphGetNodes(graph, NULL, &count));
    CHECK(count == 6);
    CALL(cudaGraphGetRootNodes(graph, NULL, &count));
    CHECK(count == 3);
    cudaGraphNodeType type;
    CALL(cudaGraphNodeGetType(back, &type));
    CHECK(type == cudaGraphNodeTypeMemcpy);

    CALL(cudaGraphInstantiate(&executable, graph, 0));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaStreamSynchronize(0));
    CHECK(result[0] == 3 && result[COUNT / 2 - 1] == 3 && result[COUNT / 2] == 77 && called == 2);

    int five = 5;
    void *changed[] = {&b, &five};
    p.func = (void *)set_to;
    p.blockDim = dim3(COUNT);
    p.kernelParams = changed;
    CALL(cudaGraphExecKernelNodeSetParams(executable, nodes[1], &p));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaStreamSynchronize(0));
    CHECK(result[0] == 6 && called == 3);

    CALL(cudaGraphClone(&copy, graph));
    CALL(cudaGraphNodeFindInClone(&nodes[0], join, copy));
    CHECK(nodes[0] != join);
    cudaGraphExecUpdateResultInfo info;
    CALL(cudaGraphExecUpdate(executable, copy, &info));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaStreamSynchronize(0));
    CHECK(result[0] == 3);
    CALL(cudaGraphDestroyNode(nodes[0]));
    CHECK(cudaGraphExecUpdate(executable, copy, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
    CALL(cudaGraphDestroy(copy));
    CALL(cudaGraphExecDestroy(executable));
    CALL(cudaGraphDestroy(graph));
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

/* A dependency that is added later; and no graph allocates memory here. */
static void depending() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t fill, back;
    int nine = 9, result = 0, *values;
    CALL(cudaMalloc(&values, COUNT * sizeof(int)));
    CALL(cudaGraphCreate(&graph, 0));
    CALL(cudaGraphAddMemcpyNode1D(&back, graph, NULL, 0, &result, values, sizeof result,
                                  cudaMemcpyDeviceToHost));
    fill = set_node(graph, &values, &nine);
    CALL(cudaGraphAddDependencies(graph, &fill, &back, NULL, 1));
    CALL(cudaGraphInstantiate(&executable, graph, 0));
    CALL(cudaGraphLaunch(executable, 0));
    CALL(cudaDeviceSynchronize());
    CHECK(result == 9);
    CALL(cudaGraphExecDestroy(executable));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaFree(values));
#ifdef __HISTOLAB_EMULATOR__
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&values, COUNT, stream) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaStreamDestroy(stream));
#else
    (void)stream;
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
    by_hand();
    forked();
    depending();
    callbacks();
    return finish();
}
