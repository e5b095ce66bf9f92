/* In place of CCCL's: memory of device_vector and its kin is the device's: kernels can use it. */
#pragma once
#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

#include <new>

#include "../../../../include/cuda_runtime_api.h"

THRUST_NAMESPACE_BEGIN
namespace system::cpp {
namespace detail {
struct emulator_resource final : thrust::mr::memory_resource<> {
    void *do_allocate(std::size_t bytes, std::size_t) override {
        void *memory = nullptr;
        if (cudaMalloc(&memory, bytes ? bytes : 1) != cudaSuccess)
            throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override { cudaFree(memory); }
};

using native_resource =
    thrust::mr::fancy_pointer_resource<emulator_resource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<emulator_resource, thrust::cpp::universal_pointer<void>>;
} // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;
} // namespace system::cpp

namespace cpp {
using system::cpp::memory_resource;
using system::cpp::universal_host_pinned_memory_resource;
using system::cpp::universal_memory_resource;
} // namespace cpp
THRUST_NAMESPACE_END
