/* What the libraries of libraries/ use as work of the device. */
#include "runtime.h"

#include <stdio.h>

static bool in_section(const char *p, size_t size, const char *begin, const char *end) {
    return begin && p >= begin && p < end && size <= (size_t)(end - p);
}

int emulator_is_reachable(const void *begin, size_t bytes) {
    return emulator_is_plausible(begin, bytes, true) ||
           in_section(begin, bytes, __start_emulator_device, __stop_emulator_device) ||
           in_section(begin, bytes, __start_emulator_constant, __stop_emulator_constant) ||
           in_section(begin, bytes, __start_emulator_managed, __stop_emulator_managed);
}

int emulator_is_device_only(const void *begin) {
    return emulator_is_reachable(begin, 1) && !emulator_is_plausible(begin, 1, false);
}

/* A rectangle or a stride is looked up once, from end to end. */
static bool is_reachable(const struct emulator_use *use) {
    const char *at = use->begin;
    if (use->count && use->pitch >= (ptrdiff_t)use->bytes)
        return emulator_is_reachable(at, (size_t)use->pitch * (use->count - 1) + use->bytes);
    for (size_t i = 0; i < use->count; i++, at += use->pitch)
        if (!emulator_is_reachable(at, use->bytes))
            return false;
    return true;
}

cudaError_t emulator_library_uses(const char *function, cudaStream_t stream,
                                  const struct emulator_use *uses, unsigned count, int waits) {
    if (emulator_broken)
        return emulator_result(emulator_broken);
    if (emulator_is_capturing(stream)) {
        fprintf(stderr, "emulator: %s: the emulator cannot capture a library's work in a graph\n",
                function);
        return emulator_result(cudaErrorStreamCaptureUnsupported);
    }
    for (unsigned i = 0; i < count; i++) {
        if (is_reachable(&uses[i]))
            continue;
        fprintf(stderr, "emulator: %s %s %p: that is not, or not wholly, memory of the device\n",
                function, uses[i].writes ? "writes to" : "reads", uses[i].begin);
        EMULATOR_WATCH(watch_library_astray, &uses[i], function);
        return emulator_result(emulator_broken = cudaErrorIllegalAddress);
    }
    EMULATOR_WATCH(watch_library, stream, uses, count, waits);
    return emulator_result(cudaSuccess);
}
