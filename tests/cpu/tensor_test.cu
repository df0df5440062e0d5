// Matrix products of a warp: wmma fragments, mma.sync with its documented layout, ldmatrix, and the rounding of sums.
#include <mma.h>

#include <cmath>

#include "conformance.cuh"

using namespace nvcuda;

// Most of these operations need compute capability 8.0. For an older device, the kernels are empty and the cases are skipped.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define HAS_TENSOR_CORES 0
#else
#define HAS_TENSOR_CORES 1
#endif
#define TENSOR_CASE(name)                                                     \
    static void CONFORMANCE_JOIN(tensor_case_, __LINE__)();                   \
    CASE(name) {                                                              \
        int major = 0;                                                        \
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0); \
        if (major < 8) SKIP("it needs compute capability 8.0");               \
        CONFORMANCE_JOIN(tensor_case_, __LINE__)();                           \
    }                                                                         \
    static void CONFORMANCE_JOIN(tensor_case_, __LINE__)()

namespace {

/// Returns small integers, so that each sum is exact.
template <class T>
std::vector<T> numbers(std::size_t count, int first) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<T>(
            static_cast<float>((static_cast<int>(i) * 7 + first) % 11 - (sizeof(T) == 1 ? 0 : 5)));
    return values;
}

/// Returns element (row, column) of a matrix.
template <class T>
double at(const std::vector<T>& matrix, int row, int column, int ldm, bool by_rows) {
    return static_cast<double>(static_cast<float>(
        matrix[static_cast<std::size_t>(by_rows ? row * ldm + column : column * ldm + row)]));
}

/// Returns the leading dimension of a matrix whose lines have `length` elements: a line begins at a multiple of 16 bytes.
template <class T>
__host__ __device__ constexpr int leading(int length) {
    return length * static_cast<int>(sizeof(T)) < 16 ? 16 / static_cast<int>(sizeof(T)) : length;
}

/// Returns a * b + c by rows.
template <class T, class Sum>
std::vector<float> product(int m, int n, int k, const std::vector<T>& a, bool a_by_rows,
                           const std::vector<T>& b, bool b_by_rows, const std::vector<Sum>& c) {
    std::vector<float> d;
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            double sum = at(c, row, column, n, true);
            for (int i = 0; i < k; ++i)
                sum += at(a, row, i, leading<T>(a_by_rows ? k : m), a_by_rows) *
                       at(b, i, column, leading<T>(b_by_rows ? n : k), b_by_rows);
            d.push_back(static_cast<float>(sum));
        }
    }
    return d;
}

template <class T>
std::vector<float> as_floats(const std::vector<T>& values) {
    std::vector<float> floats;
    for (const T& value : values) floats.push_back(static_cast<float>(value));
    return floats;
}

}  // namespace

/// The type tf32, whose numbers are stored as floats.
struct Tf32 {};

/// The type of a fragment's elements, and the type of these elements in memory.
template <class T>
struct Element {
    using Type = T;
    using Stored = T;
};
template <>
struct Element<Tf32> {
#if HAS_TENSOR_CORES
    using Type = wmma::precision::tf32;
#else
    using Type = half;
#endif
    using Stored = float;
};

template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const typename Element<T>::Stored* a, const typename Element<T>::Stored* b,
                         const Sum* c, Sum* d) {
#if HAS_TENSOR_CORES
    using Value = typename Element<T>::Stored;
    wmma::fragment<wmma::matrix_a, m, n, k, typename Element<T>::Type, LayoutA> rows;
    wmma::fragment<wmma::matrix_b, m, n, k, typename Element<T>::Type, LayoutB> columns;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
    wmma::load_matrix_sync(rows, a, leading<Value>(std::is_same<LayoutA, wmma::row_major>::value ? k : m));
    wmma::load_matrix_sync(columns, b, leading<Value>(std::is_same<LayoutB, wmma::row_major>::value ? n : k));
    wmma::load_matrix_sync(sums, c, n, wmma::mem_row_major);
    wmma::mma_sync(sums, rows, columns, sums);
    wmma::store_matrix_sync(d, sums, n, wmma::mem_row_major);
#endif
}

template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
void check_product() {
    using Value = typename Element<T>::Stored;
    const std::vector<Value> a = numbers<Value>(16 * k * m / 8, 1), b = numbers<Value>(16 * k * n / 8, 4);
    const std::vector<Sum> c = numbers<Sum>(m * n, 2);
    Buffer<Value> device_a(a), device_b(b);
    Buffer<Sum> device_c(c), d(m * n);
    multiply<m, n, k, T, Sum, LayoutA, LayoutB><<<1, 32>>>(device_a, device_b, device_c, d);
    CHECK_EQUAL(as_floats(d.read()), product(m, n, k, a, std::is_same<LayoutA, wmma::row_major>::value, b,
                                             std::is_same<LayoutB, wmma::row_major>::value, c));
}

template <int m, int n, int k, class T, class Sum>
void check_layouts() {
    check_product<m, n, k, T, Sum, wmma::row_major, wmma::row_major>();
    check_product<m, n, k, T, Sum, wmma::row_major, wmma::col_major>();
    check_product<m, n, k, T, Sum, wmma::col_major, wmma::row_major>();
    check_product<m, n, k, T, Sum, wmma::col_major, wmma::col_major>();
}

template <class T, class Sum>
void check_shapes() {
    check_layouts<16, 16, 16, T, Sum>();
    check_layouts<32, 8, 16, T, Sum>();
    check_layouts<8, 32, 16, T, Sum>();
}

TENSOR_CASE("wmma multiplies half, with sums in float and in half") {
    check_shapes<half, float>();
    check_shapes<half, half>();
}

TENSOR_CASE("wmma multiplies bfloat16") {
    check_shapes<__nv_bfloat16, float>();
}

TENSOR_CASE("wmma multiplies integers of 8 bits") {
    check_shapes<signed char, int>();
    check_shapes<unsigned char, int>();
}

TENSOR_CASE("wmma multiplies tf32 and double") {
    check_layouts<16, 16, 8, Tf32, float>();
    check_layouts<8, 8, 4, double, double>();
}

__global__ void mixed(const half* a, const half* b, const half* c, float* to_float, half* to_half) {
#if HAS_TENSOR_CORES
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> half_sums;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> float_sums;
    wmma::load_matrix_sync(rows, a, 16);
    wmma::load_matrix_sync(columns, b, 16);
    wmma::load_matrix_sync(half_sums, c, 16, wmma::mem_row_major);
    wmma::mma_sync(float_sums, rows, columns, half_sums);
    wmma::mma_sync(half_sums, rows, columns, float_sums);
    wmma::store_matrix_sync(to_float, float_sums, 16, wmma::mem_col_major);
    wmma::store_matrix_sync(to_half, half_sums, 16, wmma::mem_row_major);
#endif
}

TENSOR_CASE("products of half convert sums; an accumulator is stored by columns") {
    const std::vector<half> a = numbers<half>(256, 1), b = numbers<half>(256, 4), c = numbers<half>(256, 2);
    Buffer<half> device_a(a), device_b(b), device_c(c), to_half(256);
    Buffer<float> to_float(256);
    mixed<<<1, 32>>>(device_a, device_b, device_c, to_float, to_half);
    const std::vector<float> once = product(16, 16, 16, a, true, b, true, c);
    std::vector<float> by_columns(256);
    for (int i = 0; i < 256; ++i)
        by_columns[static_cast<std::size_t>(i % 16 * 16 + i / 16)] = once[static_cast<std::size_t>(i)];
    CHECK_EQUAL(to_float.read(), by_columns);
    CHECK_EQUAL(as_floats(to_half.read()), product(16, 16, 16, a, true, b, true, once));
}

template <class Fragment>
__device__ int elements() {
    return Fragment::num_elements;
}

__global__ void count_elements(int* counts) {
#if HAS_TENSOR_CORES
    using namespace wmma;
    counts[0] = elements<fragment<matrix_a, 16, 16, 16, half, row_major>>();
    counts[1] = elements<fragment<matrix_b, 16, 16, 16, half, col_major>>();
    counts[2] = elements<fragment<accumulator, 16, 16, 16, float>>();
    counts[3] = elements<fragment<matrix_a, 32, 8, 16, __nv_bfloat16, row_major>>();
    counts[4] = elements<fragment<matrix_b, 32, 8, 16, signed char, row_major>>();
    counts[5] = elements<fragment<matrix_a, 16, 16, 8, precision::tf32, row_major>>();
    counts[6] = elements<fragment<accumulator, 8, 8, 4, double>>();
    counts[7] = elements<fragment<matrix_b, 8, 32, 16, half, col_major>>();
#endif
}

TENSOR_CASE("fragments have as many elements as nvcc's") {
    Buffer<int> counts(8);
    count_elements<<<1, 1>>>(counts);
    CHECK_EQUAL(counts.read(), std::vector<int>{16, 16, 8, 16, 4, 4, 2, 16});
}

__global__ void scale(const half* a, const half* b, const float* c, float* d, float alpha, float beta) {
#if HAS_TENSOR_CORES
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> columns;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums, old;
    wmma::load_matrix_sync(rows, a, 32);
    wmma::load_matrix_sync(columns, b, 16);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, rows, columns, sums);
    wmma::load_matrix_sync(old, c, 16, wmma::mem_row_major);
    for (int i = 0; i < old.num_elements; ++i) old.x[i] = alpha * sums.x[i] + beta * old.x[i];
    for (auto& element : rows.x) element = __hneg(element);
    auto copy = old;
    wmma::mma_sync(copy, rows, columns, copy);
    wmma::store_matrix_sync(d, old, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(d + 256, copy, 16, wmma::mem_row_major);
#endif
}

TENSOR_CASE("elements change one by one, fragments are copied, and a leading dimension skips columns") {
    const std::vector<half> a = numbers<half>(16 * 32, 1), b = numbers<half>(256, 4);
    const std::vector<float> c = numbers<float>(256, 2);
    std::vector<half> part;
    for (std::size_t i = 0; i < 256; ++i) part.push_back(a[i / 16 * 32 + i % 16]);
    Buffer<half> device_a(a), device_b(b);
    Buffer<float> device_c(c), d(512);
    scale<<<1, 32>>>(device_a, device_b, device_c, d, 2.0f, 3.0f);
    const std::vector<float> sums = product(16, 16, 16, part, true, b, true, std::vector<float>(256));
    std::vector<float> want;
    for (std::size_t i = 0; i < 256; ++i) want.push_back(2 * sums[i] + 3 * c[i]);
    for (std::size_t i = 0; i < 256; ++i) want.push_back(want[i] - sums[i]);
    CHECK_EQUAL(d.read(), want);
}

__global__ void saturated(const signed char* a, const signed char* b, int* d, int first) {
#if HAS_TENSOR_CORES
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> columns;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums, wrapped;
    wmma::load_matrix_sync(rows, a, 16);
    wmma::load_matrix_sync(columns, b, 16);
    wmma::fill_fragment(sums, first);
    wmma::mma_sync(wrapped, rows, columns, sums);
    wmma::mma_sync(sums, rows, columns, sums, true);
    wmma::store_matrix_sync(d, sums, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(d + 256, wrapped, 16, wmma::mem_row_major);
#endif
}

TENSOR_CASE("sums of integers wrap, or stay in range if satf is true") {
    Buffer<signed char> a(256, 100), b(256, 100);
    Buffer<int> d(512);
    saturated<<<1, 32>>>(a, b, d, 2147483647 - 10);
    const std::vector<int> got = d.read();
    CHECK_EQUAL(got[17], 2147483647);
    CHECK_EQUAL(got[273], static_cast<int>(2147483647u - 10 + 160000));
}

__global__ void to_tf32(const float* in, float* out) {
#if HAS_TENSOR_CORES
    out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
#endif
}

TENSOR_CASE("__float_to_tf32 keeps ten bits of the fraction, and rounds ties away from zero") {
    const std::vector<float> in = {
        1.0f, 1.0f + 1.0f / 2048, -1.0f - 1.0f / 2048, 1.0f + 1.0f / 4096, 3.14159265f, 0.1f};
    Buffer<float> device_in(in), out(in.size());
    to_tf32<<<1, 6>>>(device_in, out);
    CHECK_EQUAL(out.read(), std::vector<float>{1.0f, 1.0f + 1.0f / 1024, -1.0f - 1.0f / 1024, 1.0f, 3.140625f,
                                               0.0999755859375f});
}

// ---- mma.sync, with the layout of the PTX reference: group = lane / 4, member = lane % 4 ----

__device__ unsigned packed(const half* two) {
    return *reinterpret_cast<const unsigned*>(two);
}

__global__ void by_instruction(const half* a, const half* b, const float* c, float* d, half* half_d) {
#if HAS_TENSOR_CORES
    const int group = threadIdx.x / 4, member = threadIdx.x % 4;
    unsigned rows[4], columns[2];
    float sums[4];
    for (int i = 0; i < 4; ++i) rows[i] = packed(&a[(group + i % 2 * 8) * 16 + member * 2 + i / 2 * 8]);
    for (int i = 0; i < 2; ++i) columns[i] = packed(&b[group * 16 + member * 2 + i * 8]);
    for (int i = 0; i < 4; ++i) sums[i] = c[(group + i / 2 * 8) * 8 + member * 2 + i % 2];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
    for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + member * 2 + i % 2] = sums[i];
    // Computes the same product in two steps of half of k each, with sums of type half.
    unsigned both[2] = {0, 0};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};\n"
                 : "+r"(both[0]), "+r"(both[1])
                 : "r"(rows[0]), "r"(rows[1]), "r"(columns[0]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};\n"
                 : "+r"(both[0]), "+r"(both[1])
                 : "r"(rows[2]), "r"(rows[3]), "r"(columns[1]));
    for (int i = 0; i < 2; ++i)
        *reinterpret_cast<unsigned*>(&half_d[(group + i * 8) * 8 + member * 2]) = both[i];
#endif
}

TENSOR_CASE("mma.sync of half: m16n8k16 with float, m16n8k8 with half") {
    const std::vector<half> a = numbers<half>(256, 1), b = numbers<half>(128, 4);
    const std::vector<float> c = numbers<float>(128, 2);
    Buffer<half> device_a(a), device_b(b), half_d(128);
    Buffer<float> device_c(c), d(128);
    by_instruction<<<1, 32>>>(device_a, device_b, device_c, d, half_d);
    CHECK_EQUAL(d.read(), product(16, 8, 16, a, true, b, false, c));
    CHECK_EQUAL(as_floats(half_d.read()), product(16, 8, 16, a, true, b, false, std::vector<float>(128)));
}

__global__ void other_types(const float* a, const float* b, float* d, const signed char* bytes_a,
                            const signed char* bytes_b, int* whole_d) {
#if HAS_TENSOR_CORES
    const int group = threadIdx.x / 4, member = threadIdx.x % 4;
    unsigned rows[4], columns[2];
    for (int i = 0; i < 4; ++i) rows[i] = __float_as_uint(a[(group + i % 2 * 8) * 8 + member + i / 2 * 4]);
    for (int i = 0; i < 2; ++i) columns[i] = __float_as_uint(b[(member + i * 4) * 8 + group]);
    float sums[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
    for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + member * 2 + i % 2] = sums[i];
    for (int i = 0; i < 4; ++i)
        rows[i] =
            *reinterpret_cast<const unsigned*>(&bytes_a[(group + i % 2 * 8) * 32 + member * 4 + i / 2 * 16]);
    for (int i = 0; i < 2; ++i)
        columns[i] = *reinterpret_cast<const unsigned*>(&bytes_b[group * 32 + member * 4 + i * 16]);
    int whole[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
        "%1, %2, %3};\n"
        : "+r"(whole[0]), "+r"(whole[1]), "+r"(whole[2]), "+r"(whole[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
    for (int i = 0; i < 4; ++i) whole_d[(group + i / 2 * 8) * 8 + member * 2 + i % 2] = whole[i];
#endif
}

TENSOR_CASE("mma.sync of tf32, and of integers of 8 bits with and without a sign") {
    const std::vector<float> a = numbers<float>(128, 1), b = numbers<float>(64, 4);
    std::vector<signed char> bytes_a = numbers<signed char>(512, 1), bytes_b = numbers<signed char>(256, 3);
    for (auto& byte : bytes_a) byte = static_cast<signed char>(byte - 5);
    Buffer<float> device_a(a), device_b(b), d(128);
    Buffer<signed char> device_bytes_a(bytes_a), device_bytes_b(bytes_b);
    Buffer<int> whole(128);
    other_types<<<1, 32>>>(device_a, device_b, d, device_bytes_a, device_bytes_b, whole);
    CHECK_EQUAL(d.read(), product(16, 8, 8, a, true, b, true, std::vector<float>(128)));
    CHECK_EQUAL(as_floats(whole.read()),
                product(16, 8, 32, bytes_a, true, bytes_b, false, std::vector<int>(128)));
}

__global__ void rows_of_matrices(const unsigned short* in, unsigned* out) {
#if HAS_TENSOR_CORES
    __shared__ __align__(16) unsigned short tile[4][8][8];
    for (int i = threadIdx.x; i < 256; i += 32) (&tile[0][0][0])[i] = in[i];
    __syncwarp();
    const int lane = static_cast<int>(threadIdx.x);
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane / 8][lane % 8][0]));
    unsigned r[4], turned[4], two[2], one, moved;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(turned[0]), "=r"(turned[1]), "=r"(turned[2]), "=r"(turned[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(two[0]), "=r"(two[1])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];\n" : "=r"(one) : "r"(row));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\n" : "=r"(moved) : "r"(r[2]));
    for (int i = 0; i < 4; ++i) out[i * 32 + lane] = r[i];
    for (int i = 0; i < 4; ++i) out[(4 + i) * 32 + lane] = turned[i];
    out[8 * 32 + lane] = two[1];
    out[9 * 32 + lane] = one;
    out[10 * 32 + lane] = moved;
#endif
}

TENSOR_CASE("ldmatrix and movmatrix give each lane two neighbouring numbers of a matrix of 8 x 8") {
    std::vector<unsigned short> in(256);
    for (std::size_t i = 0; i < 256; ++i) in[i] = static_cast<unsigned short>(i);
    Buffer<unsigned short> device_in(in);
    Buffer<unsigned> out(11 * 32);
    rows_of_matrices<<<1, 32>>>(device_in, out);
    std::vector<unsigned> want(11 * 32);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned group = lane / 4, member = lane % 4;
        const auto pair = [&](unsigned matrix, bool transposed) {
            const unsigned first = matrix * 64 + (transposed ? member * 16 + group : group * 8 + member * 2);
            return first | (first + (transposed ? 8 : 1)) << 16;
        };
        for (unsigned matrix = 0; matrix < 4; ++matrix) {
            want[matrix * 32 + lane] = pair(matrix, false);
            want[(4 + matrix) * 32 + lane] = pair(matrix, true);
        }
        want[8 * 32 + lane] = pair(1, false);
        want[9 * 32 + lane] = pair(0, false);
        want[10 * 32 + lane] = pair(2, true);
    }
    CHECK_EQUAL(out.read(), want);
}

// ---- the rounding of sums ----
//
// Recorded by mma.sync on an H100 80GB HBM3 (2026-11-27, CUDA 13.0). Products are exact. They and the old sum
// are aligned to the largest exponent, and bits beyond 25 after the point are dropped. The new sum is
// truncated to a float, or rounded to the nearest half. Each row has a result that a different model would
// not give: a model with 24 or 26 bits, with two sums of half as many products, or with rounding to the
// nearest float.

/// One element of d = a * b + c, as bits: at most four of its products are not 0.
struct Recorded {
    unsigned c, d;
    struct Product {
        unsigned k, a, b;
    } products[4];
};

namespace {

const std::vector<Recorded> half_to_float = {
    {0xc1ffdf12u,
     0x451616ceu,
     {{2, 0xd3c0u, 0xd0e8u}, {3, 0x2eebu, 0xb874u}, {4, 0x2445u, 0xa751u}, {12, 0xba4fu, 0x28e4u}}},
    {0x3f9e85ceu,
     0x41f51a51u,
     {{2, 0xd3c0u, 0xabd4u}, {3, 0x2eebu, 0x5b90u}, {4, 0x2445u, 0x434eu}, {12, 0xba4fu, 0x3a35u}}},
    {0xbb0c11a0u,
     0x45dca708u,
     {{2, 0xd3c0u, 0xd73eu}, {3, 0x2eebu, 0x5b12u}, {4, 0x2445u, 0xd267u}, {12, 0xba4fu, 0x59d3u}}},
    {0xc6d7ca2eu,
     0xc6d3df7eu,
     {{2, 0xd3c0u, 0xc81au}, {3, 0x2eebu, 0xd606u}, {4, 0x2445u, 0x3e43u}, {12, 0xba4fu, 0xc3f8u}}},
    {0x382807e4u, 0x393b9cf9u, {{10, 0xa01au, 0xa470u}}}};
const std::vector<Recorded> half_to_half = {
    {0x5d01u, 0x5e00u, {{9, 0xb24bu, 0xd13au}, {10, 0x4201u, 0x46a6u}, {14, 0xcdf5u, 0xbdfcu}}},
    {0x995bu, 0xae70u, {{1, 0x1c3bu, 0xd1d4u}, {7, 0xa66au, 0xb8adu}, {9, 0xa2bfu, 0xc613u}}}};
const std::vector<Recorded> bfloat = {
    {0x3e4a628bu, 0x459ea914u, {{2, 0xb942u, 0x38aeu}, {6, 0xbab8u, 0xc849u}, {15, 0xbd2bu, 0xc7e0u}}},
    {0x3f8bdd3du, 0xc5083071u, {{2, 0xb942u, 0xc021u}, {6, 0xbab8u, 0xc2b8u}, {15, 0xbd2bu, 0x474cu}}},
    {0xbfe6e7ceu, 0xbfe70ffau, {{2, 0xb942u, 0x3f77u}, {6, 0xbab8u, 0x3f3fu}, {15, 0xbd2bu, 0x3697u}}},
    {0x415de383u, 0x415de206u, {{2, 0xb942u, 0x3ff9u}, {6, 0xbab8u, 0xb68eu}, {15, 0xbd2bu, 0x38bfu}}},
    {0x398ec5d6u,
     0x44db2793u,
     {{5, 0xbc9du, 0x4462u}, {10, 0x3c24u, 0xbba7u}, {11, 0x39f5u, 0xbfc9u}, {14, 0xbd85u, 0xc6d5u}}},
    {0x4345b503u, 0xc88b0f4au, {{7, 0xc5f4u, 0x4212u}, {10, 0x44e7u, 0xb7ddu}}},
    {0xfc42f245u,
     0x7f800000u,
     {{2, 0x606cu, 0x5e64u}, {5, 0xdeb2u, 0x5dc7u}, {8, 0x5f17u, 0x5ed4u}, {13, 0x5fd0u, 0x5f65u}}},
    {0xfe862dafu,
     0xff800000u,
     {{2, 0x606cu, 0x5d4fu}, {5, 0xdeb2u, 0x5f41u}, {8, 0x5f17u, 0x5e3eu}, {13, 0x5fd0u, 0xdf74u}}}};
const std::vector<Recorded> tf32 = {
    {0xbe118b88u, 0xbe118b87u, {{4, 0x363b2000u, 0x3b0a6000u}}},
    {0xc71c2dbbu, 0x4881a6d5u, {{1, 0x3ff7a000u, 0x481a4000u}, {2, 0xc983c000u, 0x386c8000u}}},
    {0x391673a1u,
     0xc639458eu,
     {{1, 0xb9466000u, 0xb6d38000u}, {2, 0xc4752000u, 0x41418000u}, {4, 0x437c6000u, 0x3b0a6000u}}},
    {0xc2eecb42u,
     0xc3146c19u,
     {{1, 0xb9466000u, 0x481a4000u}, {2, 0xc4752000u, 0x386c8000u}, {4, 0x437c6000u, 0x3b6ce000u}}},
    {0x4245454fu,
     0xc7362835u,
     {{1, 0xb9466000u, 0xb7082000u}, {2, 0xc4752000u, 0xbfa9e000u}, {4, 0x437c6000u, 0xc33e2000u}}},
    {0xff77781du,
     0xff800000u,
     {{0, 0xe0330000u, 0x5d74a000u},
      {1, 0x5e850000u, 0xdf7c6000u},
      {4, 0x5e168000u, 0x5d658000u},
      {5, 0x5f3a6000u, 0x5d2b2000u}}},
    {0x7f7f26c3u,
     0x7f800000u,
     {{2, 0xded86000u, 0x5f022000u},
      {3, 0xddaf0000u, 0xdc9c6000u},
      {4, 0x5f03c000u, 0x5f102000u},
      {6, 0x5e63a000u, 0x5e2be000u}}}};
const std::vector<Recorded> half_in_eight = {
    {0xbeb54bc3u, 0x4046f2afu, {{6, 0x4369u, 0x3b7au}}},
    {0x4863e166u, 0x486380d5u, {{6, 0x4369u, 0xd684u}}},
    {0xb88621b3u, 0x44378463u, {{6, 0x4369u, 0x5a31u}}},
    {0x49dfb7a7u, 0x49dfe41fu, {{1, 0x574au, 0xb18bu}, {6, 0xcaecu, 0xd684u}}},
    {0x377e0d16u, 0x418cd811u, {{0, 0xab96u, 0xa1a3u}, {3, 0xb0cdu, 0xd447u}, {7, 0x57edu, 0x2b68u}}},
    {0x3741c6cbu, 0xbb867bb5u, {{1, 0x27acu, 0x20d9u}, {7, 0x2493u, 0xb3e1u}}},
    {0xb8a12b68u, 0x3d8b5175u, {{2, 0xafc6u, 0x42c8u}, {7, 0x47e1u, 0x2bccu}}}};

}  // namespace

enum class Form { half_to_float, half_to_half, bfloat, tf32, half_in_eight };

/// Computes element (0, 0) of a product whose matrices are 0 elsewhere.
__global__ void multiply_recorded(Form form, const Recorded* rows, unsigned* d) {
#if HAS_TENSOR_CORES
    const Recorded& row = rows[blockIdx.x];
    const unsigned lane = threadIdx.x;
    const bool has_c = lane == 0;
    unsigned a[4] = {}, b[2] = {}, c[4] = {has_c ? row.c : 0};
    for (const Recorded::Product& product : row.products) {
        const bool is_tf32 = form == Form::tf32;
        const unsigned owner = is_tf32 ? product.k % 4 : product.k % 8 / 2,
                       number = product.k / (is_tf32 ? 4 : 8);
        const unsigned shift = is_tf32 ? 0 : product.k % 2 * 16;
        if (lane != owner) continue;
        a[number * 2] |= product.a << shift;
        b[number] |= product.b << shift;
    }
    switch (form) {
        case Form::half_to_float:
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
                "%9}, {%0, %1, %2, %3};"
                : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            break;
        case Form::half_to_half:
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
                "{%0, %1};"
                : "+r"(c[0]), "+r"(c[1])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            break;
        case Form::bfloat:
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                "{%8, %9}, {%0, %1, %2, %3};"
                : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            break;
        case Form::tf32:
            asm volatile(
                "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
                "%9}, {%0, %1, %2, %3};"
                : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            break;
        case Form::half_in_eight:
            asm volatile(
                "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, "
                "%2, %3};"
                : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    }
    if (lane == 0) d[blockIdx.x] = c[0];
#endif
}

namespace {

/// Compares the sums with the recorded ones. Other generations of hardware keep fewer bits.
void check_recorded(Form form, const std::vector<Recorded>& rows) {
    Buffer<Recorded> device_rows(rows);
    Buffer<unsigned> d(rows.size());
    multiply_recorded<<<static_cast<unsigned>(rows.size()), 32>>>(form, device_rows, d);
    std::vector<unsigned> want;
    for (const Recorded& row : rows) want.push_back(row.d);
    CHECK_EQUAL(d.read(), want);
}

}  // namespace

TENSOR_CASE("sums are rounded as on an H100") {
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (major != 9) SKIP("the results were recorded with compute capability 9.0");
    check_recorded(Form::half_to_float, half_to_float);
    check_recorded(Form::half_to_half, half_to_half);
    check_recorded(Form::bfloat, bfloat);
    check_recorded(Form::tf32, tf32);
    check_recorded(Form::half_in_eight, half_in_eight);
}

CONFORMANCE_MAIN("tensor")
