/* In place of CCCL's: device_malloc and memory of algorithms are the emulated device's. */
#pragma once
#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cpp/detail/execution_policy.h>

#include "../../../../../include/cuda_runtime_api.h"

THRUST_NAMESPACE_BEGIN
namespace system::cpp::detail {
template <typename Policy> inline void *malloc(execution_policy<Policy> &, std::size_t bytes) {
    void *memory = nullptr;
    return cudaMalloc(&memory, bytes ? bytes : 1) == cudaSuccess ? memory : nullptr;
}

template <typename Policy, typename Pointer>
inline void free(execution_policy<Policy> &, Pointer pointer) {
    cudaFree(thrust::raw_pointer_cast(pointer));
}
} // namespace system::cpp::detail
THRUST_NAMESPACE_END
