// The facts by which a test maps a failure to a task (Grader::task).
#pragma once

#include <diagnoses.hpp>
#include <facts/finding.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kit {

/// The facts that a failure must have. A failure fits if it has all the kinds of facts that are named.
/// Several facts of one kind are alternatives:
/// About().fix(facts::Fix::release).fix(facts::Fix::wider_release) is a race in which one of these two is
/// missing.
class About {
  public:
    About& diagnosis(Diagnosis which) { return diagnoses.push_back(which), *this; }
    About& rule(facts::Rule which) { return rules.push_back(which), *this; }
    About& fix(facts::Fix which) { return fixes.push_back(which), *this; }
    /// The failure is about this output, input, buffer or variable. "slot" also stands for slot[0] and
    /// slot.sent.
    About& on(std::string name) { return memories.push_back(std::move(name)), *this; }
    /// The values of this output are wrong.
    About& output(std::string name) { return outputs.push_back(std::move(name)), *this; }
    /// The output with wrong values has this many values.
    About& values(std::size_t count) { return counts.push_back(count), *this; }
    /// The finding is about memory of this size in bytes.
    About& bytes(std::uint64_t size) { return sizes.push_back(size), *this; }
    About& memory(facts::Memory::Kind which) { return kinds.push_back(which), *this; }
    About& position(facts::Memory::Position which) { return positions.push_back(which), *this; }
    /// This kernel acts, or is launched.
    About& kernel(std::string name) { return kernels.push_back(std::move(name)), *this; }
    /// This function is called, or threads wait in it, such as "cudaMemsetAsync" or "__ballot_sync()".
    About& function(std::string name) { return functions.push_back(std::move(name)), *this; }
    /// In the race, this function or kernel reads the memory. written_by() names the one that writes.
    About& read_by(std::string name) { return readers.push_back(std::move(name)), *this; }
    About& written_by(std::string name) { return writers.push_back(std::move(name)), *this; }
    /// The finding has this other fact, such as "returned" or "expected bytes". "never written": all wrong
    /// values are unwritten.
    About& has(std::string name) { return extras.push_back(std::move(name)), *this; }
    /// The finding is about two pieces of queued work without an order, and a line of this task queued the
    /// later one.
    About& later_in(int task) { return later.push_back(task), *this; }
    /// The race is between a line of one task and a line of the other task.
    About& between(int task, int other) { return pairs.push_back({task, other}), *this; }
    /// This demand has failed.
    About& demand(std::string name) { return demands.push_back(std::move(name)), *this; }
    /// This CUDA error was returned.
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
    /// Two pieces of work in streams that have no order.
    static About order_of_streams() {
        return About().fix(facts::Fix::stream).fix(facts::Fix::stream_of_kernels);
    }
    /// A kernel, a family of kernels, or a graph that launches itself does not end.
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
