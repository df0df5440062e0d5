// The examples of lectures/diagnoses about memory requests of warps: the mistake and the fix. The results are
// correct, but a test that demands counts reports the mistake. A GPU does not count.
#include "pages.cuh"
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>

using kit::cpu::RequestKind;

/// Runs the kernel, and then makes the demand of a test.
template <class Launch>
void run_and_demand(double at_most, RequestKind kind, Launch launch) {
    kit::cpu::begin_profile();
    launch();
    cudaDeviceSynchronize();
    kit::cpu::end_profile();
    kit::cpu::demand_at_most(at_most, kind, kit::cpu::take_profile());
}

/// Runs the kernel, and then makes the demand of a test about lanes that execute together.
template <class Launch>
void run_and_demand_lanes(double at_least, std::uint64_t branches_at_most, Launch launch) {
    kit::cpu::begin_profile();
    launch();
    cudaDeviceSynchronize();
    kit::cpu::end_profile();
    const std::vector<kit::cpu::KernelProfile> profile = kit::cpu::take_profile();
    kit::cpu::demand_lanes_at_least(at_least, RequestKind::load, profile);
    kit::cpu::demand_divergent_at_most(branches_at_most, profile);
}
#else
enum class RequestKind { load, store, shared_load, shared_store };

template <class Launch>
void run_and_demand(double, RequestKind, Launch launch) {
    launch();
}

template <class Launch>
void run_and_demand_lanes(double, unsigned long long, Launch launch) {
    launch();
}
#endif

// ---- sectors ----

// [sectors]
__global__ void scale_rows(float* data, int rows, int columns, float factor) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int column = 0; column < columns; ++column) {
        data[row * columns + column] *= factor;  // <-
    }
}
// [/sectors]
#ifdef KIT_CPU
PLANTED("sectors", "sectors", "32 sectors per request, 4 are enough: neighbours are 400 bytes apart") {
    Buffer<float> data(64 * 100, 1.0f);
    run_and_demand(4.5, RequestKind::load, [&] { scale_rows<<<1, 64>>>(data, 64, 100, 2.0f); });
}
#endif

// [sectors_cure]
__global__ void scale(float* data, int rows, int columns, float factor) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    for (int row = 0; row < rows; ++row) {
        data[row * columns + column] *= factor;  // neighbours side by side
    }
}
// [/sectors_cure]
SILENT("sectors, cured") {
    Buffer<float> data(64 * 128, 1.0f);
    run_and_demand(4.5, RequestKind::load, [&] { scale<<<2, 64>>>(data, 64, 128, 2.0f); });
    CHECK_EQUAL(data.read(), std::vector<float>(64 * 128, 2.0f));
}

// ---- bank_conflicts ----

// [bank_conflicts]
__global__ void transpose_unpadded(float* out, const float* in) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // <-
}
// [/bank_conflicts]
#ifdef KIT_CPU
PLANTED("bank_conflicts", "bank_conflicts",
        "32 wavefronts per request, 1 is enough: neighbours are 128 bytes apart") {
    Buffer<float> out(1024), in(1024, 1.0f);
    run_and_demand(1, RequestKind::shared_load, [&] { transpose_unpadded<<<1, dim3(32, 32)>>>(out, in); });
}
#endif

// [bank_conflicts_cure]
__global__ void transpose_padded(float* out, const float* in) {
    __shared__ float tile[32][33];  // each row starts one bank after the previous row
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// [/bank_conflicts_cure]
SILENT("bank_conflicts, cured") {
    std::vector<float> rows(1024), columns(1024);
    for (int i = 0; i < 1024; ++i) rows[i] = float(i), columns[i % 32 * 32 + i / 32] = float(i);
    Buffer<float> out(1024), in(rows);
    run_and_demand(1, RequestKind::shared_load, [&] { transpose_padded<<<1, dim3(32, 32)>>>(out, in); });
    CHECK_EQUAL(out.read(), columns);
}

// ---- divergence ----

// [divergence]
__global__ void every_second(float* data, const float* table) {
    int i = threadIdx.x;
    float sum = 0;
    if (i % 2 == 0) {
        for (int k = 0; k < 100; ++k) sum += table[(i + k) % 128];  // <-
    }
    data[i] = sum;
}
// [/divergence]
#ifdef KIT_CPU
PLANTED("divergence", "divergence", "only 16 of 32 lanes are active") {
    Buffer<float> data(128), table(128, 1.0f);
    run_and_demand_lanes(30, 1000, [&] { every_second<<<1, 128>>>(data, table); });
}
#endif

#ifdef KIT_CPU
__global__ void stores_by_turns(float* data, const float* table) {
    data[threadIdx.x] = table[threadIdx.x];
    if (threadIdx.x % 2 == 0) data[128 + threadIdx.x] = 1;  // <-
}
PLANTED("divergence, branches", "divergence", "4 times, only some lanes of a warp continue") {
    Buffer<float> data(256), table(128, 1.0f);
    run_and_demand_lanes(0, 0, [&] { stores_by_turns<<<1, 128>>>(data, table); });
}
#endif

// [divergence_cure]
__global__ void every_second_warp(float* data, const float* table) {
    int pair = threadIdx.x / 64, lane = threadIdx.x % 32, odd = threadIdx.x / 32 % 2;
    int i = 64 * pair + 2 * lane + odd;  // a warp has even elements only, or odd ones only
    float sum = 0;
    if (i % 2 == 0) {
        for (int k = 0; k < 100; ++k) sum += table[(i + k) % 128];
    }
    data[i] = sum;
}
// [/divergence_cure]
SILENT("divergence, cured") {
    Buffer<float> data(128), table(128, 1.0f);
    run_and_demand_lanes(32, 0, [&] { every_second_warp<<<1, 128>>>(data, table); });
    std::vector<float> want(128);
    for (int i = 0; i < 128; i += 2) want[i] = 100;
    CHECK_EQUAL(data.read(), want);
}

PAGES_MAIN("pages_counts")
