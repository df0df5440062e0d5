// expect: right
// REGION 1
    const double gb = sample.bytes * 1e-9 / sample.seconds, gflop = sample.flops * 1e-9 / sample.seconds;
    const bool memory = gb >= kReached * machine.gb_per_s, compute = gflop >= kReached * machine.gflop_per_s;
    if (memory && compute) return gb / machine.gb_per_s >= gflop / machine.gflop_per_s ? Place::memory_roof : Place::compute_roof;
    return memory ? Place::memory_roof : compute ? Place::compute_roof : Place::below_both;
