// One lock for the process.
#include "lock.hpp"

namespace kit::cpu {

std::recursive_mutex& api_mutex() {
    static auto* mutex = new std::recursive_mutex;  // never destroyed: threads may outlive main
    return *mutex;
}

bool& in_host_function() {
    static thread_local bool inside = false;
    return inside;
}

}  // namespace kit::cpu
