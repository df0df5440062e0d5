// Grades 17_device_graphs/if_node: the body that each launch runs, and its results.
#include <algorithm>
#include <string>
#include <vector>

#include "17_device_graphs/running.hpp"
#include "remembered.hpp"

namespace {

using namespace device_graphs_test;

/// Results of earlier launches, with a largest value over the limit and with one that is not.
struct Earlier {
    bool set_over = false;    ///< the condition was set
    bool right_over = false;  ///< all results were correct
    bool right_under = false;
};
const kit::Remembered<Earlier> earlier;

/// The inputs and the results of one launch.
struct Launch {
    int most = 0, limit = 0;
    int found = 0, halved = 0, kept = 0;  ///< `halved`, `kept`: their increase in this launch
    bool all_halved = false, none_halved = false;

    bool over() const { return most > limit; }
    bool right() const {
        return found == most && halved == (over() ? 1 : 0) && kept == (over() ? 0 : 1) &&
               (over() ? all_halved : none_halved);
    }
    /// Returns a sentence about the wrong part, or an empty string if it is not clear.
    kit::Said mistake() const {
        const std::string largest =
            "the largest value is " + std::to_string(most) + " and the limit is " + std::to_string(limit);
        if (found != most)
            return "*largest is " + std::to_string(found) + ", expected " + std::to_string(most) +
                   ": let find_largest read all values, after begin_search" + kit::task(2);
        if (right()) return "";
        const bool as_over = halved == 1 && kept == 0 && all_halved,
                   as_under = halved == 0 && kept == 1 && none_halved;
        if (most == limit && as_over)
            return largest +
                   ", but the values are halved: halve them only if the largest is greater than the limit" +
                   kit::task(1);
        if (most == limit + 1 && as_under)
            return largest +
                   ", but the values are not halved: halve them if the largest is greater than the limit" +
                   kit::task(1);
        // The bodies do not depend on the condition. If each has been correct when it ran, the decision is wrong.
        if (over() ? as_under && earlier->right_under : as_over && earlier->right_over)
            return largest + ", but the condition is that of the other case: exchange its two values" +
                   kit::task(1);
        if (!as_over && !as_under)
            return largest +
                   ": either halve all values and add 1 to *halved, or halve none and add 1 to *kept. "
                   "Now " +
                   (all_halved    ? "all are halved"
                    : none_halved ? "none is halved"
                                  : "some are halved") +
                   ", *halved grows by " + std::to_string(halved) + " and *kept by " + std::to_string(kept) +
                   kit::task(3);
        return "";
    }
};

/// Launches one graph with each of these largest values in turn.
void run(kit::Case& test, int n, int limit, const std::vector<int>& largest) {
    Stream stream;
    auto values = test.output<int>("values", n);
    auto found = test.output<int>("largest", 1);
    auto halved = test.inout("halved", std::vector<int>{0});
    auto kept = test.inout("kept", std::vector<int>{0});
    const device_graphs::Levels levels = {values.data(), n, limit, found.data(), halved.data(), kept.data()};
    const Instance graph(test, graph_made_by(test, [&] { return device_graphs::build_if(levels); }));
    int want_halved = 0, want_kept = 0;
    for (const int most : largest) {
        std::vector<int> now = kit::integers<int>(test.random(), n, 0, std::max(most - 1, 0));
        now[static_cast<std::size_t>(test.random().integer(0, n - 1))] = most;
        overwrite(test, values.data(), now);
        Launch one;
        one.most = most, one.limit = limit;
#ifdef KIT_CPU
        test.explain(kit::Diagnosis::uninitialised, [one](const kit::facts::Finding& found) -> kit::Said {
            return found.rule == kit::facts::Rule::condition_unknown && !one.over() && earlier->set_over
                       ? "the condition has a value only if the largest value is greater than the limit: set "
                         "it in the other "
                         "case, too" +
                             kit::task(1)
                       : "";
        });
#endif
        const Ran ran = launch(test, graph, stream);
        const bool halves = one.over();
        earlier->set_over = earlier->set_over || halves;
        std::vector<int> half = now;
        for (int& value : half) value /= 2;
        const std::vector<int> got = values.values();
        one.found = found.values()[0];
        one.halved = halved.values()[0] - want_halved, one.kept = kept.values()[0] - want_kept;
        one.all_halved = got == half, one.none_halved = got == now;
        ++(halves ? want_halved : want_kept);
        if (halves) now = half;
        const kit::Said mistake = one.mistake();
        test.check(mistake.empty(), mistake);
        if (one.right()) (halves ? earlier->right_over : earlier->right_under) = true;
        test.expect(values, now, kit::exact());
        test.equal("*largest", found.values()[0], most,
                   "store the largest value of each launch, before the condition is set");
        test.equal("*halved, the number of launches that halved so far", halved.values()[0], want_halved,
                   "add 1 in each launch that halves the values, and only there");
        test.equal("*kept, the number of launches that did not halve so far", kept.values()[0], want_kept,
                   "add 1 in each launch that keeps the values, and only there");
        if (!is_counted) continue;
        const std::uint64_t bodies = ran.while_bodies + ran.switch_bodies;
        test.method("bodies", ran.if_bodies > 0 || bodies > 1 || ran.kernels == 0,
                    {"an IF node with two bodies",
                     bodies == 0 ? "no conditional node of your graph ran a body"
                                 : "a body of a different kind of conditional node ran",
                     "An IF node decides which nodes run, however many and whatever they are, and the work "
                     "that is not needed costs no launch.",
                     3});
        test.demand("bodies",
                    ran.kernels == 0     ? kit::at_least(ran.kernels, 1)
                    : ran.if_bodies == 0 ? kit::at_most(bodies, 1)
                                         : kit::exactly(ran.if_bodies + bodies, 1),
                    count_of(ran.if_bodies, "body") + " of IF nodes and " +
                        count_of(ran.while_bodies + ran.switch_bodies, "body") +
                        " of other conditional nodes ran: use one IF node, which runs one body" +
                        kit::task(3));
    }
}

[[maybe_unused]] void left_behind(kit::Case& test) {
    auto values = test.inout("values", std::vector<int>(300, 900));
    auto counts = test.inout("counts", std::vector<int>(3, 0));
    const device_graphs::Levels levels = {values.data(),    300, 500, counts.data(), counts.data() + 1,
                                          counts.data() + 2};
    const cudaGraph_t graph = graph_made_by(test, [&] { return device_graphs::build_if(levels); });
    expect_nothing_left(test, {1, 0});
    if (graph != nullptr) test.cuda(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "if_node", argc, argv);
    grader.task(0, kit::About().demand("waits"));  // any task may contain the call
    // A missing edge: before the node, or between the kernels before it.
    grader.task(3, kit::About().rule(kit::facts::Rule::condition_not_ordered));
    grader.task(3, kit::About().kernel("device_graphs::halve_all").kernel("device_graphs::count_one"));
    grader.task(2, kit::About().fix(kit::facts::Fix::edge));
    grader.task(2, kit::About().rule(kit::facts::Rule::handle_of_another_graph));
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::wrong_value, kit::Diagnosis::cuda_error});
    for (int n : {1, 255, 256, 257, 1009}) {
        grader.add("n=" + std::to_string(n) + ", over the limit, under it, over it", [n](kit::Case& test) {
            run(test, n, 1000, {5000, 700, 3000, 1001});
        });
        grader.add("n=" + std::to_string(n) + ", under the limit first", [n](kit::Case& test) {
            run(test, n, 1000, {700, 5000, 20});
        });
    }
    grader.add("the limit itself is not over it", [](kit::Case& test) {
        run(test, 300, 1000, {1000, 1001, 1000});
    });
    grader.add("a limit of 0", [](kit::Case& test) { run(test, 300, 0, {0, 1, 0}); });
#ifdef KIT_CPU  // it counts what is left behind
    grader.add("nothing is left behind", left_behind);
#else
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003, 1000, {5000, 700}); }, {60, true});
#endif
    return grader.run();
}
