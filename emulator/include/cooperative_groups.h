/* Cooperative groups: the grid, the block, tiles, and the lanes that are here now. */
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {
namespace details {
EMULATOR_INLINE unsigned volume(dim3 d) { return d.x * d.y * d.z; }
EMULATOR_INLINE unsigned thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/* What tiles of several warps meet in: a counter for each tile of each size, and each warp's value.
 */
struct tile_memory {
    unsigned met[EMULATOR_WARP];
    uint64_t values[EMULATOR_WARP];
};
} // namespace details

template <unsigned MaxBlockSize = EMULATOR_MAX_THREADS>
struct block_tile_memory : details::tile_memory {};

class grid_group {
  public:
    bool is_valid() const { return emulator_is_cooperative() != 0; }
    void sync() const {
        if (!is_valid())
            emulator_refuse("grid.sync() in a kernel that was not launched by "
                            "cudaLaunchCooperativeKernel");
        emulator_grid_sync();
    }
    unsigned long long num_threads() const { return num_blocks() * details::volume(blockDim); }
    unsigned long long size() const { return num_threads(); }
    unsigned long long num_blocks() const {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    unsigned long long block_rank() const {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    unsigned long long thread_rank() const {
        return block_rank() * details::volume(blockDim) + details::thread_in_block();
    }
    dim3 dim_blocks() const { return gridDim; }
    dim3 group_dim() const { return gridDim; }
    dim3 block_index() const { return dim3(blockIdx); }
};

class thread_block {
    details::tile_memory *memory;

  public:
    explicit thread_block(details::tile_memory *memory) : memory(memory) {}
    details::tile_memory *tiles() const { return memory; } /* for the emulator's own headers */
    static void sync(unsigned line = __builtin_LINE()) { __syncthreads(line); }
    static unsigned thread_rank() { return details::thread_in_block(); }
    static unsigned num_threads() { return details::volume(blockDim); }
    static unsigned size() { return num_threads(); }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

/* Some lanes of a warp: tiles, coalesced groups. Ranks count the mask's lanes from the lowest. */
class lanes_group {
  protected:
    unsigned mask, meta_rank, meta_size; /* meta: among the groups of a partition */

    /* The lane of the warp that has this rank. */
    unsigned lane_of(unsigned rank) const { return __fns(mask, 0, (int)rank + 1); }

    /* The value of the lane. What is no number is moved in words. */
    template <typename T> T from_lane(T value, unsigned lane) const {
        if constexpr (emulator::is_arithmetic<T>) {
            return __shfl_sync(mask, value, (int)lane);
        } else {
            static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32,
                          "a group's shuffles move what is copied byte by byte, up to 32 bytes");
            uint64_t words[(sizeof(T) + 7) / 8] = {};
            __builtin_memcpy(words, &value, sizeof value);
            for (uint64_t &word : words)
                word = __shfl_sync(mask, word, (int)lane);
            __builtin_memcpy(&value, words, sizeof value);
            return value;
        }
    }

  public:
    explicit lanes_group(unsigned mask, unsigned rank = 0, unsigned count = 1)
        : mask(mask), meta_rank(rank), meta_size(count) {}

    unsigned lanes() const { return mask; } /* for the emulator's own headers */
    void sync() const { __syncwarp(mask); }
    unsigned thread_rank() const { return (unsigned)__popc(mask & ((1u << emulator_lane()) - 1)); }
    unsigned num_threads() const { return (unsigned)__popc(mask); }
    unsigned size() const { return num_threads(); }
    unsigned meta_group_size() const { return meta_size; }
    unsigned meta_group_rank() const { return meta_rank; }

    template <typename T> T shfl(T value, unsigned rank) const {
        return from_lane(value, lane_of(rank % num_threads()));
    }
    template <typename T> T shfl_up(T value, unsigned delta) const {
        unsigned rank = thread_rank();
        return from_lane(value, lane_of(rank >= delta ? rank - delta : rank));
    }
    template <typename T> T shfl_down(T value, unsigned delta) const {
        unsigned rank = thread_rank();
        return from_lane(value, lane_of(delta < num_threads() - rank ? rank + delta : rank));
    }
    template <typename T> T shfl_xor(T value, unsigned flipped) const {
        unsigned rank = thread_rank() ^ flipped;
        return from_lane(value, lane_of(rank < num_threads() ? rank : thread_rank()));
    }
    int any(int predicate) const { return __any_sync(mask, predicate); }
    int all(int predicate) const { return __all_sync(mask, predicate); }
    unsigned ballot(int predicate) const { return ranks(__ballot_sync(mask, predicate)); }
    template <typename T> unsigned match_any(T value) const {
        return ranks(__match_any_sync(mask, value));
    }
    template <typename T> unsigned match_all(T value, int &all) const {
        return ranks(__match_all_sync(mask, value, &all));
    }

  private:
    /* A set of lanes as a set of ranks. */
    unsigned ranks(unsigned lanes) const {
        unsigned result = 0;
        for (unsigned rank = 0, rest = mask; rest; rest &= rest - 1, rank++)
            if (lanes & rest & -rest)
                result |= 1u << rank;
        return result;
    }
};

class coalesced_group : public lanes_group {
  public:
    using lanes_group::lanes_group;
};

namespace details {
/* The lanes of the calling thread's tile of this size. */
EMULATOR_INLINE unsigned tile_mask(unsigned size) {
    unsigned first = emulator_lane() & ~(size - 1);
    return (size == 32 ? ~0u : (1u << size) - 1) << first;
}
} // namespace details

template <unsigned Size, typename Parent = thread_block, bool Warps = (Size > EMULATOR_WARP)>
class thread_block_tile : public lanes_group {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... threads");

  public:
    explicit thread_block_tile(const Parent &parent)
        : lanes_group(details::tile_mask(Size), parent.thread_rank() / Size,
                      (parent.num_threads() + Size - 1) / Size) {}
    /* The same tile, by whatever groups it was made from. */
    template <typename Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other) : lanes_group(other) {}
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
};

/* Several warps, which meet in shared memory. */
template <unsigned Size, typename Parent> class thread_block_tile<Size, Parent, true> {
    static_assert(Size <= EMULATOR_MAX_THREADS, "so many threads has a block");
    details::tile_memory *memory;
    unsigned meta_rank, meta_size;

    uint64_t *values() const {
        return memory->values + details::thread_in_block() / Size * (Size / EMULATOR_WARP);
    }

  public:
    explicit thread_block_tile(const Parent &parent)
        : memory(parent.tiles()), meta_rank(parent.thread_rank() / Size),
          meta_size((parent.num_threads() + Size - 1) / Size) {
        if (!memory)
            emulator_refuse("tiles of more than 32 threads need this_thread_block(memory), with "
                            "a __shared__ block_tile_memory");
    }
    details::tile_memory *tiles() const { return memory; }
    static unsigned thread_rank() { return details::thread_in_block() % Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    unsigned meta_group_size() const { return meta_size; }
    unsigned meta_group_rank() const { return meta_rank; }
    static thread_block_tile<EMULATOR_WARP> warp() {
        return thread_block_tile<EMULATOR_WARP>(thread_block(nullptr));
    }

    void sync() const {
        /* As in a heap: the tile of 1024 threads has counter 1, those of 512 have 2 and 3. */
        unsigned *met =
            &memory->met[EMULATOR_MAX_THREADS / Size + details::thread_in_block() / Size];
        emulator_fence(0);
        unsigned phase = atomicAdd_block(met, 1) / Size;
        while (__atomic_load_n(met, __ATOMIC_RELAXED) / Size == phase)
            __nanosleep(0);
        emulator_fence(0);
    }
    /* Each warp brings a value, and all threads get what the operation makes of them. */
    template <typename T, typename Operation> T combine(T value, Operation operation) const {
        if (emulator_lane() == 0)
            values()[thread_rank() / EMULATOR_WARP] = emulator::to_bits(value);
        sync();
        value = emulator::from_bits<T>(values()[0]);
        for (unsigned i = 1; i < Size / EMULATOR_WARP; i++)
            value = operation(value, emulator::from_bits<T>(values()[i]));
        sync();
        return value;
    }
};

/* A group whose kind is known only at run time: a block, or lanes of a warp. */
class thread_group {
    bool is_block;
    lanes_group lanes;

  public:
    thread_group(const thread_block &) : is_block(true), lanes(0) {}
    thread_group(const lanes_group &lanes) : is_block(false), lanes(lanes) {}
    void sync(unsigned line = __builtin_LINE()) const {
        if (is_block)
            __syncthreads(line);
        else
            lanes.sync();
    }
    unsigned thread_rank() const {
        return is_block ? thread_block::thread_rank() : lanes.thread_rank();
    }
    unsigned num_threads() const {
        return is_block ? thread_block::num_threads() : lanes.num_threads();
    }
    unsigned size() const { return num_threads(); }
};

EMULATOR_INLINE grid_group this_grid() { return grid_group(); }
EMULATOR_INLINE thread_block this_thread_block() { return thread_block(nullptr); }
template <unsigned MaxBlockSize>
EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &memory,
                                               unsigned line = __builtin_LINE()) {
    for (unsigned i = 0; details::thread_in_block() == 0 && i < EMULATOR_WARP; i++)
        memory.met[i] = 0;
    __syncthreads(line);
    return thread_block(&memory);
}
EMULATOR_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, typename Parent>
EMULATOR_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    return thread_block_tile<Size, Parent>(parent);
}
EMULATOR_INLINE thread_group tiled_partition(const thread_group &, unsigned size) {
    return thread_group(lanes_group(details::tile_mask(size)));
}

/* The lanes of a tile or a coalesced group for which the predicate is the same. */
EMULATOR_INLINE coalesced_group binary_partition(const lanes_group &parent, bool predicate) {
    unsigned all = parent.lanes(), set = __ballot_sync(all, predicate);
    if (set == all || set == 0)
        return coalesced_group(all);
    return coalesced_group(predicate ? set : all & ~set, predicate, 2);
}

/* The lanes that have the same label. Groups are numbered in the order of their first lanes. */
template <typename Label>
EMULATOR_INLINE coalesced_group labeled_partition(const lanes_group &parent, Label label) {
    static_assert(emulator::is_integer<Label> || emulator::is_pointer<Label>,
                  "a label is an integer or a pointer");
    unsigned same = __match_any_sync(parent.lanes(), label), first = same & -same;
    unsigned leaders = __ballot_sync(parent.lanes(), first == 1u << emulator_lane());
    return coalesced_group(same, (unsigned)__popc(leaders & (first - 1)),
                           (unsigned)__popc(leaders));
}
EMULATOR_INLINE coalesced_group labeled_partition(const lanes_group &parent, bool label) {
    return binary_partition(parent, label);
}

template <typename Group> EMULATOR_INLINE void sync(const Group &group) { group.sync(); }
template <typename Group> EMULATOR_INLINE auto thread_rank(const Group &group) {
    return group.thread_rank();
}
template <typename Group> EMULATOR_INLINE auto group_size(const Group &group) {
    return group.size();
}
} // namespace cooperative_groups
