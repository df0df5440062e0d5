// Creates facts about threads and blocks from their numbers.
#include "who.hpp"

namespace kit::cpu {

facts::Index index_of(std::uint64_t number, const dim3& size) {
    return {{static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
             static_cast<unsigned>(number / size.x / size.y)},
            true};
}

facts::Index index_of(const uint3& place) {
    return {{place.x, place.y, place.z}, true};
}

facts::Who thread_of(const facts::Index& thread, const facts::Index& block, const std::string& kernel) {
    facts::Who who;
    who.kind = facts::Who::Kind::thread;
    who.thread = thread;
    who.block = block;
    who.name = kernel;
    return who;
}

facts::Who name_block(const facts::Index& block) {
    facts::Who who;
    who.block = block;
    return who;
}

facts::Who host_code() {
    facts::Who who;
    who.kind = facts::Who::Kind::host;
    return who;
}

facts::Who caller_of(const std::string& function) {
    facts::Who who;
    who.kind = facts::Who::Kind::call;
    who.name = function;
    return who;
}

}  // namespace kit::cpu
