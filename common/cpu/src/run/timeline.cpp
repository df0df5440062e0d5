// Derives the order of pieces of work from the vector clocks of the checks, so no edges have to be stored.
#include "timeline.hpp"

#include <algorithm>
#include <set>

#include "device/lock.hpp"

namespace kit::cpu {
namespace {

constexpr std::size_t most_pieces = 2000;

struct Noted {
    WorkStamp stamp;
    WorkClock host;
    std::uint64_t done;
};

bool recording = false, keeping = false;  // set by begin_timeline() and by keep_timeline()
std::size_t pieces = 0, first = 0;        // counted since begin_timeline()
auto& noted = *new std::vector<Noted>;

bool is_piece(const Noted& one) {
    return one.stamp.label && one.stamp.label->kind >= WorkKind::copy_in;
}

bool knows(const WorkClock& clock, std::uint64_t done, const WorkStamp& earlier) {
    const auto found = clock.find(earlier.stream);
    return earlier.id <= done || (found != clock.end() && found->second >= earlier.id);
}

bool comes_after(const Noted& late, const Noted& early) {
    return knows(late.stamp.before, late.done, early.stamp);
}

/// Returns the direct predecessors of a piece of work: the last piece in each row after which it is ordered,
/// except pieces for which another of these pieces waits.
std::vector<const Noted*> nearest(const std::vector<const Noted*>& earlier, const Noted& one) {
    std::vector<const Noted*> last;
    std::set<std::uint64_t> rows;
    for (auto other = earlier.rbegin(); other != earlier.rend(); ++other) {
        if (rows.count((*other)->stamp.stream) || !comes_after(one, **other)) continue;
        rows.insert((*other)->stamp.stream);
        last.push_back(*other);
    }
    std::vector<const Noted*> nearest;
    for (const Noted* candidate : last)
        if (std::none_of(last.begin(), last.end(), [&](const Noted* other) {
                return other != candidate && comes_after(*other, *candidate);
            }))
            nearest.push_back(candidate);
    return nearest;
}

/// Returns the call that made the row of `late` wait for `early`: the first wait in that row that includes
/// it.
Place wait_of(const Noted& late, const Noted& early) {
    for (const Noted& one : noted)
        if (one.stamp.stream == late.stamp.stream && one.stamp.label &&
            one.stamp.label->kind == WorkKind::wait && one.stamp.id < late.stamp.id &&
            comes_after(one, early))
            return one.stamp.label->place;
    return {};
}

CameAfter reason(const Noted& late, const Noted& early, std::size_t index) {
    using Because = CameAfter::Because;
    if (knows(late.host, late.done, early.stamp)) return {index, Because::host, {}};
    if (late.stamp.in_graph || early.stamp.in_graph) return {index, Because::graph, {}};
    const Place place = wait_of(late, early);
    if (place.line) return {index, Because::event, place};
    return {index, Because::default_stream, {}};
}

/// Takes the first step, starting at `first`, that is free.
unsigned take_step(std::set<unsigned>& taken, unsigned first) {
    while (!taken.insert(first).second) ++first;
    return first;
}

/// Returns the pieces since `begin`, each with its row and step.
std::vector<QueuedPiece> laid_out(std::size_t begin) {
    std::vector<QueuedPiece> timeline;
    std::set<unsigned> in, out;
    std::vector<const Noted*> earlier;
    for (std::size_t i = begin; i < noted.size() && timeline.size() < most_pieces; ++i) {
        const Noted& one = noted[i];
        if (!is_piece(one)) continue;
        QueuedPiece piece{*one.stamp.label, one.stamp.stream, 1, {}};
        for (const Noted* before : nearest(earlier, one)) {
            const auto index =
                static_cast<std::size_t>(std::find(earlier.begin(), earlier.end(), before) - earlier.begin());
            piece.step = std::max(piece.step, timeline[index].step + 1);
            if (before->stamp.stream != one.stamp.stream) piece.after.push_back(reason(one, *before, index));
        }
        if (piece.label.kind == WorkKind::copy_in) piece.step = take_step(in, piece.step);
        if (piece.label.kind == WorkKind::copy_out) piece.step = take_step(out, piece.step);
        earlier.push_back(&one);
        timeline.push_back(std::move(piece));
    }
    return timeline;
}

}  // namespace

void note_queued(const WorkStamp& stamp, const WorkClock& host, std::uint64_t done) {
    if ((!recording && !keeping) || pieces >= most_pieces) return;
    noted.push_back({stamp, host, done});
    pieces += is_piece(noted.back());
}

void keep_timeline() {
    std::lock_guard lock(api_mutex());
    keeping = true;
}

std::vector<QueuedPiece> kept_timeline() {
    std::lock_guard lock(api_mutex());
    keeping = false;
    return laid_out(0);
}

void begin_timeline() {
    std::lock_guard lock(api_mutex());
    recording = true;
    pieces = 0;
    if (!keeping) noted.clear();
    first = noted.size();
}

std::vector<QueuedPiece> take_timeline() {
    std::lock_guard lock(api_mutex());
    recording = false;
    std::vector<QueuedPiece> timeline = laid_out(first);
    if (!keeping) noted.clear();
    return timeline;
}

}  // namespace kit::cpu
