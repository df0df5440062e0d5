// Unordered work: kernels, copies and host code that do not wait for each other, and where their accesses
// meet.
//
// Every kernel, every copy, and the host code between two calls gets a number (WorkId), which its records
// contain. Earlier work is unordered with the running work if neither of the two waits for the other; see
// work_order.hpp.
#pragma once

#include <array>
#include <bitset>
#include <kit_cpu/launch.hpp>
#include <string>
#include <vector>

#include "launch_tree.hpp"
#include "race.hpp"
#include "run/work_order.hpp"

namespace kit::cpu {

/// One piece of work whose accesses are recorded.
struct WorkItem {
    enum class Kind { kernel, copy, host } kind = Kind::kernel;
    std::string name;  ///< name of the kernel, or of the function that copies
    WorkStamp stamp;
    dim3 grid, block;                               ///< grid and block size of a kernel
    LaunchNodePtr node{};                           ///< launch tree node of a kernel, or of a copy by a
                                                    ///< kernel
    std::shared_ptr<const BlockNumbers> numbers{};  ///< block numbers of a kernel
    VectorClockPtr acquired{};                      ///< clocks of other kernels, acquired through
                                                    ///< release/acquire edges
    int device = -1;                                ///< device on which a kernel runs
    bool flag_seen =
        false;  ///< whether host code has read a value that the kernel has stored with an atomic or volatile store
    bool is_child() const { return node && node->parent; }
};

/// Returns whether both items are kernels and run on different devices.
bool on_two_devices(const WorkItem& a, const WorkItem& b);

/// Returns whether only atomics with system scope reach from one item to the other.
bool needs_system_scope(const WorkItem& a, const WorkItem& b);

/// Returns whether both items result from the same launch by the host.
bool one_family(const WorkItem& a, const WorkItem& b);

/// A range of bytes that a copy reads or writes.
struct CopiedRange {
    const char* begin;
    const char* end;
    bool write;
    WorkId id;
    std::uint32_t site;  ///< number of the call that copies (Sites)
};

class UnorderedWork {
  public:
    /// Starts new work, which runs from now on. Returns false if no number is left, or if few are left and no
    /// record is needed. In that case, the caller must delete all records and call this function again.
    /// (ThreadSanitizer resets its shadow memory in the same way.)
    bool start(WorkItem item);

    /// Continues work that was interrupted by other work.
    void resume(WorkId id);

    WorkId current() const { return current_; }
    const WorkItem& item(WorkId id) const { return items_[id]; }

    /// Returns the clocks of other kernels that the running work has acquired from work that happens before
    /// it.
    VectorClockPtr acquired_at_start() const { return items_[current_].acquired; }
    /// Records that host code has read a flag of this kernel.
    void flag_is_seen(WorkId kernel) {
        if (kernel < items_.size()) items_[kernel].flag_seen = true;
    }
    /// Adds the clocks of other kernels that a block of the running kernel acquired before the end of the
    /// block.
    void acquire(const VectorClock& kernels);

    /// Returns whether the running kernel can acquire clocks that were released by a kernel which does not
    /// happen before it.
    bool releases_matter() const { return records_matter() || items_[current_].is_child(); }

    /// Returns whether this work is unordered with the running work.
    bool unordered(WorkId id) const { return any_ && unordered_[id]; }
    bool any() const { return any_; }

    /// Returns the same for one access of the work. Some accesses of a parent kernel happen before its child,
    /// others are unordered with it.
    bool unordered(WorkId id, const Record& record) const {
        return unordered(id) && !(at_launch_[id] && at_launch_[id]->covers(record));
    }
    /// Returns whether later work can be unordered with this work, although the running work is ordered with
    /// it.
    bool still_counts(WorkId id) const { return several_ && id >= first_live_; }
    bool records_matter() const { return any_ || several_; }

    /// Returns whether host code has accessed memory while queued work was unfinished.
    bool host_is_live() const;

    /// Records the range of a copy.
    void add_copy(const CopiedRange& range) { copies_.push_back(range); }
    /// Deletes the ranges of copies in memory that has been freed.
    void forget_copies(const char* begin, std::size_t bytes);
    /// Returns an unordered copy that races with an access to these bytes; null if there is none.
    const CopiedRange* racing_copy(const char* begin, std::size_t bytes, bool write) const;

    void forget();

  private:
    void find_unordered(WorkId self);

    std::vector<WorkItem> items_{1};  ///< work by number; number 0 is not used
    WorkId current_ = 0;
    WorkId first_live_ = 1;  ///< the host has waited for all work with a smaller number
    std::bitset<most_work_ids> unordered_;
    /// For each ancestor of the running work: the clock of the launching thread at the launch.
    std::array<const VectorClock*, most_work_ids> at_launch_{};
    bool any_ = false;
    bool several_ = false;  ///< whether earlier work is still relevant, and more than one stream has work
    std::vector<CopiedRange> copies_;
    /// The unordered copies, sorted by their first byte. `farthest` is the largest end of all copies up to this
    /// one.
    struct UnorderedCopy {
        std::size_t copy;
        const char* farthest;
    };
    std::vector<UnorderedCopy> unordered_copies_;
};

/// Removes records of other work from a cell, so that check_race() can use it, and compares an access with
/// the unordered ones.
class UnorderedRecords {
  public:
    /// `work` is null for memory that other work cannot access.
    UnorderedRecords(Cell& cell, WorkId id, const UnorderedWork* work, const BlockClocks& clocks,
                     const Record& now);

    /// Returns the record with which this access races, and in `made_by` the work that made it. The record is
    /// invalid if there is none.
    Record race(const Record& now, const Sites& sites, WorkId& made_by) const;

    /// Puts a record back into the cell that may race with a later kernel, if there is space.
    void keep(Cell& cell) const;

  private:
    void take(Record record, WorkId id, const UnorderedWork& work, const BlockClocks& clocks,
              const Record& now);

    Record found_[3];
    WorkId ids_[3];
    bool unordered_[3];
    bool far_[3];  ///< whether the record was made on a different device, or by host code
    unsigned count_ = 0;
};

}  // namespace kit::cpu
