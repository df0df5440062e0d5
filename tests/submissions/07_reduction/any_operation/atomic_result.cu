// expect: wrong; task 4|2|3; cause: after the end of `out`
// REGION 4
    T identity = operation.template identity<T>();
    int blocks = std::clamp(kit::ceil_div(n, kTile), 1, kMaxBlocks);
    any_operation_v4<<<blocks, kBlock>>>(in, n, operation, identity, out);
    (void)partials;
    CUDA_CHECK_LAUNCH();
