// The checks of one kernel: every load, store and atomic of a CUDA thread comes here.
//
//   memory          is the address in a piece of memory that this thread may use?     (checker.cpp, buffers.cpp)
//   initialisation  has somebody written the bytes that are read?                     (shadow.cpp)
//   races           may another thread have touched the bytes unordered?              (race.cpp, happens_before.cpp)
//
// Programs compiled with -fsanitize=thread call us through hooks.cpp; all others run unchecked. A checked kernel runs
// on one core, so that a report is the same each time.
#pragma once

#include <memory>

#include "buffers.hpp"
#include "happens_before.hpp"
#include "mistakes.hpp"
#include "race.hpp"
#include "shadow.hpp"

namespace kit::cpu {

struct Grid;
struct Worker;

/// True when the program was compiled for checking and KIT_CHECKS is not 0.
bool checking();
void enable_checks();

/// What the checks keep for a resident block.
struct BlockChecks {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes) : shared(shared_begin, shared_bytes) {}
    BlockClocks clocks;
    ShadowRegion shared;
    std::uint16_t owner = 0;  ///< number of the block that has this memory now
};

class Checker {
  public:
    void start_kernel(const Grid& grid);
    void end_kernel();  ///< hands in what was seen
    void start_block(BlockChecks& checks, std::uint64_t index, unsigned threads);
    void reach_grid_barrier(const BlockChecks& checks);
    void leave_grid_barrier(BlockChecks& checks);

    void access(Worker& worker, const Access& access);
    void fence(Worker& worker, Scope scope);

    /// The host API tells what it did to device memory.
    void allocated(const char* begin, std::size_t bytes);
    void written(const char* begin, std::size_t bytes);
    void copied(const char* to, const char* from, std::size_t bytes);

  private:
    bool is_host_memory(const char* address) const;
    ShadowRegion* find_region(Worker& worker, const Access& access);
    [[noreturn]] void refuse(Worker& worker, const Access& access, int error, const char* kind,
                             const std::string& what);
    void check_cells(Worker& worker, ShadowRegion& region, std::uint16_t owner, const Access& access);
    void settle();
    void split(ShadowRegion& region, Cell& word, const char* first);
    ShadowRegion* device();

    Sites sites_;
    Mistakes mistakes_{sites_};
    std::unique_ptr<ShadowRegion> device_, program_;
    std::unordered_map<const char*, std::unique_ptr<ShadowRegion>>
        host_pieces_;           ///< managed and pinned memory
    MemoryPiece recent_;        ///< where the last access to device memory went
    std::uint16_t launch_ = 0;  ///< owner of the records of this kernel
    bool check_races_ = true;   ///< the grid is small enough to number its blocks
    std::uint32_t grid_clock_ = 0, latest_ = 0;
    /// Two unordered writes of the same value do no harm. Whether it is the same shows after the second one: at the next
    /// access, or at the end of the kernel.
    struct PendingRace {
        const Block* block = nullptr;
        Access access;
        Record now, earlier;
        char before[16];
    } pending_;
    std::unordered_map<const char*, Message> messages_;  ///< what atomics carry, by address
};

Checker& checker();

}  // namespace kit::cpu
