// A family: a launch by the host and all of its descendants, which kernels launch.
//
// The children of a grid start after its blocks have finished. CUDA allows that, because a parent cannot wait
// for its children, and it exposes every parent that relies on their results. A grid is complete when its
// blocks and all of its children are complete. After that, its tail launches run, one after another. Work
// that waits for the grid also waits for its tail launches.
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

/// A point in the order of a device stream or event: later work waits for the members in `last`.
struct DevicePoint {
    std::vector<Member*> last;
    WorkClock clock;
};

/// A stream or an event that device code created. Only the grid that created the handle can use it.
struct DeviceHandle {
    Member* owner = nullptr;
    std::uint64_t number = 0;  ///< number of the stream in reports
    DevicePoint point;
};

/// One member of a family: a grid, or a copy that a grid queued.
struct Member {
    Launch launch;
    std::function<cudaError_t()> copy;
    Member* parent = nullptr;
    NotesPtr notes;  ///< the observer's notes about the grid
    std::uint64_t number = 0;
    std::size_t open = 1;       ///< 1 for the blocks of the grid, plus the number of children that are not
                                ///< complete
    std::size_t waits_for = 0;  ///< number of siblings that must be complete before this member starts
    bool tail = false, pending = false, complete = false;
    std::vector<Member*> followers;  ///< siblings that wait for this member
    std::vector<Member*> children;   ///< launches by the blocks of the grid that have not started
    std::vector<Member*> tails;      ///< launches by the blocks of the grid into its tail stream
    std::size_t next_tail = 0;
    /// Default streams of the blocks, by key of the block.
    std::unordered_map<std::uint64_t, DeviceHandle> streams;
    /// Last errors of the threads, by key of the thread.
    std::unordered_map<std::uint64_t, cudaError_t> errors;
};

/// The reason why the kernels of a family cannot launch kernels; `no` if they can.
enum class Childless { no, in_conditional_body, in_device_graph };

class Family {
  public:
    explicit Family(const Launch& launch, Childless childless = Childless::no);
    Family(const Family&) = delete;
    Family& operator=(const Family&) = delete;

    /// Runs the grid and all of its descendants. The caller has made device memory accessible.
    cudaError_t run();

    // Threads of the running grid call the following functions while they hold the mutex.
    std::mutex& mutex() { return mutex_; }
    Member& running() { return *running_; }
    Childless childless() const { return childless_; }

    /// Creates a stream or an event that belongs to the running grid.
    DeviceHandle* make(std::set<DeviceHandle*>& kind);
    std::set<DeviceHandle*> streams, events;

    /// Returns the running grid's stream for a handle, or null. `key` names the block that launches.
    DeviceHandle* find_stream(cudaStream_t handle, std::uint64_t key);

    /// Queues a grid or a copy. Returns false if the limit of pending launches is reached (cudaLimitDevRuntimePendingLaunchCount).
    bool add(Launch launch, std::function<cudaError_t()> copy, cudaStream_t handle, DeviceHandle* stream);

    /// Returns the observer's notes about the running grid; null between two grids.
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
    std::size_t pending_ = 0;  ///< number of grids that kernels launched and that are not complete
    std::uint64_t last_number_ = 0, last_stream_ = 0;
    Schedule schedule_;
    Dice dice_;
    const Childless childless_;
};

/// Returns the family whose kernel is running; null outside kernels.
Family* family_now();
/// Sets the running family, and returns the previous one.
Family* exchange_running_family(Family* family);

}  // namespace kit::cpu
