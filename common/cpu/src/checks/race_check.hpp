// May another thread have touched the bytes unordered? Or a thread of another kernel, a copy, host code?
//
// race.hpp decides for two records, happens_before.hpp knows the order within a kernel, strangers.hpp that between pieces of
// work.
#pragma once

#include <map>
#include <memory>

#include "block_checks.hpp"
#include "by_address.hpp"
#include "mistakes.hpp"
#include "race.hpp"
#include "shadow_map.hpp"
#include "strangers.hpp"
#include "target.hpp"

namespace kit::cpu {

class RaceCheck {
  public:
    RaceCheck(ShadowMap& shadows, Sites& sites, Mistakes& mistakes)
        : shadows_(shadows), sites_(sites), mistakes_(mistakes) {}

    void kernel_begins(const Grid& grid);
    void kernel_paused(const Grid& grid);
    void kernel_resumed(const Grid& grid);
    void block_begins(const Block& block);
    /// May others of its cluster still have used its shared memory?
    void block_ended(const Block& block);

    void access(const Block& block, const Target& target, const Access& access);
    /// Before an atomic load: should those go first who may yet write there?
    bool should_wait(const Target& target, const Access& access);
    void barrier(const BarrierStep& step);

    /// An asynchronous copy touches both sides from its begin until it is waited for (race_copies.cpp).
    void copy_begins(const Block& block, const AsyncCopy& copy, const Target& target, bool write);
    void copy_landed(const Block& block, const AsyncCopy& copy, const Target& target, bool write);
    void copy_stays(const Block& block, const AsyncCopy& copy, const Target& target, bool write);

    /// A put touches both sides from its begin until somebody knows that it is done (race_puts.cpp).
    void put_begins(const Block& block, const Put& put, const Target& target, bool write);
    /// The running thread orders the puts of its block that come before; `complete`: and waits for them.
    void puts_ordered(const Block& block, bool complete);

    /// The last store is done: do two stores without an order store different values?
    void settle() {
        if (pending_.block) settle_writes();
    }

    /// A block of the heap is given out again: its new owner comes after whoever had it before.
    void allocated(const char* begin, std::size_t bytes);

    void touches(const RowsTouched& rows);
    void forget_copies(const char* begin, std::size_t bytes) { strangers_.forget_copies(begin, bytes); }
    void host_access(const Access& access);

  private:
    /// One access on its way through the cells: who makes it, and who may have been there before.
    struct Visit {
        const Block* block;  ///< null for host code
        const BlockClocks& clocks;
        Record now;
        Owner owner;
        const Strangers* strangers;  ///< null for shared memory, which no other work can reach
        bool copy = false;           ///< what it writes is not there yet
    };
    Record record_of(const Block& block, unsigned rank, Place place, bool write);
    void check_bytes(const Block& block, const Target& target, const char* begin, std::size_t bytes,
                     const Record& record);
    /// Gives records of these bytes another name.
    static void rename(ShadowRegion& region, Owner owner, const char* begin, std::size_t bytes,
                       const Record& from, const Record& to);
    void signal_sent(const Block& block, const Target& target, const Access& access, const Record& as_thread);
    bool is_copy(const Record& record, Owner made_by) const;
    Owner owner_of(const Target& target) const;
    void begin_work(Actor actor);
    void note_message(unsigned rank, BlockClocks& clocks, const Access& access, Message& message,
                      std::uint64_t heard_time);
    Message& message_at(const Target& target, const char* address);
    void check_copied_row(const Actor& actor, const CopiedRange& row);
    void check_cells(ShadowRegion& region, const Visit& visit, const Access& access);
    void check_cell(Cell& cell, const char* address, const Visit& visit, const Access& access);
    void note_race(const Visit& visit, const Access& access, const char* address, const Record& earlier,
                   Owner made_by);
    void settle_writes();
    void grid_barrier(const BarrierStep& step);

    ShadowMap& shadows_;
    Sites& sites_;
    Mistakes& mistakes_;
    Strangers strangers_;      ///< and who runs now
    BlockClocks host_clocks_;  ///< of the only thread that the host counts as
    WorkStamp host_stamp_;     ///< when host code last touched something
    Owner host_owner_ = 0;
    std::shared_ptr<BlockNumbers> numbers_;  ///< of the kernel that runs
    std::uint32_t grid_clock_ = 0, latest_ = 0;
    bool grid_begins_anew_ = false;  ///< the clocks are renewed at the grid barrier that is being left
    unsigned forgotten_ = 0;         ///< how often all records were
    /// What belongs to a kernel while others run.
    struct Paused {
        Actor actor;
        Owner owner;
        unsigned forgotten;
        std::shared_ptr<BlockNumbers> numbers;
        std::uint32_t grid_clock, latest;
        std::uint64_t waits_left;
        bool late_messages;
    };
    std::map<const Grid*, Paused> paused_;
    ByAddress<Message> messages_;   ///< by the address of the atomic
    std::uint64_t waits_left_ = 0;  ///< of this kernel's loads
    bool late_messages_ = false;    ///< in this kernel, see BlockClocks::may_read_older
    /// Two unordered writes of the same value do no harm. Whether it is the same shows after the second one: at the next
    /// access, or at the end of the kernel.
    struct PendingRace {
        const Block* block = nullptr;
        Access access;
        Record now, earlier;
        Owner owner = 0, earlier_owner = 0;
        char before[16];
    } pending_;
};

}  // namespace kit::cpu
