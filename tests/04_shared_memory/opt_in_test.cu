// Grades 04_shared_memory/opt_in: rows of up to 48 KB, longer rows, the longest row, and rows that no block can hold.
#include <algorithm>
#include <grader/devices.hpp>

#include "01_error_handling/failing_calls.hpp"
#include "04_shared_memory/04_shared_memory.hpp"
#include "grader.cuh"

namespace {

using kit::CurrentDevice;
using kit::devices;

constexpr int kWithoutAsking = 48 * 1024 / 4;  // floats

int most_floats(kit::Case& test) {
    cudaDeviceProp device;
    test.cuda(cudaGetDeviceProperties(&device, 0));
    return static_cast<int>(device.sharedMemPerBlockOptin / sizeof(float));
}

void longest(kit::Case& test, const std::string& device) {
    const CurrentDevice current(device);
    const int got = test.call([] { return shared_memory::longest_row(); });
    test.check(got == most_floats(test),
               "longest_row is " + kit::count_of(got, "float") + ", expected " +
                   std::to_string(most_floats(test)) +
                   ": return the most that a block can have if its kernel opts in" + kit::task(2),
               kit::Diagnosis::part);
}

/// Explains an access to an element that the row has but that is outside of shared memory: the launch gives a block too few bytes.
kit::Said too_few_bytes(const kit::facts::Finding& found, int columns) {
    const std::string& element = found.memory.element;
    const std::size_t open = element.rfind('[');
    if (found.memory.kind != kit::facts::Memory::Kind::shared || open == std::string::npos) return "";
    if (std::atoll(element.c_str() + open + 1) >= columns || element[open + 1] == '-') return "";
    return "a row has " + kit::detail::count_of(static_cast<std::size_t>(columns), "element") +
           ", but the launch gives the block too few bytes: pass the bytes of a whole row" + kit::task(3);
}

void judge(kit::Case& test, const std::string& device, int rows, int columns) {
    const CurrentDevice current(device);
    if (columns < 0) columns += most_floats(test) + 1;  // a negative number counts from the longest row
    const auto values = kit::permutation<float>(test.random(), static_cast<std::size_t>(rows) * columns);
    const auto indices = kit::permutation<int>(test.random(), static_cast<std::size_t>(columns));
    std::vector<float> want(values.size());
    for (int row = 0; row < rows; ++row) {
        const std::size_t first = static_cast<std::size_t>(row) * columns;
        for (int i = 0; i < columns; ++i) want[first + i] = values[first + indices[i]];
    }
    auto data = test.inout("data", values);
    auto order = test.input("order", indices);
    test.explain(kit::Diagnosis::out_of_bounds,
                 [columns](const kit::facts::Finding& found) { return too_few_bytes(found, columns); });
    const cudaError_t error =
        test.call([&] { return shared_memory::permute_rows(data.data(), rows, columns, order.data()); });
    test.equal("the error that permute_rows returns", error, cudaSuccess,
               "opt in to the bytes that a row needs, before the launch");
    if (rows > 1 && columns > 1) {
        std::vector<float> first_row = values;
        std::copy_n(want.begin(), columns, first_row.begin());
        test.mistake(kit::Diagnosis::first_block_only, first_row,
                     "only the first row has its new order: use one block per row" + kit::task(3));
    }
    test.expect(data, want, kit::exact(),
                {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
    if (values.size() > 1) test.by_kernels(kit::named_task(3));
    test.stored_at_most(values.size() * sizeof(float), kit::named_task(1));
}

/// A row with too many floats: the function must return the error code and change nothing.
void refused(kit::Case& test, const std::string& device, int more) {
    const CurrentDevice current(device);
    const int columns = most_floats(test) + more;
    const auto values = kit::permutation<float>(test.random(), static_cast<std::size_t>(columns));
    auto data = test.inout("data", values);
    auto order = test.input("order", kit::permutation<int>(test.random(), values.size()));
    const cudaError_t error =
        test.call([&] { return shared_memory::permute_rows(data.data(), 1, columns, order.data()); });
    test.equal("the error that permute_rows returns for a row that no block can hold", error,
               cudaErrorInvalidConfiguration, "return this error before the launch");
    test.expect(data, values, kit::exact());
}

/// Short and long rows in turn: the size from the previous call must not be used for the next one.
void in_turns(kit::Case& test) {
    for (int columns : {300, kWithoutAsking + 500, 40, kWithoutAsking + 100})
        judge(test, devices()[0], 2, columns);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "opt_in", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::tail,
                    kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::not_written, kit::Diagnosis::first_block_only});
    grader.task(3, kit::About().output("the error that permute_rows returns"));
    for (const auto& [rows, columns] : {std::pair<int, int>{0, 5},
                                        {5, 0},
                                        {1, 1},
                                        {3, 2},
                                        {5, 511},
                                        {5, 512},
                                        {4, 513},
                                        {3, 5003},
                                        {2, kWithoutAsking}}) {
        grader.add(
            std::to_string(rows) + " x " + std::to_string(columns),
            [rows = rows, columns = columns](kit::Case& test) { judge(test, devices()[0], rows, columns); });
    }
    constexpr kit::CaseOptions once = {30, true};
    for (const std::string& device : devices()) {
        grader.add("the longest row, " + device, [=](kit::Case& test) { longest(test, device); });
        grader.add(
            "2 x " + std::to_string(kWithoutAsking + 1) + ", " + device,
            [=](kit::Case& test) { judge(test, device, 2, kWithoutAsking + 1); }, once);
        grader.add(
            "1 x the longest row, " + device, [=](kit::Case& test) { judge(test, device, 1, -1); }, once);
        grader.add(
            "one too many, " + device, [=](kit::Case& test) { refused(test, device, 1); }, once);
        grader.add(
            "far too many, " + device, [=](kit::Case& test) { refused(test, device, 40000); }, once);
    }
    grader.add("short and long rows in turns", in_turns, once);
    error_handling::check_failing_calls(grader, argc, argv, {"3 x 2"});
    return grader.run();
}
