// expect: wrong; task 4; cause: nobody has written
// REGION 4
    T identity = operation.template identity<T>();
    const int blocks = std::min(std::max((n + kTile - 1) / kTile, 1), kMaxBlocks);
    any_operation_v4<<<blocks, kBlock>>>(in, n, operation, identity, partials);
    any_operation_v4<<<1, kBlock>>>(partials, n, operation, identity, out);
    CUDA_CHECK_LAUNCH();
