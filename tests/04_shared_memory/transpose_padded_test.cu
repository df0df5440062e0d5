// Grades 04_shared_memory/transpose_padded: any shape, no bank conflicts in the load and the store, and the length of padded rows.
// sanitizer.case: x
#include <set>
#include <string>

#include "01_error_handling/failing_calls.hpp"
#include "04_shared_memory/transposes.hpp"

namespace {

using shared_memory::kBanks;
using shared_memory::kLanes;
using shared_memory::kWordBytes;

/// Returns whether no two lanes that are served together need different words of one bank.
bool without_conflicts(int length, int bytes) {
    const int together = bytes <= kWordBytes ? kLanes : kLanes * kWordBytes / bytes;
    for (int first = 0; first < kLanes; first += together) {
        std::set<int> words, banks;
        for (int lane = first; lane < first + together; ++lane)
            for (int byte = 0; byte < bytes; ++byte)
                words.insert((lane * length * bytes + byte) / kWordBytes);
        for (const int word : words)
            if (!banks.insert(word % kBanks).second) return false;
    }
    return true;
}

void lengths(kit::Case& test, int bytes) {
    for (const int width : {1, 2, 16, 31, 32, 33, 48, 64, 65, 96, 128, 200, 256}) {
        int want = width;
        while (!without_conflicts(want, bytes)) ++want;
        const int got = test.call([&] { return shared_memory::row_length(width, bytes); });
        test.check(got == want, "row_length(" + std::to_string(width) + ", " + std::to_string(bytes) +
                                    ") is " + std::to_string(got) + ", expected " + std::to_string(want) +
                                    ": find the shortest row with which a column takes as few wavefronts as "
                                    "its 32 elements allow" +
                                    kit::task(1));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "transpose_padded", argc, argv);
    grader.task(1, {kit::Diagnosis::timeout});
    for (const int bytes : {1, 2, 4, 8, 16}) {
        grader.add("length of a row of elements of " + kit::count_of(bytes, "byte"),
                   [bytes](kit::Case& test) { lengths(test, bytes); }, {1, false, "no length is accepted"});
    }
    shared_memory_test::add_without_conflicts(grader, shared_memory::transpose_padded, {2, 2, 2});
    error_handling::check_failing_calls(grader, argc, argv, {"5 x 3"});
    return grader.run();
}
