// The pages of managed memory: prefetches, advice, the attributes of ranges, and on the executor which pages move.
#include <cstring>

#include "conformance.cuh"
#ifdef KIT_CPU
#include <kit_cpu/managed_pages.hpp>
#endif

namespace {

constexpr std::size_t kPages = 16, kPageBytes = 4096, kInts = kPages * kPageBytes / sizeof(int);
constexpr cudaMemLocation on_device = {cudaMemLocationTypeDevice, 0}, on_host = {cudaMemLocationTypeHost, 0};

__global__ void add(int* data, std::size_t n, int amount) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += amount;
}

__global__ void fill(int* data, std::size_t n, int value) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value;
}

__global__ void sum_of_first(const int* data, int* out) {
    int sum = 0;
    for (std::size_t page = 0; page < kPages; ++page) sum += data[page * kPageBytes / sizeof(int)];
    *out = sum;
}

/// Touches the pages one after another.
__global__ void add_to_each_page(int* data, std::size_t n) {
    for (std::size_t i = 0; i < n; i += kPageBytes / sizeof(int)) ++data[i];
}

bool has_concurrent_access() {
    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0);
    return value != 0;
}

/// Managed memory whose pages are followed.
struct Managed {
    explicit Managed(std::size_t ints = kInts) : n(ints) {
#ifdef KIT_CPU
        kit::cpu::follow_pages(true);
        kit::cpu::reset_page_counts();
#endif
        REQUIRE_CUDA(cudaMallocManaged(&data, n * sizeof(int)));
    }
    ~Managed() {
        cudaFree(data);
#ifdef KIT_CPU
        kit::cpu::follow_pages(false);
#endif
    }
    Managed(const Managed&) = delete;
    Managed& operator=(const Managed&) = delete;
    std::size_t bytes() const {
        return n * sizeof(int);
    }
    void fill_on_host(int value) const {
        for (std::size_t i = 0; i < n; ++i) data[i] = value;
    }
    void fill_on_device(int value) const {
        fill<<<blocks(), 256>>>(data, n, value);
    }
    void add_on_device(int amount) const {
        add<<<blocks(), 256>>>(data, n, amount);
    }
    unsigned blocks() const {
        return static_cast<unsigned>((n + 255) / 256);
    }
    std::size_t n;
    int* data = nullptr;
};

int attribute(cudaMemRangeAttribute which, const void* begin, std::size_t bytes) {
    int value = -100;
    CHECK_CUDA(cudaMemRangeGetAttribute(&value, sizeof value, which, begin, bytes), cudaSuccess);
    return value;
}

#ifdef KIT_CPU
kit::cpu::PageCounts counts() {
    return kit::cpu::page_counts();
}
#define CHECK_COUNT(member, pages) CHECK_EQUAL(counts().member, std::uint64_t{pages})
#else
#define CHECK_COUNT(member, pages) static_cast<void>(0)
#endif

}  // namespace

CASE("the processor that touches a page first creates it, and a later access by the other one moves it") {
    const Managed memory;
    memory.fill_on_host(1);
    memory.add_on_device(2);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(host_populated, kPages);
    CHECK_COUNT(to_device, kPages);
    CHECK_COUNT(device_faults, kPages);
    CHECK_EQUAL(memory.data[kInts - 1], 3);
    CHECK_EQUAL(memory.data[0], 3);
    CHECK_COUNT(to_host, 2);
    CHECK_COUNT(host_faults, kPages + 2);
}

CASE("memory that a kernel touches first moves to the host only where the host reads it") {
    const Managed memory;
    memory.fill_on_device(4);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(device_populated, kPages);
    CHECK_COUNT(to_device, 0);
    CHECK_EQUAL(memory.data[5], 4);
    CHECK_COUNT(to_host, 1);
    memory.add_on_device(1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(to_device, 1);
#ifdef KIT_CPU
    const auto kernels = kit::cpu::pages_of_kernels();
    CHECK_EQUAL(kernels.size(), std::size_t{2});
    CHECK_EQUAL(kernels[0].counts.device_populated, std::uint64_t{kPages});
    CHECK_EQUAL(kernels[1].counts.device_faults, std::uint64_t{1});
    CHECK(kernels[1].kernel.find("add") != std::string::npos);
    CHECK_EQUAL(kit::cpu::pages_on_device(memory.data, memory.bytes()), kPages);
    CHECK(kit::cpu::first_host_fault().line > 0);
#endif
}

CASE("library functions on the host move pages as well") {
    const Managed memory;
    memory.fill_on_device(0x01010101);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    std::vector<int> copy(kInts);
    std::memcpy(copy.data(), memory.data, memory.bytes());
    CHECK_EQUAL(copy, std::vector<int>(kInts, 0x01010101));
    CHECK_COUNT(to_host, kPages);
}

CASE("a prefetch moves pages in stream order, and saves the faults") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    memory.fill_on_host(1);
    CHECK_EQUAL(attribute(cudaMemRangeAttributeLastPrefetchLocation, memory.data, memory.bytes()),
                cudaInvalidDeviceId);
    REQUIRE_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes(), on_device, 0, nullptr));
    CHECK_EQUAL(attribute(cudaMemRangeAttributeLastPrefetchLocation, memory.data, memory.bytes()), 0);
    memory.add_on_device(2);
    REQUIRE_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes() / 2, on_host, 0, nullptr));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(prefetched_to_device, kPages);
    CHECK_COUNT(device_faults, 0);
    CHECK_COUNT(prefetched_to_host, kPages / 2);
    CHECK_EQUAL(std::vector<int>(memory.data, memory.data + kInts), std::vector<int>(kInts, 3));
    CHECK_COUNT(saved, kPages + kPages / 2);
    CHECK_COUNT(to_host, kPages / 2);
    CHECK_COUNT(host_faults, kPages + kPages / 2);
    CHECK_EQUAL(attribute(cudaMemRangeAttributeLastPrefetchLocation, memory.data, memory.bytes() / 2),
                cudaCpuDeviceId);
    CHECK_EQUAL(attribute(cudaMemRangeAttributeLastPrefetchLocation, memory.data, memory.bytes()),
                cudaInvalidDeviceId);
}

CASE("a prefetch that nothing orders before the kernel saves no fault") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    memory.fill_on_host(1);
    cudaStream_t copies, kernels;
    REQUIRE_CUDA(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    REQUIRE_CUDA(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    REQUIRE_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes(), on_device, 0, copies));
    add<<<memory.blocks(), 256, 0, kernels>>>(memory.data, memory.n, 1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(saved, 0);
    CHECK_COUNT(device_faults, kPages);
    cudaEvent_t moved;
    REQUIRE_CUDA(cudaEventCreate(&moved));
    memory.fill_on_host(5);
    REQUIRE_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes(), on_device, 0, copies));
    REQUIRE_CUDA(cudaEventRecord(moved, copies));
    REQUIRE_CUDA(cudaStreamWaitEvent(kernels, moved));
    add<<<memory.blocks(), 256, 0, kernels>>>(memory.data, memory.n, 1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(saved, kPages);
    CHECK_COUNT(device_faults, kPages);
    CHECK_EQUAL(memory.data[kInts / 2], 6);
    cudaEventDestroy(moved);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
}

CASE("pages that are read mostly are copied, and a write removes the copies") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    Buffer<int> out(1, 0);
    memory.fill_on_host(3);
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseSetReadMostly, on_device));
    CHECK_EQUAL(attribute(cudaMemRangeAttributeReadMostly, memory.data, memory.bytes()), 1);
    sum_of_first<<<1, 1>>>(memory.data, out);
    CHECK_EQUAL(out.read()[0], 3 * static_cast<int>(kPages));
    CHECK_COUNT(duplicated, kPages);
    CHECK_COUNT(to_device, 0);
    CHECK_EQUAL(memory.data[0], 3);
    CHECK_COUNT(to_host, 0);
    memory.data[0] = 4;
    CHECK_COUNT(invalidated, 1);
    sum_of_first<<<1, 1>>>(memory.data, out);
    CHECK_EQUAL(out.read()[0], 3 * static_cast<int>(kPages) + 1);
    CHECK_COUNT(duplicated, kPages + 1);
    memory.add_on_device(1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(invalidated, kPages + 1);
    CHECK_EQUAL(memory.data[0], 5);
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes() / 2, cudaMemAdviseUnsetReadMostly, on_device));
    CHECK_EQUAL(attribute(cudaMemRangeAttributeReadMostly, memory.data, memory.bytes()), 0);
    CHECK_EQUAL(attribute(cudaMemRangeAttributeReadMostly, memory.data + kInts / 2, memory.bytes() / 2), 1);
}

CASE("pages stay at the preferred location, and kernels access them over the bus") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseSetPreferredLocation, on_host));
    CHECK_EQUAL(attribute(cudaMemRangeAttributePreferredLocation, memory.data, memory.bytes()),
                cudaCpuDeviceId);
    memory.fill_on_host(3);
    memory.add_on_device(1);
    memory.add_on_device(1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(to_device, 0);
    CHECK_COUNT(remote, 2 * kPages);
    CHECK_EQUAL(memory.data[kInts - 1], 5);
    CHECK_COUNT(to_host, 0);
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseUnsetPreferredLocation, on_host));
    CHECK_EQUAL(attribute(cudaMemRangeAttributePreferredLocation, memory.data, memory.bytes()),
                cudaInvalidDeviceId);
    memory.add_on_device(1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(to_device, kPages);
}

CASE("pages that a device will access stay where they are, without faults") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    memory.fill_on_host(3);
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseSetAccessedBy, on_device));
    int by[3] = {-100, -100, -100};
    CHECK_CUDA(
        cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, memory.data, memory.bytes()),
        cudaSuccess);
    CHECK_EQUAL(by[0], 0);
    CHECK_EQUAL(by[1], cudaInvalidDeviceId);
    memory.add_on_device(1);
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_COUNT(device_faults, 0);
    CHECK_COUNT(remote, kPages);
    CHECK_EQUAL(memory.data[7], 4);
    REQUIRE_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseUnsetAccessedBy, on_device));
    CHECK_CUDA(
        cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, memory.data, memory.bytes()),
        cudaSuccess);
    CHECK_EQUAL(by[0], cudaInvalidDeviceId);
}

CASE("copies and fills leave pages where they are") {
    const Managed memory;
    memory.fill_on_host(1);
    const std::vector<int> values(kInts / 2, 7);
    REQUIRE_CUDA(cudaMemcpy(memory.data, values.data(), memory.bytes() / 2, cudaMemcpyDefault));
    CHECK_EQUAL(memory.data[0], 7);
    CHECK_EQUAL(memory.data[kInts - 1], 1);
    CHECK_COUNT(to_host, 0);
    CHECK_COUNT(host_faults, kPages);
    memory.add_on_device(1);
    std::vector<int> back(kInts);
    REQUIRE_CUDA(cudaMemcpy(back.data(), memory.data, memory.bytes(), cudaMemcpyDefault));
    CHECK_EQUAL(back[0], 8);
    CHECK_COUNT(to_host, 0);
    REQUIRE_CUDA(cudaMemset(memory.data, 0, memory.bytes()));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    CHECK_EQUAL(memory.data[3], 0);
    CHECK_COUNT(to_host, 1);
}

#ifdef KIT_CPU
CASE("pages leave a full device, the oldest first, and cudaMalloc beyond its memory fails") {
    std::size_t free_bytes = 0, total = 0;
    REQUIRE_CUDA(cudaMemGetInfo(&free_bytes, &total));
    constexpr std::size_t window = 4 << 20;
    char* ballast = nullptr;
    REQUIRE_CUDA(cudaMalloc(&ballast, free_bytes - window));
    REQUIRE_CUDA(cudaMemGetInfo(&free_bytes, &total));
    const std::size_t fit = free_bytes / kPageBytes;
    {
        const Managed memory((fit + 100) * kPageBytes / sizeof(int));  // more than the device has
        add_to_each_page<<<1, 1>>>(memory.data, memory.n);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK_COUNT(device_populated, fit + 100);
        CHECK_COUNT(evicted, 100);
        CHECK_EQUAL(kit::cpu::pages_on_device(memory.data, memory.bytes()), fit);
        std::size_t left = 1;
        REQUIRE_CUDA(cudaMemGetInfo(&left, &total));
        CHECK(left < kPageBytes);
        add_to_each_page<<<1, 1>>>(memory.data,
                                   memory.n);  // the first pages come back, which evicts the next ones
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK_COUNT(returned, fit + 100);
        CHECK_EQUAL(memory.data[memory.n - kPageBytes / sizeof(int)], 2);
        char* more = nullptr;
        REQUIRE_CUDA(cudaMalloc(&more, 100 * kPageBytes));  // pages make room
        CHECK(kit::cpu::pages_on_device(memory.data, memory.bytes()) <= fit - 100);
        CHECK_CUDA(cudaFree(more), cudaSuccess);
    }
    CHECK_CUDA(cudaFree(ballast), cudaSuccess);
}

CASE("a device without concurrent access gets all pages at a launch, and the host gets them back") {
    kit::cpu::set_concurrent_managed_access(false);
    {
        const Managed memory;
        CHECK(!has_concurrent_access());
        memory.fill_on_host(1);
        memory.add_on_device(1);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK_COUNT(at_launch, kPages);
        CHECK_COUNT(device_faults, 0);
        CHECK_EQUAL(memory.data[9], 2);
        CHECK_EQUAL(cudaMemPrefetchAsync(memory.data, memory.bytes(), on_device, 0, nullptr),
                    cudaErrorInvalidDevice);
        cudaGetLastError();
    }
    kit::cpu::set_concurrent_managed_access(true);
}
#endif

CASE_MISUSE("wrong arguments for prefetches, advice and attributes") {
    if (!has_concurrent_access()) SKIP("the device has no concurrent access to managed memory");
    const Managed memory;
    const cudaMemLocation nowhere = {cudaMemLocationTypeDevice, 99};
    int value = 0;
    CHECK_CUDA(cudaMemPrefetchAsync(memory.data, 0, on_device, 0, nullptr), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes() + 1, on_device, 0, nullptr),
               cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes(), on_device, 1, nullptr),
               cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemPrefetchAsync(memory.data, memory.bytes(), nowhere, 0, nullptr),
               cudaErrorInvalidDevice);
    CHECK_CUDA(cudaMemAdvise(memory.data, 0, cudaMemAdviseSetReadMostly, on_device), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemAdvise(memory.data, memory.bytes(), cudaMemAdviseSetAccessedBy, nowhere),
               cudaErrorInvalidValue);
    CHECK_CUDA(
        cudaMemRangeGetAttribute(&value, 2, cudaMemRangeAttributeReadMostly, memory.data, memory.bytes()),
        cudaErrorInvalidValue);
    int* device = nullptr;
    REQUIRE_CUDA(cudaMalloc(&device, 4096));
    CHECK_CUDA(cudaMemPrefetchAsync(device, 4096, on_device, 0, nullptr), cudaErrorInvalidValue);
    CHECK_CUDA(cudaFree(device), cudaSuccess);
}

CONFORMANCE_MAIN("managed")
