// expect: wrong; task 3; cause: permute_rows
// REGION 3
    if (columns >= longest_row()) return cudaErrorInvalidConfiguration;
    int bytes = columns * static_cast<int>(sizeof(float));
    CUDA_CHECK(cudaFuncSetAttribute(permute_v5, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    permute_v5<<<rows, kPermuteBlock, bytes>>>(data, columns, order);
    CUDA_CHECK_LAUNCH();
