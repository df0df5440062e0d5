// Device, pinned and managed memory; copies of every kind; fills; misuse and its error codes.
#include <cstdint>

#include "conformance.cuh"

std::vector<int> numbers(int n, int factor = 1) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = factor * i;
    return values;
}

__global__ void add(int* data, int n, int amount) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] += amount;
}

CASE("host to device, kernel, device to host") {
    const int n = 1000;
    std::vector<int> values = numbers(n), want(n);
    for (int i = 0; i < n; ++i) want[i] = i + 5;
    int* data = nullptr;
    REQUIRE_CUDA(cudaMalloc(&data, n * sizeof(int)));
    CHECK_CUDA(cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    add<<<8, 128>>>(data, n, 5);
    CHECK_CUDA(cudaMemcpy(values.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaFree(data), cudaSuccess);
    CHECK_EQUAL(values, want);
}

CASE("cudaMalloc aligns to 256 bytes and hands out disjoint ranges") {
    std::vector<char*> pointers;
    for (std::size_t size : {1, 3, 255, 256, 257, 4096, 1}) {
        char* p = nullptr;
        REQUIRE_CUDA(cudaMalloc(&p, size));
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
        for (char* other : pointers) CHECK(p + size <= other || p >= other + 1);
        pointers.push_back(p);
    }
    for (char* p : pointers) CHECK_CUDA(cudaFree(p), cudaSuccess);
}

CASE("cudaMalloc of 0 bytes gives null; cudaFree(nullptr) does nothing") {
    void* p = &p;
    CHECK_CUDA(cudaMalloc(&p, 0), cudaSuccess);
    CHECK(p == nullptr);
    CHECK_CUDA(cudaFree(nullptr), cudaSuccess);
    CHECK_CUDA(cudaFreeHost(nullptr), cudaSuccess);
}

CASE("copies of 0 bytes do nothing") {
    Buffer<int> data(1, 6);
    int host = 7;
    CHECK_CUDA(cudaMemcpy(data, &host, 0, cudaMemcpyHostToDevice), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(&host, data, 0, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemset(data, 1, 0), cudaSuccess);
    CHECK_EQUAL(host, 7);
    CHECK_EQUAL(data.read()[0], 6);
}

CASE("device to device, and cudaMemcpyDefault in all four directions") {
    const std::vector<int> values = numbers(300, 7);
    const std::size_t bytes = 300 * sizeof(int);
    Buffer<int> a(300), b(300), c(300);
    std::vector<int> host(300), other(300);
    CHECK_CUDA(cudaMemcpy(a, values.data(), bytes, cudaMemcpyDefault), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(c, b, bytes, cudaMemcpyDefault), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(host.data(), c, bytes, cudaMemcpyDefault), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(other.data(), host.data(), bytes, cudaMemcpyDefault), cudaSuccess);
    CHECK_EQUAL(other, values);
    CHECK_CUDA(cudaMemcpy(host.data(), numbers(300, 3).data(), bytes, cudaMemcpyHostToHost), cudaSuccess);
    CHECK_EQUAL(host, numbers(300, 3));
}

CASE("a copy may begin and end inside an allocation") {
    Buffer<int> data(numbers(100));
    const int patch[3] = {-1, -2, -3};
    CHECK_CUDA(cudaMemcpy(data + 50, patch, sizeof patch, cudaMemcpyHostToDevice), cudaSuccess);
    std::vector<int> want = numbers(100);
    for (int i = 0; i < 3; ++i) want[50 + i] = patch[i];
    CHECK_EQUAL(data.read(), want);
}

CASE("cudaMemset writes the low byte of its value") {
    Buffer<int> data(8, 3);
    CHECK_CUDA(cudaMemset(data + 2, 0x1234, 4 * sizeof(int)), cudaSuccess);
    const int filled = 0x34343434;
    CHECK_EQUAL(data.read(), std::vector<int>{3, 3, filled, filled, filled, filled, 3, 3});
    CHECK_CUDA(cudaMemset(data, -1, 5), cudaSuccess);
    CHECK_EQUAL(data.read()[1], 0x000000ff);
}

CASE("cudaMemcpy2D and cudaMemset2D with pitches") {
    const int rows = 3, columns = 5, pitch = 8;
    const std::vector<int> in = numbers(rows * columns, 2);
    Buffer<int> data(rows * pitch, -1);
    CHECK_CUDA(cudaMemcpy2D(data, pitch * sizeof(int), in.data(), columns * sizeof(int),
                            columns * sizeof(int), rows, cudaMemcpyHostToDevice),
               cudaSuccess);
    CHECK_CUDA(cudaMemset2D(data + columns, pitch * sizeof(int), 0, sizeof(int), rows), cudaSuccess);
    std::vector<int> want(rows * pitch, -1);
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) want[r * pitch + c] = 2 * (r * columns + c);
        want[r * pitch + columns] = 0;
    }
    CHECK_EQUAL(data.read(), want);
    std::vector<int> column(rows);
    CHECK_CUDA(cudaMemcpy2D(column.data(), sizeof(int), data + 4, pitch * sizeof(int), sizeof(int), rows,
                            cudaMemcpyDeviceToHost),
               cudaSuccess);
    CHECK_EQUAL(column, std::vector<int>{8, 18, 28});
}

__global__ void write_rows(char* base, std::size_t pitch, int columns) {
    int* row = reinterpret_cast<int*>(base + blockIdx.x * pitch);
    if (static_cast<int>(threadIdx.x) < columns)
        row[threadIdx.x] = static_cast<int>(blockIdx.x * 100 + threadIdx.x);
}

CASE("cudaMallocPitch: the pitch is at least the width, and rows start at its multiples") {
    char* base = nullptr;
    std::size_t pitch = 0;
    REQUIRE_CUDA(cudaMallocPitch(&base, &pitch, 10 * sizeof(int), 4));
    CHECK(pitch >= 10 * sizeof(int) && pitch % 256 == 0);
    write_rows<<<4, 32>>>(base, pitch, 10);
    std::vector<int> got(40), want(40);
    for (int i = 0; i < 40; ++i) want[i] = i / 10 * 100 + i % 10;
    CHECK_CUDA(cudaMemcpy2D(got.data(), 40, base, pitch, 40, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(got, want);
    CHECK_CUDA(cudaFree(base), cudaSuccess);
}

CASE("pinned host memory: read and written by the host, copied, and used by kernels") {
    int* pinned = nullptr;
    REQUIRE_CUDA(cudaMallocHost(&pinned, 64 * sizeof(int)));
    for (int i = 0; i < 64; ++i) pinned[i] = i;
    Buffer<int> data(64);
    CHECK_CUDA(cudaMemcpy(data, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    CHECK_EQUAL(data.read(), numbers(64));
    add<<<1, 64>>>(pinned, 64, 1000);  // with unified addressing, the same pointer is valid on the device
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(pinned[63], 1063);
    CHECK_CUDA(cudaFreeHost(pinned), cudaSuccess);
}

CASE("cudaHostAlloc with mapping, and cudaHostGetDevicePointer") {
    int* host = nullptr;
    int* device = nullptr;
    REQUIRE_CUDA(cudaHostAlloc(&host, 16 * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < 16; ++i) host[i] = 0;
    REQUIRE_CUDA(cudaHostGetDevicePointer(&device, host, 0));
    add<<<1, 16>>>(device, 16, 3);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(std::vector<int>(host, host + 16), std::vector<int>(16, 3));
    CHECK_CUDA(cudaFreeHost(host), cudaSuccess);
}

CASE("ordinary host memory can be pinned afterwards with cudaHostRegister") {
    std::vector<int> host(2048, 5);
    REQUIRE_CUDA(cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterDefault));
    int* device = nullptr;
    CHECK_CUDA(cudaHostGetDevicePointer(&device, host.data(), 0), cudaSuccess);
    add<<<8, 256>>>(device, 2048, 2);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_CUDA(cudaHostUnregister(host.data()), cudaSuccess);
    CHECK_EQUAL(host, std::vector<int>(2048, 7));
}

CASE("managed memory moves between host and device by itself") {
    int* data = nullptr;
    REQUIRE_CUDA(cudaMallocManaged(&data, 100 * sizeof(int)));
    for (int i = 0; i < 100; ++i) data[i] = i;
    add<<<1, 128>>>(data, 100, 10);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 100; ++i) data[i] *= 2;
    add<<<1, 128>>>(data, 100, 1);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(data[99], 219);
    CHECK_CUDA(cudaFree(data), cudaSuccess);
}

CASE("managed memory in 40,000 pieces") {
    std::vector<int*> pieces(40'000, nullptr);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        REQUIRE_CUDA(cudaMallocManaged(&pieces[i], sizeof(int)));
        *pieces[i] = static_cast<int>(i);
    }
    add<<<1, 1>>>(pieces.front(), 1, 5);
    add<<<1, 1>>>(pieces.back(), 1, 5);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(*pieces.front(), 5);
    CHECK_EQUAL(*pieces[20'000], 20'000);
    CHECK_EQUAL(*pieces.back(), 40'004);
    for (int* piece : pieces) CHECK_CUDA(cudaFree(piece), cudaSuccess);
}

CASE("cudaPointerGetAttributes tells device, pinned, managed and ordinary memory apart") {
    Buffer<int> device(4);
    int *pinned = nullptr, *managed = nullptr, ordinary = 0;
    REQUIRE_CUDA(cudaMallocHost(&pinned, 4));
    REQUIRE_CUDA(cudaMallocManaged(&managed, 4));
    cudaPointerAttributes attributes{};
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, device + 1), cudaSuccess);
    CHECK_EQUAL(attributes.type, cudaMemoryTypeDevice);
    CHECK_EQUAL(attributes.device, 0);
    CHECK(attributes.devicePointer == device + 1);
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    CHECK_EQUAL(attributes.type, cudaMemoryTypeHost);
    CHECK(attributes.hostPointer == pinned);
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    CHECK_EQUAL(attributes.type, cudaMemoryTypeManaged);
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, &ordinary), cudaSuccess);
    CHECK_EQUAL(attributes.type, cudaMemoryTypeUnregistered);
    CHECK_CUDA(cudaFreeHost(pinned), cudaSuccess);
    CHECK_CUDA(cudaFree(managed), cudaSuccess);
}

CASE_MISUSE("out of memory: cudaErrorMemoryAllocation, recorded, and not sticky") {
    std::size_t available = 0, total = 0;
    CHECK_CUDA(cudaMemGetInfo(&available, &total), cudaSuccess);
    CHECK(available <= total && total > 0);
    void* p = nullptr;
    CHECK_CUDA(cudaMalloc(&p, total + (std::size_t{1} << 30)), cudaErrorMemoryAllocation);
    CHECK_CUDA(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaMalloc(&p, 1024), cudaSuccess);
    CHECK_CUDA(cudaFree(p), cudaSuccess);
}

CASE_MISUSE("freeing twice, in the middle, or what is not device memory: cudaErrorInvalidValue") {
    char* p = nullptr;
    int ordinary = 0;
    REQUIRE_CUDA(cudaMalloc(&p, 1024));
    CHECK_CUDA(cudaFree(p + 256), cudaErrorInvalidValue);
    CHECK_CUDA(cudaFree(p), cudaSuccess);
    CHECK_CUDA(cudaFree(p), cudaErrorInvalidValue);
    CHECK_CUDA(cudaFree(&ordinary), cudaErrorInvalidValue);
    CHECK_CUDA(cudaFreeHost(&ordinary), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
}

CASE_MISUSE("copies and fills with null or mismatched pointers: cudaErrorInvalidValue") {
    Buffer<int> data(4);
    int host[4] = {};
    CHECK_CUDA(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemcpy(host, nullptr, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
}

CASE_MISUSE("a direction that does not exist: cudaErrorInvalidMemcpyDirection") {
    Buffer<int> data(1);
    int host = 0;
    CHECK_CUDA(cudaMemcpy(data, &host, 4, static_cast<cudaMemcpyKind>(77)), cudaErrorInvalidMemcpyDirection);
}

CASE_MISUSE("the wrong direction for the pointers: cudaErrorInvalidValue") {
    Buffer<int> data(4, 5);
    int host[4] = {};
    CHECK_CUDA(cudaMemcpy(data, host, sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 5));
}

CASE("freed memory can be allocated again, many times") {
    for (int round = 0; round < 50; ++round) {
        Buffer<int> a(numbers(5000)), b(numbers(700, 2));
        add<<<(5000 + 255) / 256, 256>>>(a, 5000, round);
        CHECK_EQUAL(a.read()[4999], 4999 + round);
        CHECK_EQUAL(b.read()[699], 1398);
    }
}

// Three-dimensional memory: pitched allocation, fills and copies of boxes, and copies between devices, which
// can be the same device.

constexpr std::size_t width = 20, height = 6, depth = 4;  // width in bytes

/// Returns host memory of the same shape without gaps, in which byte i is i.
std::vector<unsigned char> counted() {
    std::vector<unsigned char> bytes(width * height * depth);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
    return bytes;
}

cudaMemcpy3DParms whole(cudaPitchedPtr to, cudaPitchedPtr from, cudaMemcpyKind kind) {
    cudaMemcpy3DParms params{};
    params.srcPtr = from;
    params.dstPtr = to;
    params.extent = make_cudaExtent(width, height, depth);
    params.kind = kind;
    return params;
}

cudaPitchedPtr packed(std::vector<unsigned char>& bytes) {
    return make_cudaPitchedPtr(bytes.data(), width, width, height);
}

/// Adds 1 to each byte of the box.
__global__ void add_one(cudaPitchedPtr box) {
    unsigned char* const slice = static_cast<unsigned char*>(box.ptr) + blockIdx.x * box.pitch * height;
    slice[threadIdx.y * box.pitch + threadIdx.x] += 1;
}

CASE("there and back") {
    cudaPitchedPtr box;
    REQUIRE_CUDA(cudaMalloc3D(&box, make_cudaExtent(width, height, depth)));
    CHECK(box.pitch >= width);
    CHECK_EQUAL(box.xsize, width);
    CHECK_EQUAL(box.ysize, height);
    std::vector<unsigned char> in = counted(), out(in.size());
    const cudaMemcpy3DParms there = whole(box, packed(in), cudaMemcpyHostToDevice);
    const cudaMemcpy3DParms back = whole(packed(out), box, cudaMemcpyDeviceToHost);
    CHECK_CUDA(cudaMemcpy3D(&there), cudaSuccess);
    add_one<<<depth, dim3(width, height)>>>(box);
    CHECK_CUDA(cudaMemcpy3D(&back), cudaSuccess);
    for (unsigned char& byte : in) ++byte;
    CHECK(out == in);
    CHECK_CUDA(cudaFree(box.ptr), cudaSuccess);
}

CASE("a part of the box, in a stream") {
    cudaPitchedPtr box;
    cudaStream_t stream;
    REQUIRE_CUDA(cudaStreamCreate(&stream));
    REQUIRE_CUDA(cudaMalloc3D(&box, make_cudaExtent(width, height, depth)));
    CHECK_CUDA(cudaMemset3DAsync(box, 7, make_cudaExtent(width, height, depth), stream), cudaSuccess);
    std::vector<unsigned char> in = counted(), out(in.size());
    cudaMemcpy3DParms part = whole(box, packed(in), cudaMemcpyHostToDevice);
    part.srcPos = make_cudaPos(1, 2, 1);
    part.dstPos = make_cudaPos(3, 4, 2);
    part.extent = make_cudaExtent(5, 2, 2);
    CHECK_CUDA(cudaMemcpy3DAsync(&part, stream), cudaSuccess);
    const cudaMemcpy3DParms back = whole(packed(out), box, cudaMemcpyDeviceToHost);
    CHECK_CUDA(cudaMemcpy3DAsync(&back, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    const auto at = [](std::size_t x, std::size_t y, std::size_t z) { return (z * height + y) * width + x; };
    std::vector<unsigned char> want(in.size(), 7);
    for (std::size_t z = 0; z < 2; ++z)
        for (std::size_t y = 0; y < 2; ++y)
            for (std::size_t x = 0; x < 5; ++x) want[at(3 + x, 4 + y, 2 + z)] = in[at(1 + x, 2 + y, 1 + z)];
    CHECK(out == want);
    CHECK_CUDA(cudaFree(box.ptr), cudaSuccess);
    CHECK_CUDA(cudaStreamDestroy(stream), cudaSuccess);
}

CASE("a device is its own neighbour in copies") {
    int device = 0, count = 0;
    REQUIRE_CUDA(cudaGetDevice(&device));
    REQUIRE_CUDA(cudaGetDeviceCount(&count));
    const Buffer<int> from(std::vector<int>{1, 2, 3}), to(3, 0);
    CHECK_CUDA(cudaMemcpyPeer(to.data(), device, from.data(), device, 2 * sizeof(int)), cudaSuccess);
    CHECK_CUDA(cudaMemcpyPeerAsync(to.data() + 2, device, from.data() + 2, device, sizeof(int), nullptr),
               cudaSuccess);
    CHECK_EQUAL(to.read(), std::vector<int>{1, 2, 3});
}

CASE_MISUSE("a device that does not exist") {
    int count = 0, answer = 0;
    REQUIRE_CUDA(cudaGetDeviceCount(&count));
    const Buffer<int> from(1), to(1);
    CHECK_CUDA(cudaMemcpyPeer(to.data(), 0, from.data(), count, sizeof(int)), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceEnablePeerAccess(count, 0), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceCanAccessPeer(&answer, 0, count), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceGetP2PAttribute(&answer, cudaDevP2PAttrAccessSupported, 0, count),
               cudaErrorInvalidDevice);
    cudaGetLastError();
}

CONFORMANCE_MAIN("memory")
