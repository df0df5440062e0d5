// Grades 21_attention/decode_graph: the logits of many different batches, and the numbers of captures, instances and launches.
// sanitizer.case: a batch of each size
#include <algorithm>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "21_attention/decoding.hpp"
#include "grader/calls.hpp"
#include "handles.hpp"

namespace {

using namespace attention_test;
using attention::Batch;
using attention::Decoder;
using attention::kPaddedSizes;

constexpr int kSlots = 20, kCapacity = 24, kMostEntries = 1 << (kPaddedSizes - 1);

int padded(int n) {
    int size = 1;
    while (size < n) size *= 2;
    return size;
}

/// What the device has of one step, and what it must compute.
struct OneStep {
    kit::Input<int> slots, tokens;
    kit::Output<float> logits;
    std::vector<float> want;

    Batch batch() const {
        return {static_cast<int>(slots.size()), slots.data(), tokens.data(), logits.data()};
    }
};

/// Runs steps with these numbers of entries. With `wait_between`, compares after each step, otherwise after the last one.
void judge(kit::Case& test, const std::vector<int>& sizes, bool wait_between) {
    const kit::Stream stream;
    const Weights weights(test.random());
    std::vector<Sequence> sequences;
    std::vector<int> lengths;
    for (int s = 0; s < kSlots; ++s) {
        lengths.push_back(static_cast<int>(test.random().integer(0, 8)));
        sequences.push_back(random_sequence(test.random(), weights, lengths.back()));
    }
    std::vector<float> keys, values;
    fill_slots(sequences, kCapacity, keys, values);
    const DeviceModel model(test, weights);
    auto key = test.inout("slots.keys", keys), value = test.inout("slots.values", values);
    auto length = test.inout("slots.lengths", lengths);
    auto current = test.output<Batch>("decoder.current", 1);
    auto hidden = test.output<float>("decoder.hidden", kMostEntries * kHidden);
    Decoder decoder = {
        model.get(), {key.data(), value.data(), length.data(), kCapacity}, current.data(), hidden.data(), {}};

    std::vector<OneStep> steps;
    for (const int n : sizes) {
        std::vector<int> slots = kit::permutation<int>(test.random(), kSlots), tokens;
        slots.resize(static_cast<std::size_t>(n));
        std::vector<float> want;
        for (const int slot : slots) {
            tokens.push_back(random_token(test.random()));
            for (const double logit : sequences[static_cast<std::size_t>(slot)].step(weights, tokens.back()))
                want.push_back(static_cast<float>(logit));
        }
        const std::string step = " of step " + std::to_string(steps.size());
        steps.push_back({test.input("slots" + step, slots), test.input("tokens" + step, tokens),
                         test.output<float>("logits" + step, want.size()), want});
    }

    test.explain(kit::Diagnosis::out_of_bounds, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name.find(" of step ") == std::string::npos) return "";
        return "Perhaps this block belongs to the padding: a block without an entry must return" +
               kit::task(1);
    });
    const auto compare = [&](const OneStep& step) {
        const std::vector<float> got = step.logits.values();
        const std::size_t written = static_cast<std::size_t>(
            std::find_if(got.begin(), got.end(), kit::detail::is_poison<float>) - got.begin());
        const bool has_end = std::any_of(got.begin() + static_cast<std::ptrdiff_t>(written), got.end(),
                                         [](float value) { return !kit::detail::is_poison(value); });
        const std::size_t entries = written / kVocabulary;
        test.check(written == 0 || has_end || written == got.size(),
                   "only the first " + kit::count_of(entries, "entry", "have") +
                       " logits, but the batch has " + std::to_string(got.size() / kVocabulary) +
                       ": choose the smallest size that is not below the number of entries" + kit::task(2),
                   kit::Diagnosis::tail);
        test.expect(step.logits, step.want, accuracy());
    };
    kit::Calls calls;
    const auto served = static_cast<int>(sizes.size());
    std::size_t entries = 0;
    for (const int n : sizes) entries += static_cast<std::size_t>(padded(n));
    const auto at_most_one_per_size = [&](const char* counted, int got, const kit::Said& advice) {
        test.demand(counted, kit::at_most(got, kPaddedSizes),
                    std::to_string(got) + " " + counted + " for " + kit::count_of(served, "step") +
                        ", but only " + std::to_string(kPaddedSizes) + " padded sizes exist: " + advice);
    };
    [[maybe_unused]] std::uint64_t blocks = 0;
    const auto one = [&](const OneStep& step) {
        calls.in([&] { attention::decode(decoder, step.batch(), stream); });
    };
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    if (wait_between) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            test.call([&] { one(steps[i]); });
            test.check(calls.launches == static_cast<int>(i) + 1 || steps[i].logits.values() == steps[i].want,
                       kit::count_of(calls.launches, "graph launch") + " for " +
                           kit::count_of(i + 1, "step") + ": launch the graph once per step" + kit::task(4));
            compare(steps[i]);
        }
    } else {
        test.call([&] {
            for (const OneStep& step : steps) one(step);
        });
        for (const OneStep& step : steps) compare(step);
    }
#ifdef KIT_CPU
    blocks = kit::cpu::counters().blocks;
#endif
    fill_slots(sequences, kCapacity, keys, values);
    test.expect(key, keys, accuracy());
    test.expect(value, values, accuracy());
    for (std::size_t s = 0; s < sequences.size(); ++s) lengths[s] = static_cast<int>(sequences[s].length());
    test.expect(length, lengths);

    at_most_one_per_size("instances", calls.instances,
                         "make one instance for each size, and use it again" + kit::task(4));
    at_most_one_per_size("captures", calls.captures,
                         "capture each size once, and change only parameters later" + kit::task(4));
    at_most_one_per_size("graphs", calls.graphs_made, "keep one graph for each size" + kit::task(3));
    test.demand("graph launches", kit::exactly(calls.launches, served),
                kit::count_of(calls.launches, "launch") + " of a graph for " + kit::count_of(served, "step") +
                    ": launch one graph per step" + kit::task(4));
    test.demand("waits", kit::exactly(calls.waits, 0),
                "decode() waits: return without waiting, because the caller waits" + kit::task(4));
#ifdef KIT_CPU
    const std::uint64_t allowed = 3 * entries + static_cast<std::uint64_t>(2 * served);
    test.demand("blocks", kit::at_most(blocks, allowed),
                kit::count_of(blocks, "block") + " ran in " + kit::count_of(served, "step") +
                    ", but graphs of the smallest padded sizes have at most " + std::to_string(allowed) +
                    ": choose the smallest size that is not below the number of entries" + kit::task(2));
#endif
    test.call([&] { calls.in([&] { attention::close(decoder); }); });
    test.demand("instances", kit::exactly(calls.instances_destroyed, calls.instances),
                "close() does not find all instances that decode() has made: keep each in decoder.padded" +
                    kit::task(3));
    test.demand("graphs", kit::exactly(calls.graphs_destroyed, calls.graphs_made),
                "close() does not find all graphs that decode() has made: keep each in decoder.padded" +
                    kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "decode_graph", argc, argv);
    // The padding uses entries that the batch does not have, or those of another block.
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::out_of_bounds));
    for (const char* const memory : {"slots.keys", "slots.values", "slots.lengths", "decoder.hidden"})
        grader.task(1, kit::About().rule(kit::facts::Rule::race).on(memory));
    grader.task(4, {kit::Diagnosis::wrong_value, kit::Diagnosis::not_written, kit::Diagnosis::cuda_error,
                    kit::Diagnosis::race});
    const auto add = [&](const std::string& name, const std::vector<int>& sizes, bool wait_between) {
        grader.add(name, [=](kit::Case& test) { judge(test, sizes, wait_between); });
    };
    add("one step with one entry", {1}, true);
    add("one step with three entries", {3}, true);
    add("a batch of each size", {1, 2, 3, 4, 5, 6, 7, 8, 9}, true);
    add("the largest batch", {kMostEntries, kMostEntries - 1}, true);
    add("batches that grow and shrink", {2, 5, 1, 5, 7, 3, 8, 1, 6, 2}, true);
    add("batches queued one after another", {2, 5, 1, 5, 7, 3, 8, 1, 6, 2}, false);
    error_handling::check_failing_calls(grader, argc, argv, {"one step with three entries"},
                                        error_handling::Checked::all);
    return grader.run();
}
