// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Tiles of several warps, of 64 to 512 threads, for programs that nobody grades. What their threads
 * tell each other goes through shared memory of the emulator's own, 8 KiB and a little more for a
 * kernel that has such tiles; a device wants block_tile_memory for that. */
#ifndef EMULATOR_COOPERATIVE_GROUPS_SEVERAL_WARPS_H
#define EMULATOR_COOPERATIVE_GROUPS_SEVERAL_WARPS_H

#include "../../libraries/cuda/atomic"

namespace cooperative_groups {

/* A program makes it and gives it; nothing lies in it. */
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
    char unused;
};
template <unsigned MaxBlockSize>
EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
    return thread_block();
}

namespace details {
/* Of the block: a word for each thread; for each tile, how often one of its threads came to a
 * barrier. The tiles of one size, divided by 64, begin at that number. */
static thread_local struct {
    uint64_t words[1024];
    unsigned arrivals[32];
} several_warps __attribute__((unused));
} // namespace details

template <unsigned Size, typename Parent>
class thread_block_tile<Size, Parent, true> {
    static_assert(Size <= 512 && (Size & (Size - 1)) == 0,
                  "the emulator has tiles of 1, 2, 4, 8 and so on up to 512 threads");
    unsigned rank, count; /* among the tiles of the parent */

    static unsigned first() { return details::thread_in_block() & ~(Size - 1); }
    static unsigned *arrivals() {
        return &details::several_warps.arrivals[1024 / Size + first() / Size];
    }
    /* The last tile of a block may have fewer threads. */
    static unsigned present() {
        unsigned left = thread_block::num_threads() - first();
        return left < Size ? left : Size;
    }
    template <typename T>
    static T word_of(unsigned rank) {
        return emulator::from_bits<T>(details::several_warps.words[first() + rank]);
    }

  public:
    /* All threads of the parent come here. */
    explicit thread_block_tile(const Parent &parent)
        : rank(parent.thread_rank() / Size), count((parent.num_threads() + Size - 1) / Size) {
        parent.sync();
        if (thread_rank() == 0)
            *arrivals() = 0;
        parent.sync();
    }
    template <typename Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other)
        : rank(other.meta_group_rank()), count(other.meta_group_size()) {}

    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static unsigned thread_rank() { return details::thread_in_block() & (Size - 1); }
    unsigned meta_group_rank() const { return rank; }
    unsigned meta_group_size() const { return count; }

    static void sync() {
        ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_block> arrived(*arrivals());
        unsigned before = arrived.fetch_add(1, ::std::memory_order_acq_rel);
        unsigned wanted = (before / present() + 1) * present();
        while ((int)(arrived.load(::std::memory_order_acquire) - wanted) < 0)
            __nanosleep(0);
    }
    template <typename T>
    static T shfl(T value, unsigned rank) {
        details::several_warps.words[details::thread_in_block()] = emulator::to_bits(value);
        sync();
        T result = word_of<T>(rank % Size);
        sync();
        return result;
    }
    /* The values of the first `count` threads, combined in the order of their ranks. */
    template <typename T, typename Operation>
    static T combine(T value, Operation &operation, unsigned count) {
        details::several_warps.words[details::thread_in_block()] = emulator::to_bits(value);
        sync();
        T result = word_of<T>(0);
        for (unsigned rank = 1; rank < count && rank < present(); rank++)
            result = operation(result, word_of<T>(rank));
        sync();
        return result;
    }
    static int any(int predicate) {
        auto either = [](bool a, bool b) { return a || b; };
        return combine(predicate != 0, either, Size);
    }
    static int all(int predicate) {
        auto both = [](bool a, bool b) { return a && b; };
        return combine(predicate != 0, both, Size);
    }
};

} // namespace cooperative_groups

#endif
