// The PEs of NVSHMEM: host threads of this process, each with a device of its own. Called with the API lock held, but where a
// kernel asks.
#pragma once

#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>
#include <vector>

#include "work_order.hpp"

namespace kit::cpu {

/// A call that all PEs make together.
struct JointCall {
    const char* what = "";
    std::size_t bytes = 0;  ///< of an allocation
    std::vector<Place> places;
    std::vector<bool> here;
    std::vector<char*> memory;
    std::size_t arrived = 0;
    std::size_t begun = 0;  ///< of what was queued
    bool refused = false;
    WorkClock known;  ///< of all that have come
};

struct World {
    unsigned long long id = 0;
    int pes = 0;
    std::vector<int> device;  ///< by PE; -1: has not been used yet
    std::vector<bool> present;
    int left = 0;                           ///< PEs that have ended
    std::vector<unsigned long long> calls;  ///< made together, by PE
    std::map<unsigned long long, std::shared_ptr<JointCall>> open;
};

/// The one that exists; null: there are no PEs.
World* world();
std::unique_ptr<World>& world_slot();

/// Of the host thread, or of the kernel that runs; -1: none.
int pe_now();
/// Of the host thread.
int& pe_of_thread();

}  // namespace kit::cpu
