// Grades 21_attention/decode_step: pages, ragged lengths, states that are merged, and a workspace that is ready again.
// sanitizer.case: pages of 5
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "21_attention/21_attention.hpp"
#include "grader.cuh"

namespace {

using attention::kElements;
using attention::kSplits;

constexpr double accuracy = 5e-4;  // 1e-4 of the largest value, which is 5

/// A batch: its pages, its lengths before the first step, and the number of steps.
struct Shape {
    int page_tokens;
    int heads;
    std::vector<int> lengths;
    int steps = 1;
    double spread = 4;  ///< largest element of a query and of a key
};

std::size_t row_of(const Shape& shape, std::size_t sequence, int head) {
    return sequence * static_cast<std::size_t>(shape.heads) + static_cast<std::size_t>(head);
}

/// The pages of all sequences, in random order, and the caches on the host.
struct Pages {
    std::vector<int> table;
    std::vector<float> keys, values;
    int most_pages = 1;

    Pages(kit::Random& random, const Shape& shape) : page_tokens_(shape.page_tokens), heads_(shape.heads) {
        std::size_t total = 1;  // a page that no sequence has
        for (const int length : shape.lengths) {
            const int needed = kit::ceil_div(length + shape.steps, page_tokens_);
            most_pages = std::max(most_pages, needed + 1);
            total += static_cast<std::size_t>(needed);
        }
        const auto order = kit::permutation<int>(random, total);
        std::size_t used = 0;
        for (const int length : shape.lengths) {
            const int needed = kit::ceil_div(length + shape.steps, page_tokens_);
            for (int i = 0; i < most_pages; ++i) table.push_back(i < needed ? order[used++] : no_page);
        }
        keys.assign(total * static_cast<std::size_t>(page_tokens_ * heads_ * kElements), unused);
        values = keys;
        for (std::size_t s = 0; s < shape.lengths.size(); ++s)
            for (int token = 0; token < shape.lengths[s]; ++token)
                for (int head = 0; head < heads_; ++head)
                    for (int e = 0; e < kElements; ++e) {
                        keys[place(s, token, head) + static_cast<std::size_t>(e)] =
                            static_cast<float>(shape.spread * (2 * random.unit() - 1));
                        values[place(s, token, head) + static_cast<std::size_t>(e)] =
                            static_cast<float>(10 * random.unit() - 5);
                    }
    }

    /// Returns the place of the first element of this token's key and value.
    std::size_t place(std::size_t sequence, int token, int head) const {
        const int page = table[sequence * static_cast<std::size_t>(most_pages) +
                               static_cast<std::size_t>(token / page_tokens_)];
        return static_cast<std::size_t>(((page * page_tokens_ + token % page_tokens_) * heads_ + head) *
                                        kElements);
    }

  private:
    static constexpr float unused = 1000;
    static constexpr int no_page = 1 << 20;
    int page_tokens_, heads_;
};

/// How the states of the tokens are merged: correctly, or with a known mistake.
enum class Merge { correct, without_scaling, only_the_second_is_scaled, outputs_of_splits };

/// A state, with the whole weighted sum.
struct Merged {
    double maximum = -INFINITY, sum = 0;
    std::vector<double> value = std::vector<double>(kElements);

    void add(const Merged& other, Merge merge) {
        const double largest = std::max(maximum, other.maximum);
        if (largest == -INFINITY) return;
        const bool scaled = merge != Merge::without_scaling;
        const double first =
            scaled && merge != Merge::only_the_second_is_scaled ? std::exp(maximum - largest) : 1;
        const double second = scaled ? std::exp(other.maximum - largest) : 1;
        sum = sum * first + other.sum * second;
        for (std::size_t e = 0; e < value.size(); ++e) value[e] = value[e] * first + other.value[e] * second;
        maximum = largest;
    }
};

/// Returns the outputs for sequences of these lengths. The states are merged in the order of the starter, so that the result of a wrong
/// merge is the same: tokens of a warp, warps of a block, blocks.
std::vector<float> reference(const Shape& shape, const Pages& pages, const std::vector<int>& lengths,
                             const std::vector<float>& queries, Merge merge = Merge::correct) {
    constexpr int warps = 4;
    std::vector<float> out;
    for (std::size_t s = 0; s < lengths.size(); ++s)
        for (int head = 0; head < shape.heads; ++head) {
            const int tokens = kit::ceil_div(lengths[s], kSplits);
            Merged all;
            for (int split = 0; split < kSplits; ++split) {
                Merged of_block;
                for (int warp = 0; warp < warps; ++warp) {
                    Merged of_warp;
                    const int end = std::min((split + 1) * tokens, lengths[s]);
                    for (int token = split * tokens + warp; token < end; token += warps) {
                        const std::size_t at = pages.place(s, token, head);
                        Merged one;
                        double score = 0;
                        for (std::size_t e = 0; e < kElements; ++e) {
                            score += static_cast<double>(queries[row_of(shape, s, head) * kElements + e]) *
                                     pages.keys[at + e];
                            one.value[e] = pages.values[at + e];
                        }
                        one.maximum = score / std::sqrt(1.0 * kElements);
                        one.sum = 1;
                        of_warp.add(one, merge);
                    }
                    of_block.add(of_warp, merge);
                }
                if (merge == Merge::outputs_of_splits && of_block.sum > 0) {
                    for (double& element : of_block.value) element /= of_block.sum;
                    of_block.maximum = 0;
                    of_block.sum = 1;
                }
                all.add(of_block, merge);
            }
            for (const double element : all.value) out.push_back(static_cast<float>(element / all.sum));
        }
    return out;
}

/// Returns whether the new tokens do not attend to themselves. Sequences that have only the new token then have no output.
bool lacks_the_new_token(const Shape& shape, const Pages& pages, std::vector<int> lengths,
                         const std::vector<float>& queries, const std::vector<float>& out,
                         const std::vector<float>& want) {
    for (int& length : lengths) --length;
    const std::vector<float> without = reference(shape, pages, lengths, queries);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const bool alone = lengths[i / (static_cast<std::size_t>(shape.heads) * kElements)] == 0;
        if (!alone && !(std::fabs(out[i] - without[i]) <= accuracy)) return false;
        differ += alone ? 0 : std::fabs(without[i] - want[i]) > accuracy;
    }
    return differ > 0;
}

#ifdef KIT_CPU
/// Demands what the contract says about the kernel of the last call. `tokens` includes the new ones.
void judge_counts(kit::Case& test, const Shape& shape, std::size_t tokens, std::size_t read_by_thread) {
    const kit::cpu::Counters now = kit::cpu::counters();
    const std::size_t rows = shape.lengths.size() * static_cast<std::size_t>(shape.heads);
    test.demand(
        "kernels", kit::exactly(now.kernels, rows > 0 ? 1 : 0),
        kit::count_of(now.kernels, "kernel") + " for " + kit::count_of(shape.lengths.size(), "sequence") +
            ": launch one kernel, in which the last block of each row merges, and none without sequences");
    test.demand("blocks", kit::at_least(now.blocks, rows * kSplits),
                kit::count_of(now.blocks, "block") + " for " + kit::count_of(rows, "row") +
                    ": spread the tokens of each row over kSplits blocks");
    test.stored_at_most(
        rows * (3 * kElements * sizeof(float) + kSplits * sizeof(attention::PartialState) + sizeof(int)),
        kit::named_task(3));
    const std::size_t bytes = tokens * static_cast<std::size_t>(shape.heads) * 2 * kElements * sizeof(float);
    test.loaded_at_most(2 * bytes + 8192 * now.blocks, kit::named_task(3));
    if (tokens < 200 || rows != 1) return;
    test.demand(
        "share of one thread", kit::at_most(read_by_thread, tokens * kElements / (2 * kSplits)),
        "one thread loads " + std::to_string(read_by_thread) + " of " + std::to_string(tokens * kElements) +
            " elements of the keys: share the tokens among the " + "blocks and their threads" + kit::task(3));
}
#endif

void judge(kit::Case& test, const Shape& shape) {
    Pages pages(test.random(), shape);
    const std::size_t sequences = shape.lengths.size(), rows = row_of(shape, sequences, 0);
    auto keys = test.inout("cache.keys", pages.keys), values = test.inout("cache.values", pages.values);
    auto table = test.input("cache.table", pages.table);
    auto states = test.output<attention::PartialState>("work.states", rows * kSplits);
    const std::vector<int> zeros(rows, 0);
    auto tickets = test.inout("work.tickets", zeros);
    std::vector<int> lengths = shape.lengths;
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name == "work.tickets")
            return "a block sets the ticket while others still draw: let only the last block set it" +
                   kit::task(6);
        return "";
    });
    test.explain(kit::Diagnosis::out_of_bounds, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.kind != kit::facts::Memory::Kind::unknown) return "";
        return "The page of the token is perhaps wrong: the page table has one entry for each page" +
               kit::task(2);
    });
    for (int step = 0; step < shape.steps; ++step) {
        const auto random_rows = [&](double largest) {
            return kit::uniform<float>(test.random(), rows * kElements, -largest, largest);
        };
        const auto queries = random_rows(shape.spread), new_keys = random_rows(shape.spread),
                   new_values = random_rows(5);
        auto query = test.input("queries", queries), new_key = test.input("new_keys", new_keys),
             new_value = test.input("new_values", new_values);
        auto length = test.input("lengths", lengths);
        auto out = test.output<float>("out", rows * kElements);
        const auto run = [&] {
            attention::decode_step(
                {static_cast<int>(sequences), shape.heads, query.data(), new_key.data(), new_value.data(),
                 length.data()},
                {keys.data(), values.data(), table.data(), shape.page_tokens, pages.most_pages}, out.data(),
                {states.data(), tickets.data()});
        };
#ifdef KIT_CPU
        kit::cpu::reset_counters();
        kit::cpu::trace_thread(0, 0);
#endif
        test.call(run);
        const std::vector<float> keys_before = pages.keys, values_before = pages.values;
        std::size_t tokens = 0;
        for (std::size_t s = 0; s < sequences; ++s) {
            for (int head = 0; head < shape.heads; ++head) {
                const auto from = static_cast<std::ptrdiff_t>(row_of(shape, s, head) * kElements);
                const auto to = static_cast<std::ptrdiff_t>(pages.place(s, lengths[s], head));
                std::copy_n(new_keys.begin() + from, kElements, pages.keys.begin() + to);
                std::copy_n(new_values.begin() + from, kElements, pages.values.begin() + to);
            }
            tokens += static_cast<std::size_t>(++lengths[s]);
        }
        const std::vector<float> want = reference(shape, pages, lengths, queries);
        test.check(
            !lacks_the_new_token(shape, pages, lengths, queries, out.values(), want),
            "each query attends to the earlier tokens only: attend to lengths[s] + 1 tokens, because the new "
            "token also attends to itself" +
                kit::task(3));
        const std::vector<float> got = out.values();
        test.check(std::none_of(got.begin(), got.end(), [](float value) { return std::fabs(value) > 2 * 5; }),
                   "an output is larger than every value of its sequence: the kernel attends to places of "
                   "the cache that "
                   "have no token of this sequence, perhaps at the end of its last page");
        const bool is_long = tokens > sequences * kSplits;  // otherwise all mistakes give the same result
        const auto mistake = [&](Merge merge, const char* sentence, int task) {
            if (!is_long) return;
            test.mistake<float>(kit::Diagnosis::wrong_value, reference(shape, pages, lengths, queries, merge),
                                sentence + kit::task(task));
        };
        mistake(
            Merge::without_scaling,
            "the result is the plain mean of the values: scale both states to the new maximum before you add "
            "them",
            1);
        mistake(Merge::only_the_second_is_scaled,
                "the state of the first argument keeps its old maximum: scale both states to the new maximum "
                "before you add them",
                1);
        mistake(
            Merge::outputs_of_splits,
            "the result is the mean of the outputs of the splits: merge their states, because a split with "
            "larger scores has more weight",
            6);
        test.expect(out, want, kit::tolerance(accuracy, 0));
        if (rows > 0) {
            const bool unchanged = keys.values() == keys_before && values.values() == values_before;
            test.check(!unchanged,
                       "the new keys and values are not in the cache: append them" + kit::task(3));
        }
        test.expect(keys, pages.keys);
        test.expect(values, pages.values);
        test.check(tickets.values() == zeros,
                   "a ticket is not 0 after the call, so the next call merges too early or never: let the "
                   "last block "
                   "set it back" +
                       kit::task(6),
                   kit::Diagnosis::second_call);
#ifdef KIT_CPU
        const char* const begin = reinterpret_cast<const char*>(keys.data());
        std::size_t read = 0;
        for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace())
            read += !access.write && access.address >= begin &&
                            access.address < begin + pages.keys.size() * sizeof(float)
                        ? access.bytes / sizeof(float)
                        : 0;
        judge_counts(test, shape, tokens, read);
#endif
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "decode_step", argc, argv);
    grader.task(1, {kit::Diagnosis::nan});
    grader.task(
        2, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).memory(kit::facts::Memory::Kind::unknown));
    grader.task(5, kit::About().rule(kit::facts::Rule::race).on("work.states"));
    grader.task(3, {kit::Diagnosis::wrong_value});
    const auto add = [&](const std::string& name, const Shape& shape) {
        grader.add(name, [shape](kit::Case& test) { judge(test, shape); });
    };
    add("no sequences", {16, 2, {}});
    add("fewer tokens than splits", {16, 2, {0, 1, 2, 3}});
    add("around a page of 16", {16, 2, {14, 15, 16, 17, 31}});
    add("pages of 5", {5, 3, {23, 4, 0, 61}});
    add("pages of one token", {1, 1, {7, 12}});
    add("one sequence of 500 tokens", {16, 1, {500}});
    add("one sequence of 255 tokens, 8 heads", {64, 8, {255}});
    add("large scores", {16, 2, {40, 9}, 1, 40});
    add("five steps, one workspace", {4, 2, {0, 6, 19}, 5});
#ifndef KIT_CPU
    add("up to 20000 tokens, 2 heads, two steps", {16, 2, {20000, 0, 5003, 1}, 2});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"pages of 5"});
    return grader.run();
}
