// expect: wrong; task 1; cause: nothing was captured
// TOP
#include <vector>
// REGION 1
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    auto add = [&](auto kernel, int grid, std::vector<cudaGraphNode_t> after, auto... arguments) {
        void* pointers[] = {&arguments...};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void*>(kernel);
        params.gridDim = dim3(grid);
        params.blockDim = dim3(kBlock);
        params.kernelParams = pointers;
        cudaGraphNode_t node = nullptr;
        CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
        return node;
    };
// REGION 2
    const auto first = add(prepare_values, blocks, {}, s.in, s.work, s.n);
    const int* work = s.work;
    const auto a = add(find_smallest, 1, {first}, work, s.n, s.smallest);
    const auto b = add(find_largest, 1, {first}, work, s.n, s.largest);
    const auto c = add(find_total, 1, {first}, work, s.n, s.total);
// REGION 3
    add(combine, blocks, {a, b, c}, work, s.n, (const int*)s.smallest, (const int*)s.largest, (const long long*)s.total, s.out);
    (void)lanes;
