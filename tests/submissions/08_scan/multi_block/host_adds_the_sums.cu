// expect: wrong; task 4; cause: host | copies | copy
// TOP
#include <vector>
// REGION 4
    std::vector<int> ends(blocks);
    CUDA_CHECK(cudaMemcpy(ends.data(), sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int before = 0;
    for (int& end : ends) {
        const int sum = end;
        end = before;
        before += sum;
    }
    CUDA_CHECK(cudaMemcpy(sums, ends.data(), blocks * sizeof(int), cudaMemcpyHostToDevice));
    multi_block_v6_add<<<blocks, kBlock>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
