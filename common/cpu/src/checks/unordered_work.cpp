// Finds the earlier work that is unordered with the running work, and decides which of its records to keep.
#include "unordered_work.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace kit::cpu {

bool one_family(const WorkItem& a, const WorkItem& b) {
    return a.node && b.node && a.node->root == b.node->root;
}

bool on_two_devices(const WorkItem& a, const WorkItem& b) {
    return a.device >= 0 && b.device >= 0 && a.device != b.device;
}

bool needs_system_scope(const WorkItem& a, const WorkItem& b) {
    return on_two_devices(a, b) || a.kind == WorkItem::Kind::host || b.kind == WorkItem::Kind::host;
}

namespace {

/// Returns whether the scope of an atomic includes other work. With `far`, the other work is a kernel on a
/// different device, or host code.
bool reaches_kernel(unsigned scope, bool far) {
    return far ? scope == static_cast<unsigned>(Scope::system) : scope != static_cast<unsigned>(Scope::block);
}

void add_acquired(WorkItem& item, const VectorClock& kernels) {
    item.acquired =
        item.acquired ? std::make_shared<VectorClock>(*item.acquired) : std::make_shared<VectorClock>();
    item.acquired->join(kernels);
}

}  // namespace

void UnorderedWork::acquire(const VectorClock& kernels) {
    add_acquired(items_[current_], kernels);
}

bool UnorderedWork::start(WorkItem item) {
    const WorkOrder& order = work_order();
    while (first_live_ < items_.size() && items_[first_live_].stamp.id <= order.done_up_to()) ++first_live_;
    const bool nothing_is_live = first_live_ == items_.size();
    if (items_.size() == most_work_ids || (nothing_is_live && items_.size() > most_work_ids / 4 * 3))
        return false;
    if (first_live_ == items_.size()) copies_.clear();
    current_ = static_cast<WorkId>(items_.size());
    items_.push_back(std::move(item));
    find_unordered(current_);
    WorkItem& mine = items_[current_];
    for (WorkId other = first_live_; other < current_; ++other)
        if (!unordered_[other] && items_[other].acquired) add_acquired(mine, *items_[other].acquired);
    if (mine.is_child() && !mine.node->at_launch.kernels.empty()) {
        VectorClock of_launcher;
        of_launcher.kernels = mine.node->at_launch.kernels;
        add_acquired(mine, of_launcher);
    }
    return true;
}

void UnorderedWork::resume(WorkId id) {
    current_ = id;
    find_unordered(id);
}

/// Finds the earlier work that is unordered with the work `self`.
void UnorderedWork::find_unordered(WorkId self) {
    const WorkOrder& order = work_order();
    const WorkItem& item = items_[self];
    unordered_.reset();
    std::optional<LaunchOrder> launch_order;
    if (item.node) launch_order.emplace(*item.node);
    for (WorkId other = first_live_; other < items_.size(); ++other) {
        if (other == self) continue;
        LaunchOrder::Relation relation;
        if (one_family(items_[other], item))
            relation = launch_order->with(*items_[other].node);
        else
            relation.ordered = order.ordered(items_[other].stamp, item.stamp);
        unordered_[other] = !relation.ordered;
        at_launch_[other] = relation.at_launch;
    }
    any_ = unordered_.any();
    several_ = order.several_streams() && first_live_ + 1 < items_.size();
    unordered_copies_.clear();
    for (std::size_t i = 0; any_ && i < copies_.size(); ++i)
        if (unordered_[copies_[i].id]) unordered_copies_.push_back({i, nullptr});
    std::sort(unordered_copies_.begin(), unordered_copies_.end(),
              [this](const UnorderedCopy& a, const UnorderedCopy& b) {
                  return copies_[a.copy].begin < copies_[b.copy].begin;
              });
    const char* farthest = nullptr;
    for (UnorderedCopy& unordered : unordered_copies_)
        unordered.farthest = farthest = std::max(farthest, copies_[unordered.copy].end);
}

bool UnorderedWork::host_is_live() const {
    return std::any_of(items_.begin() + first_live_, items_.end(),
                       [](const WorkItem& item) { return item.kind == WorkItem::Kind::host; });
}

const CopiedRange* UnorderedWork::racing_copy(const char* begin, std::size_t bytes, bool write) const {
    auto unordered = std::partition_point(
        unordered_copies_.begin(), unordered_copies_.end(),
        [&](const UnorderedCopy& one) { return copies_[one.copy].begin < begin + bytes; });
    while (unordered != unordered_copies_.begin() && (--unordered)->farthest > begin) {
        const CopiedRange& copy = copies_[unordered->copy];
        if (begin < copy.end && (write || copy.write)) return &copy;
    }
    return nullptr;
}

void UnorderedWork::forget_copies(const char* begin, std::size_t bytes) {
    for (CopiedRange& copy : copies_)
        if (copy.begin < begin + bytes && copy.end > begin) copy.end = copy.begin;
}

void UnorderedWork::forget() {
    items_.resize(1);
    copies_.clear();
    unordered_copies_.clear();
    unordered_.reset();
    any_ = several_ = false;
    current_ = 0;
    first_live_ = 1;
}

UnorderedRecords::UnorderedRecords(Cell& cell, WorkId id, const UnorderedWork* work,
                                   const BlockClocks& clocks, const Record& now) {
    if (work && work->records_matter()) {
        if (cell.far_work != id) take(cell.far_read, cell.far_work, *work, clocks, now);
        if (cell.read_work != id) take(cell.read, cell.read_work, *work, clocks, now);
        if (cell.write_work != id) take(cell.write, cell.write_work, *work, clocks, now);
    }
    if (cell.write_work != id) cell.write = Record{};
    if (cell.read_work != id) cell.read = Record{};
    if (cell.far_work != id) cell.far_read = Record{};
    cell.give_to(id);
}

void UnorderedRecords::take(Record record, WorkId id, const UnorderedWork& work, const BlockClocks& clocks,
                            const Record& now) {
    const bool unordered =
        work.unordered(id, record) && !clocks.happens_before(id, record, now.rank, now.write);
    // A write is kept until the next write: a read that is ordered after the write does not order later
    // accesses.
    if (!record.valid || !(unordered || (record.write && work.still_counts(id)))) return;
    unordered_[count_] = unordered;
    far_[count_] = unordered && needs_system_scope(work.item(id), work.item(work.current()));
    found_[count_] = record;
    ids_[count_++] = id;
}

Record UnorderedRecords::race(const Record& now, const Sites& sites, WorkId& made_by) const {
    for (unsigned i = 0; i < count_; ++i) {
        const Record& earlier = found_[i];
        if (!unordered_[i]) continue;
        if (!earlier.write && !now.write) continue;
        const bool both_reach = reaches_kernel(earlier.scope, far_[i]) && reaches_kernel(now.scope, far_[i]);
        if (earlier.atomic && now.atomic && both_reach && sites.of_one_size(earlier.site, now.site)) continue;
        made_by = ids_[i];
        return earlier;
    }
    return {};
}

void UnorderedRecords::keep(Cell& cell) const {
    if (!count_ || cell.far_read.valid) return;
    unsigned kept = count_;
    for (unsigned i = 0; i < count_; ++i)
        if (unordered_[i] || (kept == count_ && !cell.write.valid)) kept = i;
    if (kept == count_) return;
    cell.far_read = found_[kept];
    cell.far_work = ids_[kept];
}

}  // namespace kit::cpu
