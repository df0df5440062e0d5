// expect: right
// REGION 3
    const bool vectors = kernel == Kernel::copy || kernel == Kernel::add_scale;
    const double matrices[] = {2, 3, 2, 1, 3, 3};
    const double floats = matrices[static_cast<int>(kernel)] * (vectors ? n : n * n);
    return 4 * (kernel == Kernel::matvec ? floats + n + n : floats);
