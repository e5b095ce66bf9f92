/* The description of a GPU whose figures are round: four multiprocessors, and a cycle of 1 ns. */
#pragma once

#define ROUND_GPU                                                                                             \
    "name round\ncompute_capability 9.0\nmultiprocessors 4\nclock_mhz 1000\n"                                 \
    "l1_bytes 131072\nl2_bytes 1000000\n"                                                                     \
    "dram_gbps 200\nsm_dram_gbps 50\nl2_gbps 800\nsm_l2_gbps 200\ndram_ns 500\nl2_ns 200\n"                   \
    "l1_ns 30\nshared_ns 20\nshared_wavefront_cycles 1\nglobal_atomic_same 1 .3125\n"                         \
    "global_atomic 65536 64\nglobal_atomic_same_double 1 .625\nbarrier_ns 32 50\n"                            \
    "launch_ns 1000\nlaunch_overlapped_ns 500\nblock_ns 10\n"                                                 \
    "shared_atomic_bank 1 2\nshared_atomic_bank 32 64\n"                                                      \
    "shared_atomic_same 1 2\nshared_atomic_same 32 2\nrequest_l1_cycles 1 1\n"                                \
    "integer_multiply_per_cycle 2\nshuffle_per_cycle 1\nif_half_cycles 3\nsm_global_atomic 1 32\n"            \
    "schedulers 4\nregisters 65536\nshared_bytes 49152\n"                                                     \
    "threads 2048\nblocks 32\ndram_write_gbps 180\ndram_copy_gbps 180\nl2_first_ns 300\n"                     \
    "dram_fetch_bytes 64\nshared_atomic_ns 44\nglobal_atomic_ns 220\nfence_ns 400\n"                          \
    "warp_operation_cycles 24\nmatch_cycles 2\ngroup_cycles 4\nissue_per_cycle 4\n"                           \
    "integer_add_cycles 5\nhost_launch_ns 1000\nlaunch_wide_ns 1150\nmemset_ns 1000\n"                        \
    "change_ns 0\n"                                                                                           \
    "in_flight 1024 8.192 2048 16.384 4096 32.768 8192 65.536 16384 131.072 32768 200 65536 200 131072 200\n" \
    "shared_atomic_bank_any 1 1 2 2 4 4 8 8 16 16 32 32\n"                                                    \
    "shared_atomic_same_any 1 1 2 2 4 4 8 8 16 16 32 32\nglobal_atomic_same_float 1 0.3125\n"                 \
    "l2_lines_ns 1 200 2 202 4 206 8 214 16 230 32 262\n"                                                     \
    "dram_lines_ns 1 500 2 510 4 530 8 570 16 650 32 810\nsm_global_atomic_lines 1 4\n"                       \
    "global_swap 65536 48.64\n"                                                                               \
    "gather_gops 1280000 3.485 2560000 2.61375 5100000 2.31625 20000000 2.125\n"                              \
    "constant_cycles 1 2\nlock_ns 1 1220\nstore_sector_gops 32 25\nscattered_store_gops 32 25\n"              \
    "grid_barrier_ns 1 1600\nblock_gap_ns 1024 20\nin_flight_alone 1000000000 50\n"                           \
    "sm_l2_first_gbps 32 200\n"
