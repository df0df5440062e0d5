// Which earlier work is unordered with what runs now, and what of its records is kept.
#include "strangers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace kit::cpu {

bool one_family(const Actor& a, const Actor& b) {
    return a.descent && b.descent && a.descent->root == b.descent->root;
}

bool on_two_devices(const Actor& a, const Actor& b) {
    return a.device >= 0 && b.device >= 0 && a.device != b.device;
}

namespace {

/// Does an atomic of this scope reach another kernel, on another device if it is far?
bool reaches_kernel(unsigned scope, bool far) {
    return far ? scope == static_cast<unsigned>(Scope::system) : scope != static_cast<unsigned>(Scope::block);
}

void add_heard(Actor& actor, const Knowledge& kernels) {
    actor.heard = actor.heard ? std::make_shared<Knowledge>(*actor.heard) : std::make_shared<Knowledge>();
    actor.heard->join(kernels);
}

}  // namespace

void Strangers::heard(const Knowledge& kernels) {
    add_heard(actors_[current_], kernels);
}

bool Strangers::begin(Actor actor) {
    const WorkOrder& order = work_order();
    while (first_live_ < actors_.size() && actors_[first_live_].stamp.id <= order.done_up_to()) ++first_live_;
    const bool nothing_is_live = first_live_ == actors_.size();
    if (actors_.size() == most_owners || (nothing_is_live && actors_.size() > most_owners / 4 * 3))
        return false;
    if (first_live_ == actors_.size()) copies_.clear();
    current_ = static_cast<Owner>(actors_.size());
    actors_.push_back(std::move(actor));
    look_around(current_);
    Actor& mine = actors_[current_];
    for (Owner other = first_live_; other < current_; ++other)
        if (!strangers_[other] && actors_[other].heard) add_heard(mine, *actors_[other].heard);
    if (mine.is_child() && !mine.descent->seen.known.kernels.empty()) {
        Knowledge of_launcher;
        of_launcher.kernels = mine.descent->seen.known.kernels;
        add_heard(mine, of_launcher);
    }
    return true;
}

void Strangers::resume(Owner owner) {
    current_ = owner;
    look_around(owner);
}

/// Who is unordered with this one?
void Strangers::look_around(Owner self) {
    const WorkOrder& order = work_order();
    const Actor& actor = actors_[self];
    strangers_.reset();
    std::optional<Kin> kin;
    if (actor.descent) kin.emplace(*actor.descent);
    for (Owner other = first_live_; other < actors_.size(); ++other) {
        if (other == self) continue;
        Kin::Relation relation;
        if (one_family(actors_[other], actor))
            relation = kin->to(*actors_[other].descent);
        else
            relation.ordered = order.ordered(actors_[other].stamp, actor.stamp);
        strangers_[other] = !relation.ordered;
        seen_[other] = relation.seen;
    }
    any_ = strangers_.any();
    several_ = order.several_streams() && first_live_ + 1 < actors_.size();
    strange_copies_.clear();
    for (std::size_t i = 0; any_ && i < copies_.size(); ++i)
        if (strangers_[copies_[i].owner]) strange_copies_.push_back({i, nullptr});
    std::sort(strange_copies_.begin(), strange_copies_.end(),
              [this](const StrangeCopy& a, const StrangeCopy& b) {
                  return copies_[a.copy].begin < copies_[b.copy].begin;
              });
    const char* farthest = nullptr;
    for (StrangeCopy& strange : strange_copies_)
        strange.farthest = farthest = std::max(farthest, copies_[strange.copy].end);
}

bool Strangers::host_is_live() const {
    return std::any_of(actors_.begin() + first_live_, actors_.end(),
                       [](const Actor& actor) { return actor.kind == Actor::Kind::host; });
}

const CopiedRange* Strangers::meets_copy(const char* begin, std::size_t bytes, bool write) const {
    auto strange =
        std::partition_point(strange_copies_.begin(), strange_copies_.end(),
                             [&](const StrangeCopy& one) { return copies_[one.copy].begin < begin + bytes; });
    while (strange != strange_copies_.begin() && (--strange)->farthest > begin) {
        const CopiedRange& copy = copies_[strange->copy];
        if (begin < copy.end && (write || copy.write)) return &copy;
    }
    return nullptr;
}

void Strangers::forget_copies(const char* begin, std::size_t bytes) {
    for (CopiedRange& copy : copies_)
        if (copy.begin < begin + bytes && copy.end > begin) copy.end = copy.begin;
}

void Strangers::forget() {
    actors_.resize(1);
    copies_.clear();
    strange_copies_.clear();
    strangers_.reset();
    any_ = several_ = false;
    current_ = 0;
    first_live_ = 1;
}

StrangerRecords::StrangerRecords(Cell& cell, Owner owner, const Strangers* strangers,
                                 const BlockClocks& clocks, const Record& now) {
    if (strangers && strangers->records_matter()) {
        if (cell.far_owner != owner) take(cell.far_read, cell.far_owner, *strangers, clocks, now);
        if (cell.read_owner != owner) take(cell.read, cell.read_owner, *strangers, clocks, now);
        if (cell.write_owner != owner) take(cell.write, cell.write_owner, *strangers, clocks, now);
    }
    if (cell.write_owner != owner) cell.write = Record{};
    if (cell.read_owner != owner) cell.read = Record{};
    if (cell.far_owner != owner) cell.far_read = Record{};
    cell.give_to(owner);
}

void StrangerRecords::take(Record record, Owner owner, const Strangers& strangers, const BlockClocks& clocks,
                           const Record& now) {
    const bool strange =
        strangers.unordered(owner, record) && !clocks.heard_of(owner, record, now.rank, now.write);
    // A write stays until somebody writes again: a read that is ordered with it orders nobody else.
    if (!record.valid || !(strange || (record.write && strangers.still_counts(owner)))) return;
    strange_[count_] = strange;
    far_[count_] = strange && on_two_devices(strangers.actor(owner), strangers.actor(strangers.current()));
    found_[count_] = record;
    owners_[count_++] = owner;
}

Record StrangerRecords::race(const Record& now, const Sites& sites, Owner& made_by) const {
    for (unsigned i = 0; i < count_; ++i) {
        const Record& earlier = found_[i];
        if (!strange_[i]) continue;
        if (!earlier.write && !now.write) continue;
        const bool both_reach = reaches_kernel(earlier.scope, far_[i]) && reaches_kernel(now.scope, far_[i]);
        if (earlier.atomic && now.atomic && both_reach && sites.of_one_size(earlier.site, now.site)) continue;
        made_by = owners_[i];
        return earlier;
    }
    return {};
}

void StrangerRecords::keep(Cell& cell) const {
    if (!count_ || cell.far_read.valid) return;
    unsigned kept = count_;
    for (unsigned i = 0; i < count_; ++i)
        if (strange_[i] || (kept == count_ && !cell.write.valid)) kept = i;
    if (kept == count_) return;
    cell.far_read = found_[kept];
    cell.far_owner = owners_[kept];
}

}  // namespace kit::cpu
