// Vector types: sizes, alignments, members, make_ functions, wide loads and stores, dim3.
#include <cstddef>

#include "conformance.cuh"

template <class Vector>
void check_layout(std::size_t size, std::size_t alignment) {
    CHECK_EQUAL(sizeof(Vector), size);
    CHECK_EQUAL(alignof(Vector), alignment);
}

CASE("sizes and alignments of the vector types") {
    check_layout<char1>(1, 1);
    check_layout<char2>(2, 2);
    check_layout<char3>(3, 1);
    check_layout<char4>(4, 4);
    check_layout<uchar4>(4, 4);
    check_layout<short2>(4, 4);
    check_layout<short3>(6, 2);
    check_layout<ushort4>(8, 8);
    check_layout<int1>(4, 4);
    check_layout<int2>(8, 8);
    check_layout<int3>(12, 4);
    check_layout<int4>(16, 16);
    check_layout<uint2>(8, 8);
    check_layout<uint4>(16, 16);
    check_layout<float2>(8, 8);
    check_layout<float3>(12, 4);
    check_layout<float4>(16, 16);
    check_layout<longlong2>(16, 16);
    check_layout<ulonglong2>(16, 16);
    check_layout<double2>(16, 16);
    check_layout<double3>(24, 8);
    check_layout<dim3>(12, 4);
}

__global__ void device_layout(unsigned* out) {
    out[0] = sizeof(float3);
    out[1] = alignof(float4);
    out[2] = offsetof(float4, w);
    out[3] = sizeof(double2);
    out[4] = sizeof(long);
}

CASE("device code sees the same layout") {
    Buffer<unsigned> out(5);
    device_layout<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<unsigned>{12, 16, 12, 16, sizeof(long)});
}

CASE("make_ functions and members on the host") {
    const float4 a = make_float4(1.5f, 2.5f, 3.5f, 4.5f);
    CHECK(a.x == 1.5f && a.y == 2.5f && a.z == 3.5f && a.w == 4.5f);
    const uchar4 pixel = make_uchar4(10, 20, 30, 255);
    CHECK(pixel.x == 10 && pixel.y == 20 && pixel.z == 30 && pixel.w == 255);
    const int3 b = {-1, -2, -3};
    CHECK(b.x == -1 && b.y == -2 && b.z == -3);
    const longlong2 c = make_longlong2(1ll << 40, -1);
    CHECK(c.x == 1ll << 40 && c.y == -1);
    const double2 d = make_double2(0.5, -0.5);
    CHECK(d.x + d.y == 0.0);
    const uint1 e = make_uint1(7);
    CHECK(e.x == 7);
    const short2 f{};
    CHECK(f.x == 0 && f.y == 0);
}

__global__ void wide_copy(const float4* in, float4* out) {
    float4 value = in[threadIdx.x];
    value.x += 1;
    value.w *= 2;
    out[threadIdx.x] = value;
}

CASE("float4 loads and stores through a reinterpreted pointer") {
    std::vector<float> in(16), want(16);
    for (int i = 0; i < 16; ++i) {
        in[i] = static_cast<float>(i) + 0.5f;
        want[i] = i % 4 == 0 ? in[i] + 1 : i % 4 == 3 ? in[i] * 2 : in[i];
    }
    Buffer<float> data(in), out(16);
    wide_copy<<<1, 4>>>(reinterpret_cast<const float4*>(data.data()), reinterpret_cast<float4*>(out.data()));
    CHECK_EQUAL(out.read(), want);
}

__global__ void by_value(int4 vector, double2 pair, uchar4* pixels, int* out) {
    out[0] = vector.x + vector.y + vector.z + vector.w;
    out[1] = static_cast<int>(pair.x * pair.y);
    pixels[0] = make_uchar4(static_cast<unsigned char>(pixels[0].w), 1, 2, 3);
}

CASE("vector types as kernel arguments and as elements of buffers") {
    Buffer<int> out(2);
    Buffer<uchar4> pixels(std::vector<uchar4>(1, make_uchar4(5, 6, 7, 8)));
    by_value<<<1, 1>>>(make_int4(1, 20, 300, 4000), make_double2(2.5, 4), pixels, out);
    CHECK_EQUAL(out.read(), std::vector<int>{4321, 10});
    const uchar4 pixel = pixels.read()[0];
    CHECK(pixel.x == 8 && pixel.y == 1 && pixel.z == 2 && pixel.w == 3);
}

__global__ void shared_vectors(float2* out) {
    __shared__ float2 tile[32];
    const unsigned i = threadIdx.x;
    tile[i] = make_float2(static_cast<float>(i), -static_cast<float>(i));
    __syncthreads();
    out[i] = tile[31 - i];
}

CASE("vector types in shared memory") {
    Buffer<float2> out(32);
    shared_vectors<<<1, 32>>>(out);
    const std::vector<float2> got = out.read();
    for (int i = 0; i < 32; ++i) {
        CHECK_EQUAL(got[i].x, static_cast<float>(31 - i));
        CHECK_EQUAL(got[i].y, -static_cast<float>(31 - i));
    }
}

constexpr dim3 CONSTANT_SHAPE(8, 4);
static_assert(CONSTANT_SHAPE.x == 8 && CONSTANT_SHAPE.y == 4 && CONSTANT_SHAPE.z == 1);

CASE("dim3: defaults, conversions, arithmetic on members") {
    const dim3 one;
    CHECK(one.x == 1 && one.y == 1 && one.z == 1);
    const dim3 from_int = 7;
    CHECK(from_int.x == 7 && from_int.y == 1 && from_int.z == 1);
    const uint3 index = make_uint3(2, 3, 4);
    const dim3 from_index = index;
    CHECK(from_index.x == 2 && from_index.y == 3 && from_index.z == 4);
    const uint3 back = from_index;
    CHECK(back.x == 2 && back.y == 3 && back.z == 4);
    dim3 grid((100 + 31) / 32, 2);
    grid.z = 5;
    CHECK(grid.x * grid.y * grid.z == 40);
}

__global__ void index_types(int* out) {
    const uint3 thread = threadIdx;
    const dim3 block = blockDim;
    out[0] = static_cast<int>(thread.x) - 5;  // an unsigned member must be cast before the result becomes
                                              // negative
    out[1] = static_cast<int>(block.x);
}

CASE("threadIdx is a uint3, blockDim a dim3") {
    Buffer<int> out(2);
    index_types<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{-5, 1});
}

CONFORMANCE_MAIN("vector_types")
