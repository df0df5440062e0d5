// Grades 17_device_graphs/switch_node: every piece by its own decoder, with known and unknown kinds.
#include <algorithm>
#include <string>
#include <vector>

#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;
using device_graphs::Piece;

constexpr int untouched = -77777;

/// The value that the next relative piece is relative to: the right one, and mistakes.
enum class Last { right, of_any_piece, of_the_input, never_kept };

std::vector<int> reference(const std::vector<Piece>& pieces, const std::vector<int>& in,
                           Last kept = Last::right) {
    std::vector<int> out(in.size(), untouched);
    int last = 0;
    for (const Piece& piece : pieces) {
        const bool known = piece.kind >= 0 && piece.kind < device_graphs::kKinds;
        for (int i = 0; i < piece.count; ++i) {
            const auto at = static_cast<std::size_t>(piece.first + i);
            if (piece.kind == 0) out[at] = in[at];
            if (piece.kind == 1) out[at] = last + in[at];
            if (piece.kind == 2) out[at] = in[static_cast<std::size_t>(piece.first + piece.count - 1 - i)];
        }
        if (piece.count == 0 || kept == Last::never_kept || (!known && kept != Last::of_any_piece)) continue;
        const auto end = static_cast<std::size_t>(piece.first + piece.count - 1);
        last = kept == Last::of_the_input ? in[end] : out[end];
    }
    return out;
}

/// Launches a graph with pieces of these kinds and of random lengths: with all of them, and with the first half.
void run(kit::Case& test, const std::vector<int>& kinds, int longest) {
    Stream stream;
    std::vector<Piece> pieces;
    int n = 0;
    for (const int kind : kinds) {
        const int count = static_cast<int>(test.random().integer(0, longest));
        pieces.push_back({kind, n, count});
        n += count;
    }
    const std::size_t size = static_cast<std::size_t>(std::max(n, 1));
    // The list has one more piece, which does not count. Decoding it changes all values but the last.
    std::vector<Piece> more = pieces;
    more.push_back({1, 0, std::max(n - 1, 0)});
    auto list = test.input("pieces", more);
    const std::vector<int> values = kit::integers<int>(test.random(), size, 1, 1000);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", size);
    auto count = test.output<int>("count", 1);
    auto next = test.output<int>("next", 1);
    auto current = test.output<Piece>("current", 1);
    auto last = test.output<int>("last", 1);
    const device_graphs::Pieces work = {list.data(), count.data(), next.data(), current.data(),
                                        last.data(), in.data(),    out.data()};
    const Instance graph(test, graph_made_by(test, [&] { return device_graphs::build_switch(work); }));
    for (const std::size_t some : {pieces.size(), pieces.size() / 2}) {
        const std::vector<Piece> these(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(some));
        overwrite(test, count.data(), std::vector<int>{static_cast<int>(some)});
        overwrite(test, out.data(), std::vector<int>(size, untouched));
        std::uint64_t known = 0;
        for (const Piece& piece : these) known += piece.kind >= 0 && piece.kind < device_graphs::kKinds;
#ifdef KIT_CPU
        test.explain(kit::Diagnosis::timeout, [&](const kit::facts::Finding&) -> kit::Said {
            // Each round runs take_piece, at most one decoder, and go_on.
            const kit::cpu::Counters so_far = kit::cpu::counters();
            const std::uint64_t of_rounds = so_far.while_bodies + so_far.switch_bodies;
            return so_far.kernels < of_rounds + so_far.while_bodies / 2
                       ? "too few kernels run in a round: put go_on into the body of the loop" + kit::task(3)
                       : "";
        });
        test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& race) -> kit::Said {
            if (race.memory.name != "out") return "";
            for (const kit::facts::Access& access : race.accesses)
                if (!access.write)
                    return "go_on reads the last element while a decoder may still write it: let go_on run "
                           "after "
                           "the SWITCH node" +
                           kit::task(3);
            return "two decoders run for one piece: each body has one of them" + kit::task(4);
        });
#endif
        const Ran ran = launch(test, graph, stream);
        if (is_counted) {
            const bool by_two = some > 3 && ran.while_bodies == (some + 1) / 2;
            test.demand("bodies", kit::exactly(ran.while_bodies, some),
                        count_of(ran.while_bodies, "round") + " of the loop ran for " +
                            count_of(some, "piece") +
                            (by_two ? ": advance the index once in each round" + kit::task(1, 2)
                                    : ": run one round for each piece" + kit::task(2)));
            test.demand("bodies", kit::between(ran.switch_bodies, known, some),
                        count_of(ran.switch_bodies, "body") + " of the SWITCH node ran for " +
                            count_of(some, "piece") + ", " + std::to_string(known) +
                            " of them of a known kind: run one body for each of these");
        }
        const std::vector<int> want = reference(these, values);
        const std::vector<int> got = out.values();
        for (const Piece& piece : these) {
            if (piece.kind >= 0 && piece.kind < device_graphs::kKinds) continue;
            const auto begin = got.begin() + piece.first, end = begin + piece.count;
            test.check(std::all_of(begin, end, [](int value) { return value == untouched; }),
                       "elements of a piece of the unknown kind " + std::to_string(piece.kind) +
                           " are written: run no decoder for it" + kit::task(1, 4));
        }
        if (!these.empty()) {  // the result if the first piece is skipped
            std::vector<Piece> shifted(more.begin() + 1,
                                       more.begin() + 1 + static_cast<std::ptrdiff_t>(some));
            test.mistake(kit::Diagnosis::wrong_value, reference(shifted, values),
                         "the first piece is skipped: let go_on run after take_piece" + kit::task(3));
        }
        std::vector<Piece> of_next = these;  // each with the kind of the piece after it
        for (std::size_t i = 0; i < some; ++i) of_next[i].kind = more[i + 1].kind;
        test.mistake(kit::Diagnosis::wrong_value, reference(of_next, values),
                     "each piece is decoded as if it had the kind of the piece after it: let go_on run after "
                     "the decoder" +
                         kit::task(1));
        const auto kept = [&](Last last, const char* why) {
            const std::vector<int> values_then = reference(these, values, last);
            if (values_then != want)
                test.mistake(kit::Diagnosis::wrong_value, values_then, why + kit::task(2));
        };
        kept(Last::never_kept,
             "every relative piece is relative to 0: store the last decoded element in *last");
        kept(Last::of_any_piece,
             "a piece of unknown kind changes *last: it decodes nothing, so leave *last as it is");
        kept(Last::of_the_input, "*last is an element of `in`: store the decoded one, from `out`");
        test.expect(out, want, kit::exact());
        if (!is_counted) continue;
        std::uint64_t results = 0;
        for (const Piece& piece : these)
            if (piece.kind >= 0 && piece.kind < device_graphs::kKinds)
                results += static_cast<std::uint64_t>(piece.count) * sizeof(int);
        // For each piece, kernels also store its description, the index and conditions.
        test.demand(
            "stores", kit::at_most(ran.bytes_stored, results + 64 * (some + 1)),
            "kernels stored " + kit::count_of(ran.bytes_stored, "byte") + ", but the results have only " +
                std::to_string(results) +
                ": launch a decoder as one block of kBlock threads, so that each element is written once" +
                kit::task(4));
    }
}

[[maybe_unused]] void left_behind(kit::Case& test) {
    auto list = test.input("pieces", std::vector<Piece>{{0, 0, 100}});
    auto in = test.input("in", std::vector<int>(100, 3));
    auto out = test.output<int>("out", 100);
    auto numbers = test.inout("numbers", std::vector<int>{1, 0});
    auto current = test.output<Piece>("current", 1);
    auto last = test.output<int>("last", 1);
    const device_graphs::Pieces work = {list.data(), numbers.data(), numbers.data() + 1, current.data(),
                                        last.data(), in.data(),      out.data()};
    const cudaGraph_t graph = graph_made_by(test, [&] { return device_graphs::build_switch(work); });
    expect_nothing_left(test, {1, 0});
    if (graph != nullptr) test.cuda(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "switch_node", argc, argv);
    grader.task(0, kit::About().demand("waits"));  // any task may contain the call
    for (const int task : {2, 3})
        grader.task(task, kit::About().on("pieces").position(kit::facts::Memory::Position::after));
    for (const int task : {3, 4}) grader.task(task, kit::About().demand("bodies"));
    grader.task(3, kit::About().fix(kit::facts::Fix::edge));
    grader.task(
        3,
        kit::About().kernel("device_graphs::go_on").on("current").diagnosis(kit::Diagnosis::uninitialised));
    for (const int task : {3, 4})
        grader.task(task, kit::About().error("cudaErrorInvalidValue"));  // the body does not exist
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::timeout, kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::race});
    grader.task(4, {kit::Diagnosis::not_written, kit::Diagnosis::wrong_value});
    for (const int kind : {0, 1, 2})
        grader.add("one piece of kind " + std::to_string(kind),
                   [kind](kit::Case& test) { run(test, {kind}, 300); });
    grader.add("no pieces", [](kit::Case& test) { run(test, {}, 300); });
    grader.add("each kind, twice", [](kit::Case& test) { run(test, {0, 1, 2, 2, 1, 0}, 600); });
    grader.add("an unknown kind among others", [](kit::Case& test) { run(test, {1, 3, 0, 100, 2}, 100); });
    grader.add("a negative kind", [](kit::Case& test) { run(test, {2, -1, 1, -1000000}, 100); });
    grader.add("relative pieces, one after another", [](kit::Case& test) {
        run(test, {0, 1, 1, 2, 1, 1}, 300);
    });
    grader.add("relative pieces after unknown ones", [](kit::Case& test) {
        run(test, {1, 7, 1, -5, -5, 1, 0, 3, 1}, 100);
    });
    grader.add("empty pieces", [](kit::Case& test) { run(test, {0, 1, 2}, 0); });
    grader.add("40 pieces of random kinds",
               [](kit::Case& test) { run(test, kit::integers<int>(test.random(), 40, 0, 3), 64); });
#ifdef KIT_CPU  // it counts what is left behind
    grader.add("nothing is left behind", left_behind);
#endif
    return grader.run();
}
