#include "profiler.hpp"

#include <algorithm>
#include <utility>

#include "device/launch_limits.hpp"
#include "run/block.hpp"
#include "run/family.hpp"
#include "run/grid.hpp"
#include "run/worker.hpp"
#include "source/source_lines.hpp"

/// Defines the variable `is_profiling` of kit_cpu/thread.hpp. Kernels see this variable as a constant, but
/// this file changes it.
extern "C" bool kit_is_profiling;
bool kit_is_profiling = false;

namespace kit::cpu {
namespace {

constexpr std::uint64_t loads_remembered = 8;

/// Returns how many bytes of its stack the running thread uses, in a function whose frame starts at `frame`.
std::uint32_t depth_of(const void* frame) {
    return static_cast<std::uint32_t>(this_worker->fiber->stack_high - static_cast<const char*>(frame));
}

unsigned threads_of(const Block& block) {
    const dim3& size = block.grid().launch.block;
    return size.x * size.y * size.z;
}

}  // namespace

bool Profiler::Recent::has_all_then_add(const WarpAccess& access) {
    std::uint64_t sectors[64];
    const unsigned count = sectors_of(access, sectors);
    ++loads;
    bool all = true;
    for (unsigned i = 0; i < count; ++i) {
        Slot& slot = slots[sectors[i] % std::size(slots)];
        all &= slot.sector == sectors[i] && slot.load && loads - slot.load <= loads_remembered;
        slot = {sectors[i], loads};
    }
    return all;
}

/// Called when these bytes have been written, so a later read does not count as a repeated read.
void Profiler::Recent::drop(const WarpAccess& access) {
    std::uint64_t sectors[64];
    const unsigned count = sectors_of(access, sectors);
    for (unsigned i = 0; i < count; ++i) {
        Slot& slot = slots[sectors[i] % std::size(slots)];
        if (slot.sector == sectors[i]) slot = {};
    }
}

void Profiler::begin() {
    ++begun_;
    kit_is_profiling = true;
}

void Profiler::end() {
    --begun_;
    kit_is_profiling = is_on();
}

Profiler::Kernel* Profiler::latest_named(const std::string& name) {
    const auto has_name = [&](const auto& kernel) { return kernel->name == name; };
    const auto found = std::find_if(kernels_.rbegin(), kernels_.rend(), has_name);
    return found == kernels_.rend() ? nullptr : found->get();
}

void Profiler::kernel_begins(const Grid& grid) {
    Kernel* kernel = apart_ ? nullptr : latest_named(grid.launch.name);
    if (!kernel) {
        kernels_.push_back(std::make_unique<Kernel>());
        kernel = kernels_.back().get();
        kernel->name = grid.launch.name;
        kernel->grid = grid.launch.grid;
        kernel->block = grid.launch.block;
        kernel->shared_bytes =
            known_facts(grid.launch.function).static_shared_bytes + grid.launch.dynamic_shared;
        kernel->is_cooperative = grid.launch.cooperative;
        Family* const family = family_now();
        kernel->is_child = family && family->running().parent;
    }
    ++kernel->launches;
    if (samples_wanted_) kernel->samples.launched(grid.launch);
}

void Profiler::block_begins(const Block& block) {
    Kernel* const kernel = latest_named(block.grid().launch.name);
    if (!kernel) return;  // the profile was started, or its counts were taken, after the launch
    ++kernel->blocks;
    kernel->threads += threads_of(block);
    Running& now = running_[&block];
    now.block = &block;
    now.kernel = kernel;
    now.warps.clear();
    for (unsigned left = threads_of(block); left > 0; left -= std::min(left, 32u))
        now.warps.emplace_back(left < 32 ? (1u << left) - 1 : 0xffffffffu);
    last_ = nullptr;
    if (samples_wanted_) kernel->samples.block_begins(block);
}

void Profiler::block_ended(const Block& block) {
    Running* const now = running(block);
    if (!now) return;
    for (Warp& warp : now->warps) replay(*now, warp);
    running_.erase(&block);
    last_ = nullptr;
}

Profiler::Running* Profiler::running(const Block& block) {
    if (last_ == &block) return last_running_;
    const auto found = running_.find(&block);
    last_ = &block;
    return last_running_ = found == running_.end() ? nullptr : &found->second;
}

void Profiler::access(const Block& block, std::uint64_t address, const Access& access, unsigned width,
                      RequestKind kind) {
    Running* const now = running(block);
    if (!now) return;
    const unsigned rank = block.rank();
    for (unsigned at = 0; at < access.bytes; at += width)
        now->warps[rank / 32].steps.add(rank % 32,
                                        {access.instruction, address + at, depth_of(access.frame),
                                         static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(kind)});
}

void Profiler::round(const Block& block, const Round& round) {
    Running* const now = running(block);
    if (!now) return;
    const unsigned rank = block.rank();
    now->warps[rank / 32].steps.add_round(rank % 32, round.instruction, depth_of(round.frame), round.function,
                                          round.level);
}

void Profiler::barrier(const BarrierStep& step, const void* call) {
    Running* const now = running(step.block);
    if (!now) return;
    const bool of_warp = step.of == BarrierStep::Of::warp || step.of == BarrierStep::Of::exchange;
    if (of_warp && step.step == BarrierStep::Step::complete) {
        Warp& warp = now->warps[step.warp];
        const Worker& worker = *this_worker;
        warp.steps.meet(step.lanes, step.of == BarrierStep::Of::exchange, worker.met_at,
                        depth_of(worker.met_frame));
        if (!samples_wanted_) return;
        warp.exchanges.push_back(exchange_of(step, warp.sources));
        for (std::uint32_t rest = step.lanes; rest; rest &= rest - 1)
            warp.sources[static_cast<unsigned>(__builtin_ctz(rest))] = -1;
    } else if (step.of == BarrierStep::Of::block || step.of == BarrierStep::Of::grid) {
        for (Warp& warp : now->warps) replay(*now, warp);
        if (step.step != BarrierStep::Step::complete) return;
        now->kernel->instructions[call].counts.barriers += now->warps.size();
        if (!samples_wanted_) return;
        now->kernel->samples.barrier(step.block, call);
        for (Warp& warp : now->warps) ++warp.taken;
    }
}

void Profiler::shuffle_begins(const Block& block, int source) {
    if (!samples_wanted_) return;
    Running* const now = running(block);
    if (!now) return;
    const unsigned rank = block.rank();
    now->warps[rank / 32].sources[rank % 32] = static_cast<std::int8_t>(source);
}

void Profiler::product(const Block& block, const void* instruction, std::uint64_t multiplications) {
    Running* const now = running(block);
    if (!now) return;
    LineCounts& counts = now->kernel->instructions[instruction].counts;
    ++counts.products;
    counts.multiplications += multiplications;
}

void Profiler::replay(Running& now, Warp& warp) {
    warp.steps.replay(
        [&](const Lockstep::Step& step, const WarpAccess& access) {
            step.meets ? keep_meeting(now, warp, step) : count(now, warp, step, access);
        },
        [&](const void* instruction) { ++now.kernel->instructions[instruction].counts.divergent; });
    warp.exchanges.clear();
}

/// Keeps a meeting of lanes as a step of the warp. The lanes are those that have met, even if only some of
/// them exist.
void Profiler::keep_meeting(Running& now, Warp& warp, const Lockstep::Step& step) {
    if (!samples_wanted_) return;
    WarpStep kept{step.instruction, WarpStep::Kind::meeting, step.meets};
    kept.exchange = warp.exchanges[step.address];
    now.kernel->samples.step(*now.block, static_cast<unsigned>(&warp - now.warps.data()), kept);
    ++warp.taken;
}

void Profiler::count(Running& now, Warp& warp, const Lockstep::Step& step, const WarpAccess& access) {
    Instruction& at = now.kernel->instructions[step.instruction];
    const auto kind = static_cast<RequestKind>(step.kind);
    const auto units_and_ideal = [&]() -> std::pair<unsigned, unsigned> {
        switch (kind) {
            case RequestKind::shared_load:
            case RequestKind::shared_store: {
                const bool is_load = kind == RequestKind::shared_load;
                return {access.wavefronts(is_load), access.ideal_wavefronts(is_load)};
            }
            case RequestKind::atomic:
                return {access.distinct_addresses(), access.active()};
            default:
                return {access.sectors(), access.ideal_sectors()};
        }
    };
    const auto [units, ideal] = units_and_ideal();
    RequestCounts& counts = at.counts.of(kind);
    if (units > counts.worst) counts.stride = access.stride(), counts.bytes = access.bytes;
    counts.add({1, access.active(), units, ideal, std::uint64_t{access.active()} * access.bytes, units});
    if (samples_wanted_) {
        const WarpName who{now.kernel->samples.launches(), now.block->index(),
                           static_cast<unsigned>(&warp - now.warps.data())};
        now.kernel->samples.request(*now.block,
                                    {step.instruction, kind, who, warp.taken++, units, ideal, access, {}});
    }
    if (kind == RequestKind::load) at.counts.repeated += warp.recent.has_all_then_add(access);
    if (kind == RequestKind::store) warp.recent.drop(access);
    if (kind != RequestKind::atomic) return;
    for (std::uint32_t rest = access.lanes; rest; rest &= rest - 1)
        ++at.updates[access.address[static_cast<unsigned>(__builtin_ctz(rest))]];
    at.counts.addresses = at.updates.size();
}

std::vector<KernelProfile> Profiler::take() {
    std::vector<KernelProfile> result;
    std::vector<const void*> instructions;
    for (const auto& kernel : kernels_)
        for (const auto& [instruction, at] : kernel->instructions) instructions.push_back(instruction);
    for (const auto& kernel : kernels_)
        for (const WarpSteps& warp : kernel->samples.steps())
            for (const WarpStep& step : warp.steps) instructions.push_back(step.instruction);
    look_up_lines(instructions);
    for (const auto& kernel : kernels_) {
        KernelProfile profile;
        profile.kernel = kernel->name;
        profile.launches = kernel->launches, profile.blocks = kernel->blocks;
        profile.threads = kernel->threads;
        profile.grid = kernel->grid, profile.block = kernel->block;
        profile.shared_bytes = kernel->shared_bytes;
        profile.is_cooperative = kernel->is_cooperative, profile.is_child = kernel->is_child;
        std::map<std::pair<std::string, int>, LineCounts> lines;
        for (const auto& [instruction, at] : kernel->instructions) {
            const Place place = source_line(instruction);
            LineCounts& line = lines[{place.file, place.line}];
            line.place = place;
            for (std::size_t kind = 0; kind < request_kinds; ++kind)
                line.requests[kind].add(at.counts.requests[kind]);
            line.repeated += at.counts.repeated;
            line.addresses += at.counts.addresses;
            line.barriers += at.counts.barriers;
            line.products += at.counts.products;
            line.multiplications += at.counts.multiplications;
            line.divergent += at.counts.divergent;
        }
        for (const auto& [where, line] : lines) profile.lines.push_back(line);
        if (keeps_) keep(profile, std::move(kernel->samples));
        result.push_back(std::move(profile));
    }
    kernels_.clear();
    running_.clear();
    last_ = nullptr;
    return result;
}

/// Stores the counts for the end of the program. Counts of one kernel that were taken in several pieces are
/// joined.
void Profiler::keep(const KernelProfile& counts, Samples samples) {
    const auto same_name = [&](const KeptProfile& kept) { return kept.counts.kernel == counts.kernel; };
    const auto before = apart_ ? kept_.end() : std::find_if(kept_.begin(), kept_.end(), same_name);
    if (before == kept_.end()) {
        kept_.push_back({counts, std::move(samples)});
        return;
    }
    KernelProfile& all = before->counts;
    all.launches += counts.launches;
    all.blocks += counts.blocks;
    all.threads += counts.threads;
    const auto place = [](const LineCounts& line) {
        return std::pair<std::string, int>(line.place.file, line.place.line);
    };
    const auto earlier = [&](const LineCounts& a, const LineCounts& b) { return place(a) < place(b); };
    for (const LineCounts& line : counts.lines) {
        const auto at = std::lower_bound(all.lines.begin(), all.lines.end(), line, earlier);
        if (at == all.lines.end() || place(*at) != place(line)) {
            all.lines.insert(at, line);
            continue;
        }
        for (std::size_t kind = 0; kind < request_kinds; ++kind) at->requests[kind].add(line.requests[kind]);
        at->repeated += line.repeated;
        at->barriers += line.barriers;
        at->products += line.products;
        at->multiplications += line.multiplications;
        at->divergent += line.divergent;
        at->addresses = std::max(at->addresses, line.addresses);
    }
    before->samples.add(std::move(samples));
}

std::vector<KeptProfile> Profiler::take_kept() {
    take();
    return std::exchange(kept_, {});
}

Profiler& profiler() {
    static Profiler& only = *new Profiler;  // never destroyed: the table is printed when the process ends
    return only;
}

// Functions of kit_cpu/profile.hpp.

void RequestCounts::add(const RequestCounts& other) {
    requests += other.requests;
    lanes += other.lanes;
    units += other.units;
    ideal += other.ideal;
    used += other.used;
    if (other.worst <= worst) return;
    worst = other.worst;
    if (!other.bytes) return;  // there is only one request, whose stride and bytes are known
    stride = other.stride;
    bytes = other.bytes;
}

RequestCounts KernelProfile::total(RequestKind kind) const {
    RequestCounts all;
    for (const LineCounts& line : lines) all.add(line.of(kind));
    return all;
}

std::uint64_t KernelProfile::divergent() const {
    std::uint64_t all = 0;
    for (const LineCounts& line : lines) all += line.divergent;
    return all;
}

void begin_profile() {
    profiler().begin();
}

void end_profile() {
    profiler().end();
}

std::vector<KernelProfile> take_profile() {
    return profiler().take();
}

}  // namespace kit::cpu
