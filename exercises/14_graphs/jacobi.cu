// 14_graphs/jacobi: a solver from its specification alone.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests jacobi.cu
//        ../../tests/14_graphs/jacobi_test.cu -o jacobi
// Run:   ./jacobi
//
//   v9  jacobi: copies, kernels, graph and checks, written from the specification alone

#include <utility>

#include "14_graphs/14_graphs.hpp"
#include "14_graphs/count_calls.hpp"  // the grader counts the captures, instances and launches in this file
#include "kit.cuh"

namespace graphs {

// [host]
Settled jacobi(float* grid, int rows, int columns, float tolerance, int check_every, int most_steps) {
    Settled settled = {0, 0};
    // TODO(1): Write the kernels above. Set up memory, a stream, and the values of the host here. 11 lines, without the kernels.
    KIT_TODO(1, grid, rows, columns, most_steps);

    // TODO(2): Build one graph of check_every steps, the last of which reports its change, and one instance of it. Repeated
    // launches must be correct for every value of check_every. About 16 lines.
    KIT_TODO(2, check_every);

    // TODO(3): Launch it until the values have settled or most_steps are done, and read the change after each launch. Then
    // copy the values to the host, and free everything. About 14 lines.
    KIT_TODO(3, tolerance);
    return settled;
}
// [/host]

}  // namespace graphs
