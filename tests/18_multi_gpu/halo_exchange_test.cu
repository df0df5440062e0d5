// Grades 18_multi_gpu/halo_exchange: a plane on several devices, step by step, and the order of the work within a step.
// sanitizer.case: rows of
#include <algorithm>
#include <memory>

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

/// One part's streams, events and memory.
struct Piece {
    Piece(kit::Case& test, int number, int device, const Plane& plane, int above, int rows)
        : device(device), rows(rows), above(above), columns(plane.columns), interior(device), inside(device) {
        const OnDevice here(device);
        const Values own = rows_of(plane, above, above + rows + 1);
        for (int i = 0; i < 2; ++i) {
            edge.push_back(std::make_unique<Stream>(device));
            sent.push_back(std::make_unique<Event>(device));
            planes.push_back(
                test.inout("parts[" + std::to_string(number) + "].plane[" + std::to_string(i) + "]", own));
        }
    }
    multi_gpu::Part part() {
        return {device,        {planes[0].data(), planes[1].data()},
                rows,          columns,
                interior,      {*edge[0], *edge[1]},
                inside.handle, {sent[0]->handle, sent[1]->handle}};
    }

    int device, rows, above, columns;  ///< above: number of rows of the parts above
    Stream interior;
    std::vector<std::unique_ptr<Stream>> edge;
    Event inside;
    std::vector<std::unique_ptr<Event>> sent;
    std::vector<kit::Output<unsigned>> planes;
};

/// A plane of cells on several devices.
struct Pieces {
    Pieces(kit::Case& test, const Plane& plane, const std::vector<int>& rows, bool reversed) {
        int above = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const int number = static_cast<int>(i);
            const int device = reversed ? static_cast<int>(rows.size()) - 1 - number : number;
            all.push_back(std::make_unique<Piece>(test, number, device, plane, above, rows[i]));
            parts.push_back(all.back()->part());
            above += rows[i];
        }
    }
    int count() const { return static_cast<int>(all.size()); }
    bool has_neighbour(int number, int side) const {
        return side == multi_gpu::kAbove ? number > 0 : number + 1 < count();
    }
    int first_of_interior(int number) const { return has_neighbour(number, multi_gpu::kAbove) ? 2 : 1; }
    int last_of_interior(int number) const {
        const int rows = parts[static_cast<std::size_t>(number)].rows;
        return has_neighbour(number, multi_gpu::kBelow) ? rows - 1 : rows;
    }
    void relax(int steps) { multi_gpu::relax(parts.data(), count(), steps); }

    std::vector<std::unique_ptr<Piece>> all;
    std::vector<multi_gpu::Part> parts;
};

#ifdef KIT_CPU
/// The streams and events of all parts in the order that missing_order() expects: both sides, then the interior.
std::vector<cudaStream_t> streams_of(const Pieces& pieces) {
    std::vector<cudaStream_t> streams;
    for (const auto& one : pieces.all)
        streams.insert(streams.end(), {*one->edge[0], *one->edge[1], one->interior});
    return streams;
}
std::vector<cudaEvent_t> events_of(const Pieces& pieces) {
    std::vector<cudaEvent_t> events;
    for (const auto& one : pieces.all)
        events.insert(events.end(), {one->sent[0]->handle, one->sent[1]->handle, one->inside.handle});
    return events;
}

/// The work that one part queues, step by step.
struct PartWork {
    PartWork(const QueuedOrder& order, std::size_t number) {
        for (std::size_t side = 0; side < 2; ++side) {
            border[side] = order.of(3 * number + side, QueuedOrder::Kind::kernel);
            copies[side] = order.of(3 * number + side, QueuedOrder::Kind::copy);
        }
        interior = order.of(3 * number + 2, QueuedOrder::Kind::kernel);
    }
    QueuedOrder::Pieces border[2], copies[2], interior;
};

/// All work, if every stream has one piece of each kind in each step, and nothing where there is no neighbour.
std::vector<PartWork> work_of(const QueuedOrder& order, const Pieces& pieces, std::size_t steps) {
    std::vector<PartWork> work;
    for (int number = 0; number < pieces.count(); ++number) {
        work.emplace_back(order, static_cast<std::size_t>(number));
        const PartWork& own = work.back();
        for (int side = 0; side < 2; ++side) {
            const std::size_t want = pieces.has_neighbour(number, side) ? steps : 0;
            if (own.border[side].size() != want || own.copies[side].size() != want) return {};
        }
        if (own.interior.size() != steps) return {};
    }
    return work;
}

/// Returns the first order that a step needs but does not have, or an empty string if none is missing or the streams are used in a
/// different way.
kit::Said missing_order(const QueuedOrder& order, const Pieces& pieces, std::size_t steps) {
    const std::vector<PartWork> work = work_of(order, pieces, steps);
    if (work.empty()) return "";
    for (std::size_t step = 1; step < steps; ++step)
        for (std::size_t mine = 0; mine < work.size(); ++mine)
            for (int side = 0; side < 2; ++side) {
                if (!pieces.has_neighbour(static_cast<int>(mine), side)) continue;
                const std::size_t theirs = side == multi_gpu::kAbove ? mine - 1 : mine + 1;
                const auto at = static_cast<std::size_t>(side);
                const PartWork &own = work[mine], &other = work[theirs];
                const std::size_t sent = 3 * mine + at, inside = 3 * mine + 2,
                                  sent_there = 3 * theirs + 1 - at;
                const std::string in_step = "in step " + std::to_string(step) + ", ",
                                  before = " of step " + std::to_string(step - 1),
                                  where = side == multi_gpu::kAbove ? " above" : " below";
                if (!order.comes_after(own.interior[step], own.border[side][step - 1]))
                    return order.marks(sent, own.border[side].back())
                               ? in_step + "part.interior does not wait for the border row" + before +
                                     ": let part.interior wait for part.sent of this side" + kit::task(2)
                               : "part.sent does not mark the border row and its copy: record it in "
                                 "part.edge, "
                                 "after both" +
                                     kit::task(3);
                if (!order.comes_after(own.border[side][step], other.copies[1 - side][step - 1]))
                    return order.marks(sent_there, other.copies[1 - side].back())
                               ? in_step + "part.edge does not wait for the row that the neighbour" + where +
                                     " sent at the end" + before +
                                     ": let part.edge wait for the neighbour's `sent` of the opposite side" +
                                     kit::task(1)
                               : "part.sent does not mark the copy: record it in part.edge, after the copy" +
                                     kit::task(3);
                if (!order.comes_after(own.border[side][step], own.interior[step - 1]))
                    return order.marks(inside, own.interior.back())
                               ? in_step + "part.edge does not wait for the interior" + before +
                                     ": let part.edge wait for part.inside" + kit::task(1)
                               : "part.inside does not mark the interior: record it in part.interior, after "
                                 "its "
                                 "kernel" +
                                     kit::task(4);
            }
    return "";
}

/// Returns whether an element of a finding, such as "parts[1].plane[1][45]", is in a row next to a neighbour.
bool is_border_row(const std::string& element, const Pieces& pieces) {
    const std::size_t begin = element.find("parts["), bracket = element.rfind('[');
    if (begin == std::string::npos) return false;
    const int number = std::atoi(element.c_str() + begin + 6);
    if (number >= pieces.count()) return false;
    const multi_gpu::Part& part = pieces.parts[static_cast<std::size_t>(number)];
    const int row = std::atoi(element.c_str() + bracket + 1) / part.columns;
    return (row == 1 && pieces.has_neighbour(number, multi_gpu::kAbove)) ||
           (row == part.rows && pieces.has_neighbour(number, multi_gpu::kBelow));
}

/// Explains why two pieces of work access the same row: an order is missing, or a stream has rows that belong to another stream.
kit::Said cause_of(const kit::facts::Finding& race, const QueuedOrder& order, const Pieces& pieces,
                   int steps) {
    const kit::Said missing = missing_order(order, pieces, static_cast<std::size_t>(steps));
    if (!missing.empty()) return missing;
    if (work_of(order, pieces, static_cast<std::size_t>(steps)).empty()) return "";
    for (const kit::facts::Access& access : race.accesses)
        if (access.who.kind == kit::facts::Who::Kind::call && access.write)
            return "the copy has a wrong destination: copy to the halo row of the neighbour on this side, in "
                   "the "
                   "plane that this step writes" +
                   kit::task(3);
    const bool of_border = is_border_row(race.memory.element, pieces);
    for (const kit::facts::Access& access : race.accesses)
        if (access.who.kind == kit::facts::Who::Kind::call && !of_border)
            return "the copy reads a row that part.interior computes: copy the border row of this side" +
                   kit::task(3);
    return of_border
               ? "compute the border rows in part.edge, and all other rows in part.interior" + kit::task(4)
               : "compute the border row in part.edge, copy it there, and queue nothing else in it" +
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
        return "after one step, rows away from the borders are wrong: check which rows part.interior "
               "computes" +
               kit::task(4);
    if (wrong.border)
        return "after one step, only border rows are wrong: check which row part.edge computes" +
               kit::task(3);
    if (wrong.halo)
        return "after one step, only copies of border rows in the halo are wrong: check their sources and "
               "destinations" +
               kit::task(3);
    return "";
}

enum class Look { values, interior_runs_on, border_runs_on, steps };

/// A plane whose parts have `rows` and `rows + more` rows in turn.
struct Shape {
    int rows, more, columns, steps;

    std::vector<int> of_parts(int count) const {
        std::vector<int> all;
        for (int i = 0; i < count; ++i) all.push_back(i % 2 ? rows + more : rows);
        return all;
    }
};

#ifndef KIT_CPU
/// Returns whether the part's rows `first` to `last` have the values after one step, although a gate is closed.
bool computed(kit::Case& test, const Piece& piece, const Plane& next, int first, int last) {
    if (last < first) return true;
    const Values want = rows_of(next, piece.above + first, piece.above + last);
    Values got(want.size());
    const OnDevice here(piece.device);
    Stream reader(piece.device);
    test.cuda(cudaMemcpyAsync(got.data(), piece.planes[1].data() + first * piece.columns,
                              got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, reader));
    test.cuda(cudaStreamSynchronize(reader));
    return got == want;
}
#endif

/// Checks the order that the executor records: in each step, the border rows and their copies overlap with the interior.
void hides_the_exchange(kit::Case& test, Pieces& pieces, int steps) {
    const kit::Timeline timeline = kit::timeline(test, [&] {
        without_waiting(test, "relax()", "", [&] { pieces.relax(steps); });
        wait_for(test, pieces.count());
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

/// Closes a gate in every stream that has work, of the kind that the case holds back.
std::vector<std::unique_ptr<Gate>> gates_of(const Pieces& pieces, Look look) {
    std::vector<std::unique_ptr<Gate>> gates;
    for (int number = 0; number < pieces.count() && look != Look::values; ++number) {
        const Piece& piece = *pieces.all[static_cast<std::size_t>(number)];
        if (look == Look::border_runs_on) gates.push_back(std::make_unique<Gate>(piece.interior));
        for (int side = 0; side < 2 && look == Look::interior_runs_on; ++side)
            if (pieces.has_neighbour(number, side))
                gates.push_back(std::make_unique<Gate>(*piece.edge[static_cast<std::size_t>(side)]));
    }
    return gates;
}

/// Returns whether all work in these streams runs although the gates are closed.
bool all_pass(kit::Case& test, std::vector<std::unique_ptr<Gate>>& gates,
              const std::vector<cudaStream_t>& streams) {
    bool pass = true;
    for (const cudaStream_t stream : streams)
        for (auto& gate : gates) pass = gate->lets_pass(test, stream) && pass;
    return pass;
}

void run(kit::Case& test, int wanted, const Shape& shape, Look look, bool reversed = false) {
    const std::vector<int> rows = shape.of_parts(devices_of(test, wanted));
    int sum = 0;
    for (const int own : rows) sum += own;
    const Plane plane{sum, shape.columns,
                      random_values(test.random(), static_cast<std::size_t>((sum + 2) * shape.columns))};
    Pieces pieces(test, plane, rows, reversed);
#ifdef KIT_CPU
    QueuedOrder order;
    test.explain(kit::Diagnosis::race, [&order, &pieces, shape](const kit::facts::Finding& race) {
        return cause_of(race, order, pieces, shape.steps);
    });
#endif
    if (look == Look::steps) hides_the_exchange(test, pieces, shape.steps);
    if (look != Look::steps)
        test.call([&] {
            std::vector<std::unique_ptr<Gate>> gates = gates_of(pieces, look);
            const auto relax = [&] {
                without_waiting(test, "relax()", "", [&] { pieces.relax(shape.steps); });
            };
#ifdef KIT_CPU
            order.note(test, streams_of(pieces), events_of(pieces), relax);
            if (const auto elsewhere = order.launched_elsewhere("current device"))
                test.add_failure(*elsewhere);
            else
                test.demand("current device", true, "");
#else
            relax();
            const Plane next = after_one_step(plane);
#endif
            expect_device(test, 0, "relax()");
            std::vector<cudaStream_t> interiors, edges;
            for (const auto& piece : pieces.all) {
                interiors.push_back(piece->interior);
                for (const auto& edge : piece->edge) edges.push_back(*edge);
            }
            if (look == Look::interior_runs_on)
                test.demand(
                    "the interior waits for the exchange", all_pass(test, gates, interiors),
                    "part.interior waits for part.edge in the first step: remove this wait, because the rows "
                    "away from the borders do not depend on the exchange of their own step" +
                        kit::task(2));
            if (look == Look::border_runs_on)
                test.demand(
                    "the exchange waits for the interior", all_pass(test, gates, edges),
                    "part.edge waits for part.interior in the first step: remove this wait, so that the copy "
                    "of the row overlaps with the interior" +
                        kit::task(3));
#ifndef KIT_CPU
            for (int number = 0; number < pieces.count(); ++number) {
                const Piece& piece = *pieces.all[static_cast<std::size_t>(number)];
                const int first = pieces.first_of_interior(number), last = pieces.last_of_interior(number);
                if (look == Look::interior_runs_on)
                    test.check(computed(test, piece, next, first, last),
                               "part.interior is done, but the rows away from the borders are not computed: "
                               "launch them in part.interior" +
                                   kit::task(4));
                // Row `first` - 1 is the row next to the neighbour above, if there is one, and row 0 its copy of that neighbour's row.
                if (look == Look::border_runs_on)
                    test.check(
                        computed(test, piece, next, first == 2 ? 0 : 1, first - 1) &&
                            computed(test, piece, next, last + 1, last < piece.rows ? piece.rows + 1 : last),
                        "part.edge is done, but a row at a border or its copy is missing: queue both "
                        "in part.edge" +
                            kit::task(3));
            }
#endif
            for (auto& gate : gates) gate->open();
            wait_for(test, pieces.count());
        });
    const Plane now = after(plane, shape.steps), before = after(plane, std::max(0, shape.steps - 1));
    // After one step, the wrong rows show which part is wrong.
    for (int number = 0; number < pieces.count() && shape.steps == 1; ++number) {
        Piece& piece = *pieces.all[static_cast<std::size_t>(number)];
        const std::size_t columns = static_cast<std::size_t>(shape.columns);
        const Values got = piece.planes[1].values(),
                     want = rows_of(now, piece.above, piece.above + piece.rows + 1);
        for (int row = 0; row <= piece.rows + 1; ++row) {
            const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * columns);
            if (std::equal(want.begin() + at, want.begin() + at + shape.columns, got.begin() + at)) continue;
            const bool halo = row == 0 || row == piece.rows + 1,
                       inside =
                           row >= pieces.first_of_interior(number) && row <= pieces.last_of_interior(number);
            WrongRows& wrong = *wrong_rows;
            (halo ? wrong.halo : inside ? wrong.interior : wrong.border) = true;
        }
    }
    for (auto& one : pieces.all) {
        Piece& piece = *one;
        const int first = piece.above, last = first + piece.rows + 1;
        // The plane that was written last must be correct including its halo; the other plane has the values of the previous step.
        const Plane old = after({piece.rows, shape.columns, rows_of(plane, first, last)}, shape.steps);
        test.mistake(
            kit::Diagnosis::wrong_value, old.cells,
            "the halo is that of the first step: copy the border rows to the neighbours in each step" +
                kit::task(3));
        kit::Output<unsigned>& written = piece.planes[static_cast<std::size_t>(shape.steps % 2)];
        const kit::Said cause = in_words(*wrong_rows);
        if (!cause.empty() && written.values() != rows_of(now, first, last))
            test.mistake(kit::Diagnosis::wrong_value, written.values(), cause);
        test.expect(written, rows_of(now, first, last), kit::exact());
        test.expect(piece.planes[static_cast<std::size_t>(1 - shape.steps % 2)],
                    rows_of(shape.steps ? before : now, first, last), kit::exact());
    }
}

/// Checks the streams that open_streams() creates. Their priorities are facts, although only times show their effect.
void streams(kit::Case& test, int device) {
    devices_of(test, 2);
    multi_gpu::Part part{};
    part.device = device;
    test.call([&] { multi_gpu::open_streams(part); });
    expect_device(test, 0, "open_streams()");
    const std::pair<std::string, cudaStream_t> named[] = {
        {"part.interior", part.interior}, {"part.edge[0]", part.edge[0]}, {"part.edge[1]", part.edge[1]}};
    bool created = true;
    for (const auto& [name, stream] : named) {
        test.check(stream != nullptr, name + " is a null pointer: create this stream" + kit::task(5));
        created = created && stream;
        if (!stream) continue;
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
                   name + " belongs to device " + std::to_string(at) + ", and part.device is " +
                       std::to_string(device) +
                       ": make part.device current with cudaSetDevice() before you create the stream" +
                       kit::task(5));
    }
    const bool different =
        part.interior != part.edge[0] && part.interior != part.edge[1] && part.edge[0] != part.edge[1];
    test.check(!created || different,
               "part.interior and part.edge are not three different streams: create three" + kit::task(5));
    if (!created || !different) return;
    const OnDevice here(device);
    int lowest = 0, highest = 0, interior = 0;
    test.cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    test.cuda(cudaStreamGetPriority(part.interior, &interior));
    for (const auto& [name, stream] : named) {
        int edge = 0;
        test.cuda(cudaStreamGetPriority(stream, &edge));
        if (stream != part.interior)
            test.check(lowest == highest || edge < interior,
                       name + " has priority " + std::to_string(edge) + " and part.interior has priority " +
                           std::to_string(interior) + ": give " + name +
                           " the smaller number, because the blocks of this stream start first" +
                           kit::task(5));
    }
    for (const auto& [name, stream] : named) test.cuda(cudaStreamDestroy(stream));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("18_multi_gpu", "halo_exchange", argc, argv);
    for (const int task : {1, 2, 4}) grader.task(task, kit::About().demand("time steps"));
    // The wait before the border row is missing, or other rows are computed and sent. The same applies to the interior.
    for (const int task : {1, 3}) grader.task(task, kit::About::order_of_streams().later_in(3));
    for (const int task : {2, 4}) grader.task(task, kit::About::order_of_streams().later_in(4));
    grader.task(4, kit::About().rule(kit::facts::Rule::grid_without_blocks));  // a kernel for no rows
    const std::vector<int> counts = device_counts();
    const auto add = [&](int count, const Shape& shape) {
        const std::string rows = shape.more ? std::to_string(shape.rows) + " and " : "",
                          second = kit::count_of(shape.rows + shape.more, "row");
        grader.add(rows + second + " of " + std::to_string(shape.columns) + ", " +
                       kit::count_of(shape.steps, "step") + ", " + devices_in_words(count),
                   [shape, count](kit::Case& test) { run(test, count, shape, Look::values); });
    };
    for (const Shape& shape : {Shape{3, 0, 1, 1}, Shape{8, 0, 32, 1}, Shape{3, 1, 5, 2}, Shape{8, 0, 32, 4},
                               Shape{5, 12, 33, 7}, Shape{40, -37, 257, 3}, Shape{4, 0, 7, 0}})
        add(counts[0], shape);
    for (const int count : counts) {
        if (count != counts[0])
            for (const Shape& shape : {Shape{8, 0, 32, 1}, Shape{3, 1, 5, 2}, Shape{5, 12, 33, 7}})
                add(count, shape);
        const std::string devices = devices_in_words(count);
        grader.add("the first part on the last of " + devices, [count](kit::Case& test) {
            run(test, count, {6, 3, 20, 3}, Look::values, true);
        });
        grader.add("the interior continues while the exchange is held back, " + devices,
                   [count](kit::Case& test) {
                       run(test, count, {6, 0, 40, 1}, Look::interior_runs_on);
                   });
        grader.add("the exchange continues while the interior is held back, " + devices,
                   [count](kit::Case& test) {
                       run(test, count, {6, 0, 40, 1}, Look::border_runs_on);
                   });
        for (const int steps : {1, 4})
            grader.add(
                "the exchange hides behind the interior, " + kit::count_of(steps, "step") + ", " + devices,
                [steps, count](kit::Case& test) {
                    run(test, count, {6, 0, 40, steps}, Look::steps);
                });
    }
    add(1, {6, 0, 21, 5});
    for (const int device : {0, 1})
        grader.add("streams of device " + std::to_string(device),
                   [device](kit::Case& test) { streams(test, device); });
#ifndef KIT_CPU
    grader.add("2000 rows of 4099 on each of all devices, 20 steps",
               [](kit::Case& test) {
                   run(test, all_devices, {2000, 0, 4099, 20}, Look::values);
               },
               {60, true});
#endif
    error_handling::check_failing_calls(
        grader, argc, argv,
        {"the first part on the last of " + devices_in_words(counts[0]), "streams of device 0"},
        error_handling::Checked::all);
    return grader.run();
}
