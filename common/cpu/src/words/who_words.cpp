// Names of those who act.
#include "who_words.hpp"

#include "phrases.hpp"

namespace kit::cpu {

std::string name_thread(std::uint64_t rank, const dim3& block) {
    return "thread " + coordinates(rank, block);
}

std::string name_block(const uint3& index) {
    return "block " + coordinates(index);
}

std::string name_block(std::uint64_t number, const dim3& grid) {
    return "block " + coordinates(number, grid);
}

std::string some_thread() {
    return "a thread";
}

std::string some_block() {
    return "one of the blocks";
}

std::string host_code() {
    return "host code";
}

std::string of_block(const std::string& what, const std::string& block) {
    return what + " of " + block;
}

std::string of_kernel(const std::string& thread, const std::string& block, const std::string& kernel) {
    return of_block(thread, block) + " of `" + kernel + "`";
}

}  // namespace kit::cpu
