// The L2 cache as a program controls it: its set-aside part, access policy windows, properties and discards.
// Such controls do not change results.
#include <cuda/annotated_ptr>

#include "conformance.cuh"
#ifdef KIT_CPU
#include <kit_cpu/cache_hints.hpp>
#endif

using Floats = std::vector<float>;
using Property = cuda::access_property;

namespace {

const cudaDeviceProp& properties() {
    static const cudaDeviceProp all = [] {
        cudaDeviceProp p{};
        cudaGetDeviceProperties(&p, 0);
        return p;
    }();
    return all;
}

cudaStreamAttrValue window(void* base, std::size_t bytes, float ratio = 1,
                           cudaAccessProperty hit = cudaAccessPropertyPersisting,
                           cudaAccessProperty miss = cudaAccessPropertyStreaming) {
    cudaStreamAttrValue value{};
    value.accessPolicyWindow = {base, bytes, ratio, hit, miss};
    return value;
}

struct Stream {
    Stream() { cudaStreamCreate(&stream); }
    ~Stream() { cudaStreamDestroy(stream); }
    cudaError_t set(const cudaStreamAttrValue& value) const {
        return cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    }
    operator cudaStream_t() const { return stream; }
    cudaStream_t stream = nullptr;
};

__global__ void double_it(const float* in, float* out) {
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

}  // namespace

CASE("the device says how much of L2 may be set aside, and how large a window may be") {
    const cudaDeviceProp& p = properties();
    CHECK(p.l2CacheSize > 0);
    CHECK(p.persistingL2CacheMaxSize >= 0 && p.persistingL2CacheMaxSize < p.l2CacheSize);
    int most = 0, largest = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxAccessPolicyWindowSize, 0), cudaSuccess);
    CHECK_EQUAL(most, p.persistingL2CacheMaxSize);
    CHECK_EQUAL(largest, p.accessPolicyMaxWindowSize);
}

CASE("a size is set aside, and given back") {
    const auto most = static_cast<std::size_t>(properties().persistingL2CacheMaxSize);
    if (!most) SKIP("the device sets nothing aside");
    std::size_t now = 1;
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize), cudaSuccess);
    CHECK_EQUAL(now, most);
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize), cudaSuccess);
    CHECK_EQUAL(now, std::size_t(0));
}

CASE("the device may round up, and has no more than it says") {
    const auto most = static_cast<std::size_t>(properties().persistingL2CacheMaxSize);
    if (!most) SKIP("the device sets nothing aside");
    std::size_t now = 0;
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1000000), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize), cudaSuccess);
    CHECK(now >= 1000000 && now <= most / 4);
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, now + 1), cudaSuccess);
    std::size_t next = 0;
    CHECK_CUDA(cudaDeviceGetLimit(&next, cudaLimitPersistingL2CacheSize), cudaSuccess);
    CHECK(next > now);
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), cudaSuccess);
}

CASE_MISUSE("more is set aside than there may be") {
    const auto most = static_cast<std::size_t>(properties().persistingL2CacheMaxSize);
    std::size_t now = 1;
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most + 1), cudaErrorInvalidValue);
    CHECK_CUDA(cudaDeviceGetLimit(&now, cudaLimitPersistingL2CacheSize), cudaSuccess);
    CHECK_EQUAL(now, std::size_t(0));
    cudaGetLastError();
}

CASE("a window of a stream is read back as it was set") {
    const Stream stream;
    const Buffer<float> data(1 << 16);
    REQUIRE_CUDA(stream.set(window(data.data(), 1 << 18, 0.5f)));
    cudaStreamAttrValue now{};
    CHECK_CUDA(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &now), cudaSuccess);
    CHECK(now.accessPolicyWindow.base_ptr == data.data());
    CHECK_EQUAL(now.accessPolicyWindow.num_bytes, std::size_t(1 << 18));
    CHECK_EQUAL(now.accessPolicyWindow.hitRatio, 0.5f);
    CHECK(now.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    CHECK(now.accessPolicyWindow.missProp == cudaAccessPropertyStreaming);
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    CHECK_CUDA(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &now), cudaSuccess);
    CHECK_EQUAL(now.accessPolicyWindow.num_bytes, std::size_t(0));
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

CASE_MISUSE("windows that cannot be") {
    const Stream stream;
    const Buffer<float> data(1024);
    CHECK_CUDA(stream.set(window(data.data(), 4096, 1.5f)), cudaErrorInvalidValue);
    CHECK_CUDA(stream.set(window(data.data(), 4096, -0.5f)), cudaErrorInvalidValue);
    CHECK_CUDA(
        stream.set(window(data.data(), 4096, 1, cudaAccessPropertyPersisting, cudaAccessPropertyPersisting)),
        cudaErrorInvalidValue);
    const auto largest = static_cast<std::size_t>(properties().accessPolicyMaxWindowSize);
    CHECK_CUDA(stream.set(window(data.data(), largest + 1)), cudaErrorInvalidValue);
    cudaGetLastError();
}

CASE("a kernel gives the same under a window of its stream, and of its launch") {
    const Stream stream;
    const Buffer<float> in(64, 3.0f), out(64);
    CHECK_CUDA(stream.set(window(in.data(), 256)), cudaSuccess);
    double_it<<<1, 64, 0, stream>>>(in, out);
    CHECK_EQUAL(out.read(), Floats(64, 6.0f));
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeAccessPolicyWindow;
    attribute.val = window(out.data(), 256);
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 64;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const float* from = out;
    CHECK_CUDA(cudaLaunchKernelEx(&config, double_it, from, in.data()), cudaSuccess);
    CHECK_EQUAL(in.read(), Floats(64, 12.0f));
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

__global__ void annotated(const float* in, float* scratch, float* out) {
    const cuda::annotated_ptr<const float, Property::streaming> from(in);
    const cuda::annotated_ptr<float, Property::persisting> kept(scratch);
    const cuda::annotated_ptr<float, Property> to(out, Property(Property::normal{}));
    const int t = static_cast<int>(threadIdx.x);
    kept[t] = from[t] + 1;
    to[t] = *(kept.get() + t) + kept[t];
    __syncwarp();
    if (t % 32 == 0) cuda::discard_memory(scratch + t, 128);
}
CASE("annotated pointers read and write as others do") {
    const Buffer<float> in(64, 3.0f), scratch(64), out(64);
    annotated<<<1, 64>>>(in, scratch, out);
    CHECK_EQUAL(out.read(), Floats(64, 8.0f));
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

__global__ void facts(int* out) {
    const cuda::annotated_ptr<int, Property::normal> none;
    const cuda::annotated_ptr<int, Property::normal> some(out);
    const cuda::annotated_ptr<const int, Property::normal> constant(some);
    out[0] = none ? 1 : 0;
    out[1] = some ? 1 : 0;
    out[2] = static_cast<int>(cuda::annotated_ptr<int, Property::normal>(out + 5) - some);
    out[3] = constant.get() == out ? 1 : 0;
    out[4] = *cuda::associate_access_property(out + 2, Property::streaming{});
}
CASE("what annotated pointers have of pointers") {
    const Buffer<int> out(6);
    facts<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{0, 1, 5, 1, 5, 0});
}

CASE("host code may discard: nothing happens") {
    Floats values(64, 1.0f);
    cuda::discard_memory(values.data(), 256);
    CHECK_EQUAL(values, Floats(64, 1.0f));
}

// ---- what the executor keeps of it ----
#ifdef KIT_CPU

namespace cpu = kit::cpu;

CASE("which kernel ran under which window, and what was set aside then") {
    const Stream stream;
    const Buffer<float> in(64, 3.0f), out(64);
    cpu::reset_cache_hints();
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20), cudaSuccess);
    CHECK_CUDA(stream.set(window(in.data(), 256, 0.5f)), cudaSuccess);
    double_it<<<1, 64, 0, stream>>>(in, out);
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    double_it<<<1, 64, 0, stream>>>(in, out);
    CHECK(cpu::cache_hints().launches.empty());  // nothing is recorded before the kernels run
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    const cpu::CacheHints hints = cpu::cache_hints();
    REQUIRE_CUDA(hints.launches.size() == 1 ? cudaSuccess : cudaErrorUnknown);
    CHECK_EQUAL(hints.launches[0].kernel, std::string("double_it"));
    CHECK_EQUAL(hints.launches[0].window.num_bytes, std::size_t(256));
    CHECK_EQUAL(hints.launches[0].set_aside, std::size_t(3932160));  // one sixteenth of the cache
    CHECK_EQUAL(cpu::persisting_bytes(), std::size_t(256));
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    CHECK_EQUAL(cpu::persisting_bytes(), std::size_t(0));
    CHECK(cpu::left_persisting().empty());
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), cudaSuccess);
}

CASE("a captured kernel keeps the window of its stream") {
    const Stream stream;
    const Buffer<float> in(64, 3.0f), out(64);
    cpu::reset_cache_hints();
    CHECK_CUDA(stream.set(window(in.data(), 256)), cudaSuccess);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    REQUIRE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    double_it<<<1, 64, 0, stream>>>(in, out);
    REQUIRE_CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    REQUIRE_CUDA(cudaGraphInstantiate(&instance, graph, 0));
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(cpu::cache_hints().launches.size(), std::size_t(1));
    CHECK_CUDA(cudaGraphExecDestroy(instance), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

CASE("accesses by property, and whole lines that are discarded") {
    const Buffer<float> in(64, 3.0f), scratch(64), out(64);
    cpu::reset_cache_hints();
    annotated<<<1, 64>>>(in, scratch, out);
    CHECK_EQUAL(out.read(), Floats(64, 8.0f));
    const cpu::CacheHints hints = cpu::cache_hints();
    CHECK_EQUAL(hints.streaming, std::uint64_t(64));
    CHECK_EQUAL(hints.persisting, std::uint64_t(128));
    CHECK_EQUAL(hints.normal, std::uint64_t(64));
    CHECK_EQUAL(hints.discarded_lines, std::uint64_t(2));
    CHECK_EQUAL(hints.kept_bytes, std::uint64_t(0));
    CHECK_EQUAL(cpu::persisting_bytes(), std::size_t(0));  // lines that were discarded do not persist
}

__global__ void discard_in_part(float* data) {
    cuda::discard_memory(data + threadIdx.x, 4);
    cuda::discard_memory(data + 33, 2 * 128 - 4);
}
CASE("parts of lines are not discarded by a device") {
    const Buffer<float> data(128);
    cpu::reset_cache_hints();
    discard_in_part<<<1, 1>>>(data);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(cpu::cache_hints().discarded_lines, std::uint64_t(1));
    CHECK_EQUAL(cpu::cache_hints().kept_bytes, std::uint64_t(4 + 124));
}

__global__ void apply(const float* data, bool persist) {
    if (persist)
        cuda::apply_access_property(data, 200, Property::persisting{});
    else
        cuda::apply_access_property(data, 128, Property::normal{});
}
CASE("what was made to persist is left until it is reset") {
    const Buffer<float> data(128);
    cpu::reset_cache_hints();
    apply<<<1, 1>>>(data, true);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(cpu::cache_hints().applied_lines, std::uint64_t(2));
    CHECK_EQUAL(cpu::persisting_bytes(), std::size_t(256));
    apply<<<1, 1>>>(data, false);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(cpu::persisting_bytes(), std::size_t(128));
    const std::vector<cpu::Finding> left = cpu::left_persisting();
    REQUIRE_CUDA(left.size() == 1 ? cudaSuccess : cudaErrorUnknown);
    CHECK_EQUAL(left[0].kind, std::string("persisting"));
    CHECK_EQUAL(std::string(kit::facts::name_of(left[0].rule)), std::string("lines_left_by_access"));
    CHECK_EQUAL(left[0].kernel, std::string("apply"));
    CHECK_EQUAL(left[0].value("bytes")->number, 128.0);
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    CHECK(cpu::left_persisting().empty());
}

CASE("a reset before the kernel has run resets nothing") {
    const Stream stream;
    const Buffer<float> in(64, 3.0f), out(64);
    CHECK_CUDA(stream.set(window(in.data(), 256)), cudaSuccess);
    double_it<<<1, 64, 0, stream>>>(in, out);
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(cpu::left_persisting().size(), std::size_t(1));
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

CASE("a window that stays is told, and memory that is freed persists no longer") {
    const Stream stream;
    {
        const Buffer<float> in(64, 3.0f), out(64);
        CHECK_CUDA(stream.set(window(in.data(), 256)), cudaSuccess);
        double_it<<<1, 64, 0, stream>>>(in, out);
        CHECK_EQUAL(out.read(), Floats(64, 6.0f));
        CHECK_EQUAL(cpu::left_persisting().size(), std::size_t(2));
    }
    const std::vector<cpu::Finding> left = cpu::left_persisting();
    REQUIRE_CUDA(left.size() == 1 ? cudaSuccess : cudaErrorUnknown);
    CHECK_EQUAL(std::string(kit::facts::name_of(left[0].rule)), std::string("window_left"));
    CHECK_EQUAL(left[0].value("bytes")->number, 256.0);
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    CHECK(cpu::left_persisting().empty());
}

CASE("a device that sets nothing aside") {
    cpu::set_device("t4");
    const Stream stream;
    const Buffer<float> in(64, 3.0f);
    CHECK_CUDA(stream.set(window(nullptr, 0)), cudaSuccess);
    const cudaError_t refused = stream.set(window(in.data(), 256));
    cudaGetLastError();
    cpu::set_device(nullptr);
    CHECK_EQUAL(refused, cudaErrorInvalidValue);
}
#endif

CONFORMANCE_MAIN("l2_cache")
