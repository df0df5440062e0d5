// Grades 10_memory_model/message_passing: what block 1 wrote down, and whether the flags can be used again.
#include <string>
#include <utility>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kBlock;

void pass(kit::Case& test, const std::vector<int>& calls) {
    auto letters = test.output<int>("mail.letters", kBlock);
    auto sent = test.inout<int>("mail.sent", {0});
    auto taken = test.inout<int>("mail.taken", {0});
    for (int rounds : calls) {
        const auto values = kit::integers<int>(test.random(), rounds * kBlock, -100000, 100000);
        auto in = test.input("in", values);
        auto out = test.output<int>("out", values.size());
        test.explain(kit::Diagnosis::uninitialised,
                     "block 1 reads a letter before block 0 has written one, so poll() returned although the "
                     "flag did not have the value (Task 2)");
        test.call([&] {
            memory_model::message_passing(in.data(), rounds, {letters.data(), sent.data(), taken.data()},
                                          out.data());
        });
        std::vector<int> want(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            want[i] = values[i / kBlock * kBlock + kBlock - 1 - i % kBlock];
        test.expect(out, want);
        if (rounds > 0) test.by_kernels("Task 1");
        for (const auto& [name, flag] : {std::pair{"mail.sent", &sent}, {"mail.taken", &taken}}) {
            const int left = flag->values()[0];
            test.check(left == 0,
                       std::string("`") + name + "` is " + std::to_string(left) +
                           " after the call, expected 0: the next call waits forever, or not at all",
                       kit::Diagnosis::second_call);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "message_passing", argc, argv);
    grader.task(3, {kit::Diagnosis::second_call});
    grader.task(1, kit::About::writers_half());
    grader.task(2, kit::About::readers_half());
    grader.add("one round", [](kit::Case& test) { pass(test, {1}); });
    grader.add("no round", [](kit::Case& test) { pass(test, {0}); });
    grader.add("20 rounds", [](kit::Case& test) { pass(test, {20}); });
    grader.add("several calls, one mailbox", [](kit::Case& test) { pass(test, {3, 1, 0, 7}); });
#ifndef KIT_CPU
    grader.add("20000 rounds", [](kit::Case& test) { pass(test, {20000}); }, {60, true});
#endif
    return grader.run();
}
