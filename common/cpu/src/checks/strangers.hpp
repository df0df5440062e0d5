// Kernels, copies and host code that nothing orders: who are they, and which of their accesses meet?
//
// Every kernel, and host code between two calls, gets a number for its records (an Owner). While something runs, the
// strangers are those that ran earlier but wait for it no more than it for them; see work_order.hpp.
#pragma once

#include <array>
#include <bitset>
#include <kit_cpu/launch.hpp>
#include <string>
#include <vector>

#include "descent.hpp"
#include "race.hpp"
#include "run/work_order.hpp"

namespace kit::cpu {

/// One piece of work whose accesses are recorded.
struct Actor {
    enum class Kind { kernel, copy, host } kind = Kind::kernel;
    std::string name;  ///< of the kernel or the copying function
    WorkStamp stamp;
    dim3 grid, block;                               ///< of a kernel
    DescentPtr descent{};                           ///< of a kernel, and of a copy that a kernel asked for
    std::shared_ptr<const BlockNumbers> numbers{};  ///< of a kernel
    KnowledgePtr heard{};                           ///< of other kernels, by messages
    int device = -1;                                ///< of a kernel
    bool is_child() const { return descent && descent->parent; }
};

/// Are both kernels, and on two devices?
bool on_two_devices(const Actor& a, const Actor& b);

/// Do both belong to what one launch by the host has brought about?
bool one_family(const Actor& a, const Actor& b);

/// What a copy touched.
struct CopiedRange {
    const char* begin;
    const char* end;
    bool write;
    Owner owner;
    std::uint32_t site;  ///< of the call that copies, see Sites
};

class Strangers {
  public:
    /// A new owner, who runs from now on. False when the numbers have come round, or are about to and no record matters any
    /// more: forget all records and call again.
    bool begin(Actor actor);

    /// This one, who was interrupted by others, goes on.
    void resume(Owner owner);

    Owner current() const { return current_; }
    const Actor& actor(Owner owner) const { return actors_[owner]; }

    /// What the threads of the kernel that runs know of others from the beginning: what those have heard after which it comes.
    KnowledgePtr known_at_begin() const { return actors_[current_].heard; }
    /// A block of the kernel that runs has ended, and this is what it has heard of other kernels.
    void heard(const Knowledge& kernels);

    /// May an earlier kernel that is not waited for have left a message for the one that runs?
    bool messages_matter() const { return records_matter() || actors_[current_].is_child(); }

    /// Is this owner's work unordered with what runs now?
    bool stranger(Owner owner) const { return any_ && strangers_[owner]; }
    bool any() const { return any_; }

    /// The same for one of its accesses: a kernel comes after some of what its parent did.
    bool unordered(Owner owner, const Record& record) const {
        return stranger(owner) && !(seen_[owner] && seen_[owner]->covers(record));
    }
    /// Is this owner's work one that later work may not be ordered with, although what runs now is?
    bool still_counts(Owner owner) const { return several_ && owner >= first_live_; }
    bool records_matter() const { return any_ || several_; }

    /// Has host code touched anything while work was pending?
    bool host_is_live() const;

    /// Notes a copy, and finds the earlier one that no order keeps apart from these bytes.
    void add_copy(const CopiedRange& range) { copies_.push_back(range); }
    /// What was copied there belongs to memory that is gone.
    void forget_copies(const char* begin, std::size_t bytes);
    const CopiedRange* meets_copy(const char* begin, std::size_t bytes, bool write) const;

    void forget();

  private:
    void look_around(Owner self);

    std::vector<Actor> actors_{1};  ///< by owner; number 0 is nobody
    Owner current_ = 0;
    Owner first_live_ = 1;  ///< all before it are done and waited for
    std::bitset<most_owners> strangers_;
    std::array<const LaunchPoint*, most_owners> seen_{};  ///< of an ancestor's work, by whom runs now
    bool any_ = false;
    bool several_ = false;  ///< earlier work is live, and more than one stream has work
    std::vector<CopiedRange> copies_;
    /// Copies by strangers, in the order of where they begin, each with the farthest end of all up to it.
    struct StrangeCopy {
        std::size_t copy;
        const char* farthest;
    };
    std::vector<StrangeCopy> strange_copies_;
};

/// Takes the records of others out of the cell, as race() wants it, and compares those of strangers with this access.
class StrangerRecords {
  public:
    /// `strangers` is null for memory that no other work can reach.
    StrangerRecords(Cell& cell, Owner owner, const Strangers* strangers, const BlockClocks& clocks,
                    const Record& now);

    /// The record that this access races with and who made it; not valid if there is none.
    Record race(const Record& now, const Sites& sites, Owner& made_by) const;

    /// Puts back what a later kernel may yet meet, where there is room.
    void keep(Cell& cell) const;

  private:
    void take(Record record, Owner owner, const Strangers& strangers, const BlockClocks& clocks,
              const Record& now);

    Record found_[3];
    Owner owners_[3];
    bool strange_[3];
    bool far_[3];  ///< on another device
    unsigned count_ = 0;
};

}  // namespace kit::cpu
