/* CUDA on a CPU: replaces the CUDA Toolkit's header of this name for a .cu file.
 * In C it has only the host's half. In C++ it has everything; rewrite.c has already turned launches
 * into calls of emulator::launcher. README.md says what is supported. */
#pragma once
#define __CUDA_RUNTIME_H__ /* programs ask for this */

#include "cuda_runtime_api.h"

#ifdef __cplusplus

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <initializer_list> /* for (int i : {1, 2}) names nothing of it */

/* No device has C++17's special functions (Bessel's, Legendre's). In libstdc++ they take a fifth of
 * the time in which a step is compiled. */
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

/* What CUDA's header brings of the C++ library, and mathematics, take as long to compile as all
 * the rest. front/preprocess.c leaves them out of a step that names nothing of them. */
#ifndef EMULATOR_NO_LIBRARY
#include <array> /* std::min and std::max, which a whole <cmath> brings */
#include <cmath>
#include <cstdlib>
#include <limits>
#include <math.h>
#include <type_traits>
#include <utility>
#endif

#include "emulated.h"

/* What the headers need to know of types: the C++ library's takes longer to compile than a step. */

namespace emulator {
/* ---- types ------------------------------------------------------------------------------ */

template <typename T> struct identity { typedef T type; };
template <typename T>
using same = typename identity<T>::type; /* a parameter of this type is not deduced */

template <typename T> struct unqualified : identity<T> {};
template <typename T> struct unqualified<const T> : identity<T> {};
template <typename T> struct unqualified<volatile T> : identity<T> {};
template <typename T> struct unqualified<const volatile T> : identity<T> {};
template <typename T> using without_const = typename unqualified<T>::type;

template <typename T, typename U> constexpr bool is_same = false;
template <typename T> constexpr bool is_same<T, T> = true;
template <typename T, typename... U> constexpr bool is_one_of = (is_same<T, U> || ...);

template <typename T> constexpr bool pointer = false;
template <typename T> constexpr bool pointer<T *> = true;

template <typename T>
constexpr bool is_integer = is_one_of<without_const<T>, bool, char, signed char, unsigned char,
                                      wchar_t, char16_t, char32_t, short, unsigned short, int,
                                      unsigned, long, unsigned long, long long, unsigned long long>;
template <typename T>
constexpr bool is_floating = is_one_of<without_const<T>, float, double, long double>;
template <typename T> constexpr bool is_arithmetic = is_integer<T> || is_floating<T>;
template <typename T> constexpr bool is_pointer = pointer<without_const<T>>;

/* The limits of an integer type, as two's complement has them. */
template <typename I> constexpr I largest = (I)(~0ull >> (64 - 8 * sizeof(I) + ((I)-1 < (I)0)));
template <typename I> constexpr I least = (I)~largest<I>;

/* ---- lists of arguments ----------------------------------------------------------------- */

/* The bytes of an object whose class has a copy constructor or a destructor of its own. CUDA copies
 * a kernel's parameters byte by byte all the same, and destroys none of them on the device (CUDA
 * C++ Programming Guide, "__global__ Function Argument Processing"). */
template <typename T> struct raw {
    alignas(T) unsigned char bytes[sizeof(T)];
    raw(const T &value) { __builtin_memcpy(bytes, &value, sizeof bytes); }
};

/* How a parameter is kept until its kernel runs, and how it is then passed: by the C++ ABI of
 * Itanium, which gcc and clang follow, such an object is passed by the address of a copy. */
template <typename T, bool plain = __is_trivially_copyable(T)> struct parameter {
    typedef T kept;
    typedef T passed;
};
template <typename T> struct parameter<T, false> {
    typedef raw<T> kept;
    typedef raw<T> *passed;
};
template <typename T> using kept = typename parameter<T>::kept;
template <typename T> using passed = typename parameter<T>::passed;

/* What one call of the kernel gets. */
template <typename T> const T &pass(const T &value) { return value; }
template <typename T> struct copy_of {
    raw<T> copy; /* each thread has its own */
    operator raw<T> *() { return &copy; }
};
template <typename T> copy_of<T> pass(const raw<T> &value) { return {value}; }

template <typename... T> struct values {};
template <typename First, typename... Rest> struct values<First, Rest...> {
    First first;
    values<Rest...> rest;
    values(First first, Rest... rest) : first(first), rest(rest...) {}
};

/* function(arguments...), with the values of a list behind those that are taken from it. */
template <typename F, typename... Taken>
void apply(const F &function, const values<> &, const Taken &...taken) {
    function(emulator::pass(taken)...);
}
template <typename F, typename First, typename... Rest, typename... Taken>
void apply(const F &function, const values<First, Rest...> &list, const Taken &...taken) {
    emulator::apply(function, list.rest, taken..., list.first);
}

/* The place of a value in a list, and its size. */
inline void *place(values<> &, unsigned, size_t *) { return nullptr; }
template <typename First, typename... Rest>
void *place(values<First, Rest...> &list, unsigned number, size_t *size) {
    if (number)
        return emulator::place(list.rest, number - 1, size);
    *size = sizeof list.first;
    return &list.first;
}

/* The bytes that parameters take, each aligned as its type. */
template <typename... T> constexpr size_t bytes_of_parameters() {
    size_t bytes = 0;
    ((bytes = (bytes + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T)), ...);
    return bytes;
}

} // namespace emulator

/* ---- qualifiers ------------------------------------------------------------------------- */

#define __host__
#define __device__
/* The assembly says where kernels begin, so that it can be seen what they call (front/spaces.h). */
#define __global__ __attribute__((noinline)) __attribute__((patchable_function_entry(1)))
#define __constant__ EMULATOR_VARIABLE(constant, )
#define __managed__ EMULATOR_VARIABLE(managed, )
#define __grid_constant__
/* A block stays on one OS thread, whose variable is the block's, and keeps what was left there. */
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
/* rewrite.c puts the second behind the kernel, for what looks at launches. */
#define __launch_bounds__(...)
#define __kernel_bounds__(kernel, ...)                                                             \
    __attribute__((section("launch_bounds"),                                                       \
                   used)) static const ::emulator::bounds bounds_of_##kernel = {                   \
        (const void *)kernel, (unsigned)(__VA_ARGS__)};
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
/* For names of C23 and of glibc from 2.41 (rsqrt: 2.42) on: the same functions to a compiler. */
#define EMULATOR_INLINE_OF_C extern "C" inline __attribute__((always_inline, unused))
/* Before a function that few steps call: it is compiled only where it is called. */
#define EMULATOR_IF_CALLED template <typename = void>
/* The checked build does not watch it. */
#define EMULATOR_UNWATCHED __attribute__((no_sanitize("thread")))

/* ---- launches --------------------------------------------------------------------------- */

namespace emulator {
typedef emulator_bounds bounds; /* see __kernel_bounds__ */

/* What stands between <<< and >>>; the rest of a launch comes to it. */
typedef struct ::emulator_launch shape;

inline shape config(dim3 grid, dim3 block = 1, size_t shared_bytes = 0, cudaStream_t stream = 0) {
    shape where = {};
    where.grid = grid;
    where.block = block;
    where.shared_bytes = shared_bytes;
    where.stream = stream;
    return where;
}

inline shape of_kernel(shape where, const void *address, const char *name, int line) {
    where.kernel = address;
    where.name = name;
    where.line = line;
    return where;
}

/* A kernel and its arguments, evaluated once; run() is one thread of it. */
template <typename Kernel, typename... Arguments> struct call {
    Kernel kernel;
    values<Arguments...> arguments;

    EMULATOR_UNWATCHED static void run(const void *self) {
        const call *c = static_cast<const call *>(self);
        emulator::apply(c->kernel, c->arguments);
    }

    cudaError_t launch(shape whole) const {
        whole.run = run;
        whole.arguments = this;
        whole.argument_bytes = sizeof *this;
        return ::emulator_launch(&whole);
    }
};

/* A call of a kernel whose type is known. */
template <typename... P> struct kernel_call : call<void (*)(passed<P>...), kept<P>...> {
    typedef call<void (*)(passed<P>...), kept<P>...> base;
    static_assert(bytes_of_parameters<P...>() <= 32764,
                  "a kernel's parameters take at most 32764 bytes");

    kernel_call(void (*kernel)(P...), const kept<P> &...arguments)
        : base{reinterpret_cast<void (*)(passed<P>...)>(reinterpret_cast<void (*)()>(kernel)),
               {arguments...}} {}

    /* For emulator_know_kernel. */
    static void begin(void *self, const void *kernel) {
        static_cast<base *>(self)->kernel =
            reinterpret_cast<void (*)(passed<P>...)>(reinterpret_cast<uintptr_t>(kernel));
    }
    static void *place(void *self, unsigned number, size_t *size) {
        return emulator::place(static_cast<base *>(self)->arguments, number, size);
    }
};

/* From now on the kernel can be launched by its address. */
template <typename... P> void *know(void (*kernel)(P...), const char *name) {
    typedef kernel_call<P...> whole;
    void *address = reinterpret_cast<void *>(kernel);
    struct emulator_kernel known = {address,       name,       (unsigned)sizeof...(P),
                                    sizeof(whole), whole::run, whole::begin,
                                    whole::place};
    emulator_know_kernel(&known);
    return address;
}
/* A pointer to something else. */
template <typename T> void *know(T *pointer, const char *) {
    return const_cast<void *>(static_cast<const volatile void *>(pointer));
}

/* The usual case: arguments convert as in any call; where they do not, students read this name. */
template <typename... P> struct kernel_that_takes {
    void (*kernel)(P...);
    shape where;

    void operator()(P... arguments) const { kernel_call<P...>(kernel, arguments...).launch(where); }
};

template <typename... P>
kernel_that_takes<P...> launcher(void (*kernel)(P...), const shape &where, const char *name,
                                 int line) {
    return {kernel, of_kernel(where, reinterpret_cast<const void *>(kernel), name, line)};
}

/* A template launched without its arguments, or a kernel without those that have defaults: F calls
 * it, so that the compiler finds them. */
template <typename F> struct generic_launcher {
    F function;
    shape where;

    template <typename... A> void operator()(A... arguments) const {
        static_assert((__is_trivially_copyable(A) && ...),
                      "an argument with a copy constructor or destructor of its own: name the "
                      "template's arguments, kernel<...><<<...>>>(...)");
        call<F, A...>{function, {arguments...}}.launch(where);
    }
};

template <typename F>
generic_launcher<F> launcher(F function, const shape &where, const char *name, int line) {
    return {function, of_kernel(where, nullptr, name, line)};
}

/* What `extern __shared__ T name[]` becomes: in a function, a pointer made from this … */
struct dynamic_shared_t {
    template <typename T> operator T *() const {
        return reinterpret_cast<T *>(emulator_dynamic_shared);
    }
};
static constexpr dynamic_shared_t dynamic_shared = {};
/* Beside another such pointer, and so the same: the judge looks for this name. */
static constexpr dynamic_shared_t dynamic_shared_too = {};

/* … and outside functions this, because every OS thread has its own address. */
template <typename T> struct dynamic_array {
    operator T *() const { return reinterpret_cast<T *>(emulator_dynamic_shared); }
};
} // namespace emulator

/* What (void *)kernel becomes, as an error of CUDA_CHECK shows it. */
#define EMULATOR_KERNEL(...) ::emulator::know(__VA_ARGS__, #__VA_ARGS__)

/* What CUDA's functions are given by its name they launch by its address. */
#define EMULATOR_GIVEN(kernel) emulator::know(kernel, "given to cudaLaunch…")

template <typename... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                void **arguments) {
    return cudaLaunchKernelExC(config, EMULATOR_GIVEN(kernel), arguments);
}

template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               A &&...arguments) {
    emulator::shape where;
    cudaError_t status = emulator_read_config(config, &where);
    where = emulator::of_kernel(where, reinterpret_cast<const void *>(kernel),
                                "given to cudaLaunch…", 0);
    return status ? status : emulator::kernel_call<P...>(kernel, P(arguments)...).launch(where);
}

#define EMULATOR_LAUNCH(name)                                                                      \
    template <typename... P>                                                                       \
    cudaError_t name(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,                \
                     size_t shared_bytes = 0, cudaStream_t stream = 0) {                           \
        return name(EMULATOR_GIVEN(kernel), grid, block, arguments, shared_bytes, stream);         \
    }
EMULATOR_LAUNCH(cudaLaunchKernel)
EMULATOR_LAUNCH(cudaLaunchCooperativeKernel)

/* ---- what CUDA's C++ interface adds to the C one ---------------------------------------- */
/* Inlined, so that what allocates is the program's line. */

/* Several parameters as one argument of a macro. */
#define EMULATOR_LIST(...) __VA_ARGS__

#define EMULATOR_TYPED(name, parameters, ...)                                                      \
    template <typename T>                                                                          \
    EMULATOR_INLINE cudaError_t name(T **pointer, EMULATOR_LIST parameters) {                      \
        return name((void **)pointer, __VA_ARGS__);                                                \
    }
EMULATOR_TYPED(cudaMalloc, (size_t size), size)
EMULATOR_TYPED(cudaMallocAsync, (size_t size, cudaStream_t stream), size, stream)
EMULATOR_TYPED(cudaMallocManaged, (size_t size, unsigned flags = cudaMemAttachGlobal), size, flags)
EMULATOR_TYPED(cudaMallocPitch, (size_t * pitch, size_t width, size_t height), pitch, width, height)
EMULATOR_TYPED(cudaMallocHost, (size_t size), size)
EMULATOR_TYPED(cudaHostAlloc, (size_t size, unsigned flags), size, flags)
EMULATOR_TYPED(cudaHostGetDevicePointer, (void *on_host, unsigned flags), on_host, flags)
template <typename T>
EMULATOR_INLINE cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer,
                                                     size_t size = 0,
                                                     unsigned flags = cudaMemAttachSingle) {
    return cudaStreamAttachMemAsync(stream, static_cast<void *>(pointer), size, flags);
}
template <typename T>
EMULATOR_INLINE cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned flags) {
    return cudaHostAlloc((void **)pointer, size, flags);
}
EMULATOR_INLINE cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}

/* ---- what CUDA 12 had with other parameters --------------------------------------------- */

namespace emulator {
inline cudaMemLocation location(int device) {
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
            device == cudaCpuDeviceId ? 0 : device};
}
} // namespace emulator

EMULATOR_INLINE cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device,
                                                 cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(pointer, size, emulator::location(device), 0, stream);
}
EMULATOR_INLINE cudaError_t cudaMemAdvise(const void *pointer, size_t size, cudaMemoryAdvise advice,
                                          int device) {
    return cudaMemAdvise(pointer, size, advice, emulator::location(device));
}
EMULATOR_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                 cudaGraphNode_t *error, char *log, size_t size) {
    if (error)
        *error = nullptr;
    if (log && size)
        *log = 0;
    return cudaGraphInstantiate(executable, graph, 0);
}
/* ---- symbols ---------------------------------------------------------------------------- */

template <typename T> cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
    *address = const_cast<void *>(static_cast<const void *>(&symbol));
    emulator_know_symbol(&symbol, sizeof symbol);
    return cudaSuccess;
}
template <typename T> cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
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

#define EMULATOR_OF_KERNEL(name, parameters, ...)                                                  \
    template <typename... P> cudaError_t name(void (*kernel)(P...), EMULATOR_LIST parameters) {    \
        return name(reinterpret_cast<const void *>(kernel), __VA_ARGS__);                          \
    }
EMULATOR_OF_KERNEL(cudaFuncSetAttribute, (cudaFuncAttribute attribute, int value), attribute, value)
EMULATOR_OF_KERNEL(cudaFuncSetCacheConfig, (cudaFuncCache config), config)
EMULATOR_OF_KERNEL(cudaFuncSetSharedMemConfig, (cudaSharedMemConfig config), config)

template <typename... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...),
                                                          int block_size, size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, reinterpret_cast<const void *>(kernel), block_size, shared_bytes);
}
/* The block size that fills a multiprocessor best, the largest of those. */
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel kernel,
                                               size_t shared_bytes = 0, int limit = 0) {
    int best = 0;
    if (limit <= 0 || limit > EMULATOR_MAX_THREADS)
        limit = EMULATOR_MAX_THREADS;
    for (int size = limit; size > 0; size = (size - 1) / EMULATOR_WARP * EMULATOR_WARP) {
        int blocks;
        cudaError_t status =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared_bytes);
        if (status != cudaSuccess)
            return status;
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *grid = blocks * (int)emulator_multiprocessors();
        }
    }
    return best ? cudaSuccess : emulator_result(cudaErrorInvalidValue);
}

EMULATOR_INLINE void cudaGridDependencySynchronize() { emulator_grid_dependency_wait(); }
EMULATOR_INLINE void cudaTriggerProgrammaticLaunchCompletion() {
    emulator_grid_dependency_trigger();
}

#include "device_functions.h"

/* What only arbitrary programs get (make run): a graded step keeps to what its rules know. */
#ifdef EMULATOR_ANY_PROGRAM
#include "nv_atomic.h"
#include "texture_functions.h"
__attribute__((weak)) extern const char emulator_any_program[1] = {0};
#endif
#if CUDART_VERSION < 13000

/* What CUDA 13 has no more, for programs that are compiled as those of an older toolkit. */
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig

/* ---- warps, whose lanes ran in lock step: those that are at the call take part --------- */

#if CUDART_VERSION < 9000
__attribute__((weak)) extern const char emulator_lock_step[1] = {0};
#endif
#define EMULATOR_SHUFFLES(name, Lane)                                                              \
    template <typename T> EMULATOR_INLINE T name(T value, Lane lane, int width = 32) {             \
        return name##_sync(__activemask(), value, lane, width);                                    \
    }
EMULATOR_SHUFFLES(__shfl, int)
EMULATOR_SHUFFLES(__shfl_up, unsigned)
EMULATOR_SHUFFLES(__shfl_down, unsigned)
EMULATOR_SHUFFLES(__shfl_xor, int)
#undef EMULATOR_SHUFFLES
EMULATOR_INLINE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
EMULATOR_INLINE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
EMULATOR_INLINE unsigned __ballot(int predicate) {
    return __ballot_sync(__activemask(), predicate);
}

/* ---- texture references: each stands for an object, once memory is bound to it --------- */

#ifdef EMULATOR_ANY_PROGRAM
enum { cudaTextureType1D = 1, cudaTextureType2D };

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    cudaTextureObject_t emulator_object;
};

template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(normalized, filter, address, cudaCreateChannelDesc<T>()) {}
    texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc desc)
        : textureReference{normalized, filter, {address, address, address}, desc, 0, 0} {}
};

namespace emulator {
/* A device has it in its own registers, and so it is no memory that the analysis looks at. */
EMULATOR_UNWATCHED inline cudaTextureObject_t object_of(const textureReference &reference) {
    return reference.emulator_object;
}

/* A texture that is bound, or a pointer to it, as the C functions take it; and its description. */
struct bindable {
    textureReference *bound;
    cudaTextureReadMode mode;
    template <typename T, int n, cudaTextureReadMode m>
    bindable(const texture<T, n, m> *t) : bound(const_cast<texture<T, n, m> *>(t)), mode(m) {}
    template <typename T, int n, cudaTextureReadMode m>
    bindable(const texture<T, n, m> &t) : bindable(&t) {}
};
struct described : cudaChannelFormatDesc {
    described(const cudaChannelFormatDesc *desc) : cudaChannelFormatDesc(*desc) {}
    described(const cudaChannelFormatDesc &desc) : cudaChannelFormatDesc(desc) {}
};

inline cudaError_t bind(const bindable &to, const cudaResourceDesc &resource,
                        size_t *offset = nullptr) {
    textureReference &bound = *to.bound;
    cudaTextureDesc desc = {};
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = bound.addressMode[i];
    desc.filterMode = bound.filterMode;
    desc.readMode = to.mode;
    desc.normalizedCoords = bound.normalized;
    if (offset)
        *offset = 0;
    if (bound.emulator_object)
        cudaDestroyTextureObject(bound.emulator_object);
    bound.emulator_object = 0;
    return cudaCreateTextureObject(&bound.emulator_object, &resource, &desc, nullptr);
}

/* What a fetch gives: with cudaReadModeNormalizedFloat floats of integers. */
template <typename T, cudaTextureReadMode mode> struct fetched : identity<T> {};
#define EMULATOR_FETCHED(T, Result)                                                                \
    template <> struct fetched<T, cudaReadModeNormalizedFloat> : identity<Result> {};
#define EMULATOR_FETCHED_OF(T)                                                                     \
    EMULATOR_FETCHED(T, float)                                                                     \
    EMULATOR_FETCHED(T##1, float1)                                                                 \
    EMULATOR_FETCHED(T##2, float2)                                                                 \
    EMULATOR_FETCHED(T##4, float4)
typedef unsigned char uchar;
typedef unsigned short ushort;
EMULATOR_FETCHED_OF(char)
EMULATOR_FETCHED_OF(uchar)
EMULATOR_FETCHED_OF(short)
EMULATOR_FETCHED_OF(ushort)
} // namespace emulator

inline cudaError_t cudaBindTexture(size_t *offset, const emulator::bindable &to, const void *memory,
                                   const emulator::described &desc, size_t bytes = UINT_MAX) {
    cudaResourceDesc resource = {};
    size_t all = emulator_bytes_from(memory);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = bytes < all ? bytes : all;
    return emulator::bind(to, resource, offset);
}
inline cudaError_t cudaBindTexture(size_t *offset, const emulator::bindable &to, const void *memory,
                                   size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, to, memory, to.bound->channelDesc, bytes);
}

inline cudaError_t cudaBindTexture2D(size_t *offset, const emulator::bindable &to,
                                     const void *memory, const emulator::described &desc,
                                     size_t width, size_t height, size_t pitch) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(memory);
    resource.res.pitch2D.desc = desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return emulator::bind(to, resource, offset);
}
inline cudaError_t cudaBindTexture2D(size_t *offset, const emulator::bindable &to,
                                     const void *memory, size_t width, size_t height,
                                     size_t pitch) {
    return cudaBindTexture2D(offset, to, memory, to.bound->channelDesc, width, height, pitch);
}

inline cudaError_t cudaBindTextureToArray(const emulator::bindable &to, cudaArray_const_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return emulator::bind(to, resource);
}
inline cudaError_t cudaBindTextureToArray(const emulator::bindable &to, cudaArray_const_t array,
                                          const emulator::described &) {
    return cudaBindTextureToArray(to, array);
}

inline cudaError_t cudaUnbindTexture(const emulator::bindable &from) {
    cudaTextureObject_t object = from.bound->emulator_object;
    from.bound->emulator_object = 0;
    return object ? cudaDestroyTextureObject(object) : cudaSuccess;
}

#define EMULATOR_BY_REFERENCE(name, parameters, ...)                                               \
    template <typename T, int n, cudaTextureReadMode mode>                                         \
    EMULATOR_INLINE typename emulator::fetched<T, mode>::type name(                                \
        const texture<T, n, mode> &reference, EMULATOR_LIST parameters) {                          \
        typedef typename emulator::fetched<T, mode>::type type;                                    \
        return name<type>(emulator::object_of(reference), __VA_ARGS__);                            \
    }
EMULATOR_BY_REFERENCE(tex1Dfetch, (int x), x)
EMULATOR_BY_REFERENCE(tex1D, (float x), x)
EMULATOR_BY_REFERENCE(tex2D, (float x, float y), x, y)
#endif /* EMULATOR_ANY_PROGRAM */
#endif

#endif /* __cplusplus */
