// Correct programs that resemble mistakes with discarded lines: the line is read before the discard, or
// written again after it. Also hints of all kinds, which do not change results.
#include <cuda/annotated_ptr>

#include "checks.cuh"

constexpr int line = 32;  // number of floats in a cache line
using Floats = std::vector<float>;
using Property = cuda::access_property;

__global__ void own_line(const float* in, float* scratch, float* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    scratch[i] = 2 * in[i];
    out[i] = scratch[i] + 1;
    __syncwarp();
    if (threadIdx.x % 32 == 0) cuda::discard_memory(scratch + i, 128);
}
SILENT("each warp discards its own line behind __syncwarp()") {
    Buffer<float> in(4 * line, 3.0f), scratch(4 * line), out(4 * line);
    own_line<<<2, 64>>>(in, scratch, out);
    CHECK_EQUAL(out.read(), Floats(4 * line, 7.0f));
}

__global__ void discard_all(float* scratch, int n) {
    const int t = static_cast<int>(threadIdx.x);
    if (t * line < n) cuda::discard_memory(scratch + t * line, 128);
}
__global__ void fill(float* out, int n, float value) {
    if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = value;
}
__global__ void double_it(const float* in, float* out) {
    out[threadIdx.x] = 2 * in[threadIdx.x];
}
SILENT("discarded by one kernel, written by the next, read by the third") {
    Buffer<float> scratch(2 * line, 1.0f), out(2 * line);
    double_it<<<1, 2 * line>>>(scratch, out);
    discard_all<<<1, 32>>>(scratch, 2 * line);
    fill<<<1, 2 * line>>>(scratch, 2 * line, 5.0f);
    double_it<<<1, 2 * line>>>(scratch, out);
    CHECK_EQUAL(out.read(), Floats(2 * line, 10.0f));
}

SILENT("cudaMemset and cudaMemcpy write discarded lines, too") {
    Buffer<float> scratch(2 * line, 1.0f), out(2 * line);
    discard_all<<<1, 32>>>(scratch, 2 * line);
    cudaMemset(scratch, 0, 2 * 128);
    double_it<<<1, 2 * line>>>(scratch, out);
    CHECK_EQUAL(out.read(), Floats(2 * line, 0.0f));
    const Floats values(2 * line, 4.0f);
    discard_all<<<1, 32>>>(scratch, 2 * line);
    cudaMemcpy(scratch, values.data(), 2 * 128, cudaMemcpyHostToDevice);
    double_it<<<1, 2 * line>>>(scratch, out);
    CHECK_EQUAL(out.read(), Floats(2 * line, 8.0f));
}

__global__ void all_discard(const float* scratch, float* rest, float* out) {
    out[threadIdx.x] = scratch[threadIdx.x];
    __syncthreads();
    cuda::discard_memory(rest, 128);
}
SILENT("several threads discard one line, in no order") {
    Buffer<float> scratch(2 * line, 6.0f), out(2 * line);
    all_discard<<<1, 2 * line>>>(scratch, scratch, out);
    CHECK_EQUAL(out.read(), Floats(2 * line, 6.0f));
}

__global__ void backwards(float* scratch, float* out) {
    const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    scratch[t] = static_cast<float>(t);
    __syncthreads();
    out[t] = scratch[n - 1 - t];
    __syncthreads();
    if (t % 32 == 0) cuda::discard_memory(scratch + t, 128);
}
SILENT("other warps have read the line, and a barrier stands in front of the discard") {
    Buffer<float> scratch(3 * line), out(3 * line);
    backwards<<<1, 3 * line>>>(scratch, out);
    CHECK_EQUAL(out.read()[0], 95.0f);
}

__global__ void neighbour_lines(float* scratch, float* out) {
    const int t = static_cast<int>(threadIdx.x);
    if (t < 32)
        out[t] = scratch[t];
    else if (t == 32)
        cuda::discard_memory(scratch + line, 128);
}
SILENT("the next line is another line") {
    Buffer<float> scratch(2 * line, 8.0f), out(line);
    neighbour_lines<<<1, 64>>>(scratch, out);
    CHECK_EQUAL(out.read(), Floats(line, 8.0f));
}

__global__ void discard_nothing(float* scratch, float* out) {
    cuda::discard_memory(scratch, 0);
    out[threadIdx.x] = scratch[threadIdx.x];
}
SILENT("no bytes are discarded") {
    Buffer<float> scratch(line, 9.0f), out(line);
    discard_nothing<<<1, line>>>(scratch, out);
    CHECK_EQUAL(out.read(), Floats(line, 9.0f));
}

SILENT("a copy of discarded lines that nobody uses") {
    Buffer<float> scratch(line, 1.0f), copy(line);
    discard_all<<<1, 1>>>(scratch, line);
    CHECK_CUDA(cudaMemcpy(copy, scratch, 128, cudaMemcpyDeviceToDevice), cudaSuccess);
    fill<<<1, line>>>(copy, line, 1.0f);
    CHECK_EQUAL(copy.read(), Floats(line, 1.0f));
}

template <class Kind>
__global__ void copy_as(const float* in, float* out, Kind) {
    const cuda::annotated_ptr<const float, Kind> from(in);
    cuda::annotated_ptr<float, Kind> to(out);
    to[threadIdx.x] = from[threadIdx.x];
}
SILENT("each property, for loads and stores") {
    Buffer<float> in(line, 3.0f), out(line);
    copy_as<<<1, line>>>(in.data(), out.data(), Property::normal{});
    copy_as<<<1, line>>>(in.data(), out.data(), Property::streaming{});
    copy_as<<<1, line>>>(in.data(), out.data(), Property::persisting{});
    copy_as<<<1, line>>>(in.data(), out.data(), Property::global{});
    CHECK_EQUAL(out.read(), Floats(line, 3.0f));
}

__global__ void copy_half_persisting(const float* in, float* out) {
    const Property half(Property::persisting{}, 0.5f, Property::streaming{});
    const cuda::annotated_ptr<const float, Property> from(in, half);
    out[threadIdx.x] = from[threadIdx.x] + *from;
}
SILENT("a property for half of the lines") {
    Buffer<float> in(line, 3.0f), out(line);
    copy_half_persisting<<<1, line>>>(in, out);
    CHECK_EQUAL(out.read(), Floats(line, 6.0f));
}

__global__ void copy_in_shared(const float* in, float* out) {
    __shared__ float tile[line];
    cuda::annotated_ptr<float, Property::shared> there(tile);
    there[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = there[line - 1 - static_cast<int>(threadIdx.x)];
}
SILENT("an annotated pointer to shared memory") {
    Buffer<float> in(line, 2.0f), out(line);
    copy_in_shared<<<1, line>>>(in, out);
    CHECK_EQUAL(out.read(), Floats(line, 2.0f));
}

__global__ void bring_and_let_go(float* data, float* out) {
    if (threadIdx.x == 0) cuda::apply_access_property(data, 128, Property::persisting{});
    out[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x == 1) cuda::apply_access_property(data, 128, Property::normal{});
}
SILENT("a property is applied to a line that others read: that is no access to its values") {
    Buffer<float> data(line, 4.0f), out(line);
    bring_and_let_go<<<1, line>>>(data, out);
    CHECK_EQUAL(out.read(), Floats(line, 4.0f));
}

CHECKS_MAIN("silent_cache")
