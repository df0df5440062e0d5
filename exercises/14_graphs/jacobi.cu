// 14_graphs/jacobi: the temperatures of a plate whose edge is kept as it is, by one graph that is launched until they settle.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests jacobi.cu
//        ../../tests/14_graphs/jacobi_test.cu -o jacobi
// Run:   ./jacobi
//
//   v9  jacobi: copies, kernels, graph and checks, from nothing but the specification

#include <utility>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts this file's captures, instances and launches
#include "kit.cuh"

namespace graphs {

// [host]
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps) {
    Settled settled = {0, 0};
    // TODO(1): The kernel or kernels, above, and what they need: memory, a stream, the values of the host. About 25 lines.
    KIT_TODO(1, grid, rows, columns, most_steps);

    // TODO(2): One graph of check_every steps, the last of which tells its change; and one instance of it. It must be
    // right to launch it again and again, whatever check_every is. About 14 lines.
    KIT_TODO(2, check_every);

    // TODO(3): Launch it until the values have settled or most_steps are done, one launch and one look at the change at a
    // time. The values go back to the host, and nothing is left behind. About 14 lines.
    KIT_TODO(3, tolerance);
    return settled;
}
// [/host]

}  // namespace graphs
