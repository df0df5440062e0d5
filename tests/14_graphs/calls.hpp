// How often the exercise has called the functions of graphs that cost something; count_calls.hpp counts.
#pragma once

namespace graphs {

struct Calls {
    int captures = 0;      ///< begun
    int graphs_made = 0;   ///< by a capture, empty, or as a copy
    int instantiated = 0;  ///< instances made
    int updates = 0;       ///< whole-graph updates tried
    int launches = 0;      ///< of graphs
    int destroyed = 0;     ///< instances
    int graphs_gone = 0;   ///< graphs destroyed
    int synchronised = 0;  ///< calls that wait
};

inline Calls calls;

}  // namespace graphs
