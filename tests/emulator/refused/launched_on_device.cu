// launched_on_device.cu:6
__global__ void child(int *p) {}
#define DEVICE_FUNCTION __device__ __forceinline__
DEVICE_FUNCTION void parent(int *p) {
    if (threadIdx.x == 0)
        child<<<1, 1>>>(p);
}
