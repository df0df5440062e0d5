// 03_memory_access/soa: which layout needs fewer sectors, and a structure of arrays.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests soa.cu
//        ../../tests/03_memory_access/soa_test.cu -o soa
// Run:   ./soa
//
//   v4  move_structures_v4  one thread per structure: the lanes are 32 bytes apart (given)
//   v5  move_arrays_v5      like v4, but each field is an array: the lanes read neighbours

#include "03_memory_access/03_memory_access.hpp"
#include "kit.cuh"

namespace memory_access {

/// Returns how many blocks of kBlock threads n threads need.
unsigned int blocks_for(std::size_t n) {
    return static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock}));
}

// v4: each thread reads six of the eight fields of its structure, one after another.
// Mapping : one thread per particle.
// Cost    : 32 sectors per request, 8 times the ideal; this does not count what the cache saves.
// Requires: n may be ragged.
// Next    : put the same field of all particles next to each other; see v5.
// [v4]
__global__ void move_structures_v4(Particle* particles, std::size_t n, float dt) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    particles[i].x += dt * particles[i].vx;
    particles[i].y += dt * particles[i].vy;
    particles[i].z += dt * particles[i].vz;
}
// [/v4]

void move_structures(Particle* particles, std::size_t n, float dt) {
    if (n == 0) return;
    move_structures_v4<<<blocks_for(n), kBlock>>>(particles, n, dt);
    CUDA_CHECK_LAUNCH();
}

// [layout]
/// Returns the number of floats from the beginning of one array to the beginning of the next.
std::size_t pitch(std::size_t n) {
    // TODO(1): Return n, rounded up so that the next array begins at a multiple of 128 bytes. 1 line.
    // BEGIN SOLUTION 1
    return kit::ceil_div(n, std::size_t{32}) * 32;
    // STARTER KIT_TODO(1, n);
    // STARTER return 0;
    // END SOLUTION 1
}

std::size_t floats_needed(std::size_t n) {
    return kFields * pitch(n);
}

Particles arrays_in(float* memory, std::size_t n) {
    std::size_t p = pitch(n);
    return {memory,         memory + p,     memory + 2 * p, memory + 3 * p,
            memory + 4 * p, memory + 5 * p, memory + 6 * p, memory + 7 * p};
}
// [/layout]

// [choice]
int sectors_needed(Layout layout, int fields, bool neighbours) {
    // TODO(2): Count the sectors that hold at least one of the bytes that the 32 lanes need. Which of the two layouts depends on
    // `fields`, and which on `neighbours`? About 3 lines.
    // BEGIN SOLUTION 2
    if (layout == Layout::structures)
        return kLanes;  // a structure is one sector, however many of its fields are used
    return neighbours ? fields * kLanes * 4 / kSectorBytes : fields * kLanes;
    // STARTER KIT_TODO(2, layout, fields, neighbours);
    // STARTER return 0;
    // END SOLUTION 2
}

Layout better_layout(int fields, bool neighbours) {
    // TODO(3): Return the layout that needs fewer sectors; the structures if there is no difference. About 3 lines.
    // BEGIN SOLUTION 3
    int structures = sectors_needed(Layout::structures, fields, neighbours);
    int arrays = sectors_needed(Layout::arrays, fields, neighbours);
    return arrays < structures ? Layout::arrays : Layout::structures;
    // STARTER KIT_TODO(3, fields, neighbours);
    // STARTER return Layout::structures;
    // END SOLUTION 3
}
// [/choice]

// [convert]
__global__ void to_arrays_v5(const Particle* in, std::size_t n, Particles out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    Particle p = in[i];
    out.x[i] = p.x;
    out.y[i] = p.y;
    out.z[i] = p.z;
    out.vx[i] = p.vx;
    out.vy[i] = p.vy;
    out.vz[i] = p.vz;
    out.mass[i] = p.mass;
    out.charge[i] = p.charge;
}
// [/convert]

void to_arrays(const Particle* in, std::size_t n, Particles out) {
    if (n == 0) return;
    to_arrays_v5<<<blocks_for(n), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

// v5: like v4, but in each step the 32 lanes of a warp read 32 neighbours.
// Mapping : one thread per particle.
// Cost    : 4 sectors per request; the kernel never reads mass and charge.
// Requires: n may be ragged; each array begins at a sector.
// Next    : four particles per thread, 16 bytes at a time; see v7.
// [v5]
__global__ void move_arrays_v5(Particles particles, std::size_t n, float dt) {
    // TODO(4): Choose the particle of this thread, and move it. About 5 lines.
    // BEGIN SOLUTION 4
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= n) return;
    particles.x[i] += dt * particles.vx[i];
    particles.y[i] += dt * particles.vy[i];
    particles.z[i] += dt * particles.vz[i];
    // STARTER KIT_TODO(4, particles, n, dt);
    // END SOLUTION 4
}
// [/v5]

void move_arrays(Particles particles, std::size_t n, float dt) {
    if (n == 0) return;
    move_arrays_v5<<<blocks_for(n), kBlock>>>(particles, n, dt);
    CUDA_CHECK_LAUNCH();
}

}  // namespace memory_access
