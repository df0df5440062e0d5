// Grades 16_dynamic_parallelism/refine: the same pieces as a recursion on the host; full lists; launches per level.
// sanitizer.racecheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.initcheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.synccheck: compute-sanitizer does not follow kernels that kernels launch
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "16_dynamic_parallelism/launches.hpp"

namespace {

using namespace nested_test;
using nested::Piece;

/// Returns pieces as pairs, which can be sorted and printed.
using Pieces = std::vector<long long>;

long long key(Piece piece) {
    return static_cast<long long>(piece.first) << 32 | static_cast<unsigned>(piece.last);
}

struct Reference {
    Pieces done;
    int levels = 0;
    std::uint64_t blocks = 0;  ///< blocks that the levels need
};

Reference cut(const std::vector<int>& h, int limit) {
    Reference result;
    std::vector<Piece> now = {{0, static_cast<int>(h.size()) - 1}};
    for (; !now.empty(); ++result.levels) {
        result.blocks += kit::ceil_div(now.size(), static_cast<std::size_t>(nested::kBlock));
        std::vector<Piece> next;
        for (const Piece piece : now) {
            const int m = piece.first + (piece.last - piece.first) / 2;
            const long long bend = 0LL + h[piece.first] - 2LL * h[m] + h[piece.last];
            if (m > piece.first && (bend < 0 ? -bend : bend) > limit) {
                next.push_back({piece.first, m});
                next.push_back({m, piece.last});
            } else {
                result.done.push_back(key(piece));
            }
        }
        now = std::move(next);
    }
    std::sort(result.done.begin(), result.done.end());
    return result;
}

/// The piece that remains if only the first half of each piece is worked on; none if that takes fewer than three levels, because then
/// other mistakes leave the same piece.
Pieces first_halves(const std::vector<int>& h, int limit) {
    Piece piece = {0, static_cast<int>(h.size()) - 1};
    for (int cuts = 0;; ++cuts) {
        const int m = piece.first + (piece.last - piece.first) / 2;
        const long long bend = 0LL + h[piece.first] - 2LL * h[m] + h[piece.last];
        if (m == piece.first || (bend < 0 ? -bend : bend) <= limit)
            return cuts < 3 ? Pieces() : Pieces{key(piece)};
        piece.last = m;
    }
}

/// The results of the student's function.
struct Result {
    Launches launches;
    nested::RefineState state;
    Pieces done;
};

Result run(kit::Case& test, const std::vector<int>& h, int limit, int capacity) {
    auto heights = test.input("heights", h);
    const auto size = static_cast<std::size_t>(capacity);
    auto now = test.output<Piece>("now", size);
    auto next = test.output<Piece>("next", size);
    auto done = test.inout("done", std::vector<Piece>(size, {-1, -1}));  // not all of it is written
    auto state = test.output<nested::RefineState>("state", 1);
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& race) -> kit::Said {
        if (race.fix == kit::facts::Fix::stream_of_siblings || race.fix == kit::facts::Fix::parents_patience)
            return "a level runs during the previous level: launch it into the tail" + kit::task(3);
        return race.memory.name == "state"
                   ? "nothing orders the blocks of the level and the thread that continues: call "
                     "__threadfence() before and after the ticket is drawn, and let only one thread of the "
                     "block that draws the last ticket continue" +
                         kit::task(2)
                   : "";
    });
#endif
    Result result;
    result.launches = counted_call(test, [&] {
        nested::refine(heights.data(), static_cast<int>(h.size()), limit,
                       {now.data(), next.data(), done.data(), capacity, state.data()});
    });
    result.state = state.values()[0];
    const std::vector<Piece> pieces = done.values();
    for (int i = 0; i < std::min(std::max(result.state.done_count, 0), capacity); ++i)
        result.done.push_back(key(pieces[static_cast<std::size_t>(i)]));
    std::sort(result.done.begin(), result.done.end());
    return result;
}

void judge(kit::Case& test, const std::vector<int>& h, int limit) {
    const Reference want = cut(h, limit);
    const Result got = run(test, h, limit, static_cast<int>(h.size()));
    test.check(got.state.levels != 0,
               "state->levels is 0, because no block has drawn the last ticket of the level: compare the "
               "ticket with the "
               "number of blocks - 1" +
                   kit::task(2));
    test.check(got.done.empty() || got.done != first_halves(h, limit),
               "only the first half of each cut piece is worked on: take two places in the list for a cut" +
                   kit::task(1) + ", and give all pieces to the next level" + kit::task(3),
               kit::Diagnosis::part);
    test.equal("state->done_count", got.state.done_count, static_cast<int>(want.done.size()),
               "count each piece once, when it is done");
    test.expect("done, sorted", got.done, want.done);
    test.equal("state->levels", got.state.levels, want.levels,
               "count each level once, when its last block has finished");
    test.equal("state->overflow", got.state.overflow, 0, "set it only when a list is full");
    if (!launches_are_counted) return;
    test.demand("launches by the host", kit::exactly(got.launches.by_host, 1),
                kernels(got.launches.by_host) +
                    " launched by the host, expected 1: launch the first level, and let kernels launch the "
                    "later ones");
    // The host may launch the kernel of the first level.
    test.demand("launches by kernels", kit::between(got.launches.by_kernels, want.levels - 1, want.levels),
                kernels(got.launches.by_kernels) + " launched by kernels for " + std::to_string(want.levels) +
                    " levels: launch once per level");
    test.demand("blocks", kit::at_most(got.launches.blocks, want.blocks + 1),
                kit::count_of(got.launches.blocks, "block") +
                    " ran, but the pieces of all levels need only " + std::to_string(want.blocks) +
                    ": launch as many blocks as the pieces of a level need" + kit::task(3));
}

/// A list is too short: the stored pieces must be correct, and the state must report that some are missing.
void judge_full(kit::Case& test, const std::vector<int>& h, int capacity) {
    const Reference want = cut(h, 0);
    const Result got = run(test, h, 0, capacity);
    test.check(got.state.overflow != 0,
               "state->overflow is 0, but " + kit::count_of(want.done.size(), "piece", "do") +
                   " not fit into lists of " + std::to_string(capacity) + ": set it when a list is full");
    test.check(got.state.done_count > 0 && got.state.done_count <= static_cast<int>(want.done.size()),
               "state->done_count is " + std::to_string(got.state.done_count) +
                   ": count each piece once, when it is done");
    test.check(std::adjacent_find(got.done.begin(), got.done.end()) == got.done.end(),
               "a piece is in the list twice: store each piece once");
    long long covered = 0;
    for (const long long piece : got.done) covered += (piece & 0xffffffff) - (piece >> 32);
    const long long all = static_cast<long long>(h.size()) - 1;
    test.check(got.state.done_count > capacity ? covered < all : covered == all,
               "the pieces cover " + std::to_string(covered) + " of " + kit::count_of(all, "step") +
                   " of the curve: replace each piece by its two halves, or store it");
}

std::vector<int> random_walk(kit::Random& random, int n) {
    std::vector<int> h(static_cast<std::size_t>(n));
    int height = 0;
    for (int& value : h) value = height += static_cast<int>(random.integer(-100, 100));
    return h;
}

/// Returns a curve that is flat except at a few places.
std::vector<int> with_peaks(kit::Random& random, int n) {
    std::vector<int> h(static_cast<std::size_t>(n), 7);
    for (int k = 0; k < 5; ++k) h[static_cast<std::size_t>(random.integer(0, n - 1))] = 1 << 29;
    h[static_cast<std::size_t>(n / 2)] = -(1 << 29);
    return h;
}

std::vector<int> bent(kit::Random& random, int n) {
    std::vector<int> h = random_walk(random, n);
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<int>(i * i % 30011) - h[i];
    return h;
}

/// Runs in its own process. Returns whether the result is complete.
bool complete() {
    kit::Random random(1);
    const std::vector<int> h = bent(random, 2049);
    kit::DeviceBuffer<int> heights(h);
    kit::DeviceBuffer<Piece> now(h.size()), next(h.size()), done(h.size());
    kit::DeviceBuffer<nested::RefineState> state(1);
    nested::refine(heights.data(), static_cast<int>(h.size()), 0,
                   {now.data(), next.data(), done.data(), static_cast<int>(h.size()), state.data()});
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    return state.to_vector()[0].done_count == static_cast<int>(cut(h, 0).done.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = error_handling::probe_asked(argc, argv)) return refused_main(what, complete);
    kit::Grader grader("16_dynamic_parallelism", "refine", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(
        2,
        kit::About::either_half().fix(kit::facts::Fix::message).fix(kit::facts::Fix::fences_around_atomic));
    grader.task(2, {kit::Diagnosis::barrier, kit::Diagnosis::race});
    grader.task(2, {kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::timeout, kit::Diagnosis::wrong_value, kit::Diagnosis::cuda_error,
                    kit::Diagnosis::second_call});
    for (int n : {257, 2, 3, 4, 1009, 3001}) {
        grader.add("random walk, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, random_walk(test.random(), n), 30); });
    }
    grader.add("every piece is cut, n=2049",
               [](kit::Case& test) { judge(test, bent(test.random(), 2049), 0); });
#ifndef KIT_CPU
    grader.add("random walk, n=3000017",
               [](kit::Case& test) { judge(test, random_walk(test.random(), 3000017), 30); }, {60, true});
#endif
    add_enough(grader, 8, 3, "launch each level into the tail, or all earlier levels stay pending");
    add_refused(grader, {1}, 3);
    grader.add("a few high peaks, n=5000",
               [](kit::Case& test) { judge(test, with_peaks(test.random(), 5000), 1000); });
    grader.add("a straight line, n=1000", [](kit::Case& test) {
        std::vector<int> h(1000);
        for (int i = 0; i < 1000; ++i) h[static_cast<std::size_t>(i)] = 5;
        judge(test, h, 0);
    });
    for (int capacity : {1, 37, 600}) {
        grader.add("room for " + kit::count_of(capacity, "piece"), [capacity](kit::Case& test) {
            judge_full(test, random_walk(test.random(), 3000), capacity);
        });
    }
    return grader.run();
}
