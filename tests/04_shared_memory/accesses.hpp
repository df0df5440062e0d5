// For the test of conflict_degree: accesses with names, and their wavefronts, computed in a different way from the solution.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "04_shared_memory/04_shared_memory.hpp"
#include "grader.cuh"

namespace shared_memory_test {

using shared_memory::Access;
using shared_memory::kLanes;

constexpr unsigned int kAll = ~0u;

struct Named {
    std::string name;
    Access access;
};

/// Collects the words of all lanes of a group, bank by bank. The size of the largest set is the degree.
inline int reference_degree(const Access& access, int first, int count) {
    std::map<int, std::set<int>> words_of_bank;
    for (int lane = first; lane < first + count; ++lane) {
        for (int byte = 0; (access.active & (1u << lane)) && byte < access.bytes; ++byte) {
            const int word = (access.offset[lane] + byte) / 4;
            words_of_bank[word & 31].insert(word);
        }
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : words_of_bank) most = most < words.size() ? words.size() : most;
    return static_cast<int>(most);
}

inline int reference(const Access& access) {
    if (access.bytes == 16)
        return reference_degree(access, 0, 8) + reference_degree(access, 8, 8) +
               reference_degree(access, 16, 8) + reference_degree(access, 24, 8);
    if (access.bytes == 8) return reference_degree(access, 0, 16) + reference_degree(access, 16, 16);
    return reference_degree(access, 0, 32);
}

/// Builds an access in which lane l's element is `element(l)`. Inactive lanes have distant offsets, so that counting them is detected.
template <class Element>
Named make(const std::string& name, int bytes, unsigned int active, Element element) {
    Named made = {name + ", " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"),
                  {bytes, active, {}}};
    for (int lane = 0; lane < kLanes; ++lane)
        made.access.offset[lane] = active >> lane & 1 ? element(lane) * bytes : 128 * lane;
    return made;
}

/// Returns the patterns with names.
inline std::vector<Named> patterns(int bytes) {
    std::vector<Named> all;
    for (int stride : {1, 2, 3, 4, 5, 8, 16, 31, 32, 33})
        all.push_back(
            make("stride " + std::to_string(stride), bytes, kAll, [=](int lane) { return stride * lane; }));
    all.push_back(make("all lanes the same", bytes, kAll, [](int) { return 5; }));
    all.push_back(
        make("neighbours from the last to the first", bytes, kAll, [](int lane) { return 31 - lane; }));
    all.push_back(make("one lane", bytes, 1u << 19, [](int lane) { return lane; }));
    all.push_back(make("no lane", bytes, 0, [](int) { return 0; }));
    all.push_back(make("lanes 8 to 23", bytes, 0x00ffff00, [](int lane) { return lane; }));
    all.push_back(make("a column of 32 floats", bytes, kAll, [=](int lane) { return lane * 128 / bytes; }));
    all.push_back(
        make("a column of rows of 36 floats", bytes, kAll, [=](int lane) { return lane * 144 / bytes; }));
    all.push_back(make("both halves the same", bytes, kAll, [](int lane) { return lane % 16; }));
    return all;
}

inline Named random_access(kit::Random& random, int bytes) {
    const int room = static_cast<int>(random.integer(1, 4)) * 512;  // small: lanes share words
    Named made = {"random, " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"), {bytes, 0, {}}};
    made.access.active = random.integer(0, 1) ? kAll : static_cast<unsigned int>(random.next());
    for (int& offset : made.access.offset)
        offset = static_cast<int>(random.integer(0, room / bytes - 1)) * bytes;
    return made;
}

}  // namespace shared_memory_test
