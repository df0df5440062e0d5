// What a leak of a stream or an event is called.
#include "leak_words.hpp"

#include "finding.hpp"

namespace kit::cpu {

Finding never_destroyed(const std::string& thing, const std::string& function, Place made_at) {
    return {"leak",
            "leak: the " + thing + " that " + describe(made_at) + " makes is never destroyed: " + function +
                " is missing",
            made_at};
}

}  // namespace kit::cpu
