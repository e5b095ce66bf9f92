/* A GPU file (common/gpus/NAME.gpu): what small benchmarks measured of a GPU. common/gpus/README.md
 * says what each key means, and its unit. */
#ifndef MODEL_GPU_H
#define MODEL_GPU_H

#include <stdbool.h>
#include <stddef.h>

/* Every key with one number: X(field, lowest, highest). */
#define GPU_NUMBERS(X)                                                                             \
    X(multiprocessors, 1, 4096)                                                                    \
    X(clock_mhz, 1, 1e5)                                                                           \
    X(schedulers, 1, 64)                                                                           \
    X(registers, 1024, 1e9)                                                                        \
    X(shared_bytes, 1024, 1e9)                                                                     \
    X(threads, 32, 65536)                                                                          \
    X(blocks, 1, 1024)                                                                             \
    X(l1_bytes, 0, 1e9)                                                                            \
    X(l2_bytes, 0, 1e12)                                                                           \
    X(dram_gbps, 1e-3, 1e6)                                                                        \
    X(dram_write_gbps, 1e-3, 1e6)                                                                  \
    X(dram_copy_gbps, 1e-3, 1e6)                                                                   \
    X(l2_gbps, 1e-3, 1e6)                                                                          \
    X(sm_dram_gbps, 1e-3, 1e6)                                                                     \
    X(sm_l2_gbps, 1e-3, 1e6)                                                                       \
    X(dram_ns, 1e-3, 1e6)                                                                          \
    X(l2_first_ns, 1e-3, 1e6)                                                                      \
    X(l2_ns, 1e-3, 1e6)                                                                            \
    X(l1_ns, 1e-3, 1e6)                                                                            \
    X(shared_ns, 1e-3, 1e6)                                                                        \
    X(dram_fetch_bytes, 32, 4096)                                                                  \
    X(shared_wavefront_cycles, 1e-3, 1e4)                                                          \
    X(shared_atomic_ns, 1e-3, 1e6)                                                                 \
    X(global_atomic_ns, 1e-3, 1e6)                                                                 \
    X(fence_ns, 1e-3, 1e6)                                                                         \
    X(warp_operation_cycles, 1e-3, 1e4)                                                            \
    X(match_cycles, 1e-3, 1e3)                                                                     \
    X(group_cycles, 1e-3, 1e3)                                                                     \
    X(issue_per_cycle, 1e-3, 64)                                                                   \
    X(integer_add_cycles, 1, 1000)                                                                 \
    X(if_half_cycles, 1e-3, 1e3)                                                                   \
    X(integer_multiply_per_cycle, 1e-3, 64)                                                        \
    X(shuffle_per_cycle, 1e-3, 64)                                                                 \
    X(host_launch_ns, 1, 1e7)                                                                      \
    X(launch_ns, 1, 1e7)                                                                           \
    X(launch_wide_ns, 1, 1e7)                                                                      \
    X(launch_overlapped_ns, 1, 1e7)                                                                \
    X(memset_ns, 1, 1e7)                                                                           \
    X(change_ns, 0, 1e7)                                                                           \
    X(block_ns, 1e-3, 1e6)

/* Every key with a table: X(field). */
#define GPU_TABLES(X)                                                                              \
    X(in_flight)                                                                                   \
    X(in_flight_alone)                                                                             \
    X(shared_atomic_bank)                                                                          \
    X(shared_atomic_same)                                                                          \
    X(shared_atomic_bank_any)                                                                      \
    X(shared_atomic_same_any)                                                                      \
    X(global_atomic_same_float)                                                                    \
    X(global_atomic_same_double)                                                                   \
    X(l2_lines_ns)                                                                                 \
    X(dram_lines_ns)                                                                               \
    X(global_atomic_same)                                                                          \
    X(sm_global_atomic)                                                                            \
    X(sm_global_atomic_lines)                                                                      \
    X(request_l1_cycles)                                                                           \
    X(sm_l2_first_gbps)                                                                            \
    X(block_gap_ns)                                                                                \
    X(global_atomic)                                                                               \
    X(global_swap)                                                                                 \
    X(gather_gops)                                                                                 \
    X(constant_cycles)                                                                             \
    X(lock_ns)                                                                                     \
    X(store_sector_gops)                                                                           \
    X(scattered_store_gops)                                                                        \
    X(grid_barrier_ns)                                                                             \
    X(barrier_ns)

enum { GPU_ROWS = 64 };

/* Rows in ascending order of x, with different x. */
struct gpu_table {
    size_t count;
    double x[GPU_ROWS], y[GPU_ROWS];
};

struct gpu {
    char name[64];
    char compute_capability[16];
#define X(field, low, high) double field;
    GPU_NUMBERS(X)
#undef X
#define X(field) struct gpu_table field;
    GPU_TABLES(X)
#undef X
};

/* Read a GPU file. False, with one line in error, if it is none or lacks a key.
 * Keys that are not known are skipped: a newer file may have more. */
bool gpu_parse(const char *data, size_t size, const char *name, struct gpu *gpu, char *error,
               size_t error_size);

/* A table at x: linear between rows, the nearest row outside. The table must have rows. */
double gpu_at(const struct gpu_table *table, double x);

/* The same, linear in the logarithm of x. */
double gpu_at_log(const struct gpu_table *table, double x);

#endif
