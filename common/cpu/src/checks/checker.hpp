// The checks: passes each event to the checks that need it.
//
//   MemoryCheck           whether the address is in a piece of memory that this thread may access
//   InitialisationCheck   whether the bytes that are read have been written
//   RaceCheck             whether an unordered thread may have accessed the bytes
//   AccessCounter         the number of loads, stores, and atomics on one address
//   Trace                 the accesses of one thread, in order
//   Profiler              the requests of warps, line by line (profile/)
//
// The checks do not depend on each other. With KIT_CHECK_BLOCKS=N, only the first N blocks of each launch
// report their plain loads and stores. Operations that order accesses (atomics, fences, barriers) are
// followed in all blocks, so the checks of the first blocks stay correct. A checked kernel runs on one core,
// so that a report is the same in each run.
#pragma once

#include "access_counter.hpp"
#include "events.hpp"
#include "initialisation_check.hpp"
#include "memory_check.hpp"
#include "profile/profiler.hpp"
#include "race_check.hpp"

namespace kit::cpu {

class Checker final : public Observer {
  public:
    NotesPtr family_begins() override;
    NotesPtr child_launched(const ChildLaunch& launch) override;
    void family_ended() override;
    void kernel_begins(const Grid& grid) override;
    void kernel_ended() override;
    void kernel_paused(const Grid& grid) override;
    void kernel_resumed(const Grid& grid) override;
    void block_begins(Block& block) override;
    void block_ended(Block& block) override;

    void access(Worker& worker, const Access& access) override;
    bool plain_access(Worker& worker, const char* address, unsigned bytes, bool write,
                      const void* instruction) override;
    void fence(Worker& worker, Scope scope) override;
    void round(Worker& worker, const Round& round) override;
    void fragment_set(Block& block, unsigned rank, const char* begin, unsigned bytes,
                      unsigned element_bytes) override;
    void fragment_gone(Block& block, const char* begin) override;
    void product(const Block& block, const void* instruction, std::uint64_t multiplications) override;
    bool should_wait(Worker& worker, const Access& access) override;
    void notified(Worker& worker, const char* address) override;
    void barrier(const BarrierStep& step) override;
    void shuffle_begins(const Block& block, ShuffleInput& input) override;
    void shuffle_ended(const Block& block, const ShuffleInput& input, const void* taken) override;
    bool extreme_of_undefined(const Block& block, const void* operand, void* result, unsigned bytes,
                              bool larger) override;
    void copy_begins(Worker& worker, const AsyncCopy& copy) override;
    void copy_landed(Block& block, const AsyncCopy& copy) override;
    void copy_stays(Block& block, const AsyncCopy& copy) override;
    void copy_outlives(Block& block, const AsyncCopy& copy) override;
    void put_begins(Worker& worker, const Put& put) override;
    void puts_ordered(Worker& worker, bool complete) override;
    void host_access(const Access& access) override;

    void allocated(const char* begin, std::size_t bytes) override;
    void freed() override;
    void touches(const RowsTouched& rows) override;
    void uses(const RowsTouched& rows) override;
    void written(const char* begin, std::size_t bytes) override;
    void copied(const char* to, const char* from, std::size_t bytes) override;

    /// Returns how many bytes of shadow memory exist for a piece of device memory.
    std::size_t shadow_bytes(const char* begin, std::size_t bytes);

  private:
    void settle();
    void local_access(const Worker& worker, const char* address, bool write);
    void element_stored(const Worker& worker, const char* address, const void* instruction);
    void report_stored_element(const Block& block, unsigned rank, unsigned index, const void* instruction);
    /// Returns whether this is one of the first blocks of its launch, which are checked.
    bool is_checked(const Block& block) const;
    void profile(const Worker& worker, const Target& target, const Access& access, bool update_begins);
    [[noreturn]] void refuse(const Worker& worker, const Access& access, const Target& target, Place place);

    Sites sites_;
    Mistakes mistakes_{sites_};
    ShadowMap shadows_;
    MemoryCheck memory_{shadows_};
    InitialisationCheck initialisation_{shadows_, sites_, mistakes_};
    RaceCheck races_{shadows_, sites_, mistakes_};
    AccessCounter counter_;
    bool has_fragments_ = false;  ///< whether the kernel has used fragments of tensor cores
    std::uint64_t checked_blocks_ = ~std::uint64_t{0};  ///< number of checked blocks in each launch
    Profiler& profiler_ = profiler();
};

}  // namespace kit::cpu
