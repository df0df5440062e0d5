// expect: right
// REGION 3
    float* const position[] = {particles.x, particles.y, particles.z};
    const float* const velocity[] = {particles.vx, particles.vy, particles.vz};
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x; i < n; i += std::size_t{gridDim.x} * kBlock)
            position[axis][i] += dt * velocity[axis][i];
