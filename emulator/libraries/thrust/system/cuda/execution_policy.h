/* thrust::cuda::par says on which stream an algorithm runs: here all run at once, on the CPU. */
#pragma once
#include <thrust/detail/config.h>
#include <thrust/execution_policy.h>

#include "../../../../include/cuda_runtime_api.h"

THRUST_NAMESPACE_BEGIN
namespace cuda {
struct emulator_policy : thrust::system::cpp::detail::execution_policy<emulator_policy> {
    constexpr emulator_policy() = default;
    const emulator_policy &on(cudaStream_t) const { return *this; }
    template <typename Allocator> const emulator_policy &operator()(Allocator &&) const {
        return *this;
    }
};
static const emulator_policy par{}, par_nosync{};
} // namespace cuda
THRUST_NAMESPACE_END
