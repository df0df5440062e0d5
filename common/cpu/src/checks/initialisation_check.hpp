// Has somebody written the bytes that are read, by a kernel or, when they have been copied, by the host?
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

    /// The last store is done: was what it stored undefined?
    void settle() {
        if (pending_.block) settle_store();
    }

    /// The bytes of an asynchronous copy have come; `from` is null where it is not known what was written there.
    void landed(ShadowRegion& to, const ShadowRegion* from, const AsyncCopy& copy);

    /// From now on nobody knows whether the memory that exists has been written: blocks run whose stores are not reported.
    void stores_go_unseen() { unseen_until_ = births_so_far(); }

    /// The host has asked a library to compute with these values.
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
        0;  ///< the last allocation that unseen stores may have written; 0: there were none

    /// What the running thread is about to store. Whether that is undefined shows when it is done.
    struct PendingStore {
        const Block* block = nullptr;
        ShadowRegion* region = nullptr;
        unsigned rank = 0;
        Access access;
        char before[8];
    } pending_;
};

}  // namespace kit::cpu
