// An access on its way through the cells of the bytes that it touches.
#include "race_check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "run/grid.hpp"
#include "run/stream.hpp"

namespace kit::cpu {

void RaceCheck::kernel_begins(const Grid& grid) {
    grid_clock_ = latest_ = 0;
    const Schedule& how =
        grid.schedule;  // a thread that does not wait goes one way; another schedule shows the other one
    late_messages_ = how.order == Order::forward || (how.order == Order::random && how.seed % 2 == 0);
    waits_left_ = std::min<std::uint64_t>(4 * grid.blocks + 64, 512);
    numbers_ = std::make_shared<BlockNumbers>(grid.blocks);
    begin_work({Actor::Kind::kernel, grid.launch.name, work_now(), grid.launch.grid, grid.launch.block,
                descent_now(), numbers_, nullptr, grid.launch.device});
    if (!strangers_.messages_matter()) messages_.clear();
}

void RaceCheck::kernel_paused(const Grid& grid) {
    const Owner owner = strangers_.current();
    paused_.insert_or_assign(&grid, Paused{strangers_.actor(owner), owner, forgotten_, numbers_, grid_clock_,
                                           latest_, waits_left_, late_messages_});
}

void RaceCheck::kernel_resumed(const Grid& grid) {
    const auto node = paused_.extract(&grid);
    const Paused& paused = node.mapped();
    if (paused.forgotten == forgotten_)
        strangers_.resume(paused.owner);
    else
        begin_work(paused.actor);
    numbers_ = paused.numbers;
    grid_clock_ = paused.grid_clock;
    latest_ = paused.latest;
    waits_left_ = paused.waits_left;
    late_messages_ = paused.late_messages;
}

void RaceCheck::begin_work(Actor actor) {
    if (strangers_.begin(actor)) return;
    shadows_.clear_records();
    messages_.clear();
    strangers_.forget();
    ++forgotten_;
    host_owner_ = 0;
    strangers_.begin(std::move(actor));
}

void RaceCheck::block_begins(const Block& block) {
    BlockChecks& checks = checks_of(block);
    const auto number = static_cast<std::uint32_t>(block.linear_index() % most_blocks);
    checks.clocks.start(numbers_.get(), number, block.threads(), grid_clock_);
    if (const KnowledgePtr known = strangers_.known_at_begin()) checks.clocks.begin_with(known);
    checks.barriers.start();
    checks.copies.start();
    checks.puts = {};
    checks.has_visitors = false;
    if (++checks.owner == most_owners) {
        checks.owner = 1;
        checks.shared.clear_records();
    }
}

void RaceCheck::access(const Block& block, const Target& target, const Access& access) {
    BlockClocks& clocks = checks_of(block).clocks;
    const unsigned rank = block.rank();
    const std::uint64_t heard_time = clocks.heard_time(rank);
    if (access.sequential)
        clocks.fence(rank, access.scope);
    else if (access.releases)
        clocks.step(rank);
    const bool talks_to_host = access.is_volatile && target.memory == Target::Memory::host;
    Record now{};
    now.valid = 1;
    now.write = access.write;
    now.atomic = access.atomic || talks_to_host;
    now.scope = static_cast<unsigned>(talks_to_host ? Scope::system : access.scope);
    now.block = clocks.number();
    now.rank = rank;
    now.clock = std::min(clocks.clock(rank), most_clock);
    now.site = access.place ? sites_.number(*access.place) : sites_.number(access.instruction);
    if (access.atomic) sites_.note_atomic(now.site & (most_sites - 1), access.bytes);
    if (access.discards) sites_.note_discard(now.site & (most_sites - 1));
    const bool shared = target.is_shared();
    check_cells(*target.region,
                {&block, clocks, now, shared ? checks_of(*target.holder).owner : strangers_.current(),
                 shared ? nullptr : &strangers_},
                access);
    if (access.atomic) note_message(rank, clocks, access, message_at(target, access.address), heard_time);
    if (access.signal) signal_sent(block, target, access, now);
}

void RaceCheck::note_message(unsigned rank, BlockClocks& clocks, const Access& access, Message& message,
                             std::uint64_t heard_time) {
    if (access.older && late_messages_ && clocks.may_read_older(rank, access, message, heard_time)) {
        message.late.insert(clocks.number() * 1024 + rank);  // once: whoever asks again hears it
        std::memcpy(access.older->bytes, message.before, access.bytes);
        access.older->given = true;
        return;
    }
    if (access.write) std::memcpy(message.before, access.address, std::min(access.bytes, 8u));
    clocks.atomic(rank, access, message);
    if (access.releases) clocks.step(rank);
}

/// Nobody has written there yet: who may do so goes first. Each wait lets one more block begin.
bool RaceCheck::should_wait(const Target& target, const Access& access) {
    if (!waits_left_ || message_at(target, access.address).writer.block != ~0u) return false;
    --waits_left_;
    return true;
}

/// In shared memory a message is for one block. In other memory it outlives its kernel: a later one that hears it comes
/// after what the message tells of.
Message& RaceCheck::message_at(const Target& target, const char* address) {
    Message& message = messages_[address];
    const Owner kernel = strangers_.current();
    const std::uint32_t holder = target.is_shared() ? target.holder->linear_index() + 1 : 0;
    if (message.kernel == kernel && message.holder == holder) return message;
    KnowledgePtr told;
    if (message.wide && !holder && !message.holder) {
        told = std::make_shared<Knowledge>();
        const auto last = std::make_shared<Knowledge>(*message.wide);
        told->kernels = std::exchange(last->kernels, {});
        if (const KnowledgePtr before = told->kernels[message.kernel]) last->join(*before);
        told->kernels[message.kernel] = last;
        if (const auto own = told->kernels.find(kernel); own != told->kernels.end())
            told->join(Knowledge(*own->second));  // it has come back
    }
    message = {};
    message.wide = told;
    message.holder = holder;
    message.kernel = kernel;
    return message;
}

void RaceCheck::check_cells(ShadowRegion& region, const Visit& visit, const Access& access) {
    const bool strange = visit.strangers && visit.strangers->any();
    if (strange) {
        if (const CopiedRange* copy =
                visit.strangers->meets_copy(access.address, access.bytes, access.write)) {
            Record earlier{};
            earlier.valid = 1;
            earlier.write = copy->write;
            earlier.site = copy->site;
            mistakes_.race(visit.block, std::max(access.address, copy->begin), 1,
                           {&strangers_.actor(strangers_.current()), visit.now},
                           {&strangers_.actor(copy->owner), earlier});
        }
    }
    for (const char* address = access.address; address < access.address + access.bytes;) {
        const auto in_word = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % 4);
        const auto bytes = static_cast<unsigned>(
            std::min<std::ptrdiff_t>(4 - in_word, access.address + access.bytes - address));
        Cell& word = region.word(address);
        if (!(visit.strangers && visit.strangers->records_matter()) && !word.only(visit.owner))
            region.clear_word(address, visit.owner);  // what earlier work has left tells nothing
        if (bytes == 4 && word.state() == State::whole) {
            check_cell(word, address, visit, access);
        } else {
            Cell* const cells = word.state() == State::whole ? region.split(address) : region.bytes(address);
            for (unsigned i = 0; i < bytes; ++i) check_cell(cells[in_word + i], address + i, visit, access);
        }
        address += bytes;
    }
}

void RaceCheck::check_cell(Cell& cell, const char* address, const Visit& visit, const Access& access) {
    if (cell.only(visit.owner)) {
        const Record earlier = check_race(cell, visit.now, visit.clocks, sites_);
        if (earlier.valid) note_race(visit, access, address, earlier, strangers_.current());
        return;
    }
    const StrangerRecords others(cell, visit.owner, visit.strangers, visit.clocks, visit.now);
    const Record earlier = check_race(cell, visit.now, visit.clocks, sites_);
    others.keep(cell);
    Owner made_by = strangers_.current();
    const Record strange = others.race(visit.now, sites_, made_by);
    if (strange.valid) note_race(visit, access, address, strange, made_by);
    if (earlier.valid) note_race(visit, access, address, earlier, strangers_.current());
}

/// Two plain writes by kernels are judged when the second one is done, see PendingRace.
void RaceCheck::note_race(const Visit& visit, const Access& access, const char* address,
                          const Record& earlier, Owner made_by) {
    const Record& now = visit.now;
    const Owner owner = strangers_.current();
    if (visit.block && now.write && earlier.write && !now.atomic && !earlier.atomic && !visit.copy &&
        !is_copy(earlier, made_by)) {
        pending_ = {visit.block, access, now, earlier, owner, made_by, {}};
        std::memcpy(pending_.before, access.address, access.bytes);
    } else {
        const auto width = static_cast<std::size_t>(access.address + access.bytes - address);
        mistakes_.race(visit.block, address, width, {&strangers_.actor(owner), now, true},
                       {&strangers_.actor(made_by), earlier});
    }
}

void RaceCheck::allocated(const char* begin, std::size_t bytes) {
    ShadowRegion* const region = shadows_.device(begin);
    if (!region) return;
    for (const char* address = begin; address < begin + bytes; address += 4) {
        const Cell& cell = region->word(address);
        if (cell.write_owner || cell.read_owner || cell.far_owner)
            region->clear_word(address, strangers_.current());
    }
}

void RaceCheck::settle_writes() {
    const Block& block = *std::exchange(pending_.block, nullptr);
    if (std::memcmp(pending_.before, pending_.access.address, pending_.access.bytes) != 0)
        mistakes_.race(&block, pending_.access.address, pending_.access.bytes,
                       {&strangers_.actor(pending_.owner), pending_.now},
                       {&strangers_.actor(pending_.earlier_owner), pending_.earlier});
}

}  // namespace kit::cpu
