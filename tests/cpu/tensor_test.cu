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

/// Small whole numbers, so that each sum is exact.
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

/// The type of a fragment's elements, and the type in which memory has them.
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
    // The same in two halves of k, with sums in half.
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

CONFORMANCE_MAIN("tensor")
