// Grades 18_multi_gpu/halo_exchange: a plane on two devices, step by step, and what waits for what within a step.
// sanitizer.case: rows of
#include <algorithm>

#include "18_multi_gpu/two_devices.hpp"

namespace {

using namespace multi_gpu_test;

/// A plane with a halo row above and below, which stay as they are.
struct Plane {
    int rows, columns;
    Values cells;

    unsigned at(int row, int column) const {
        return column < 0 || column >= columns ? 0u : cells[static_cast<std::size_t>(row * columns + column)];
    }
};

Plane after_one_step(const Plane& now) {
    Plane next = now;
    for (int r = 1; r <= now.rows; ++r)
        for (int c = 0; c < now.columns; ++c)
            next.cells[static_cast<std::size_t>(r * now.columns + c)] =
                3 * now.at(r, c) + now.at(r - 1, c) + now.at(r + 1, c) + now.at(r, c - 1) + now.at(r, c + 1);
    return next;
}

Plane after(Plane plane, int steps) {
    for (int step = 0; step < steps; ++step) plane = after_one_step(plane);
    return plane;
}

/// Rows of the plane, `first` to `last`.
Values rows_of(const Plane& plane, int first, int last) {
    const auto begin = plane.cells.begin();
    return Values(begin + first * plane.columns, begin + (last + 1) * plane.columns);
}

/// What the halves hold if the halo is that of the first step for ever.
Plane with_old_halo(const Plane& plane, int top_rows, int steps) {
    Plane top{top_rows, plane.columns, rows_of(plane, 0, top_rows + 1)};
    top = after(top, steps);
    Plane result = after(plane, steps);
    std::copy(top.cells.begin(), top.cells.end() - plane.columns, result.cells.begin());
    return result;
}

/// One half's streams, events and memory.
struct Side {
    Side(kit::Case& test, int device, const Plane& plane, int first, int rows)
        : device(device),
          rows(rows),
          columns(plane.columns),
          interior(device),
          edge(device),
          inside(device),
          sent(device) {
        const OnDevice here(device);
        const Values own = rows_of(plane, first, first + rows + 1);
        const char* const names[] = {"plane[0]", "plane[1]"};
        for (int i = 0; i < 2; ++i)
            planes.push_back(test.inout((device ? "lower " : "upper ") + std::string(names[i]), own));
    }
    multi_gpu::Half half() {
        return {
            device,     {planes[0].data(), planes[1].data()}, rows, columns, interior, edge, inside.handle,
            sent.handle};
    }

    int device, rows, columns;
    Stream interior, edge;
    Event inside, sent;
    std::vector<kit::Output<unsigned>> planes;
};

enum class Look { values, interior_runs_on, border_runs_on, steps };

struct Shape {
    int top, bottom, columns, steps;
};

#ifndef KIT_CPU
/// While a gate is closed: own rows `first` to `last` of the half hold what one step gives.
bool computed(kit::Case& test, const Side& side, const Plane& next, int rows_above, int first, int last) {
    const Values want = rows_of(next, rows_above + first, rows_above + last);
    Values got(want.size());
    const OnDevice here(side.device);
    Stream reader(side.device);
    test.cuda(cudaMemcpyAsync(got.data(), side.planes[1].data() + first * side.columns,
                              got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, reader));
    test.cuda(cudaStreamSynchronize(reader));
    return got == want;
}
#endif

/// The executor notes what comes after what: in each step the border row and its copy, and at the same time the interior.
void hides_the_exchange(kit::Case& test, Side& top, Side& bottom, int steps) {
    const kit::Timeline timeline = kit::timeline(test, [&] {
        without_waiting(test, "relax()", "", [&] { multi_gpu::relax(top.half(), bottom.half(), steps); });
        wait_for_both(test);
    });
    const auto enough = static_cast<unsigned>(2 * steps + 1);
    test.demand(
        "time steps", timeline.steps <= enough,
        "the work of " + std::to_string(steps) + " steps takes " + std::to_string(timeline.steps) +
            " time steps, " + std::to_string(enough) +
            " are enough: the interior must not wait for the exchange of its own step, nor the exchange "
            "for the interior",
        kit::Diagnosis::wrong_value, drawn_rows(timeline));
}

void run(kit::Case& test, const Shape& shape, Look look, bool swapped = false) {
    if (!has_two_devices(test)) return;
    const int rows = shape.top + shape.bottom;
    const Plane plane{rows, shape.columns,
                      random_values(test.random(), static_cast<std::size_t>((rows + 2) * shape.columns))};
    Side top(test, swapped ? 1 : 0, plane, 0, shape.top);
    Side bottom(test, swapped ? 0 : 1, plane, shape.top, shape.bottom);
    if (look == Look::steps) hides_the_exchange(test, top, bottom, shape.steps);
    if (look != Look::steps)
        test.call([&] {
            Gate first(look == Look::border_runs_on ? top.interior : top.edge);
            Gate second(look == Look::border_runs_on ? bottom.interior : bottom.edge);
            if (look == Look::values) {
                first.open();
                second.open();
            }
            without_waiting(test, "relax()", "",
                            [&] { multi_gpu::relax(top.half(), bottom.half(), shape.steps); });
            expect_device(test, 0, "relax()");
            if (look == Look::interior_runs_on)
                test.demand(
                    "the interior waits for the exchange",
                    first.lets_pass(test, top.interior) && second.lets_pass(test, bottom.interior),
                    "half.interior waits for half.edge in the first step: the rows away from the border need "
                    "nothing of the exchange of their own step (Task 2)");
#ifndef KIT_CPU
            if (look == Look::interior_runs_on) {
                const Plane next = after_one_step(plane);
                test.check(computed(test, top, next, 0, 1, shape.top - 1) &&
                               computed(test, bottom, next, shape.top, 2, shape.bottom),
                           "half.interior is done, and the rows away from the border are not computed: "
                           "launch them in "
                           "half.interior (Task 4)");
            }
#endif
            if (look == Look::border_runs_on)
                test.demand("the exchange waits for the interior",
                            first.lets_pass(test, top.edge) && second.lets_pass(test, bottom.edge),
                            "half.edge waits for half.interior in the first step: then the row is sent when "
                            "all else is "
                            "done, and nothing hides its way (Task 1)");
#ifndef KIT_CPU
            if (look == Look::border_runs_on) {
                const Plane next = after_one_step(plane);
                test.check(
                    computed(test, top, next, 0, shape.top, shape.top + 1) &&
                        computed(test, bottom, next, shape.top, 0, 1),
                    "half.edge is done, and the row at the border or its copy is missing: both are queued in "
                    "half.edge (Task 3)");
            }
#endif
            first.open();
            second.open();
            wait_for_both(test);
        });
    const Plane now = after(plane, shape.steps), before = after(plane, std::max(0, shape.steps - 1));
    const Plane old = with_old_halo(plane, shape.top, shape.steps);
    const auto expect = [&](Side& side, int first) {
        const int last = first + side.rows + 1;
        // The plane that was written last is right with its halo; the other one is that of a step before.
        test.mistake(kit::Diagnosis::wrong_value, rows_of(old, first, last),
                     "the halo is that of the first step: the row of the other half never arrives");
        test.expect(side.planes[static_cast<std::size_t>(shape.steps % 2)], rows_of(now, first, last),
                    kit::exact());
        test.expect(side.planes[static_cast<std::size_t>(1 - shape.steps % 2)],
                    rows_of(shape.steps ? before : now, first, last), kit::exact());
    };
    expect(top, 0);
    expect(bottom, shape.top);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("18_multi_gpu", "halo_exchange", argc, argv);
    for (const int task : {1, 2, 4}) grader.task(task, kit::About().demand("time steps"));
    // The wait before the border row is missing, or other rows are computed and sent; and the same for the interior.
    for (const int task : {1, 3}) grader.task(task, kit::About::order_of_streams().later_in(3));
    for (const int task : {2, 4}) grader.task(task, kit::About::order_of_streams().later_in(4));
    for (const Shape& shape : {Shape{2, 2, 1, 1}, Shape{2, 3, 5, 2}, Shape{8, 8, 32, 1}, Shape{8, 8, 32, 4},
                               Shape{5, 17, 33, 7}, Shape{40, 3, 257, 3}, Shape{4, 4, 7, 0}}) {
        const std::string name = std::to_string(shape.top) + " + " + std::to_string(shape.bottom) +
                                 " rows of " + std::to_string(shape.columns) + ", " +
                                 std::to_string(shape.steps) + " steps";
        grader.add(name, [shape](kit::Case& test) { run(test, shape, Look::values); });
    }
    grader.add("the upper half on device 1", [](kit::Case& test) {
        run(test, {6, 9, 20, 3}, Look::values, true);
    });
    grader.add("the interior goes on while the exchange is held back", [](kit::Case& test) {
        run(test, {6, 6, 40, 1}, Look::interior_runs_on);
    });
    grader.add("the exchange goes on while the interior is held back", [](kit::Case& test) {
        run(test, {6, 6, 40, 1}, Look::border_runs_on);
    });
    for (const int steps : {1, 4})
        grader.add("the exchange hides behind the interior, " + std::to_string(steps) +
                       (steps == 1 ? " step" : " steps"),
                   [steps](kit::Case& test) {
                       run(test, {6, 6, 40, steps}, Look::steps);
                   });
#ifndef KIT_CPU
    grader.add("2000 + 2000 rows of 4099, 20 steps",
               [](kit::Case& test) {
                   run(test, {2000, 2000, 4099, 20}, Look::values);
               },
               {60, true});
#endif
    return grader.run();
}
