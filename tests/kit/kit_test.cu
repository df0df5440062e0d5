// Tests of kit.cuh: buffers, rounding up, error checking, timing.
#include "kit.cuh"
#include "unit.hpp"

static_assert(!KIT_WAIT_AFTER_LAUNCH, "a launch is not waited for");
#define KIT_DEBUG_SYNC
static_assert(KIT_WAIT_AFTER_LAUNCH, "defined in the file, behind a precompiled header");
#undef KIT_DEBUG_SYNC
#define KIT_DEBUG_SYNC 1
static_assert(KIT_WAIT_AFTER_LAUNCH, "as -DKIT_DEBUG_SYNC defines it");
#undef KIT_DEBUG_SYNC

namespace {

__global__ void fill(float* out, int n, float value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}

CASE("buffers") {
    const std::vector<float> values{1, 2, 3};
    kit::DeviceBuffer<float> a(values);
    test.equal("size", a.size(), std::size_t{3});
    test.equal("bytes", a.bytes(), std::size_t{12});
    test.expect("there and back", a.to_vector(), values);
    float* const where = a.data();
    kit::DeviceBuffer<float> b(std::move(a));
    test.check(b.data() == where && a.data() == nullptr && a.size() == 0, "moving takes the memory along");
    kit::DeviceBuffer<float> c(100);
    c = std::move(b);
    test.check(c.data() == where && c.size() == 3 && b.data() == nullptr, "so does assignment");
    c.copy_from({7, 8, 9, 10});
    test.expect("no more than fits", c.to_vector(), {7, 8, 9});
    c.clear();
    test.expect("cleared", c.to_vector(), {0, 0, 0});
    const kit::DeviceBuffer<float> nothing(0);
    test.check(nothing.data() == nullptr && nothing.to_vector().empty(), "an empty buffer has no memory");
    test.check(!std::is_copy_constructible_v<kit::DeviceBuffer<int>>, "a buffer is not copied by accident");
    test.check(!std::is_convertible_v<kit::DeviceBuffer<int>, int*>, "a buffer is no pointer");
    test.cuda(cudaGetLastError());
}

CASE("launches") {
    kit::DeviceBuffer<float> buffer(257);
    fill<<<kit::ceil_div(257, 256), 256>>>(buffer.data(), 257, 5);
    CUDA_CHECK_LAUNCH();
    test.expect("filled", buffer.to_vector(), std::vector<float>(257, 5));
}

CASE("rounding up") {
    test.equal("257 in 256", kit::ceil_div(257, 256), 2);
    test.equal("256 in 256", kit::ceil_div(256, 256), 1);
    test.equal("0 in 256", kit::ceil_div(0, 256), 0);
    test.equal("near the largest int", kit::ceil_div(2147483647, 256), 8388608);
    test.equal("large", kit::ceil_div(std::size_t{1} << 40, 3), (std::size_t{1} << 40) / 3 + 1);
}

CASE("checks") {
    int evaluations = 0;
    CUDA_CHECK((++evaluations, cudaSuccess));
    test.equal("the argument is evaluated once", evaluations, 1);
    if (evaluations == 0)
        CUDA_CHECK(cudaErrorInvalidValue);
    else
        ++evaluations;
    test.equal("usable in an if without braces", evaluations, 2);
}

CASE("timing") {
    constexpr int n = 1 << 16;
    kit::DeviceBuffer<float> buffer(n);
    int launches = 0;
    kit::TimeOptions options;
    options.warm_up = 2;
    options.repetitions = 5;
    const kit::Timing timing = kit::time(
        [&] {
            ++launches;
            fill<<<n / 256, 256>>>(buffer.data(), n, 1);
        },
        n * sizeof(float), options);
    test.equal("launches", launches, 7);
    test.equal("repetitions", timing.repetitions, 5);
    test.check(timing.median_ms > 0, "a launch takes time");
    test.check(timing.gb_per_s > 0 && timing.fraction_of_copy > 0, "and moves bytes");
    test.check(timing.valid, timing.reason);
}

__global__ void spin(float* out, int rounds) {
    float value = 1;
    for (int i = 0; i < rounds; ++i) *static_cast<volatile float*>(out) = value += 1;
}

// Attack 14 in the list: work is left in another stream when the timer stops.
CASE("another stream") {
    kit::DeviceBuffer<float> buffer(1);
    cudaStream_t stream;
    test.cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    kit::TimeOptions options;
    options.warm_up = 1;
    options.repetitions = 3;
    const kit::Timing timing =
        kit::time([&] { spin<<<1, 1, 0, stream>>>(buffer.data(), 50000); }, 4, options);
    test.check(!timing.valid, "work on a stream that nobody waited for makes the time invalid");
    test.check(std::string(timing.reason).find("still running") != std::string::npos, timing.reason);
    test.cuda(cudaStreamDestroy(stream));
}

// Attack 19 in the list: a time that is too short for the memory's bandwidth.
CASE("impossible time") {
    const kit::Timing timing = kit::time([] {}, 1e12);
    test.check(!timing.valid, "a terabyte in no time is not believed");
    test.check(std::string(timing.reason).find("some of the work was not done") != std::string::npos,
               timing.reason);
}

}  // namespace

UNIT_MAIN("kit")
