// Detects races. Each access is compared with the records of unordered accesses by other threads, other
// kernels, copies and host code.
//
// race.hpp decides about two records. happens_before.hpp provides the order within a kernel, and
// unordered_work.hpp the order of pieces of work.
#pragma once

#include <algorithm>
#include <map>
#include <memory>

#include "block_checks.hpp"
#include "by_address.hpp"
#include "mistakes.hpp"
#include "race.hpp"
#include "shadow_map.hpp"
#include "target.hpp"
#include "unordered_work.hpp"

namespace kit::cpu {

class RaceCheck {
  public:
    RaceCheck(ShadowMap& shadows, Sites& sites, Mistakes& mistakes)
        : shadows_(shadows), sites_(sites), mistakes_(mistakes) {}

    void kernel_begins(const Grid& grid);
    void kernel_paused(const Grid& grid);
    void kernel_resumed(const Grid& grid);
    void block_begins(const Block& block);
    /// Checks whether other blocks of the cluster may access the shared memory of a block after the end of
    /// that block.
    void block_ended(const Block& block);

    void access(const Block& block, const Target& target, const Access& access);
    /// Checks an access to whole words that is not atomic. Returns false, and does nothing, if records of
    /// other work matter.
    [[gnu::always_inline]] bool plain_access(const Block& block, const Target& target, const char* address,
                                             unsigned bytes, bool write, const void* instruction) {
        const bool shared = target.is_shared();
        if (!shared && work_.records_matter()) return false;
        BlockChecks& checks = checks_of(block);
        const BlockClocks& clocks = checks.clocks;
        const WorkId id = shared ? checks.shared_id : work_.current();
        const unsigned rank = block.rank();
        const Record now = make_record(write, false, Scope::device, clocks.number() & (most_blocks - 1), rank,
                                       std::min(clocks.clock(rank), most_clock), sites_.number(instruction));
        for (unsigned i = 0; i < bytes; i += 4) {
            Cell& cell = target.region->word(address + i);
            if (cell.whole_of(id) && check_ordered(cell, now, clocks)) continue;
            if (!cell.only(id)) {
                target.region->clear_word(address + i, id);
                (write ? cell.write : cell.read) = now;
            } else {
                check_whole(block, target, address, bytes, now,
                            id);  // also checks the first words again, which changes nothing
                return true;
            }
        }
        return true;
    }
    /// Called before an atomic load. Returns whether other threads should run first, because they may still
    /// write this address.
    bool should_wait(const Target& target, const Access& access);
    void barrier(const BarrierStep& step);

    /// Starts an asynchronous copy. The copy may access its source and destination until a thread waits for
    /// the copy (race_copies.cpp).
    void copy_begins(const Block& block, const AsyncCopy& copy, const Target& target, bool write);
    void copy_landed(const Block& block, const AsyncCopy& copy, const Target& target, bool write);
    void copy_stays(const Block& block, const AsyncCopy& copy, const Target& target, bool write);

    /// Starts a put. The put may access its source and destination until a signal, a fence or a wait orders
    /// the put (race_puts.cpp).
    void put_begins(const Block& block, const Put& put, const Target& target, bool write);
    /// Orders the block's earlier puts before later steps of the running thread. With `complete`, the thread
    /// also waits for these puts.
    void puts_ordered(const Block& block, bool complete);

    /// Called after a store has completed. Reports a race of two unordered stores if they stored different
    /// values.
    void settle() {
        if (pending_.block) settle_writes();
    }

    /// Records that a block of the device's heap is reused. Earlier accesses to this block happen before its
    /// new use.
    void allocated(const char* begin, std::size_t bytes);

    void touches(const RowsTouched& rows);
    void forget_copies(const char* begin, std::size_t bytes) { work_.forget_copies(begin, bytes); }
    void host_access(const Access& access);

  private:
    /// An access that is compared with the records in the cells of its bytes.
    struct CheckedAccess {
        const Block* block;  ///< null for an access by host code
        const BlockClocks& clocks;
        Record now;
        WorkId id;
        const UnorderedWork* other_work;  ///< null for shared memory, which other kernels, copies and host
                                          ///< code cannot access
        bool copy = false;                ///< whether the access is by a copy, so that its bytes have not
                                          ///< been written yet
    };
    Record record_of(const Block& block, unsigned rank, Place place, bool write);
    void check_bytes(const Block& block, const Target& target, const char* begin, std::size_t bytes,
                     const Record& record);
    /// Replaces the epochs in the records of these bytes.
    static void replace(ShadowRegion& region, WorkId id, const char* begin, std::size_t bytes,
                        const Record& from, const Record& to);
    void signal_sent(const Block& block, const Target& target, const Access& access, const Record& as_thread);
    bool is_copy(const Record& record, WorkId made_by) const;
    WorkId work_of(const Target& target) const;
    void start_work(WorkItem item);
    void host_synchronizes(const Access& access, ShadowRegion& region);
    void host_acquires(const VectorClockPtr& released);
    void synchronize(unsigned rank, BlockClocks& clocks, const Access& access, SyncVar& variable,
                     std::uint64_t last_sync);
    SyncVar& sync_var_at(const Target& target, const char* address);
    void check_copied_row(const WorkItem& item, const CopiedRange& row);
    void check_cells(ShadowRegion& region, const CheckedAccess& checked, const Access& access);
    void check_whole(const Block& block, const Target& target, const char* address, unsigned bytes,
                     const Record& now, WorkId id);
    void check_cell(Cell& cell, const char* address, const CheckedAccess& checked, const Access& access);
    void note_race(const CheckedAccess& checked, const Access& access, const char* address,
                   const Record& earlier, WorkId made_by);
    void settle_writes();
    void grid_barrier(const BarrierStep& step);

    ShadowMap& shadows_;
    Sites& sites_;
    Mistakes& mistakes_;
    UnorderedWork work_;            ///< the running work, and its order with earlier work
    BlockClocks host_clocks_;       ///< clock of the host, which counts as one thread
    VectorClockPtr host_acquired_;  ///< clocks of kernels that the host has acquired by reading their flags
    WorkStamp host_stamp_;          ///< position in the order of work of the last access by host code
    WorkId host_work_ = 0;
    std::shared_ptr<BlockNumbers> numbers_;  ///< block numbers of the running kernel
    std::uint32_t grid_clock_ = 0, latest_ = 0;
    bool grid_restarts_ = false;  ///< whether the clocks restart at the current grid barrier
    unsigned forgotten_ = 0;      ///< how many times all records have been deleted
    /// The state of a kernel that is paused while other kernels run.
    struct Paused {
        WorkItem item;
        WorkId id;
        unsigned forgotten;
        std::shared_ptr<BlockNumbers> numbers;
        std::uint32_t grid_clock, latest;
        std::uint64_t waits_left;
        bool loads_read_older;
    };
    std::map<const Grid*, Paused> paused_;
    ByAddress<SyncVar> sync_vars_;   ///< synchronization variables by the address of the atomic
    std::uint64_t waits_left_ = 0;   ///< number of waits (should_wait) that are left for the loads of this
                                     ///< kernel
    bool loads_read_older_ = false;  ///< whether loads of this kernel may read older values
                                     ///< (BlockClocks::may_read_older)
    /// A race of two unordered writes, which is harmless if both write the same value. The values can be
    /// compared after the second write: at the next access, or at the end of the kernel.
    struct PendingRace {
        const Block* block = nullptr;
        Access access;
        Record now, earlier;
        WorkId id = 0, earlier_id = 0;
        char before[16];
    } pending_;
};

}  // namespace kit::cpu
