// expect: wrong; task 1; cause: place is
// REGION 1
    const double ridge = machine.gflop_per_s / machine.gb_per_s;
    return sample.flops / sample.bytes < ridge ? Place::memory_roof : Place::compute_roof;
