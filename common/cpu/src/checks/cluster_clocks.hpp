// The order that the barriers of a cluster make: what each thread of the cluster had done when it arrived.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "happens_before.hpp"

namespace kit::cpu {

/// One phase of the barrier. Who has waited for it comes after everything that these clocks cover.
struct ClusterArrivals {
    unsigned phase = 0;
    std::vector<std::uint32_t> blocks;  ///< their numbers
    unsigned threads = 0;               ///< per block
    std::vector<std::uint32_t> clocks;  ///< by block and rank; a thread that returned early is covered whole
    KnowledgePtr known;                 ///< what the threads had heard of others

    void add_block(std::uint32_t block, unsigned threads_of_block);
    void note(std::uint32_t block, unsigned rank, std::uint32_t clock, const KnowledgePtr& heard);
    bool covers(const Record& record) const;
};

}  // namespace kit::cpu
