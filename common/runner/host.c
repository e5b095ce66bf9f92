#define _GNU_SOURCE
#include "host.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "lab.h"
#include "watch.h"
#ifdef __HISTOLAB_EMULATOR__
#include "emulator.h"
#else
static const char emulator_refusal[] = ""; /* a GPU tells of none */
#endif

/* doing: the call that gave the status, or what was being done, behind `where`. */
static void fail(cudaError_t status, const char *where, const char *doing) {
    char text[400];
    bool of_launch = strstr(doing, "LastError") || strstr(doing, "aunch");
    const char *why =
        of_launch && (status == cudaErrorInvalidValue || status == cudaErrorInvalidResourceHandle)
            ? emulator_refusal
            : "";
    snprintf(text, sizeof text, "%s%s: %s (%s)%s%s", where, doing, cudaGetErrorName(status),
             cudaGetErrorString(status), *why ? ": " : "", why);
    host_failed(status, text);
}

void lab_check(cudaError_t status, const char *file, int line, const char *call) {
    if (status == cudaSuccess)
        return;
    char where[300];
    /* Where a hand-in was built is nobody's business. */
    const char *name =
        strncmp(file, "build/", strlen("build/")) == 0 ? strrchr(file, '/') + 1 : file;
    snprintf(where, sizeof where, "%s:%d: ", name, line);
    fail(status, where, call);
}

static int attribute(enum cudaDeviceAttr which) {
    int device, value;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

int lab_multiprocessors(void) { return attribute(cudaDevAttrMultiProcessorCount); }

int lab_compute_capability(void) {
    return 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
           attribute(cudaDevAttrComputeCapabilityMinor);
}

void host_check_step(cudaError_t status, const char *doing) {
    if (status != cudaSuccess)
        fail(status, "", doing);
}

static int take_load_address(struct dl_phdr_info *program, size_t size, void *address) {
    (void)size;
    *(uint64_t *)address = program->dlpi_addr;
    return 1; /* the program comes before its libraries */
}

uint64_t host_offset(const void *instruction) {
    uint64_t address = 0;
    dl_iterate_phdr(take_load_address, &address);
    return (uint64_t)instruction - address;
}

void *host_allocate(size_t bytes) {
    void *memory;
    CUDA_CHECK(cudaMalloc(&memory, bytes ? bytes : 1));
    return memory;
}

#ifdef __HISTOLAB_EMULATOR__
void host_on_hazard(void (*tell)(const struct hazard *hazard)) { emulator_on_hazard(tell); }
void host_emulate(const char *gpu) { emulator_emulate(gpu); }
void host_count_next_call(char *file, size_t size) {
    EMULATOR_WATCH(counted_next_call, file, size);
}
void host_only_reach(void) { EMULATOR_WATCH(emulator_only_reach); }
void host_only_launch(void) { emulator_only_launch = 1; }
void host_check_only(unsigned long long launches) { EMULATOR_WATCH(emulator_check_only, launches); }
unsigned long long host_launches_of_blocks(void) { return emulator_of_blocks; }
unsigned long long host_meetings(void) { return emulator_meetings; }
void host_count_reads(struct reads *reads, size_t element_bytes) {
    EMULATOR_WATCH(emulator_count_reads, reads, element_bytes);
}
void host_run_threads(bool in_order, bool one_by_one) {
    EMULATOR_WATCH(emulator_run_threads, !in_order    ? EMULATOR_MIXED
                                         : one_by_one ? EMULATOR_ONE_BY_ONE
                                                      : EMULATOR_IN_ORDER);
}
static void tell_shape(const struct host_call *call) {
    EMULATOR_WATCH(counted_shape, call->rows, call->columns);
}
#else
void host_on_hazard(void (*tell)(const struct hazard *hazard)) { (void)tell; }
void host_emulate(const char *gpu) { (void)gpu; }
void host_count_next_call(char *file, size_t size) { (void)file, (void)size; }
void host_only_reach(void) {}
void host_only_launch(void) {}
void host_check_only(unsigned long long launches) { (void)launches; }
unsigned long long host_launches_of_blocks(void) { return 0; }
unsigned long long host_meetings(void) { return 0; }
void host_count_reads(struct reads *reads, size_t element_bytes) {
    (void)reads, (void)element_bytes;
}
void host_run_threads(bool in_order, bool one_by_one) { (void)in_order, (void)one_by_one; }
static void tell_shape(const struct host_call *call) { (void)call; }

static void emulator_begin_step(void) {}
static void emulator_end_step(void) {}
static void emulator_begin_call(const void *input, size_t input_bytes, void *output,
                                size_t output_bytes) {
    (void)input, (void)input_bytes, (void)output, (void)output_bytes;
}
static void emulator_end_call(void) {}
#endif

void host_set_up(size_t rows, size_t columns) {
    emulator_begin_step();
    call_setup(rows, columns);
    host_check_step(cudaDeviceSynchronize(), "finishing the set-up");
}

unsigned long long host_call_step(const struct host_call *call) {
    tell_shape(call);
    emulator_begin_call(call->window, call->window_bytes, call->output, call->output_bytes);
    watch_begin(call->output_bytes);
    call_step(call->window, call->rows, call->columns, call->output);
    unsigned long long launches = watch_end();
    emulator_end_call();
    return launches;
}

void host_tear_down(void) {
    call_teardown();
    host_check_step(cudaDeviceSynchronize(), "finishing the tear-down");
    emulator_end_step();
}
