/* Kernels: which there are, what they may use, and their launches. */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char emulator_refusal[160];

/* ---- by their addresses ----------------------------------------------------------------- */

static struct emulator_kernel *kernels;
static size_t kernel_count, kernel_room;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static const struct emulator_kernel *find(const void *address) {
    for (size_t i = 0; i < kernel_count; i++)
        if (kernels[i].address == address)
            return &kernels[i];
    return NULL;
}

void emulator_know_kernel(const struct emulator_kernel *kernel) {
    HOST_ONLY();
    pthread_mutex_lock(&mutex);
    if (!find(kernel->address)) {
        kernels = emulator_grow(kernels, kernel_count, &kernel_room, sizeof *kernels);
        kernels[kernel_count++] = *kernel;
    }
    pthread_mutex_unlock(&mutex);
}

/* Completes a launch, whose shape is there, by a kernel that is known and by its arguments, to be
 * freed with free(); from pointers to these. */
static cudaError_t complete(struct emulator_launch *launch, const void *kernel, void **arguments) {
    pthread_mutex_lock(&mutex);
    const struct emulator_kernel *found = find(kernel),
                                 known = found ? *found : (struct emulator_kernel){0};
    pthread_mutex_unlock(&mutex);
    if (!known.address) {
        fprintf(stderr,
                "emulator: no kernel is known by the address %p: write (void *)kernel, with "
                "the kernel's name, where the address is taken\n",
                kernel);
        return cudaErrorInvalidDeviceFunction;
    }
    bool given = !known.parameters || arguments;
    for (unsigned i = 0; given && i < known.parameters; i++)
        given = arguments[i];
    if (!given) { /* no more is told of it */
        emulator_refusal[0] = '\0';
        return cudaErrorInvalidValue;
    }
    char *place = emulator_need(calloc(1, known.bytes));
    known.begin(place, kernel);
    for (unsigned i = 0; i < known.parameters; i++) {
        size_t size;
        void *to = known.parameter(place, i, &size);
        memcpy(to, arguments[i], size);
    }
    launch->kernel = kernel;
    launch->name = known.name;
    launch->run = known.run;
    launch->arguments = place;
    launch->argument_bytes = known.bytes;
    return cudaSuccess;
}

/* ---- what they may use ------------------------------------------------------------------- */

/* Kernels that may use more dynamic shared memory than usual. */
static struct {
    const void *kernel;
    int bytes;
} allowed[256];
static unsigned allowed_count;

static size_t allowed_shared(const void *kernel) {
    if (!kernel) /* a template whose address only the compiler knows: trust it */
        return emulator_device.shared_block_bytes;
    for (unsigned i = 0; i < allowed_count; i++)
        if (allowed[i].kernel == kernel)
            return (size_t)allowed[i].bytes;
    return EMULATOR_SHARED;
}

/* In a block of the kernel. */
static size_t most_threads(const void *kernel) {
    for (const struct emulator_bounds *b = __start_launch_bounds; b < __stop_launch_bounds; b++)
        if (b->kernel == kernel && b->threads && b->threads < EMULATOR_MAX_THREADS)
            return b->threads;
    return EMULATOR_MAX_THREADS;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    HOST_ONLY();
    FAIL_IF(!kernel, cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return emulator_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    FAIL_IF(attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
                value > (int)emulator_device.shared_block_bytes,
            cudaErrorInvalidValue);
    unsigned i = 0;
    while (i < allowed_count && allowed[i].kernel != kernel)
        i++;
    FAIL_IF(i == sizeof allowed / sizeof *allowed, cudaErrorMemoryAllocation);
    allowed[i].kernel = kernel;
    allowed[i].bytes = value;
    allowed_count += i == allowed_count;
    return emulator_result(cudaSuccess);
}

static int blocks_per_multiprocessor(size_t block_size, size_t shared_bytes) {
    size_t threads = (block_size + EMULATOR_WARP - 1) / EMULATOR_WARP * EMULATOR_WARP;
    size_t blocks = emulator_device.threads / threads;
    if (blocks > emulator_device.blocks)
        blocks = emulator_device.blocks;
    if (shared_bytes && blocks > emulator_device.shared_bytes / shared_bytes)
        blocks = emulator_device.shared_bytes / shared_bytes;
    return (int)blocks;
}

static cudaError_t refuse(size_t asked, const char *what, size_t most, const char *why) {
    snprintf(emulator_refusal, sizeof emulator_refusal,
             "the launch asks for %zu %s, of at most %zu%s", asked, what, most, why);
    return cudaErrorInvalidValue;
}

/* Whether the device can hold a launch. */
static cudaError_t admit(const struct emulator_launch *launch) {
    enum { MOST_BLOCKS = 65535 }; /* in y, and in z */
    /* CUDA 13 returns cudaErrorInvalidValue for all of these. Older versions return
     * cudaErrorInvalidConfiguration for an impossible size of a grid or a block. */
    dim3 grid = launch->grid, block = launch->block;
    const size_t threads = (size_t)block.x * block.y * block.z;
    const size_t most = most_threads(launch->kernel);
    if (emulator_broken)
        return emulator_broken;
    if (!emulator_is_stream(launch->stream)) {
        snprintf(emulator_refusal, sizeof emulator_refusal,
                 "the launch's stream is none that exists: what is its configuration's stream?");
        return cudaErrorInvalidResourceHandle;
    }
    if (!grid.x || !grid.y || !grid.z)
        return refuse(0, "blocks", 0x7fffffff, "");
    if (!block.x || !block.y || !block.z)
        return refuse(0, "threads in a block", EMULATOR_MAX_THREADS, "");
    const struct {
        size_t asked, most;
        const char *what, *why;
    } limits[] = {
        {grid.x, 0x7fffffff, "blocks in x", ""},
        {grid.y, MOST_BLOCKS, "blocks in y", ""},
        {grid.z, MOST_BLOCKS, "blocks in z", ""},
        {threads, most, "threads in a block",
         most < EMULATOR_MAX_THREADS ? " by the kernel's __launch_bounds__" : ""},
        {block.z, 64, "threads in a block's z", ""},
        {launch->shared_bytes, emulator_device.shared_block_bytes, "bytes of dynamic shared memory",
         ""},
        {launch->shared_bytes, allowed_shared(launch->kernel), "bytes of dynamic shared memory",
         " before cudaFuncSetAttribute() allows the kernel more"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].asked > limits[i].most)
            return refuse(limits[i].asked, limits[i].what, limits[i].most, limits[i].why);
    if (launch->cooperative) {
        size_t fit = emulator_device.multiprocessors *
                     (size_t)blocks_per_multiprocessor(threads, launch->shared_bytes);
        if ((size_t)grid.x * grid.y * grid.z > fit)
            return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

/* ---- launches --------------------------------------------------------------------------- */

cudaError_t emulator_launch(const struct emulator_launch *launch) {
    if (emulator_in_kernel())
        emulator_refuse("line %d: a kernel launches %s, but the emulator has no dynamic "
                        "parallelism: launch it on the host",
                        launch->line, launch->name);
    cudaError_t status = admit(launch);
    if (status)
        return emulator_result(status);
    struct CUgraphNode_st work = {.type = cudaGraphNodeTypeKernel, .launch = *launch};
    return emulator_result(emulator_submit(launch->stream, &work));
}

/* Attributes that change nothing here are accepted; others are refused. */
cudaError_t emulator_read_config(const cudaLaunchConfig_t *config, struct emulator_launch *launch) {
    enum { MOST_ID = cudaLaunchAttributeNvlinkUtilCentricScheduling };
    *launch = (struct emulator_launch){.grid = config->gridDim,
                                       .block = config->blockDim,
                                       .shared_bytes = config->dynamicSmemBytes,
                                       .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        switch (a->id) {
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeMemSyncDomain:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributePreferredSharedMemoryCarveout:
            break;
        case cudaLaunchAttributeProgrammaticStreamSerialization:
            launch->overlaps = a->val.programmaticStreamSerializationAllowed != 0;
            break;
        case cudaLaunchAttributeCooperative:
            launch->cooperative = a->val.cooperative != 0;
            break;
        case cudaLaunchAttributeClusterDimension:
            if (a->val.clusterDim.x == 1 && a->val.clusterDim.y == 1 && a->val.clusterDim.z == 1)
                break;
            return emulator_not_supported("cudaLaunchKernelEx", "the emulator has no clusters");
        default:
            if ((unsigned)a->id > MOST_ID) {
                snprintf(emulator_refusal, sizeof emulator_refusal,
                         "attribute %u of the launch is none of CUDA's (number %u)", i, a->id);
                return emulator_result(cudaErrorInvalidValue);
            }
            fprintf(stderr, "emulator: cudaLaunchKernelEx: launch attribute %d\n", (int)a->id);
            return emulator_result(cudaErrorNotSupported);
        }
    }
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments) {
    HOST_ONLY();
    struct emulator_launch launch;
    FAIL_IF(!config, cudaErrorInvalidValue);
    cudaError_t status = emulator_read_config(config, &launch);
    if (!status)
        status = emulator_result(complete(&launch, kernel, arguments));
    if (status)
        return status;
    status = emulator_launch(&launch);
    free((void *)(uintptr_t)launch.arguments);
    return status;
}

void emulator_took_host_side(const char *function) {
    static char said;
    if (emulator_runs_thrust && !__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        fprintf(stderr,
                "emulator: '%s' asks for __CUDA_ARCH__ and took the host's side. Thrust runs on "
                "the host here: if it called this for the device, a GPU takes the other side\n",
                function);
}

#include "../include/calls/kernels.def"
