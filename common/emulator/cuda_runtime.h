/* CUDA on a CPU: replaces the CUDA Toolkit's header of this name for a .cu file.
 * In C it has only the host's half. In C++ it has everything; rewrite.c has already turned launches
 * into calls of emulator::launcher. README.md says what is supported. */
#ifndef EMULATOR_CUDA_RUNTIME_H
#define EMULATOR_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <initializer_list> /* for (int i : {1, 2}) names nothing of it */

/* No device has C++17's special functions (Bessel's, Legendre's). In libstdc++ they take a fifth of
 * the time in which a step is compiled. */
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

/* What CUDA's header brings of the C++ library, and mathematics, take as long to compile as all
 * the rest. common/build/preprocess leaves them out of a step that names nothing of them. */
#ifndef EMULATOR_NO_LIBRARY
#include <array> /* std::min and std::max, which a whole <cmath> brings */
#include <cmath>
#include <cstdlib>
#include <limits>
#include <math.h>
#include <type_traits>
#include <utility>
#endif

#include "emulator.h"
#include "traits.h"

/* ---- qualifiers ------------------------------------------------------------------------- */

#define __host__
#define __device__
#define __global__
#define __constant__ EMULATOR_VARIABLE(constant, )
#define __managed__ EMULATOR_VARIABLE(managed, )
#define __grid_constant__
/* A block stays on one OS thread, so that thread's variable is the block's. As on a device, it
 * holds what the previous block left there. */
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __maxnreg__(...)

/* rewrite.c puts this before variables of the device: they lie in sections of their own, so that
 * emulator.h knows them. gcc allows no constant beside a variable in one section, and no template's
 * beside another's, so it gets a name for each, with the assembler's flags in it. */
#ifdef __clang__
#define EMULATOR_VARIABLE(space, name) __attribute__((section("emulator_" #space)))
#else
#define EMULATOR_VARIABLE(space, name)                                                             \
    __attribute__((section("emulator_" #space ",\"aw\",%progbits\n# " #name)))
#endif
/* rewrite.c replaces __noinline__: libstdc++ has attributes of that name. */

/* Both builds compile the same text: nothing here asks which one it is. */
#define EMULATOR_INLINE static inline __attribute__((always_inline, unused))
/* Before a function that few steps call: it is compiled only where it is called. */
#define EMULATOR_IF_CALLED template <typename = void>
/* The checked build does not watch it. */
#define EMULATOR_UNWATCHED __attribute__((no_sanitize("thread")))

/* ---- launches --------------------------------------------------------------------------- */

namespace emulator {

/* What stands between <<< and >>>. */
struct shape {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    bool cooperative;
    bool overlaps; /* may begin before the launch before it has ended */
};

inline shape config(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return {grid, block, shared_bytes, stream, false, false};
}

/* A kernel and its arguments, evaluated once; run() is one thread of it. */
template <typename Kernel, typename... Arguments>
struct call {
    Kernel kernel;
    values<Arguments...> arguments;

    EMULATOR_UNWATCHED static void run(const void *self) {
        const call *c = static_cast<const call *>(self);
        emulator::apply(c->kernel, c->arguments);
    }

    cudaError_t launch(const shape &s, const void *address, const char *name, int line) const {
        static_assert((__is_trivially_copyable(Arguments) && ...),
                      "a kernel's arguments are copied to the device byte by byte");
        struct emulator_launch launch = {};
        launch.grid = s.grid;
        launch.block = s.block;
        launch.shared_bytes = s.shared_bytes;
        launch.stream = s.stream;
        launch.cooperative = s.cooperative;
        launch.overlaps = s.overlaps;
        launch.kernel = address;
        launch.name = name;
        launch.line = line;
        launch.run = run;
        launch.arguments = this;
        launch.argument_bytes = sizeof *this;
        return ::emulator_launch(&launch);
    }
};

/* The usual case: the kernel's type is known, and arguments convert as in any call. */
template <typename... P>
struct typed_launcher {
    void (*kernel)(P...);
    shape where;
    const char *name;
    int line;

    void operator()(P... arguments) const {
        call<void (*)(P...), P...>{kernel, {arguments...}}.launch(
            where, reinterpret_cast<const void *>(kernel), name, line);
    }
};

template <typename... P>
typed_launcher<P...> launcher(void (*kernel)(P...), const shape &where, const char *name,
                              int line) {
    return {kernel, where, name, line};
}

/* A template launched without its arguments: F calls it, so that the compiler deduces them. */
template <typename F>
struct generic_launcher {
    F function;
    shape where;
    const char *name;
    int line;

    template <typename... A>
    void operator()(A... arguments) const {
        call<F, A...>{function, {arguments...}}.launch(where, nullptr, name, line);
    }
};

template <typename F>
generic_launcher<F> launcher(F function, const shape &where, const char *name, int line) {
    return {function, where, name, line};
}

/* The void** form of a launch: each pointer points to one argument. */
template <typename... P, size_t... I>
cudaError_t launch_pointers(void (*kernel)(P...), const shape &where, void **arguments,
                            indices<I...>) {
    (void)arguments;
    return call<void (*)(P...), P...>{kernel, {*static_cast<without_const<P> *>(arguments[I])...}}
        .launch(where, reinterpret_cast<const void *>(kernel), "given to cudaLaunch…", 0);
}

/* Attributes that change nothing here are accepted; others are refused. */
inline cudaError_t shape_of(const cudaLaunchConfig_t *config, shape *where) {
    *where = emulator::config(config->gridDim, config->blockDim, config->dynamicSmemBytes,
                              config->stream);
    for (unsigned i = 0; i < config->numAttrs; i++) {
        switch (config->attrs[i].id) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributePriority:
            break;
        case cudaLaunchAttributeProgrammaticStreamSerialization:
            where->overlaps = config->attrs[i].val.programmaticStreamSerializationAllowed != 0;
            break;
        case cudaLaunchAttributeCooperative:
            where->cooperative = config->attrs[i].val.cooperative != 0;
            break;
        default:
            return emulator_result(cudaErrorNotSupported);
        }
    }
    return cudaSuccess;
}

/* What `extern __shared__ T name[]` becomes: in a function, a pointer made from this … */
struct dynamic_shared_t {
    template <typename T>
    operator T *() const {
        return reinterpret_cast<T *>(emulator_dynamic_shared);
    }
};
static constexpr dynamic_shared_t dynamic_shared = {};

/* … and outside functions this, because every OS thread has its own address. */
template <typename T>
struct dynamic_array {
    operator T *() const { return reinterpret_cast<T *>(emulator_dynamic_shared); }
};

} // namespace emulator

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return emulator::launch_pointers(kernel, {grid, block, shared_bytes, stream, false, false},
                                     arguments, emulator::indices_for<sizeof...(P)>());
}

template <typename... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = 0) {
    return emulator::launch_pointers(kernel, {grid, block, shared_bytes, stream, true, false},
                                     arguments, emulator::indices_for<sizeof...(P)>());
}

template <typename... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                void **arguments) {
    emulator::shape where;
    cudaError_t status = emulator::shape_of(config, &where);
    if (status != cudaSuccess)
        return status;
    return emulator::launch_pointers(kernel, where, arguments,
                                     emulator::indices_for<sizeof...(P)>());
}

template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               A &&...arguments) {
    emulator::shape where;
    cudaError_t status = emulator::shape_of(config, &where);
    if (status != cudaSuccess)
        return status;
    return emulator::call<void (*)(P...), P...>{kernel, {P(arguments)...}}.launch(
        where, reinterpret_cast<const void *>(kernel), "given to cudaLaunchKernelEx", 0);
}

/* ---- what CUDA's C++ interface adds to the C one ---------------------------------------- */

template <typename T>
cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}
template <typename T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}
template <typename T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <typename T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <typename T>
cudaError_t cudaMallocHost(T **pointer, size_t size) {
    return cudaMallocHost(reinterpret_cast<void **>(pointer), size);
}
template <typename T>
cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}

template <typename T>
cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
    *address = const_cast<void *>(static_cast<const void *>(&symbol));
    emulator_know_symbol(&symbol, sizeof symbol);
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
    *size = sizeof symbol;
    return cudaSuccess;
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = 0) {
    void *address;
    cudaGetSymbolAddress(&address, symbol);
    return cudaMemcpyAsync(static_cast<char *>(address) + offset, from, size, kind, stream);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = 0) {
    void *address;
    cudaGetSymbolAddress(&address, symbol);
    return cudaMemcpyAsync(to, static_cast<char *>(address) + offset, size, kind, stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind);
}

template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <typename... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <typename... P>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...),
                                                          int block_size, size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, reinterpret_cast<const void *>(kernel), block_size, shared_bytes);
}
template <typename... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, void (*kernel)(P...),
                                               size_t shared_bytes = 0, int limit = 0) {
    *block = limit > 0 && limit < EMULATOR_MAX_THREADS ? limit : int(EMULATOR_MAX_THREADS);
    cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(grid, kernel, *block, shared_bytes);
    *grid *= (int)emulator_multiprocessors();
    return status;
}

EMULATOR_INLINE void cudaGridDependencySynchronize() { emulator_grid_dependency_wait(); }
EMULATOR_INLINE void cudaTriggerProgrammaticLaunchCompletion() {
    emulator_grid_dependency_trigger();
}

#include "device_functions.h"

#endif /* __cplusplus */
#endif
