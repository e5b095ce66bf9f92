/* Honest: templates, classes, a global object with a constructor and a destructor, inline
 * variables, exceptions. */
#include "lab.h"

#include <stdexcept>
#include <string>
#include <vector>

enum { THREADS = 64, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        partial[bin] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += THREADS)
        atomicAdd(&counts[bin], partial[bin]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    const unsigned bin = blockIdx.x * THREADS + threadIdx.x;
    bins[bin] = min(counts[bin], HISTO_MAX);
}

static uint32_t *counts;
static int blocks;

static void allocate(void) {
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

/* The right answer. */
static void solve(const uint32_t *image, size_t size, uint8_t *bins, cudaStream_t stream = 0) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts, stream));
    histogram<<<blocks, THREADS, 0, stream>>>(image, size, counts);
    saturate<<<HISTO_BINS / THREADS, THREADS, 0, stream>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

/* Where the scratch memory is; made before main, filled by the set-up. */
class workspace {
  public:
    workspace() : name("counts"), sizes{HISTO_BINS} {}
    ~workspace() { sizes.clear(); }
    void check() const {
        if (sizes.size() != 1)
            throw std::runtime_error(name + " has no size");
    }

  private:
    std::string name;
    std::vector<size_t> sizes;
};
static workspace global;
inline std::string version = std::string("1.") + std::to_string(2);

template <int UNROLL, typename Pixel>
__global__ void unrolled(const Pixel *image, size_t size, uint32_t *counts) {
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += UNROLL * stride)
        for (int k = 0; k < UNROLL; k++)
            if (i + k * stride < size)
                atomicAdd(&counts[image[i + k * stride]], 1);
}

template <typename Pixel> struct launcher {
    int blocks;
    template <int UNROLL> void operator()(const Pixel *image, size_t size) const {
        unrolled<UNROLL, Pixel><<<blocks, THREADS>>>(image, size, counts);
    }
};

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    try {
        global.check();
    } catch (const std::runtime_error &error) {
        return;
    }
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    const launcher<uint32_t> launch = {blocks};
    launch.operator()<4>(image, height * width);
    saturate<<<HISTO_BINS / THREADS, THREADS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
// gpu pass
