// Grades 22_unified_memory/linked_list: the lists on both sides, before and after kernels have extended them.
#include <algorithm>

#include "01_error_handling/failing_calls.hpp"
#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;
using unified_memory::Lists;
using unified_memory::Node;
using Values = std::vector<std::vector<int>>;

/// Follows the lists on the host. A list with more nodes than exist ends early, because it is a ring.
Values follow(const Lists& lists, std::size_t most) {
    Values values;
    for (int k = 0; k < lists.count; ++k) {
        values.emplace_back();
        for (const Node* node = lists.heads[k]; node && values.back().size() <= most; node = node->next)
            values.back().push_back(node->value);
    }
    return values;
}

/// Returns the lists as one row of numbers, with a 0 after each list.
std::vector<int> in_a_row(const Values& lists) {
    std::vector<int> row;
    for (const std::vector<int>& list : lists) {
        row.insert(row.end(), list.begin(), list.end());
        row.push_back(0);
    }
    return row;
}

/// Checks the lists. Returns false if they are wrong, because a kernel could then follow a ring forever.
bool expect_lists(kit::Case& test, const char* name, const Values& got, const Values& want) {
    std::vector<int> row = in_a_row(got);
    row.resize(in_a_row(want).size());  // If a list is too long, its first wrong value counts.
    test.expect(name, row, in_a_row(want));
    return got == want;
}

/// Checks that all nodes are in the array of nodes, which one allocation holds.
void expect_one_piece(kit::Case& test, const Lists& lists, std::size_t nodes) {
    for (int k = 0; k < lists.count; ++k)
        for (const Node* node = lists.heads[k]; node; node = node->next)
            if (node < lists.nodes || node >= lists.nodes + nodes)
                return test.check(false, "a node of list " + std::to_string(k) +
                                             " is not in the array `nodes`: take all nodes from it" +
                                             kit::task(2));
    test.check(true, "");
}

std::vector<int> sums_of(const Values& lists) {
    std::vector<int> sums;
    for (const std::vector<int>& list : lists) {
        sums.push_back(0);
        for (const int value : list) sums.back() += value;
    }
    return sums;
}

void judge(kit::Case& test, int count, bool concurrent) {
    const FollowedPages followed(concurrent);
    Values values;
    for (int k = 0; k < count; ++k)
        values.push_back(
            kit::integers<int>(test.random(), static_cast<std::size_t>(test.random().integer(0, 20)), 1, 99));
    std::size_t nodes = 2 * static_cast<std::size_t>(count);
    for (const auto& list : values) nodes += list.size();
    const auto first = kit::integers<int>(test.random(), static_cast<std::size_t>(count), 1, 99);
    const auto second = kit::integers<int>(test.random(), static_cast<std::size_t>(count), 1, 99);
    auto first_input = test.input("values", first);
    auto second_input = test.input("values", second);
    auto sums = test.output<int>("sums", static_cast<std::size_t>(count));

    test.values_are_of({2});
    Lists lists = test.call([&] { return unified_memory::build(values, 2 * count); });
    test.equal("`count`", lists.count, count);
    if (!expect_lists(test, "lists after build()", follow(lists, nodes), values)) return;
    expect_one_piece(test, lists, nodes);

    test.values_are_of({3});
    test.call([&] { unified_memory::sum_lists(lists, sums.data()); });
    test.expect(sums, sums_of(values));
    test.by_kernels(kit::named_task(3));

    test.values_are_of({4});
    const auto push = [&](const std::vector<int>& numbers, const int* on_device) {
        Values got;
        test.call([&] {
            unified_memory::push_front(lists, on_device);
            got = follow(lists, nodes);
        });
        for (std::size_t k = 0; k < values.size(); ++k) values[k].insert(values[k].begin(), numbers[k]);
        return expect_lists(test, "lists after push_front()", got, values);
    };
    if (!push(first, first_input.data()) || !push(second, second_input.data())) return;
    test.call([&] { unified_memory::sum_lists(lists, sums.data()); });
    test.expect(sums, sums_of(values));
    unified_memory::free_lists(lists);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "linked_list", argc, argv);
    grader.task(1, kit::About().rule(kit::facts::Rule::touched_by_host));
    grader.task(1, {kit::Diagnosis::cuda_error});
    grader.task(5, kit::About().rule(kit::facts::Rule::managed_in_use));
    for (const int count : {1, 129, 1000})
        grader.add(kit::count_of(count, "list"), [count](kit::Case& test) { judge(test, count, true); });
#ifdef KIT_CPU
    grader.add("100 lists, no concurrent access", [](kit::Case& test) { judge(test, 100, false); });
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"129 lists"});
    return grader.run();
}
