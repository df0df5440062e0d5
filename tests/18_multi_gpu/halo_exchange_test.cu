// Grades 18_multi_gpu/halo_exchange: a plane on two devices, step by step, and the order of the work within a step.
// sanitizer.case: rows of
#include <algorithm>

#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/order.hpp"
#include "remembered.hpp"

namespace {

using namespace multi_gpu_test;

/// A plane with a halo row above and below, which never change.
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

/// Returns the rows `first` to `last` of the plane.
Values rows_of(const Plane& plane, int first, int last) {
    const auto begin = plane.cells.begin();
    return Values(begin + first * plane.columns, begin + (last + 1) * plane.columns);
}

/// Returns the values of the halves if the halo always stays that of the first step.
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

#ifdef KIT_CPU
/// The streams and events of both halves, in the order that missing_order() expects.
std::vector<cudaStream_t> streams_of(const Side& top, const Side& bottom) {
    return {top.edge, top.interior, bottom.edge, bottom.interior};
}
std::vector<cudaEvent_t> events_of(const Side& top, const Side& bottom) {
    return {top.sent.handle, top.inside.handle, bottom.sent.handle, bottom.inside.handle};
}

/// The work that one half queues, step by step.
struct HalfWork {
    HalfWork(const QueuedOrder& order, std::size_t half)
        : border(order.of(2 * half, QueuedOrder::Kind::kernel)),
          copies(order.of(2 * half, QueuedOrder::Kind::copy)),
          interior(order.of(2 * half + 1, QueuedOrder::Kind::kernel)) {}

    bool has(std::size_t steps) const {
        return border.size() == steps && copies.size() == steps && interior.size() == steps;
    }
    QueuedOrder::Pieces border, copies, interior;
};

/// Returns the first order that a step needs but does not have, or an empty string if none is missing or the streams are used in a
/// different way.
kit::Said missing_order(const QueuedOrder& order, std::size_t steps) {
    const HalfWork halves[] = {{order, 0}, {order, 1}};
    if (!halves[0].has(steps) || !halves[1].has(steps)) return "";
    for (std::size_t step = 1; step < steps; ++step)
        for (std::size_t mine = 0; mine < 2; ++mine) {
            const HalfWork &own = halves[mine], &other = halves[1 - mine];
            const std::size_t sent = 2 * mine, inside = sent + 1, sent_there = 2 * (1 - mine);
            const std::string in_step = "in step " + std::to_string(step) + ", ",
                              before = " of step " + std::to_string(step - 1);
            if (!order.comes_after(own.interior[step], own.border[step - 1]))
                return order.marks(sent, own.border.back())
                           ? in_step + "half.interior does not wait for the border row" + before +
                                 ": let half.interior wait for half.sent" + kit::task(2)
                           : "half.sent does not mark the border row and its copy: record it in half.edge, "
                             "after both" +
                                 kit::task(3);
            if (!order.comes_after(own.border[step], other.copies[step - 1]))
                return order.marks(sent_there, other.copies.back())
                           ? in_step +
                                 "half.edge does not wait for the row that the other half sent at the end" +
                                 before + ": let half.edge wait for the other half's `sent`" + kit::task(1)
                           : "half.sent does not mark the copy: record it in half.edge, after the copy" +
                                 kit::task(3);
            if (!order.comes_after(own.border[step], own.interior[step - 1]))
                return order.marks(inside, own.interior.back())
                           ? in_step + "half.edge does not wait for the interior" + before +
                                 ": let half.edge wait for half.inside" + kit::task(1)
                           : "half.inside does not mark the interior: record it in half.interior, after its "
                             "kernel" +
                                 kit::task(4);
        }
    return "";
}

/// Returns whether an element of a finding, such as "upper plane[1][45]", is in a border row.
bool is_border_row(const std::string& element, int top_rows, int columns) {
    const std::size_t bracket = element.rfind('[');
    if (bracket == std::string::npos) return false;
    const int row = std::atoi(element.c_str() + bracket + 1) / columns;
    return row == (element.find("upper") != std::string::npos ? top_rows : 1);
}

/// Explains why two pieces of work access the same row: an order is missing, or a stream has rows that belong to another stream.
kit::Said cause_of(const kit::facts::Finding& race, const QueuedOrder& order, int top_rows, int columns,
                   int steps) {
    const kit::Said missing = missing_order(order, static_cast<std::size_t>(steps));
    if (!missing.empty()) return missing;
    if (!HalfWork(order, 0).has(static_cast<std::size_t>(steps))) return "";
    for (const kit::facts::Access& access : race.accesses)
        if (access.who.kind == kit::facts::Who::Kind::call && access.write)
            return "the copy has a wrong destination: copy to the halo row of the other half, in the plane "
                   "that this "
                   "step writes" +
                   kit::task(3);
    const bool of_border = is_border_row(race.memory.element, top_rows, columns);
    for (const kit::facts::Access& access : race.accesses)
        if (access.who.kind == kit::facts::Who::Kind::call && !of_border)
            return "the copy reads a row that half.interior computes: copy the border row" + kit::task(3);
    return of_border ? "compute the border row in half.edge, and the other rows - 1 rows in half.interior" +
                           kit::task(4)
                     : "compute the border row in half.edge, copy it there, and queue nothing else in it" +
                           kit::task(3);
}
#endif

/// Rows that are wrong after a single step. Cases with one step come first.
struct WrongRows {
    bool interior = false, border = false, halo = false;
};
const kit::Remembered<WrongRows> wrong_rows;

kit::Said in_words(const WrongRows& wrong) {
    if (wrong.interior)
        return "after one step, rows away from the border are wrong: check which rows half.interior "
               "computes" +
               kit::task(4);
    if (wrong.border)
        return "after one step, only the border row is wrong: check which row half.edge computes" +
               kit::task(3);
    if (wrong.halo)
        return "after one step, only the copy of a border row in the halo is wrong: check its source and its "
               "destination" +
               kit::task(3);
    return "";
}

enum class Look { values, interior_runs_on, border_runs_on, steps };

struct Shape {
    int top, bottom, columns, steps;
};

#ifndef KIT_CPU
/// Returns whether the half's rows `first` to `last` have the values after one step, although a gate is closed.
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

/// Checks the order that the executor records: in each step, the border row and its copy overlap with the interior.
void hides_the_exchange(kit::Case& test, Side& top, Side& bottom, int steps) {
    const kit::Timeline timeline = kit::timeline(test, [&] {
        without_waiting(test, "relax()", "", [&] { multi_gpu::relax(top.half(), bottom.half(), steps); });
        wait_for_both(test);
    });
    const auto enough = static_cast<unsigned>(2 * steps + 1);
    test.demand(
        "time steps", kit::at_most(timeline.steps, enough),
        "the work of " + kit::count_of(steps, "step") + " takes " + std::to_string(timeline.steps) +
            " time steps, but " + std::to_string(enough) +
            " are enough: do not let the interior wait for the exchange of its own step, nor the exchange "
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
#ifdef KIT_CPU
    QueuedOrder order;
    const bool swaps = swapped;
    test.explain(kit::Diagnosis::race, [&order, shape, swaps](const kit::facts::Finding& race) {
        return swaps ? missing_order(order, static_cast<std::size_t>(shape.steps))
                     : cause_of(race, order, shape.top, shape.columns, shape.steps);
    });
#endif
    if (look == Look::steps) hides_the_exchange(test, top, bottom, shape.steps);
    if (look != Look::steps)
        test.call([&] {
            Gate first(look == Look::border_runs_on ? top.interior : top.edge);
            Gate second(look == Look::border_runs_on ? bottom.interior : bottom.edge);
            if (look == Look::values) {
                first.open();
                second.open();
            }
            const auto relax = [&] {
                without_waiting(test, "relax()", "",
                                [&] { multi_gpu::relax(top.half(), bottom.half(), shape.steps); });
            };
#ifdef KIT_CPU
            order.note(test, streams_of(top, bottom), events_of(top, bottom), relax);
            if (const auto elsewhere = order.launched_elsewhere("current device"))
                test.add_failure(*elsewhere);
            else
                test.demand("current device", true, "");
#else
            relax();
#endif
            expect_device(test, 0, "relax()");
            if (look == Look::interior_runs_on)
                test.demand(
                    "the interior waits for the exchange",
                    first.lets_pass(test, top.interior) && second.lets_pass(test, bottom.interior),
                    "half.interior waits for half.edge in the first step: remove this wait, because the rows "
                    "away from the border do not depend on the exchange of their own step" +
                        kit::task(2));
#ifndef KIT_CPU
            if (look == Look::interior_runs_on) {
                const Plane next = after_one_step(plane);
                test.check(computed(test, top, next, 0, 1, shape.top - 1) &&
                               computed(test, bottom, next, shape.top, 2, shape.bottom),
                           "half.interior is done, but the rows away from the border are not computed: "
                           "launch them in half.interior" +
                               kit::task(4));
            }
#endif
            if (look == Look::border_runs_on)
                test.demand(
                    "the exchange waits for the interior",
                    first.lets_pass(test, top.edge) && second.lets_pass(test, bottom.edge),
                    "half.edge waits for half.interior in the first step: remove this wait, so that the copy "
                    "of the row overlaps with the interior" +
                        kit::task(3));
#ifndef KIT_CPU
            if (look == Look::border_runs_on) {
                const Plane next = after_one_step(plane);
                test.check(computed(test, top, next, 0, shape.top, shape.top + 1) &&
                               computed(test, bottom, next, shape.top, 0, 1),
                           "half.edge is done, but the row at the border or its copy is missing: queue both "
                           "in half.edge" +
                               kit::task(3));
            }
#endif
            first.open();
            second.open();
            wait_for_both(test);
        });
    const Plane now = after(plane, shape.steps), before = after(plane, std::max(0, shape.steps - 1));
    const Plane old = with_old_halo(plane, shape.top, shape.steps);
    // After one step, the wrong rows show which part is wrong.
    const auto look_at_rows = [&](Side& side, int first) {
        if (shape.steps != 1) return;
        const std::size_t columns = static_cast<std::size_t>(shape.columns);
        const Values got = side.planes[1].values(), want = rows_of(now, first, first + side.rows + 1);
        const bool is_top = first == 0;
        for (int row = 0; row <= side.rows + 1; ++row) {
            const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * columns);
            if (std::equal(want.begin() + at, want.begin() + at + shape.columns, got.begin() + at)) continue;
            const bool border = row == (is_top ? side.rows : 1), halo = row == 0 || row == side.rows + 1;
            WrongRows& wrong = *wrong_rows;
            (halo ? wrong.halo : border ? wrong.border : wrong.interior) = true;
        }
    };
    look_at_rows(top, 0), look_at_rows(bottom, shape.top);
    const auto expect = [&](Side& side, int first) {
        const int last = first + side.rows + 1;
        // The plane that was written last must be correct including its halo; the other plane has the values of the previous step.
        test.mistake(
            kit::Diagnosis::wrong_value, rows_of(old, first, last),
            "the halo is that of the first step: copy the border row to the other half in each step");
        kit::Output<unsigned>& written = side.planes[static_cast<std::size_t>(shape.steps % 2)];
        const kit::Said cause = in_words(*wrong_rows);
        if (!cause.empty() && written.values() != rows_of(now, first, last))
            test.mistake(kit::Diagnosis::wrong_value, written.values(), cause);
        test.expect(written, rows_of(now, first, last), kit::exact());
        test.expect(side.planes[static_cast<std::size_t>(1 - shape.steps % 2)],
                    rows_of(shape.steps ? before : now, first, last), kit::exact());
    };
    expect(top, 0);
    expect(bottom, shape.top);
}

/// Checks the streams that open_streams() creates. Their priorities are facts, although only times show their effect.
void streams(kit::Case& test, int device) {
    if (!has_two_devices(test)) return;
    multi_gpu::Half half{};
    half.device = device;
    test.call([&] { multi_gpu::open_streams(half); });
    expect_device(test, 0, "open_streams()");
    const auto is_as_agreed = [&](cudaStream_t stream, const std::string& name) {
        test.check(stream != nullptr, name + " is a null pointer: create this stream" + kit::task(5));
        if (!stream) return false;
        unsigned flags = 0;
        int at = -1;
        test.cuda(cudaStreamGetFlags(stream, &flags));
        test.cuda(cudaStreamGetDevice(stream, &at));
        test.check(flags == cudaStreamNonBlocking,
                   name +
                       " is a blocking stream, so it waits for work in the default stream: create it with "
                       "cudaStreamNonBlocking" +
                       kit::task(5));
        test.check(at == device,
                   name + " belongs to device " + std::to_string(at) + ", and half.device is " +
                       std::to_string(device) +
                       ": make half.device current with cudaSetDevice() before you create the stream" +
                       kit::task(5));
        return true;
    };
    const bool created = is_as_agreed(half.interior, "half.interior") && is_as_agreed(half.edge, "half.edge");
    test.check(!created || half.interior != half.edge,
               "half.interior and half.edge are the same stream: create two streams" + kit::task(5));
    if (!created || half.interior == half.edge) return;
    const OnDevice here(device);
    int lowest = 0, highest = 0, interior = 0, edge = 0;
    test.cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    test.cuda(cudaStreamGetPriority(half.interior, &interior));
    test.cuda(cudaStreamGetPriority(half.edge, &edge));
    test.check(lowest == highest || edge < interior,
               "half.edge has priority " + std::to_string(edge) + " and half.interior has priority " +
                   std::to_string(interior) +
                   ": give half.edge the smaller number, because the blocks of this stream start first" +
                   kit::task(5));
    test.cuda(cudaStreamDestroy(half.interior));
    test.cuda(cudaStreamDestroy(half.edge));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("18_multi_gpu", "halo_exchange", argc, argv);
    for (const int task : {1, 2, 4}) grader.task(task, kit::About().demand("time steps"));
    // The wait before the border row is missing, or other rows are computed and sent. The same applies to the interior.
    for (const int task : {1, 3}) grader.task(task, kit::About::order_of_streams().later_in(3));
    for (const int task : {2, 4}) grader.task(task, kit::About::order_of_streams().later_in(4));
    grader.task(4, kit::About().rule(kit::facts::Rule::grid_without_blocks));  // a kernel for no rows
    for (const Shape& shape : {Shape{2, 2, 1, 1}, Shape{8, 8, 32, 1}, Shape{2, 3, 5, 2}, Shape{8, 8, 32, 4},
                               Shape{5, 17, 33, 7}, Shape{40, 3, 257, 3}, Shape{4, 4, 7, 0}}) {
        const std::string name = std::to_string(shape.top) + " + " + kit::count_of(shape.bottom, "row") +
                                 " of " + std::to_string(shape.columns) + ", " +
                                 kit::count_of(shape.steps, "step");
        grader.add(name, [shape](kit::Case& test) { run(test, shape, Look::values); });
    }
    grader.add("the upper half on device 1", [](kit::Case& test) {
        run(test, {6, 9, 20, 3}, Look::values, true);
    });
    grader.add("the interior continues while the exchange is held back", [](kit::Case& test) {
        run(test, {6, 6, 40, 1}, Look::interior_runs_on);
    });
    grader.add("the exchange continues while the interior is held back", [](kit::Case& test) {
        run(test, {6, 6, 40, 1}, Look::border_runs_on);
    });
    for (const int steps : {1, 4})
        grader.add("the exchange hides behind the interior, " + std::to_string(steps) +
                       (steps == 1 ? " step" : " steps"),
                   [steps](kit::Case& test) {
                       run(test, {6, 6, 40, steps}, Look::steps);
                   });
    for (const int device : {0, 1})
        grader.add("streams of device " + std::to_string(device),
                   [device](kit::Case& test) { streams(test, device); });
#ifndef KIT_CPU
    grader.add("2000 + 2000 rows of 4099, 20 steps",
               [](kit::Case& test) {
                   run(test, {2000, 2000, 4099, 20}, Look::values);
               },
               {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv,
                                        {"the upper half on device 1", "streams of device 0"},
                                        error_handling::Checked::all);
    return grader.run();
}
