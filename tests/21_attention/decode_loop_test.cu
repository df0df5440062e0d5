// Grades 21_attention/decode_loop: the tokens of a small model with fixed weights and random numbers, and one launch by the host.
// sanitizer.case: greedy, five sequences
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "21_attention/decoding.hpp"
#include "grader/calls.hpp"
#include "handles.hpp"

namespace {

using namespace attention_test;
using attention::Generation;

struct Shape {
    std::vector<int> starts;  ///< tokens in the slot of each sequence at the start
    int most_tokens;
    float temperature;
    int end_at =
        -1;  ///< the end token is the one that sequence 0 generates at this place; -1: there is no end token
    int launches = 1;
};

/// How the tokens are chosen: correctly, or with a known mistake.
enum class Rule { correct, temperature_ignored, one_random_number };

/// Returns the chosen token. `gap` becomes the distance of the decision from the nearest other one, if that is smaller.
int chosen(const Vector& logits, double temperature, double random, double& gap) {
    const auto most = std::max_element(logits.begin(), logits.end());
    if (temperature == 0) {
        for (const double& logit : logits)
            if (&logit != &*most) gap = std::min(gap, *most - logit);
        return static_cast<int>(most - logits.begin());
    }
    Vector sums;
    double sum = 0;
    for (const double logit : logits) sums.push_back(sum += std::exp((logit - *most) / temperature));
    int token = -1;
    for (std::size_t t = 0; t < sums.size(); ++t) {
        gap = std::min(gap, std::fabs(sums[t] / sum - random));
        if (token < 0 && sums[t] > random * sum) token = static_cast<int>(t);
    }
    return token;
}

/// A model, sequences, random numbers, and the tokens that follow from them.
struct World {
    Weights weights;
    std::vector<Sequence> sequences;
    std::vector<int> first;
    std::vector<float> random;
    std::vector<std::vector<int>> tokens;
    int end_token = -1;
    double gap = 1;

    World(kit::Random& source, const Shape& shape) : weights(source) {
        for (const int start : shape.starts) {
            sequences.push_back(random_sequence(source, weights, start));
            first.push_back(random_token(source));
        }
        random =
            kit::uniform<float>(source, first.size() * static_cast<std::size_t>(shape.most_tokens), 0, 1);
        tokens = generated(shape, Rule::correct);
        if (shape.end_at < 0) return;
        end_token = tokens[0][static_cast<std::size_t>(shape.end_at)];
        tokens = generated(shape, Rule::correct);
    }

    std::vector<std::vector<int>> generated(const Shape& shape, Rule rule) {
        std::vector<std::vector<int>> all;
        const auto most = static_cast<std::size_t>(shape.most_tokens);
        for (std::size_t s = 0; s < sequences.size(); ++s) {
            Sequence sequence = sequences[s];
            std::vector<int> list;
            int token = first[s];
            do {
                const std::size_t number = rule == Rule::one_random_number ? 0 : list.size();
                double unused = 1;
                token = chosen(sequence.step(weights, token),
                               rule == Rule::temperature_ignored ? 1 : static_cast<double>(shape.temperature),
                               random[s * most + number], rule == Rule::correct ? gap : unused);
                list.push_back(token);
            } while (token != end_token && list.size() < most);
            all.push_back(list);
        }
        return all;
    }
};

/// Returns a world in which no rounding error of a correct program can change a token.
World world(kit::Case& test, const Shape& shape) {
    constexpr double least_gap =
        2e-3;  // the smallest distance of two logits, or of two probabilities; a sum in float is about 1e-5 off
    for (int attempt = 0; attempt < 300; ++attempt) {
        World made(test.random(), shape);
        if (made.gap >= least_gap) return made;
    }
    test.fail(kit::Diagnosis::no_check, "the test finds no model whose decisions are far enough apart");
    return World(test.random(), shape);
}

std::vector<int> joined(const std::vector<std::vector<int>>& lists) {
    std::vector<int> all;
    for (const std::vector<int>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

void judge(kit::Case& test, const Shape& shape) {
    const kit::Stream stream;
    World made = world(test, shape);
    const int n = static_cast<int>(shape.starts.size());
    const auto count = shape.starts.size(), most = static_cast<std::size_t>(shape.most_tokens);
    const int capacity = *std::max_element(shape.starts.begin(), shape.starts.end()) + shape.most_tokens;
    std::vector<float> keys, values;
    fill_slots(made.sequences, capacity, keys, values);
    const DeviceModel model(test, made.weights);
    auto key = test.inout("slots.keys", keys), value = test.inout("slots.values", values);
    auto lengths = test.output<int>("slots.lengths", count);
    auto starts = test.input("starts", shape.starts);
    auto first = test.input("first", made.first);
    auto random = test.input("random", made.random);
    auto tokens = test.output<int>("tokens", count * most);
    auto counts = test.output<int>("counts", count);
    auto newest = test.output<int>("newest", count), done = test.output<int>("done", count);
    auto logits = test.output<float>("logits", count * kVocabulary);
    auto active = test.output<int>("active", 1);
    const Generation work = {model.get(),
                             {key.data(), value.data(), lengths.data(), capacity},
                             n,
                             starts.data(),
                             first.data(),
                             shape.most_tokens,
                             made.end_token,
                             shape.temperature,
                             random.data(),
                             tokens.data(),
                             counts.data(),
                             newest.data(),
                             done.data(),
                             logits.data(),
                             active.data()};
    kit::Calls building;
    cudaGraphExec_t generator =
        test.call([&] { return building.in([&] { return attention::build_generator(work); }); });
    test.check(generator != nullptr, "build_generator() returns no instance: return the one that it makes");
    test.demand(
        "graph launches", kit::exactly(building.launches, 0),
        "build_generator() launches a graph: only build it, because generate() launches it" + kit::task(5));
    for (int launch = 0; launch < shape.launches; ++launch) {
        tokens.reset();
        counts.reset();
        kit::Calls calls;
        [[maybe_unused]] std::uint64_t bodies = 0;
#ifdef KIT_CPU
        kit::cpu::reset_counters();
#endif
        test.call([&] { calls.in([&] { attention::generate(generator, stream); }); });
#ifdef KIT_CPU
        bodies = kit::cpu::counters().while_bodies;
#endif
        test.demand("graph launches", kit::exactly(calls.launches, 1),
                    kit::count_of(calls.launches, "graph launch") + " for all tokens: launch the graph once" +
                        kit::task(6));
        test.demand("waits", kit::exactly(calls.waits, 0),
                    "generate() waits for the device: let the graph decide whether another round follows" +
                        kit::task(6));
        const std::vector<int> all = tokens.values(), numbers = counts.values();
        // If a count is wrong, only the tokens that both have are compared, because the count is the mistake.
        const auto both = [&](const std::vector<std::vector<int>>& lists) {
            std::vector<std::vector<int>> shorter = lists;
            for (std::size_t s = 0; s < count; ++s)
                if (numbers[s] >= 0 && numbers[s] < static_cast<int>(lists[s].size()))
                    shorter[s].resize(static_cast<std::size_t>(numbers[s]));
            return joined(shorter);
        };
        std::vector<std::vector<int>> stored(count);
        for (std::size_t s = 0; s < count; ++s)
            for (std::size_t t = 0; t < made.tokens[s].size(); ++t) stored[s].push_back(all[s * most + t]);
        if (shape.temperature != 0 && shape.temperature != 1)
            test.mistake<int>(
                kit::Diagnosis::wrong_value, both(made.generated(shape, Rule::temperature_ignored)),
                "the tokens are those of temperature 1: divide the logits by the temperature" + kit::task(2));
        if (shape.temperature != 0 && shape.most_tokens > 1)
            test.mistake<int>(
                kit::Diagnosis::wrong_value, both(made.generated(shape, Rule::one_random_number)),
                "all tokens of a sequence use its first random number: use number `count`" + kit::task(3));
        test.expect("the generated tokens", both(stored), both(made.tokens));
        std::size_t rounds = 0;
        for (std::size_t s = 0; s < count; ++s) {
            const std::size_t want = made.tokens[s].size();
            rounds = std::max(rounds, want);
            test.equal("counts[" + std::to_string(s) + "]", numbers[s], static_cast<int>(want),
                       "a sequence is done after its end token, or when it has most_tokens" + kit::task(3));
            for (std::size_t t = want; t < most; ++t)
                test.check(kit::detail::is_poison(all[s * most + t]),
                           "tokens are written after sequence " + std::to_string(s) +
                               " is done: a sequence that is done writes nothing" + kit::task(3));
        }
#ifdef KIT_CPU
        test.demand("bodies", kit::exactly(bodies, rounds),
                    "the body of the WHILE node ran " + kit::count_of(bodies, "time") +
                        ", but the longest sequence has " + kit::count_of(rounds, "new token") +
                        ": end the loop when no sequence is active" + kit::task(4));
#endif
    }
    test.cuda(cudaGraphExecDestroy(generator));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "decode_loop", argc, argv);
    for (const int task : {3, 4}) grader.task(task, kit::About::endless());
    grader.task(5, {kit::Diagnosis::uninitialised, kit::Diagnosis::not_written, kit::Diagnosis::race});
    const auto add = [&](const std::string& name, const Shape& shape, int task) {
        grader.add(name,
                   [=](kit::Case& test) {
                       test.values_are_of({task});
                       judge(test, shape);
                   },
                   {4});
    };
    add("greedy, one sequence, one token", {{0}, 1, 0}, 1);
    add("greedy, one sequence, twelve tokens", {{3}, 12, 0}, 1);
    add("greedy, the first token is the end token", {{2}, 5, 0, 0}, 1);
    add("greedy, five sequences", {{0, 4, 1, 7, 2}, 9, 0, 4}, 1);
    add("temperature 1, one token", {{5}, 1, 1}, 2);
    add("temperature 1, five sequences", {{1, 0, 6, 3, 2}, 10, 1, 6}, 2);
    add("temperature 0.5, three sequences", {{2, 5, 0}, 10, 0.5f}, 2);
    add("temperature 3, three sequences, launched twice", {{2, 5, 0}, 10, 3, 7, 2}, 2);
    add("temperature 0.05, two sequences", {{4, 1}, 6, 0.05f}, 2);
    error_handling::check_failing_calls(grader, argc, argv, {"greedy, one sequence, one token"},
                                        error_handling::Checked::all);
    return grader.run();
}
