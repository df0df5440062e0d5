// A set of texts that are never removed, so pointers to them stay valid.
#include "kept_text.hpp"

#include <mutex>
#include <set>

namespace kit::cpu {

const char* keep(const std::string& text) {
    static std::mutex mutex;
    static auto& texts =
        *new std::set<std::string>;  // never destroyed, because findings are also reported when the process
                                     // ends
    std::lock_guard lock(mutex);
    return texts.insert(text).first->c_str();
}

}  // namespace kit::cpu
