// The base class of all groups in cooperative_groups.h: size, rank and barrier.
#pragma once

#include <cuda_runtime.h>

#include <kit_cpu/cluster.hpp>
#include <kit_cpu/lane_group.hpp>

namespace cooperative_groups {

using kit::cpu::Place;

/// A group of any kind, as cooperative_groups::thread_group.
class thread_group {
  public:
    void sync(Place place = KIT_CPU_HERE) const {
        if (kind_ == Kind::grid) return kit::cpu::grid_barrier(place);
        if (kind_ == Kind::cluster) {
            kit::cpu::cluster_arrive(place);
            return kit::cpu::cluster_wait(place);
        }
        if (kind_ == Kind::block) return kit::cpu::block_barrier(place, "thread_block::sync()");
        if (kind_ == Kind::wide_tile)
            return kit::cpu::tile_meet(lanes_, "sync() of a tile", nullptr, nullptr, nullptr, place);
        kit::cpu::warp_sync("sync() of a group", lanes_, place);
    }

    unsigned long long num_threads() const {
        const unsigned long long block =
            static_cast<unsigned long long>(blockDim.x) * blockDim.y * blockDim.z;
        if (kind_ == Kind::grid) return block * gridDim.x * gridDim.y * gridDim.z;
        if (kind_ == Kind::cluster) return block * kit::cpu::cluster_num_blocks();
        if (kind_ == Kind::wide_tile) return lanes_;
        return kind_ == Kind::block ? block : static_cast<unsigned>(__popc(lanes_));
    }
    unsigned long long size() const { return num_threads(); }

    unsigned long long thread_rank() const {
        if (kind_ == Kind::lanes) return kit::cpu::rank_of_lane(lanes_, kit::cpu::lane_id());
        const unsigned long long in_block = kit::cpu::thread_rank();
        if (kind_ == Kind::wide_tile) return in_block & (lanes_ - 1);
        if (kind_ == Kind::cluster)
            return kit::cpu::cluster_block_rank() * (num_threads() / kit::cpu::cluster_num_blocks()) +
                   in_block;
        return kind_ == Kind::block ? in_block
                                    : block_rank_in_grid() * (num_threads() / blocks_in_grid()) + in_block;
    }

  protected:
    enum class Kind { block, cluster, grid, lanes, wide_tile };

    explicit thread_group(Kind kind) : kind_(kind) {}
    thread_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : kind_(Kind::lanes), lanes_(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}
    static thread_group wide_tile(unsigned size, unsigned meta_rank, unsigned meta_size) {
        thread_group group(size, meta_rank, meta_size);
        group.kind_ = Kind::wide_tile;
        return group;
    }

    static unsigned long long blocks_in_grid() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank_in_grid() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
               blockIdx.x;
    }

    /// Returns the tile of this group that contains the caller. The tile has `size` threads with consecutive
    /// ranks.
    thread_group tile(unsigned size, Place place) const {
        if (size == 0 || size > 32 || (size & (size - 1)) != 0 || kind_ == Kind::grid ||
            kind_ == Kind::cluster) {
            kit::cpu::refuse_tile(size, place);
        }
        const unsigned rank = static_cast<unsigned>(thread_rank());
        const unsigned count = static_cast<unsigned>(num_threads());
        unsigned lanes = 0;
        if (kind_ == Kind::block || kind_ == Kind::wide_tile) {
            const unsigned first = rank & ~(size - 1), last = min(first + size, count);
            lanes = (0xffffffffu >> (32 - (last - first))) << first % 32;
        } else {
            for (unsigned bit = 0; bit < 32; ++bit) {
                const bool member = lanes_ >> bit & 1;
                if (member && kit::cpu::rank_of_lane(lanes_, bit) / size == rank / size) lanes |= 1u << bit;
            }
        }
        return {lanes, rank / size, (count + size - 1) / size};
    }

    Kind kind_;
    unsigned lanes_ =
        0;  ///< for a part of a warp: its lanes; for a tile of several warps: the number of its threads
    unsigned meta_rank_ = 0, meta_size_ = 1;

    friend thread_group tiled_partition(const thread_group& parent, unsigned size, Place place);
};

}  // namespace cooperative_groups
