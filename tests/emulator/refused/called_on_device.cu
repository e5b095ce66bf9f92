// called_on_device.cu:5
namespace mine {
__global__ void fill(int *p) {}
struct machine {
    __device__ void run(int *p) { return fill(p); }
};
} // namespace mine
