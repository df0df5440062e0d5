// expect: wrong; task 3; cause: compulsory_bytes(Kernel::matvec
// REGION 3
    switch (kernel) {
        case Kernel::copy: return 8 * n;
        case Kernel::add_scale: return 12 * n;
        case Kernel::stencil: return 8 * n * n;
        case Kernel::matvec: return 4 * n * n;
        default: return 12 * n * n;
    }
