// Counts how many times the student's code calls expensive functions of the runtime. On the CPU backend, the
// executor counts. On a GPU, count_calls.hpp counts, which the student's file includes.
#pragma once

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

namespace detail {
struct CallCounts {
    int captures = 0;             ///< number of stream captures that were started
    int graphs_made = 0;          ///< number of graphs that were created: by a capture, empty, or as a copy
    int graphs_destroyed = 0;     //
    int instances = 0;            ///< number of instances that were created
    int instances_destroyed = 0;  //
    int updates = 0;              ///< number of attempts to update a whole instance
    int launches = 0;             ///< number of graph launches
    int waits = 0;                ///< number of calls that wait for the device, including polling until the
                                  ///< work is done
};

#ifdef KIT_CPU
inline CallCounts counted_calls() {
    const cpu::Counters now = cpu::counters();
    const auto number = [](std::uint64_t count) { return static_cast<int>(count); };
    return {number(now.captures),
            number(now.graphs_made),
            number(now.graphs_destroyed),
            number(now.graph_instances),
            number(now.graph_instances_destroyed),
            number(now.graph_updates),
            number(now.graph_launches),
            number(now.synchronizations)};
}
#else
inline CallCounts calls_of_the_file;  ///< counts of the file that includes count_calls.hpp
inline CallCounts counted_calls() {
    return calls_of_the_file;
}
#endif
}  // namespace detail

/// Counts the calls of the runtime in one or more functions: `calls.in([&] { return record(state, stream);
/// })` adds the calls that this function makes.
class Calls : public detail::CallCounts {
  public:
    template <class Function>
    auto in(Function&& function) {
        struct Window {
            Calls& calls;
            const detail::CallCounts before = detail::counted_calls();
            ~Window() { calls.add(before, detail::counted_calls()); }
        } window{*this};
        return function();
    }

  private:
    void add(const detail::CallCounts& before, const detail::CallCounts& after) {
        for (auto count : {&CallCounts::captures, &CallCounts::graphs_made, &CallCounts::graphs_destroyed,
                           &CallCounts::instances, &CallCounts::instances_destroyed, &CallCounts::updates,
                           &CallCounts::launches, &CallCounts::waits})
            this->*count += after.*count - before.*count;
    }
};

}  // namespace kit
