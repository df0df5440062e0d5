// Grades 04_shared_memory/conflict_degree: banks, groups of lanes and whole accesses, and compares them with counted stores.
#include <cstdint>

#include "04_shared_memory/accesses.hpp"

namespace {

using namespace shared_memory_test;

void banks(kit::Case& test) {
    for (int offset = 0; offset < 1024; ++offset) {
        const int want = (offset >> 2) & 31,
                  got = kit::detail::passed("bank", shared_memory::bank_of(offset));
        test.check(got == want,
                   "the byte at offset " + std::to_string(offset) + " is in bank " + std::to_string(got) +
                       ", expected " + std::to_string(want) + ": find its 4-byte word first" + kit::task(1),
                   kit::Diagnosis::part);
        if (got != want) return;
    }
}

std::string lanes_of(const Access& access) {
    std::string text;
    for (int lane : {0, 1, 2, 31})
        text += (lane == 31 ? ", ..., " : lane ? ", " : "") + std::to_string(access.offset[lane]);
    return ". The offsets of lanes 0, 1, 2, ..., 31 are " + text;
}

void expect_degree(kit::Case& test, const Named& named) {
    for (const auto& [first, count] :
         {std::pair<int, int>{0, 32}, {0, 16}, {16, 16}, {8, 8}, {24, 8}, {5, 1}}) {
        const int got = kit::detail::passed("degree", shared_memory::degree(named.access, first, count));
        const int want = reference_degree(named.access, first, count);
        test.check(got == want,
                   "degree is " + std::to_string(got) + ", expected " + std::to_string(want) +
                       ", for lanes " + std::to_string(first) + " to " + std::to_string(first + count - 1) +
                       " of the access \"" + named.name + "\"" + lanes_of(named.access) +
                       ": count the different words in the busiest bank" + kit::task(2),
                   kit::Diagnosis::part);
        if (got != want) return;
    }
}

void expect_wavefronts(kit::Case& test, const Named& named) {
    const int got = kit::detail::passed("wavefronts", shared_memory::wavefronts(named.access));
    const int want = reference(named.access);
    test.check(got == want, "wavefronts is " + std::to_string(got) + ", expected " + std::to_string(want) +
                                ", for the access \"" + named.name + "\"" + lanes_of(named.access) +
                                ": add the degrees of the groups of lanes that are served together" +
                                kit::task(3));
}

template <class Expect>
void over_all(kit::Case& test, int bytes, Expect expect) {
    for (const Named& named : patterns(bytes)) expect(test, named);
    for (int i = 0; i < 200; ++i) expect(test, random_access(test.random(), bytes));
}

/// Compares the student's number with the wavefronts of an actual store, if the backend counts them.
void counted(kit::Case& test, int bytes) {
    std::vector<Named> all = patterns(bytes);
    for (int i = 0; i < 10; ++i) all.push_back(random_access(test.random(), bytes));
    for (const Named& named : all) {
        if (named.access.active == 0) continue;
        const kit::Counts counts = test.counts([&] { shared_memory::make_store(named.access); });
        const auto got = static_cast<std::uint64_t>(
            kit::detail::passed("wavefronts", shared_memory::wavefronts(named.access)));
        test.demand("wavefronts",
                    kit::unless(!counts.counted, kit::exactly(got, counts.shared_stores.wavefronts)),
                    "wavefronts is " + std::to_string(got) + ", but the store itself took " +
                        std::to_string(counts.shared_stores.wavefronts) + ", for the access \"" + named.name +
                        "\"" + lanes_of(named.access) +
                        ": add the degrees of the groups of lanes that are served together" + kit::task(3));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "conflict_degree", argc, argv);
    grader.host_may_compute();
    grader.add("banks", banks);
    for (int bytes : {4, 1, 2, 8, 16}) {
        grader.add("degree, accesses of " + std::to_string(bytes),
                   [=](kit::Case& test) { over_all(test, bytes, expect_degree); });
    }
    for (int bytes : {4, 1, 2, 8, 16}) {
        grader.add("wavefronts, accesses of " + std::to_string(bytes),
                   [=](kit::Case& test) { over_all(test, bytes, expect_wavefronts); });
    }
    for (int bytes : {4, 1, 2, 8, 16}) {
        grader.add("counted, accesses of " + std::to_string(bytes),
                   [=](kit::Case& test) { counted(test, bytes); });
    }
    return grader.run();
}
