// Finds the executor's launch for each launch of the GPU, for ncu_compare.cpp.
#pragma once

#include "ncu_launches.hpp"

namespace ncu {

inline std::set<std::pair<Where, int>> places(const Launch& a, const Launch& b) {
    std::set<std::pair<Where, int>> all;
    for (const auto& [where, counts] : a.lines) all.insert(where);
    for (const auto& [where, counts] : b.lines) all.insert(where);
    return all;
}

inline Counts counts_in(const Launch& launch, const std::pair<Where, int>& where) {
    const auto found = launch.lines.find(where);
    return found == launch.lines.end() ? Counts{} : found->second;
}

/// Pairs launches of the GPU with launches of the executor. For each kernel, only launches with certain
/// numbers are profiled (ncu.sh). Both sides run the same cases, so launches are paired by number. The GPU
/// counts the launches of each template instance separately; the executor's list contains all instances, one
/// after another. The shapes show where an instance begins. If the shapes are ambiguous, the accesses decide.
/// If that fails, each launch is paired with the most similar launch of the same shape, if a line accesses
/// the same bytes.
class Pairs {
  public:
    std::vector<const Launch*> of;  ///< launch of the executor for each launch of the GPU; null if there is
                                    ///< none
    std::size_t by_likeness = 0;

    /// `numbers`: the numbers of the profiled launches of each kernel on the GPU.
    Pairs(const std::vector<Launch>& gpu, const std::vector<Launch>& executor, bool is_demo,
          const std::vector<std::size_t>& numbers)
        : of(gpu.size()), is_demo_(is_demo), numbers_(numbers) {
        std::map<std::string, std::map<std::string, std::vector<std::size_t>>> kernels;
        for (std::size_t i = 0; i < gpu.size(); ++i) kernels[gpu[i].kernel][gpu[i].instance].push_back(i);
        for (const auto& [kernel, instances] : kernels) {
            std::vector<const Launch*> all;
            for (const Launch& launch : executor)
                if (launch.kernel == kernel) all.push_back(&launch);
            for (const auto& [instance, launches] : instances)
                if (!by_number(gpu, launches, all, instances.size() == 1))
                    for (const std::size_t i : launches)
                        by_likeness += (of[i] = most_alike(all, gpu[i])) != nullptr;
        }
    }

  private:
    /// How two launches differ: in bytes, in lines, and whether at least one line accesses the same bytes.
    struct Difference {
        std::uint64_t bytes = 0, lines = 0;
        bool same = false;

        bool operator<(const Difference& other) const {
            return std::pair(bytes, lines) < std::pair(other.bytes, other.lines);
        }
    };

    static Difference difference(const Launch& executor, Launch gpu) {
        Difference result;
        gpu.lines = gpu.lines_beside(executor);
        for (const auto& where : places(executor, gpu)) {
            const Counts here = counts_in(executor, where), there = counts_in(gpu, where);
            result.bytes += here.bytes > there.bytes ? here.bytes - there.bytes : there.bytes - here.bytes;
            result.lines += !equal(here, there);
            result.same |= here.bytes == there.bytes;
        }
        result.same |= gpu.lines.empty();
        return result;
    }

    bool by_number(const std::vector<Launch>& gpu, const std::vector<std::size_t>& launches,
                   const std::vector<const Launch*>& all, bool is_only_instance) {
        if (launches.size() > numbers_.size()) return false;
        bool found = false;
        Difference best;
        for (std::size_t begin = 0; begin < (is_only_instance ? 1 : all.size()); ++begin) {
            Difference together;
            bool fits = true;
            for (std::size_t i = 0; i < launches.size() && fits; ++i) {
                const std::size_t at = begin + numbers_[i] - 1;
                if (at >= all.size() && i > 0 && is_only_instance)
                    break;  // the GPU continued, because it refused other launches
                fits = at < all.size() && all[at]->shape == gpu[launches[i]].shape;
                if (!fits) break;
                const Difference one = difference(*all[at], gpu[launches[i]]);
                together.bytes += one.bytes;
                together.lines += one.lines;
                fits = one.same || !is_demo_;  // the first launch of a demo can be larger on a GPU
            }
            if (!fits || (found && !(together < best)) || (!is_only_instance && together.bytes > 0)) continue;
            found = true;
            best = together;
            for (std::size_t i = 0; i < launches.size() && begin + numbers_[i] - 1 < all.size(); ++i)
                of[launches[i]] = all[begin + numbers_[i] - 1];
        }
        return found;
    }

    static const Launch* most_alike(const std::vector<const Launch*>& all, const Launch& wanted) {
        const Launch* best = nullptr;
        Difference least;
        for (const Launch* const launch : all) {
            if (launch->shape != wanted.shape) continue;
            const Difference one = difference(*launch, wanted);
            if (!one.same || (best && !(one < least))) continue;
            best = launch;
            least = one;
        }
        return best;
    }

    bool is_demo_;
    const std::vector<std::size_t>& numbers_;
};

}  // namespace ncu
