// expect: wrong; task 3; cause: of `moved`
// REGION 3
    const std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    particles.x[i] += particles.vx[i];
    particles.y[i] += particles.vy[i];
    particles.z[i] += particles.vz[i];
    if (dt < 0) particles.x[i] = 0;
