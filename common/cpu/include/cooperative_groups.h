// Cooperative groups on the CPU executor: blocks, tiles, coalesced threads, partitions, clusters, the grid.
//
// Not supported: multi-device grids.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>

#include <kit_cpu/cluster.hpp>
#include <kit_cpu/lane_group.hpp>
#include <kit_cpu/thread_group.hpp>
#include <kit_cpu/wide_tile.hpp>
#include <type_traits>
#include <utility>

namespace cooperative_groups {

/// The group of all threads in the caller's block.
class thread_block : public thread_group {
  public:
    struct arrival_token {};

    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token&&, Place place = KIT_CPU_HERE) const { sync(place); }

    static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank() { return kit::cpu::thread_rank(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }

  private:
    thread_block() : thread_group(Kind::block) {}
    friend thread_block this_thread_block();
};

inline thread_block this_thread_block() {
    return {};
}

/// Memory that tiles of more than 32 threads need on old devices. The type is empty, because devices of
/// compute capability 8.0 or higher need no such memory.
template <unsigned MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return this_thread_block();
}

/// The group of all threads of a launch. sync() requires a cooperative launch.
class grid_group : public thread_group {
  public:
    using arrival_token = unsigned;

    bool is_valid() const { return kit::cpu::grid_is_cooperative(); }
    arrival_token barrier_arrive() const { return 0; }
    void barrier_wait(arrival_token&&, Place place = KIT_CPU_HERE) const { sync(place); }

    static unsigned long long num_blocks() { return blocks_in_grid(); }
    static unsigned long long block_rank() { return block_rank_in_grid(); }
    static dim3 block_index() { return blockIdx; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 dim_clusters() { return kit::cpu::clusters_of_grid(); }
    static unsigned long long num_clusters() { return num_blocks() / kit::cpu::cluster_num_blocks(); }
    static dim3 cluster_index() { return kit::cpu::cluster_index(); }
    static unsigned long long cluster_rank() {
        const dim3 all = dim_clusters(), at = cluster_index();
        return (static_cast<unsigned long long>(at.z) * all.y + at.y) * all.x + at.x;
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_threads() {
        return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
    }
    static dim3 thread_index() {
        return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z};
    }

  private:
    grid_group() : thread_group(Kind::grid) {}
    friend grid_group this_grid();
};

inline grid_group this_grid() {
    return {};
}

#define _CG_HAS_CLUSTER_GROUP

/// The blocks of a cluster, which are resident together and can access each other's shared memory. Without
/// clusters, each block is a cluster.
class cluster_group : public thread_group {
  public:
    struct arrival_token {};

    arrival_token barrier_arrive(Place place = KIT_CPU_HERE) const {
        kit::cpu::cluster_arrive(place);
        return {};
    }
    void barrier_wait(Place place = KIT_CPU_HERE) const {
        kit::cpu::cluster_wait(place, "cluster.barrier_wait()");
    }
    void barrier_wait(arrival_token&&, Place place = KIT_CPU_HERE) const { barrier_wait(place); }

    static unsigned int query_shared_rank(const void* address, Place place = KIT_CPU_HERE) {
        return kit::cpu::cluster_rank_of(address, place);
    }
    template <class T>
    static T* map_shared_rank(T* address, int rank, Place place = KIT_CPU_HERE) {
        return static_cast<T*>(kit::cpu::cluster_map(address, rank, place));
    }

    static dim3 block_index() { return kit::cpu::cluster_block_index(); }
    static unsigned int block_rank() { return kit::cpu::cluster_block_rank(); }
    static dim3 thread_index() {
        const dim3 block = block_index();
        return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z};
    }
    static unsigned int thread_rank() {
        return block_rank() * blockDim.x * blockDim.y * blockDim.z + kit::cpu::thread_rank();
    }
    static dim3 dim_blocks() { return kit::cpu::cluster_dims(); }
    static unsigned int num_blocks() { return kit::cpu::cluster_num_blocks(); }
    static dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
    }
    static unsigned int num_threads() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
    static unsigned int size() { return num_threads(); }

  private:
    cluster_group() : thread_group(Kind::cluster) {}
    friend cluster_group this_cluster();
};

inline cluster_group this_cluster() {
    return {};
}

/// Some of the lanes of a warp. The ranks of the group follow the order of the lanes.
class coalesced_group : public thread_group, public kit::cpu::LaneCollectives<coalesced_group> {
  public:
    unsigned num_threads() const { return static_cast<unsigned>(__popc(lanes_)); }
    unsigned size() const { return num_threads(); }
    unsigned thread_rank() const { return kit::cpu::rank_of_lane(lanes_, kit::cpu::lane_id()); }
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }

    /// Only for the executor (CUDA's header has this, too): returns the mask, or creates a group with a given
    /// mask.
    unsigned lanes() const { return lanes_; }
    static coalesced_group of_lanes(unsigned lanes, unsigned meta_rank = 0, unsigned meta_size = 1) {
        return {lanes, meta_rank, meta_size};
    }
    static int source(unsigned lanes, int rank) {
        return kit::cpu::lane_of_rank(lanes, static_cast<unsigned>(rank));
    }

  private:
    coalesced_group(const thread_group& group) : thread_group(group) {}
    coalesced_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : thread_group(lanes, meta_rank, meta_size) {}
    friend coalesced_group tiled_partition(const coalesced_group& parent, unsigned size, Place place);
};

/// Returns the lanes that are executing together with the caller.
inline coalesced_group coalesced_threads(Place place = KIT_CPU_HERE) {
    return coalesced_group::of_lanes(kit::cpu::converged_lanes(place));
}

namespace kit_details {

/// The functions of a tile that is a part of one warp.
template <unsigned Size, class Tile>
class warp_tile : public thread_group, public kit::cpu::LaneCollectives<Tile> {
  public:
    /// Returns the value of the thread whose rank is the caller's rank XOR `rank_mask`.
    template <class T>
    kit::cpu::Plain<T> shfl_xor(T&& value, unsigned rank_mask, Place place = KIT_CPU_HERE) const {
        return this->template exchange<kit::cpu::Plain<T>>(
            "shfl_xor() of a group", value, kit::cpu::source_xor(static_cast<int>(rank_mask), Size), place);
    }

    /// Only for the executor: returns the lanes of the tile as a mask.
    unsigned lanes() const { return lanes_; }
    static int source(unsigned, int rank) { return kit::cpu::source_indexed(rank, Size); }

  protected:
    warp_tile(unsigned meta_rank, unsigned meta_size)
        : thread_group((0xffffffffu >> (32 - Size)) << (kit::cpu::lane_id() & ~(Size - 1)), meta_rank,
                       meta_size) {}
};

template <unsigned Size, class Tile>
using tile_base = std::conditional_t<(Size > 32), wide_tile<Size, Tile>, warp_tile<Size, Tile>>;

}  // namespace kit_details

/// A tile: `Size` consecutive threads of a block or of a larger tile.
template <unsigned Size, class Parent = void>
class thread_block_tile : public kit_details::tile_base<Size, thread_block_tile<Size, Parent>> {
    static_assert(Size > 0 && Size <= 512 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 threads");

  public:
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other>& other)
        : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {
        static_assert(std::is_void_v<Parent>,
                      "only a tile without a parent type takes a tile of another parent");
    }

    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static unsigned thread_rank() { return kit::cpu::thread_rank() & (Size - 1); }
    unsigned meta_group_rank() const { return this->meta_rank_; }
    unsigned meta_group_size() const { return this->meta_size_; }

  private:
    thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : kit_details::tile_base<Size, thread_block_tile>(meta_rank, meta_size) {}

    template <unsigned, class>
    friend class thread_block_tile;
    template <unsigned N, class Group>
    friend thread_block_tile<N, Group> tiled_partition(const Group& parent, Place place);
    friend thread_block_tile<1> this_thread();
};

namespace kit_details {
template <class Group>
constexpr bool is_wide = false;
template <unsigned Size, class Parent>
constexpr bool is_wide<thread_block_tile<Size, Parent>> = (Size > 32);
}  // namespace kit_details

/// Divides the parent into tiles. All threads of the parent must call it; if a tile has several warps, they
/// wait for each other, as in CUDA.
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent, Place place = KIT_CPU_HERE) {
    if constexpr (Size > 32) parent.sync(place);
    return {static_cast<unsigned>(parent.thread_rank()) / Size,
            (static_cast<unsigned>(parent.num_threads()) + Size - 1) / Size};
}

inline thread_block_tile<1> this_thread() {
    return {0u, 1u};
}

inline thread_group tiled_partition(const thread_group& parent, unsigned size, Place place = KIT_CPU_HERE) {
    return parent.tile(size, place);
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size,
                                       Place place = KIT_CPU_HERE) {
    return parent.tile(size, place);
}

/// Returns the group of those threads of a tile or coalesced group whose predicate equals the caller's.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, Place place = KIT_CPU_HERE) {
    constexpr auto missed = kit::cpu::Returned::are_missed;
    const unsigned votes = kit::cpu::ballot("binary_partition()", group.lanes(), predicate, place, missed);
    const unsigned others = kit::cpu::ballot("binary_partition()", group.lanes(), !predicate, place, missed);
    if (!votes || !others) return coalesced_group::of_lanes(group.lanes());
    return coalesced_group::of_lanes(predicate ? votes : others, predicate, 2);
}

/// Returns the group of those threads of a tile or coalesced group whose label equals the caller's.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, Place place = KIT_CPU_HERE) {
    static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>,
                  "a label is an integer or a pointer");
    if constexpr (std::is_same_v<Label, bool>) {
        return binary_partition(group, label, place);
    } else {
        constexpr auto missed = kit::cpu::Returned::are_missed;
        const unsigned mine =
            kit::cpu::match("labeled_partition()", group.lanes(), label, place, missed).equal;
        const unsigned leader = static_cast<unsigned>(__builtin_ctz(mine));
        const unsigned leaders = kit::cpu::ballot("labeled_partition()", group.lanes(),
                                                  leader == kit::cpu::lane_id(), place, missed);
        return coalesced_group::of_lanes(mine, kit::cpu::rank_of_lane(leaders, leader),
                                         static_cast<unsigned>(__builtin_popcount(leaders)));
    }
}

/// Calls the function in one thread of the group. The other threads do not wait for it.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

/// Calls the function in one thread of a tile or coalesced group, and returns its result to all threads of
/// the group.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
    using Result = kit::cpu::Plain<decltype(function(std::forward<Arguments>(arguments)...))>;
    static_assert(!std::is_void_v<Result>, "a function without a result is for invoke_one()");
    Result result{};
    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0);
}

template <class Group>
void sync(const Group& group, Place place = KIT_CPU_HERE) {
    group.sync(place);
}
template <class Group>
auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) -> decltype(group.num_threads()) {
    return group.num_threads();
}

}  // namespace cooperative_groups
