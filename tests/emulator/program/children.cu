/* Dynamic parallelism: kernels that launch kernels. nvcc wants -rdc=true for it. */
#include "check.h"

/* ---- recursion: a sort ------------------------------------------------------------------- */

__global__ void sort(int *data, int left, int right) {
    int pivot = data[(left + right) / 2], i = left, j = right;
    while (i <= j) {
        while (data[i] < pivot)
            i++;
        while (data[j] > pivot)
            j--;
        if (i <= j) {
            int old = data[i];
            data[i++] = data[j];
            data[j--] = old;
        }
    }
    cudaStream_t stream;
    if (left < j) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        sort<<<1, 1, 0, stream>>>(data, left, j);
        cudaStreamDestroy(stream);
    }
    if (i < right) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        sort<<<1, 1, 0, stream>>>(data, i, right);
        cudaStreamDestroy(stream);
    }
}

static void recursion() {
    enum { N = 60 };
    int *data;
    CALL(cudaMallocManaged(&data, N * sizeof *data));
    for (int i = 0; i < N; i++)
        data[i] = i * 37 % N;
    sort<<<1, 1>>>(data, 0, N - 1);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(data[i] == i);
    CALL(cudaFree(data));
}

/* ---- order: one stream, the tail --------------------------------------------------------- */

__global__ void fill(int *data, int value) { data[threadIdx.x] = value; }
__global__ void add_all(const int *data, int n, int *sum) {
    for (int i = 0; i < n; i++)
        *sum += data[i];
}

__global__ void parent(int *data, int *sum, int *tail) {
    int *mine = data + 32 * blockIdx.x;
    mine[threadIdx.x] = 1000;
    __syncthreads();
    if (threadIdx.x == 0) {
        fill<<<1, 32>>>(mine, blockIdx.x + 1); /* sees what the block has written */
        add_all<<<1, 1>>>(mine, 32, sum + blockIdx.x);
        if (blockIdx.x == 0)
            add_all<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, gridDim.x, tail); /* of all blocks */
    }
}

static void order() {
    enum { BLOCKS = 4 };
    int *data;
    CALL(cudaMallocManaged(&data, (32 * BLOCKS + BLOCKS + 1) * sizeof *data));
    int *sum = data + 32 * BLOCKS, *tail = sum + BLOCKS;
    memset(sum, 0, (BLOCKS + 1) * sizeof *sum);
    parent<<<BLOCKS, 32>>>(data, sum, tail);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < BLOCKS; i++)
        CHECK(sum[i] == 32 * (i + 1));
    CHECK(*tail == 32 * (1 + 2 + 3 + 4));
    CALL(cudaFree(data));
}

/* ---- memory, copies and errors ----------------------------------------------------------- */

struct list {
    int *values;
    int sum;
};

__global__ void make(list *lists) {
    list *mine = &lists[threadIdx.x];
    mine->sum = 0;
    if (cudaMalloc((void **)&mine->values, 8 * sizeof(int)) != cudaSuccess)
        return;
    for (int i = 0; i < 8; i++)
        mine->values[i] = threadIdx.x;
    add_all<<<1, 1>>>(mine->values, 8, &mine->sum);
}

__global__ void unmake(list *lists) { cudaFree(lists[threadIdx.x].values); }

__global__ void copies(int *to, const int *from, int *told) {
    cudaMemcpyAsync(to, from, 4 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    cudaMemsetAsync(to + 4, 0xff, 4 * sizeof(int), 0);
    add_all<<<1, 1>>>(to, 8, told);
    fill<<<1, 2000>>>(to, 0); /* too many threads */
    told[1] = cudaGetLastError() != cudaSuccess;
    told[2] = cudaGetLastError() == cudaSuccess;
}

static void memory() {
    list *lists;
    CALL(cudaMallocManaged(&lists, 4 * sizeof *lists));
    make<<<1, 4>>>(lists);
    unmake<<<1, 4>>>(lists);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 4; i++)
        CHECK(lists[i].sum == 8 * i);
    CALL(cudaFree(lists));

    int *data;
    CALL(cudaMallocManaged(&data, 15 * sizeof *data));
    for (int i = 0; i < 15; i++)
        data[i] = i < 12 ? i : 0;
    copies<<<1, 1>>>(data, data + 8, data + 12);
    CALL(cudaDeviceSynchronize());
    CHECK(data[12] == 8 + 9 + 10 + 11 - 4 && data[13] == 1 && data[14] == 1);
    CALL(cudaFree(data));
}

int main() {
    recursion();
    order();
    memory();
    return finish();
}
