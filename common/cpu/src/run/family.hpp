// A launch from the host and all that comes of it: kernels launch kernels, which launch kernels.
//
// A grid's children begin when its blocks have ended. That is legal, as a parent cannot wait for them, and it shows
// every parent that hopes to see their results. A grid is complete when its blocks and all of its children are; then
// its tail launches run, one after another. Whatever waits for the grid waits for these, too.
#pragma once

#include <cstdint>
#include <functional>
#include <kit_cpu/launch.hpp>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "events.hpp"
#include "schedule.hpp"
#include "work_order.hpp"

namespace kit::cpu {

struct Member;

/// Siblings that later work waits for: the end of a stream, or an event.
struct DevicePoint {
    std::vector<Member*> last;
    WorkClock clock;
};

/// A stream or an event that device code made; the grid that made it may use it.
struct DeviceHandle {
    Member* owner = nullptr;
    std::uint64_t number = 0;  ///< of a stream
    DevicePoint point;
};

/// One grid, or a copy that a grid asked for.
struct Member {
    Launch launch;
    std::function<cudaError_t()> copy;
    Member* parent = nullptr;
    NotesPtr notes;  ///< of whoever watches
    std::uint64_t number = 0;
    std::size_t open = 1;       ///< its own blocks, and children that are not complete
    std::size_t waits_for = 0;  ///< siblings that must be complete first
    bool tail = false, pending = false, complete = false;
    std::vector<Member*> followers;  ///< siblings that wait for it
    std::vector<Member*> children;   ///< launched by its blocks, not yet begun
    std::vector<Member*> tails;      ///< launched into its tail stream
    std::size_t next_tail = 0;
    std::unordered_map<std::uint64_t, DeviceHandle> streams;  ///< the blocks' default streams, by key
    std::unordered_map<std::uint64_t, cudaError_t> errors;    ///< a thread's last error, by key
};

/// Where no kernel may launch kernels.
enum class Childless { no, in_conditional_body, in_device_graph };

class Family {
  public:
    explicit Family(const Launch& launch, Childless childless = Childless::no);
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;

    /// Runs the grid and everything that comes of it. Device memory must be accessible.
    cudaError_t run();

    // What follows is asked for by threads of the grid that runs, with the mutex held.
    std::mutex& mutex() { return mutex_; }
    Member& running() { return *running_; }
    Childless childless() const { return childless_; }

    /// A stream or an event for the running grid.
    DeviceHandle* make(std::set<DeviceHandle*>& kind);
    std::set<DeviceHandle*> streams, events;

    /// The stream of the running grid behind the handle, null if there is none. `key` names the launching block.
    DeviceHandle* find_stream(cudaStream_t handle, std::uint64_t key);

    /// Queues a grid or a copy. False when as many wait as may (cudaLimitDevRuntimePendingLaunchCount).
    bool add(Launch launch, std::function<cudaError_t()> copy, cudaStream_t handle, DeviceHandle* stream);

    /// The observer's notes of what runs now; null between two grids.
    NotesPtr notes() const { return running_ ? running_->notes : nullptr; }

  private:
    cudaError_t run_member(Member& member);
    void close(Member* member);
    Member& take();
    cudaError_t give_up();

    std::mutex mutex_;
    Member root_;
    Member* running_ = nullptr;
    std::vector<std::unique_ptr<Member>> members_;
    std::vector<std::unique_ptr<DeviceHandle>> handles_;
    std::vector<Member*> ready_;
    std::size_t first_ready_ = 0;
    std::size_t pending_ = 0;  ///< launched by kernels and not complete
    std::uint64_t last_number_ = 0, last_stream_ = 0;
    Schedule schedule_;
    Dice dice_;
    const Childless childless_;
};

/// The family whose kernel runs now; null outside of kernels.
Family* family_now();
/// Another one runs from now on; says which one did.
Family* exchange_running_family(Family* family);

}  // namespace kit::cpu
