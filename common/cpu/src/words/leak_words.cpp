// What a leak of a graded function is called.
#include "leak_words.hpp"

#include "finding.hpp"
#include "phrases.hpp"

namespace kit::cpu {

Finding never_destroyed(const std::string& thing, const std::string& function, Place made_at) {
    return {"leak",
            "leak: " + std::string(thing == "event" ? "an " : "a ") + thing + " is created at " +
                describe(made_at) + " and never destroyed: " + function + " is missing",
            look_up(made_at)};
}

Finding never_freed_again(const AllocationFacts& allocation) {
    return {"leak",
            "leak: " + count_bytes(allocation.bytes) + " are allocated at " + describe(allocation.place) +
                " and never freed",
            look_up(allocation.place)};
}

}  // namespace kit::cpu
