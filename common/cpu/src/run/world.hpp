// The world of NVSHMEM: its PEs are host threads of this process, each with its own device. Called with the
// API lock held, except by kernels.
#pragma once

#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>
#include <vector>

#include "work_order.hpp"

namespace kit::cpu {

/// A call that all PEs must make, such as a barrier or an allocation.
struct JointCall {
    const char* what = "";
    std::size_t bytes = 0;  ///< size in bytes, if the call allocates
    std::vector<Place> places;
    std::vector<bool> here;
    std::vector<char*> memory;
    std::size_t arrived = 0;
    std::size_t begun = 0;  ///< number of PEs whose stream has reached the call
    bool refused = false;
    WorkClock known;  ///< joined clock of all PEs that have made the call
};

struct World {
    unsigned long long id = 0;
    int pes = 0;
    std::vector<int> device;  ///< device of each PE; -1 if the PE has not used a device
    std::vector<bool> present;
    int left = 0;                           ///< number of PEs that have ended
    std::vector<unsigned long long> calls;  ///< number of joint calls that each PE has made
    std::map<unsigned long long, std::shared_ptr<JointCall>> open;
};

/// Returns the world, or null if there are no PEs.
World* world();
std::unique_ptr<World>& world_slot();

/// Returns the PE of the host thread or of the running kernel; -1 if there is none.
int pe_now();
/// Returns the PE of the host thread.
int& pe_of_thread();

}  // namespace kit::cpu
