// The checks of one kernel: every load, store and atomic of a CUDA thread comes here.
//
//   memory          is the address in a piece of memory that this thread may use?     (checker.cpp)
//   initialisation  has somebody written the bytes that are read?                     (shadow.cpp)
//   races           may another thread have touched the bytes unordered?              (race.cpp, happens_before.cpp)
//                   ... or a thread of another kernel, a copy, host code?             (strangers.cpp, host_side.cpp)
//
// A checked kernel runs on one core, so that a report is the same each time.
#pragma once

#include <memory>

#include "arrivals.hpp"
#include "events.hpp"
#include "happens_before.hpp"
#include "memory/buffers.hpp"
#include "mistakes.hpp"
#include "race.hpp"
#include "shadow.hpp"
#include "strangers.hpp"
#include "undefined_lanes.hpp"
#include "unwritten_copies.hpp"
#include "words/symbols.hpp"

namespace kit::cpu {

class Block;
struct Grid;
struct Worker;

/// What the checks keep for a resident block.
struct BlockChecks : Notes {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes)
        : shared(shared_begin, shared_bytes, shared_bytes / 4) {}  // small enough to leave all words unpacked
    BlockClocks clocks;
    BlockBarriers barriers;
    UndefinedValues undefined;
    ShadowRegion shared;
    Owner owner = 0;            ///< number of the block that has this memory now
    bool has_visitors = false;  ///< other blocks of the cluster have used the shared memory
};

/// The checks' notes of a block.
BlockChecks& checks_of(const Block& block);

class Checker final : public Observer {
  public:
    NotesPtr family_begins() override;
    NotesPtr child_launched(const ChildLaunch& launch) override;
    void family_ended() override;  ///< hands in what was seen
    void kernel_begins(const Grid& grid) override;
    void kernel_ended() override;
    void block_begins(Block& block) override;
    /// Is what the block did last undefined, and may others of its cluster still have used its shared memory?
    void block_ended(Block& block) override;

    void access(Worker& worker, const Access& access) override;
    void fence(Worker& worker, Scope scope) override;
    void barrier(const BarrierStep& step) override;
    void shuffle_begins(const Block& block, ShuffleInput& input) override;
    void shuffle_ended(const Block& block, const ShuffleInput& input, const void* taken) override;
    void host_access(const Access& access) override;

    void allocated(const char* begin, std::size_t bytes) override;
    void freed() override { forget_pieces(); }
    void touches(const RowsTouched& rows) override;
    void written(const char* begin, std::size_t bytes) override;
    void copied(const char* to, const char* from, std::size_t bytes) override;

    /// Bytes of shadow for a piece of device memory.
    std::size_t shadow_bytes(const char* begin, std::size_t bytes);

  private:
    void forget_pieces() { recent_ = recent_before_ = {}; }
    void grid_barrier(const BarrierStep& step);
    void begin_work(Actor actor);
    void clear_cells();
    void forget_records();
    ShadowRegion* find_host_piece(const char* address);
    void check_copied_row(const Actor& actor, const CopiedRange& row);
    bool is_host_memory(const char* address) const;
    ShadowRegion* find_region(Worker& worker, const Access& access);
    void check_variable(Worker& worker, const Access& access);
    void count(Worker& worker, const ShadowRegion* region, const Access& access);
    void note_atomic(Worker& worker, const Access& access, bool update);
    ShadowRegion* check_neighbour(Worker& worker, const Access& access, Block& neighbour);
    [[noreturn]] void refuse(Worker& worker, const Access& access, int error, const char* kind,
                             const std::string& what);
    /// One access on its way through the cells: who makes it, and who may have been there before.
    struct Visit {
        const Block* block;  ///< null for host code
        const BlockClocks& clocks;
        Record now;
        Owner owner;
        const Strangers* strangers;  ///< null for shared memory, which no other work can reach
    };
    void check_cells(ShadowRegion& region, const Visit& visit, const Access& access);
    void check_cell(Cell& cell, const char* address, const Visit& visit, const Access& access);
    void note_race(const Visit& visit, const Access& access, const char* address, const Record& earlier,
                   Owner made_by);
    void settle();
    void expect_value(const Block& block, ShadowRegion& region, const Access& access);
    void settle_store();
    ShadowRegion* device();

    Sites sites_;
    Mistakes mistakes_{sites_};
    std::unique_ptr<ShadowRegion> device_, program_;
    std::unordered_map<const char*, std::unique_ptr<ShadowRegion>>
        host_pieces_;                     ///< managed and pinned memory
    VariableRange recent_variable_;       ///< where the last access to a global variable went
    bool in_constant_ = false;            ///< this variable is __constant__
    MemoryPiece recent_, recent_before_;  ///< where accesses to device memory went: often to two in turn
    Block* holder_ = nullptr;             ///< whose shared memory the access at hand goes to
    Strangers strangers_;                 ///< and who runs now
    UnwrittenCopies unwritten_;
    StoredUndefined stored_undefined_;
    BlockClocks host_clocks_;  ///< of the only thread that the host counts as
    WorkStamp host_stamp_;     ///< when host code last touched something
    Owner host_owner_ = 0;
    std::shared_ptr<BlockNumbers> numbers_;  ///< of the kernel that runs
    std::uint32_t grid_clock_ = 0, latest_ = 0;
    bool grid_begins_anew_ = false;  ///< the clocks are renewed at the grid barrier that is being left
    /// Two unordered writes of the same value do no harm. Whether it is the same shows after the second one: at the next
    /// access, or at the end of the kernel.
    struct PendingRace {
        const Block* block = nullptr;
        Access access;
        Record now, earlier;
        Owner owner = 0, earlier_owner = 0;
        char before[16];
    } pending_;
    /// Is what the running thread is about to store undefined? That, too, shows when it is done.
    struct PendingStore {
        const Block* block = nullptr;
        ShadowRegion* region = nullptr;
        unsigned rank = 0;
        Access access;
        char before[8];
    } pending_store_;
    /// What atomics of the kernel at hand did at one address.
    struct AtomicPlace {
        Message message;
        std::uint64_t updates = 0;
        std::uint64_t holder = 0;  ///< whose shared memory this is, as the next block's may lie there, too
    };
    std::unordered_map<const char*, AtomicPlace> atomic_places_;
};

Checker& checker();

}  // namespace kit::cpu
