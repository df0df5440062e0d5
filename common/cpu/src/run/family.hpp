// A launch by the host and all of its descendants: kernels launch kernels, which launch kernels.
//
// A grid's children start after its blocks have finished. That is legal, because a parent cannot wait for them, and it exposes
// every parent that relies on their results. A grid is complete when its blocks and all of its children are complete. Then its
// tail launches run, one after another. Work that waits for the grid waits for these, too.
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

/// A stream or an event that device code created. Only the grid that created it can use it.
struct DeviceHandle {
    Member* owner = nullptr;
    std::uint64_t number = 0;  ///< number of a stream
    DevicePoint point;
};

/// One grid, or a copy that a grid queued.
struct Member {
    Launch launch;
    std::function<cudaError_t()> copy;
    Member* parent = nullptr;
    NotesPtr notes;  ///< the observer's notes
    std::uint64_t number = 0;
    std::size_t open = 1;       ///< its blocks, and children that are not complete
    std::size_t waits_for = 0;  ///< siblings that must be complete first
    bool tail = false, pending = false, complete = false;
    std::vector<Member*> followers;  ///< siblings that wait for it
    std::vector<Member*> children;   ///< launched by its blocks and not yet started
    std::vector<Member*> tails;      ///< launched into its tail stream
    std::size_t next_tail = 0;
    std::unordered_map<std::uint64_t, DeviceHandle> streams;  ///< the blocks' default streams, by key
    std::unordered_map<std::uint64_t, cudaError_t> errors;    ///< a thread's last error, by key
};

/// Used if no kernel can launch kernels.
enum class Childless { no, in_conditional_body, in_device_graph };

class Family {
  public:
    explicit Family(const Launch& launch, Childless childless = Childless::no);
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;

    /// Runs the grid and all of its descendants. Device memory must be accessible.
    cudaError_t run();

    // Threads of the running grid call the following functions, with the mutex held.
    std::mutex& mutex() { return mutex_; }
    Member& running() { return *running_; }
    Childless childless() const { return childless_; }

    /// Creates a stream or an event for the running grid.
    DeviceHandle* make(std::set<DeviceHandle*>& kind);
    std::set<DeviceHandle*> streams, events;

    /// Returns the stream of the running grid for the handle, or null. `key` names the launching block.
    DeviceHandle* find_stream(cudaStream_t handle, std::uint64_t key);

    /// Queues a grid or a copy. Returns false if the limit of pending launches is reached (cudaLimitDevRuntimePendingLaunchCount).
    bool add(Launch launch, std::function<cudaError_t()> copy, cudaStream_t handle, DeviceHandle* stream);

    /// Returns the observer's notes for the running grid; null between two grids.
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
    std::size_t pending_ = 0;  ///< grids that kernels launched and that are not complete
    std::uint64_t last_number_ = 0, last_stream_ = 0;
    Schedule schedule_;
    Dice dice_;
    const Childless childless_;
};

/// Returns the family whose kernel runs now; null outside kernels.
Family* family_now();
/// Sets the family that runs now, and returns the previous one.
Family* exchange_running_family(Family* family);

}  // namespace kit::cpu
