// Tests which task a line of a student's file belongs to.
#include "regions.hpp"

#include <doctest/doctest.h>

#include "source.hpp"

namespace regions_test {

using namespace course;

namespace {

const char* const solution = R"(// 00_first/add: adds.
__device__ int given() { return 1; }

__global__ void add() {
    int t = threadIdx.x;
    // TODO(1): Put it into the tile.
    // BEGIN SOLUTION 1
    tile[t] = 1;
    // STARTER KIT_TODO(1, t);
    // END SOLUTION 1
    __syncthreads();
    // TODO(2): Add up.
    // BEGIN SOLUTION 2
    for (;;) tile[t] += 1;
    // END SOLUTION 2
}

void launch() {
    // TODO(3): Launch.
    // BEGIN SOLUTION 3
    add<<<1, 2>>>();
    // END SOLUTION 3
    CUDA_CHECK_LAUNCH();
}
)";

Lines starter() {
    return lines_of(Source("add.cu", solution).starter());
}

/// Returns the task of the first line with this text; 0 if it has none.
int task_of(const Lines& submission, const std::string& text) {
    const std::map<int, int> tasks = tasks_of_lines(submission, starter());
    for (std::size_t i = 0; i < submission.size(); ++i) {
        if (!contains(submission[i], text)) continue;
        const auto found = tasks.find(static_cast<int>(i) + 1);
        return found == tasks.end() ? 0 : found->second;
    }
    FAIL("no line has " << text);
    return -1;
}

}  // namespace

TEST_CASE("the marks of a solution") {
    const Lines lines = lines_of(solution);
    CHECK(task_of(lines, "tile[t] = 1") == 1);
    CHECK(task_of(lines, "tile[t] += 1") == 2);
    CHECK(task_of(lines, "add<<<") == 3);
}

TEST_CASE("a student's file is compared with the starter") {
    const Lines lines = lines_of(R"(// 00_first/add: adds.
__device__ int given() { return 1; }

__global__ void add() {
    int t = threadIdx.x;
    // TODO(1): Put it into the tile.
    int value = 5;
    tile[t] = value;
    __syncthreads();
    // TODO(2): Add up.
    for (int i = 0; i < 8; ++i)
        tile[t] += helper();
}

void launch() {
    add<<<3, 4>>>();
    CUDA_CHECK_LAUNCH();
}
)");
    CHECK(task_of(lines, "int value") == 1);
    CHECK(task_of(lines, "tile[t] = value") == 1);
    CHECK(task_of(lines, "tile[t] += helper") == 2);
    CHECK(task_of(lines, "add<<<3") == 3);
    // Given lines of a function with two tasks belong to no task. Given lines of a function with one task
    // belong to that task.
    CHECK(task_of(lines, "__syncthreads") == 0);
    CHECK(task_of(lines, "CUDA_CHECK_LAUNCH") == 3);
    CHECK(task_of(lines, "given()") == 0);
}

TEST_CASE("a function that calls those of other tasks shows their mistakes") {
    const std::map<int, int> tasks = tasks_of_lines(lines_of(R"(__device__ void poll(int* flag) {
    // TODO(1): Poll.
    // BEGIN SOLUTION 1
    while (!*flag) {
    }
    // END SOLUTION 1
}

__global__ void pass(int* flag, int* out) {
    poll(flag);
    *out = 1;
    // TODO(2): Reset.
    // BEGIN SOLUTION 2
    // END SOLUTION 2
}
)"),
                                                    {});
    CHECK(tasks.at(1) == 1);
    CHECK(tasks.count(10) == 0);
    CHECK(tasks.at(12) == 2);  // the line of a task without code
}

TEST_CASE("the starter itself") {
    CHECK(task_of(starter(), "CUDA_CHECK_LAUNCH") == 0);
}

TEST_CASE("runs of lines") {
    CHECK(regions_of({}).empty());
    CHECK(regions_of({{3, 1}, {4, 1}, {5, 2}, {7, 2}}) == Lines{"3 4 1", "5 5 2", "7 7 2"});
}

}  // namespace regions_test
