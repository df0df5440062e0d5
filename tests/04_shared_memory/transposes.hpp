// Shared by the tests of the transposes: the reference, the shapes, and the demands on the counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "04_shared_memory/04_shared_memory.hpp"
#include "grader.cuh"

namespace shared_memory_test {

using shared_memory::kTile;

using Transpose = std::function<void(const float* in, int rows, int columns, float* out)>;

struct Size {
    int rows, columns;

    std::size_t elements() const { return static_cast<std::size_t>(rows) * columns; }
};

inline std::vector<float> reference(const std::vector<float>& in, Size size) {
    std::vector<float> out;
    out.reserve(in.size());
    for (int column = 0; column < size.columns; ++column) {
        for (int row = 0; row < size.rows; ++row)
            out.push_back(in[static_cast<std::size_t>(row) * size.columns + column]);
    }
    return out;
}

/// Returns the result of a transpose that transposes every tile but writes it back to the place of the tile that it read.
inline std::vector<float> tiles_stay(const std::vector<float>& in, Size size) {
    std::vector<float> out(in.size());
    for (int row = 0; row < size.rows; ++row) {
        for (int column = 0; column < size.columns; ++column) {
            const int y = row / kTile * kTile + column % kTile, x = column / kTile * kTile + row % kTile;
            out[static_cast<std::size_t>(y) * size.rows + x] =
                in[static_cast<std::size_t>(row) * size.columns + column];
        }
    }
    return out;
}

constexpr const char* kNothingStored =
    "a thread reads a place of the tile where no thread has stored an element: use the same places on both "
    "sides";

/// `task`: the task that decides which thread writes which element.
inline void judge(kit::Case& test, const Transpose& transpose, Size size, const kit::Said& task) {
    // All elements differ, so that no element is in the correct place by chance.
    const auto values = kit::permutation<float>(test.random(), size.elements());
    const std::vector<float> want = reference(values, size);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", values.size());
    test.explain(kit::Diagnosis::uninitialised, kNothingStored);
    test.call([&] { transpose(in.data(), size.rows, size.columns, out.data()); });
    if (size.rows > 1 && size.columns > 1) {
        test.mistake<float>(
            kit::Diagnosis::wrong_value, values,
            "every element is at its old place: exchange row and column in one of the two indices");
        if (size.rows == size.columns && size.rows > kTile && size.rows % kTile == 0)
            test.mistake<float>(kit::Diagnosis::transposed, tiles_stay(values, size),
                                "each tile is transposed, but written to the place that it was read from: "
                                "exchange the tiles, too");
    }
    test.expect(out, want, kit::exact(),
                {static_cast<std::size_t>(size.columns), static_cast<std::size_t>(size.rows)});
    if (!values.empty()) test.by_kernels(task);
    test.stored_at_most(values.size() * sizeof(float), task);
}

/// Shapes that reveal mistakes: empty, vectors, whole tiles, one more and one less, tall and wide.
inline void add_shapes(kit::Grader& grader, const Transpose& transpose, const kit::Said& task,
                       const kit::Said& places = "") {
    for (const Size size : {Size{0, 7},
                            {7, 0},
                            {1, 1},
                            {1, 150},
                            {150, 1},
                            {5, 3},
                            {64, 64},
                            {63, 65},
                            {65, 63},
                            {128, 128},
                            {64, 192},
                            {192, 64},
                            {100, 37},
                            {37, 100},
                            {131, 203}}) {
        grader.add(std::to_string(size.rows) + " x " + std::to_string(size.columns), [=](kit::Case& test) {
            if (!places.empty()) test.explain_places(places);
            judge(test, transpose, size, task);
        });
    }
}

/// Checks the counts of the loads, or of the stores.
using Demand = std::function<void(kit::Case& test, const kit::Counts& counts, kit::Way way)>;

/// With whole tiles, every access to memory can be ideal. `places`: as in add_shapes.
inline void add_counts(kit::Grader& grader, const Transpose& transpose, const Demand& demand,
                       const kit::Said& places = "") {
    grader.add("128 x 192, counted", [=](kit::Case& test) {
        if (!places.empty()) test.explain_places(places);
        const Size size = {128, 192};
        const auto values = kit::permutation<float>(test.random(), size.elements());
        auto in = test.input("in", values);
        auto out = test.output<float>("out", values.size());
        test.explain(kit::Diagnosis::uninitialised, kNothingStored);
        const kit::Counts counts =
            test.counts([&] { transpose(in.data(), size.rows, size.columns, out.data()); });
        test.expect(out, reference(values, size), kit::exact(),
                    {static_cast<std::size_t>(size.columns), static_cast<std::size_t>(size.rows)});
        for (const kit::Way way : {kit::Way::loads, kit::Way::stores}) demand(test, counts, way);
    });
}

#ifndef KIT_CPU
/// Adds timed cases, for information only: no grade depends on the time.
inline void add_times(kit::Grader& grader, const Transpose& transpose) {
    for (const Size size : {Size{4096, 4096}, {4095, 4097}}) {
        grader.add("timed, " + std::to_string(size.rows) + " by " + std::to_string(size.columns),
                   [=](kit::Case& test) {
                       const auto values = kit::uniform<float>(test.random(), size.elements());
                       auto in = test.input("in", values);
                       auto out = test.output<float>("out", values.size());
                       const auto run = [&] { transpose(in.data(), size.rows, size.columns, out.data()); };
                       test.call(run);
                       test.time(run, 8.0 * static_cast<double>(size.elements()));
                       test.expect(
                           out, reference(values, size), kit::exact(),
                           {static_cast<std::size_t>(size.columns), static_cast<std::size_t>(size.rows)});
                   },
                   {60, true});
    }
}
#endif

/// The tasks that choose the places in the tile, fill it and wait, and write the result.
struct Tasks {
    int places = 1, fill = 2, write = 3;
};

/// Tasks and demands of the transposes without bank conflicts. `places`: the meaning of a race about an index of the tile. `more`:
/// further demands.
inline void add_without_conflicts(kit::Grader& grader, const Transpose& transpose, const Tasks& tasks = {},
                                  const kit::Said& places = "", const Demand& more = {}) {
    grader.task(tasks.places, {kit::Diagnosis::bank_conflicts});
    grader.task(tasks.places, kit::About().demand("wavefronts"));
    grader.task(tasks.fill, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    grader.task(tasks.write, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value,
                              kit::Diagnosis::transposed, kit::Diagnosis::not_written, kit::Diagnosis::tail});
    grader.task(tasks.fill, kit::About().fix(kit::facts::Fix::barrier));
    add_shapes(grader, transpose, kit::named_task(tasks.write), places);
    add_counts(
        grader, transpose,
        [more](kit::Case& test, const kit::Counts& counts, kit::Way way) {
            test.sectors_at_most(4, counts, way);
            test.wavefronts_at_most(1, counts, way);
            if (more) more(test, counts, way);
        },
        places);
#ifndef KIT_CPU
    add_times(grader, transpose);
#endif
}

}  // namespace shared_memory_test
