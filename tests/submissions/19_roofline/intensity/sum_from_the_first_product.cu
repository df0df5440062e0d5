// expect: wrong; task 1; cause: flops(Kernel::matvec
// REGION 1
    switch (kernel) {
        case Kernel::copy: return 0;
        case Kernel::add_scale: return n + n;
        case Kernel::stencil: return n * n * 6;
        case Kernel::matvec: return n * (2 * n - 1);
        case Kernel::matmul: case Kernel::matmul_tiled: return n * n * (2 * n - 1);
    }
