// The facts by which a test maps a failure to a task (Grader::task).
#pragma once

#include <diagnoses.hpp>
#include <facts/finding.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kit {

/// A failure fits if it has all the facts that are named. Several facts of one kind are alternatives:
/// About().fix(facts::Fix::release).fix(facts::Fix::wider_release) is a race in which either of the two is missing.
class About {
  public:
    About& diagnosis(Diagnosis which) { return diagnoses.push_back(which), *this; }
    About& rule(facts::Rule which) { return rules.push_back(which), *this; }
    About& fix(facts::Fix which) { return fixes.push_back(which), *this; }
    /// An output, an input, a buffer or a variable. "slot" stands for slot[0] and slot.sent as well.
    About& on(std::string name) { return memories.push_back(std::move(name)), *this; }
    /// An output whose values are wrong.
    About& output(std::string name) { return outputs.push_back(std::move(name)), *this; }
    /// An output with this number of values.
    About& values(std::size_t count) { return counts.push_back(count), *this; }
    /// Memory of this size in bytes, in a finding.
    About& bytes(std::uint64_t size) { return sizes.push_back(size), *this; }
    About& memory(facts::Memory::Kind which) { return kinds.push_back(which), *this; }
    About& position(facts::Memory::Position which) { return positions.push_back(which), *this; }
    /// A kernel that acts, or that is launched.
    About& kernel(std::string name) { return kernels.push_back(std::move(name)), *this; }
    /// A function that is called, or in which threads wait, such as "cudaMemsetAsync" or "__ballot_sync()".
    About& function(std::string name) { return functions.push_back(std::move(name)), *this; }
    /// A function or a kernel that reads, or that writes, the memory of a race.
    About& read_by(std::string name) { return readers.push_back(std::move(name)), *this; }
    About& written_by(std::string name) { return writers.push_back(std::move(name)), *this; }
    /// Another fact of the finding, such as "returned" or "expected bytes". "never written" means that all wrong values are unwritten.
    About& has(std::string name) { return extras.push_back(std::move(name)), *this; }
    /// Two pieces of queued work that nothing orders, the later one queued by a line of this task.
    About& later_in(int task) { return later.push_back(task), *this; }
    /// A race between a line of one task and a line of the other task.
    About& between(int task, int other) { return pairs.push_back({task, other}), *this; }
    /// The name of a demand whose count is wrong.
    About& demand(std::string name) { return demands.push_back(std::move(name)), *this; }
    /// The name of a CUDA error.
    About& error(std::string name) { return errors.push_back(std::move(name)), *this; }

    /// A race in which the writer's half of a release/acquire pair is missing.
    static About writers_half() { return About().fix(facts::Fix::release).fix(facts::Fix::wider_release); }
    static About readers_half() { return About().fix(facts::Fix::acquire).fix(facts::Fix::wider_acquire); }
    static About either_half() {
        return About()
            .fix(facts::Fix::release)
            .fix(facts::Fix::wider_release)
            .fix(facts::Fix::acquire)
            .fix(facts::Fix::wider_acquire);
    }
    /// Two pieces of work in streams that nothing orders.
    static About order_of_streams() {
        return About().fix(facts::Fix::stream).fix(facts::Fix::stream_of_kernels);
    }
    /// A kernel, a family of kernels or a loop of graphs that does not end.
    static About endless() {
        return About()
            .rule(facts::Rule::endless_kernel)
            .rule(facts::Rule::endless_grid)
            .rule(facts::Rule::endless_family)
            .rule(facts::Rule::endless_tails)
            .rule(facts::Rule::endless_while);
    }

    std::vector<Diagnosis> diagnoses;
    std::vector<facts::Rule> rules;
    std::vector<facts::Fix> fixes;
    std::vector<std::string> memories, outputs, kernels, functions, readers, writers, extras, demands, errors;
    std::vector<std::uint64_t> sizes;
    std::vector<int> later;
    std::vector<std::pair<int, int>> pairs;
    std::vector<std::size_t> counts;
    std::vector<facts::Memory::Kind> kinds;
    std::vector<facts::Memory::Position> positions;
};

}  // namespace kit
