#include "samples.hpp"

#include <algorithm>
#include <utility>

#include "device/kernel_settings.hpp"
#include "device/launch_limits.hpp"
#include "memory/buffers.hpp"
#include "run/block.hpp"
#include "run/grid.hpp"
#include "source/symbols.hpp"

namespace kit::cpu {
namespace {

bool same(const dim3& a, const dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same(const uint3& a, const uint3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Returns the element, or otherwise the variable, for the page: "tile[5]" for "`tile[5]` (shared)".
std::string name_of(const facts::Memory& memory) {
    return memory.element.empty() || memory.name.empty() ? memory.name : memory.element;
}

void name_elements(const Block& block, RequestSample& sample) {
    const WarpAccess& access = sample.access;
    sample.elements.resize(32);
    for (std::uint32_t rest = access.lanes; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const char* address = reinterpret_cast<const char*>(access.address[lane]);
        std::string& element = sample.elements[lane];
        // The address of an atomic can be in shared or global memory. A small number is an offset in shared
        // memory.
        if (access.address[lane] < SharedArena::capacity) {
            element = name_of(
                block.shared().memory_at(block.shared().begin() + access.address[lane], access.bytes));
            continue;
        }
        element = name_of(variable_at(address, access.bytes));
        if (element.empty()) element = name_of(place_of_memory(address, access.bytes));
    }
}

}  // namespace

bool WarpName::operator==(const WarpName& other) const {
    return launch == other.launch && warp == other.warp && same(block, other.block);
}

std::uint64_t LaunchShape::threads() const {
    return std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
}

void Samples::launched(const Launch& launch) {
    ++launches_;
    const KernelFacts& facts = known_facts(launch.function);
    LaunchShape shape{launch.grid, launch.block, facts.static_shared_bytes, launch.dynamic_shared};
    const int threads = static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
    shape.registers = registers_of(launch.function, facts);
    shape.limits =
        block_limits(device(), {shape.registers, shape.static_shared + shape.dynamic_shared, threads});
    shape.resident = resident_blocks_of(launch.function, facts, threads, launch.dynamic_shared);
    shape.launches = 1;
    add_shape(shape);
    if (shape.threads() <= threads_of_largest_) return;
    threads_of_largest_ = shape.threads();
    largest_ = launches_;
    steps_.clear();
    for (auto& [instruction, kept] : kept_) kept.of_largest = false;
}

void Samples::add(Samples others) {
    if (others.threads_of_largest_ > threads_of_largest_) std::swap(*this, others);
    for (const LaunchShape& shape : others.shapes_) add_shape(shape);
}

void Samples::add_shape(const LaunchShape& shape) {
    const auto is_alike = [&](const LaunchShape& other) {
        return same(other.grid, shape.grid) && same(other.block, shape.block) &&
               other.dynamic_shared == shape.dynamic_shared;
    };
    const auto alike = std::find_if(shapes_.begin(), shapes_.end(), is_alike);
    if (alike != shapes_.end()) {
        alike->launches += shape.launches;
        return;
    }
    shapes_.push_back(shape);
    if (shapes_.size() <= most_shapes) return;
    const auto smaller = [](const LaunchShape& a, const LaunchShape& b) { return a.threads() < b.threads(); };
    shapes_.erase(std::min_element(shapes_.begin(), shapes_.end(), smaller));
}

void Samples::block_begins(const Block& block) {
    if (!steps_.empty() || launches_ != largest_) return;
    const unsigned warps = (block.threads() + 31) / 32;
    for (unsigned warp = 0; warp < warps && warp < most_warps; ++warp)
        steps_.push_back({{launches_, block.index(), warp}, {}});
}

bool Samples::is_followed(const Block& block) const {
    return !steps_.empty() && steps_[0].who.launch == launches_ && same(steps_[0].who.block, block.index());
}

void Samples::step(const Block& block, unsigned warp, const WarpStep& step) {
    if (warp >= steps_.size() || !is_followed(block)) return;
    WarpSteps& of_warp = steps_[warp];
    if (of_warp.steps.size() < most_steps)
        of_warp.steps.push_back(step);
    else
        ++of_warp.more;
}

void Samples::request(const Block& block, const RequestSample& sample) {
    step(block, sample.who.warp,
         {sample.instruction, WarpStep::Kind::request, sample.access.lanes, sample.kind, sample.units,
          sample.ideal});
    Kept& kept = kept_[{sample.instruction, sample.kind}];
    const auto keep = [&](std::vector<RequestSample>& list) {
        list.push_back(sample);
        name_elements(block, list.back());
    };
    if (!kept.of_largest && launches_ == largest_) {
        kept.first.clear();
        kept.of_largest = true;
    }
    std::size_t same_warp = 0, warps = 0;
    for (std::size_t i = 0; i < kept.first.size(); ++i) {
        same_warp += kept.first[i].who == sample.who;
        warps += !(kept.first[i].who == kept.first[0].who);
    }
    const bool of_first_warp = kept.first.empty() || kept.first[0].who == sample.who;
    if (of_first_warp ? same_warp < most_of_first_warp : same_warp == 0 && warps + 1 < most_warps)
        return keep(kept.first);
    const auto dearer = [&](const RequestSample& other) { return other.cost() >= sample.cost(); };
    if (std::any_of(kept.first.begin(), kept.first.end(), dearer) ||
        std::any_of(kept.dearest.begin(), kept.dearest.end(), dearer))
        return;
    kept.dearest.clear();
    keep(kept.dearest);
}

void Samples::barrier(const Block& block, const void* call) {
    if (!is_followed(block)) return;
    for (unsigned warp = 0; warp < steps_.size(); ++warp) {
        const unsigned left = block.threads() - 32 * warp;
        const std::uint32_t lanes = left >= 32 ? ~0u : (1u << left) - 1;
        step(block, warp, {call, WarpStep::Kind::barrier, lanes});
    }
}

std::vector<RequestSample> Samples::requests() const {
    std::vector<RequestSample> all;
    for (const auto& [instruction, kept] : kept_) {
        all.insert(all.end(), kept.first.begin(), kept.first.end());
        all.insert(all.end(), kept.dearest.begin(), kept.dearest.end());
    }
    return all;
}

}  // namespace kit::cpu
