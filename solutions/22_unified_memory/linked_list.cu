// 22_unified_memory/linked_list: lists that both sides follow and extend.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests linked_list.cu
//        ../../tests/22_unified_memory/linked_list_test.cu -o linked_list
// Run:   ./linked_list
//
//   v3  sum_v3, push_v3: one thread per list

#include "22_unified_memory/22_unified_memory.hpp"
#include "kit.cuh"

namespace unified_memory {

// [build]
Lists build(const std::vector<std::vector<int>>& values, int spare) {
    Lists lists = {};
    lists.count = static_cast<int>(values.size());
    int nodes = spare;
    for (const std::vector<int>& list : values) nodes += static_cast<int>(list.size());

    // TODO(1): Allocate all nodes together, and the array of heads, in memory that both sides can use. 2 lines.
    // BEGIN SOLUTION 1
    CUDA_CHECK(cudaMallocManaged(&lists.nodes, static_cast<std::size_t>(nodes) * sizeof(Node)));
    CUDA_CHECK(cudaMallocManaged(&lists.heads, values.size() * sizeof(Node*)));
    // STARTER KIT_TODO(1, lists, nodes);
    // END SOLUTION 1

    for (std::size_t k = 0; k < values.size(); ++k) {
        lists.heads[k] = nullptr;
        // TODO(2): Put the values of list k into the next free nodes, and link them in their order. About 8 lines.
        // BEGIN SOLUTION 2
        Node** link = &lists.heads[k];
        for (int value : values[k]) {
            Node* node = &lists.nodes[lists.used++];
            node->value = value;
            node->next = nullptr;
            *link = node;
            link = &node->next;
        }
        // STARTER KIT_TODO(2, lists, k);
        // END SOLUTION 2
    }
    return lists;
}
// [/build]

// v3: sums of the lists, and a new first node for each list.
// Mapping : one thread per list.
// Cost    : each node is a dependent load, so a thread waits for the whole latency of memory at each node.
// Requires: enough spare nodes.
// [v3]
__global__ void sum_v3(Node* const* heads, int lists, int* sums) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= lists) return;
    // TODO(3): Follow list k, and store the sum of its values. About 3 lines.
    // BEGIN SOLUTION 3
    int sum = 0;
    for (const Node* node = heads[k]; node; node = node->next) sum += node->value;
    sums[k] = sum;
    // STARTER KIT_TODO(3, heads, sums, k);
    // END SOLUTION 3
}

__global__ void push_v3(Node** heads, Node* spare, const int* values, int lists) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= lists) return;
    // TODO(4): Make spare node k the first node of list k, with values[k]. 4 lines.
    // BEGIN SOLUTION 4
    Node* node = &spare[k];
    node->value = values[k];
    node->next = heads[k];
    heads[k] = node;
    // STARTER KIT_TODO(4, heads, spare, values, k);
    // END SOLUTION 4
}
// [/v3]

void sum_lists(const Lists& lists, int* sums) {
    if (lists.count == 0) return;
    sum_v3<<<kit::ceil_div(lists.count, 128), 128>>>(lists.heads, lists.count, sums);
    CUDA_CHECK_LAUNCH();
}

// [push]
void push_front(Lists& lists, const int* values) {
    if (lists.count == 0) return;
    push_v3<<<kit::ceil_div(lists.count, 128), 128>>>(lists.heads, lists.nodes + lists.used, values,
                                                      lists.count);
    CUDA_CHECK_LAUNCH();
    lists.used += lists.count;
    // TODO(5): The host follows the lists after this function has returned. 1 line.
    // BEGIN SOLUTION 5
    CUDA_CHECK(cudaDeviceSynchronize());
    // STARTER KIT_TODO(5);
    // END SOLUTION 5
}
// [/push]

void free_lists(const Lists& lists) {
    CUDA_CHECK(cudaFree(lists.nodes));
    CUDA_CHECK(cudaFree(lists.heads));
}

}  // namespace unified_memory
