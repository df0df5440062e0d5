// Checks that the bytes that kernels read, and that the host reads after a copy, have been written.
#pragma once

#include "discarded.hpp"
#include "memory/leaks.hpp"
#include "mistakes.hpp"
#include "run/worker.hpp"
#include "shadow_map.hpp"
#include "target.hpp"
#include "undefined_lanes.hpp"
#include "unwritten_copies.hpp"

namespace kit::cpu {

class InitialisationCheck {
  public:
    InitialisationCheck(ShadowMap& shadows, Sites& sites, Mistakes& mistakes)
        : shadows_(shadows), sites_(sites), mistakes_(mistakes) {}

    void access(const Block& block, const Target& target, const Access& access);
    void host_access(const Access& access);

    /// Checks whether the last store, which has completed, stored an undefined value.
    void settle() {
        if (pending_.block) settle_store();
    }

    /// Records that the bytes of an asynchronous copy have arrived. `from` is null if it is unknown whether
    /// the source was written.
    void landed(ShadowRegion& to, const ShadowRegion* from, const AsyncCopy& copy);

    /// Treats all existing memory as written from now on, because blocks run whose stores are not reported.
    void stores_go_unseen() { unseen_until_ = births_so_far(); }

    /// Checks rows of memory whose values a library function computes with, on request of the host.
    void used(const RowsTouched& rows);

    void allocated(const char* begin, std::size_t bytes);
    void written(const char* begin, std::size_t bytes);
    void copied(const char* to, const char* from, std::size_t bytes);

  private:
    void discard(ShadowRegion& region, const Access& access);
    void settle_store();
    bool may_be_written_unseen(const char* address);

    ShadowMap& shadows_;
    Sites& sites_;
    Mistakes& mistakes_;
    UnwrittenCopies unwritten_;
    StoredUndefined stored_undefined_;
    DiscardedBytes discarded_;
    std::uint64_t unseen_until_ =
        0;  ///< number of the last allocation that unreported stores may have written; 0 if there is none

    /// The store that the running thread is about to execute. After the store, the stored value shows whether
    /// it is undefined.
    struct PendingStore {
        const Block* block = nullptr;
        ShadowRegion* region = nullptr;
        unsigned rank = 0;
        Access access;
        char before[8];
    } pending_;
};

}  // namespace kit::cpu
