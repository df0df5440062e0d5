// Three-dimensional memory: pitched allocation, fills and copies of boxes, and copies between devices, which
// can be the same device.
#include "conformance.cuh"

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

CONFORMANCE_MAIN("memory_3d")
