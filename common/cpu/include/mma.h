// nvcuda::wmma on the CPU executor: matrix products of a warp. The section "Warp Matrix Functions" of the
// CUDA C++ Programming Guide describes these functions. Which elements of a matrix a lane holds in a fragment
// is unspecified; here the layout differs from that of every GPU.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <kit_cpu/tensor.hpp>

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

namespace precision {
struct tf32;
}

enum layout_t { mem_row_major, mem_col_major };

namespace kit_details {

using kit::cpu::TensorRole;
using kit::cpu::TensorType;

/// The facts about a type of elements: the type that a fragment stores, and the executor's number for the
/// type.
template <class T, class Stored, TensorType number>
struct Element {
    using Storage = Stored;
    static constexpr TensorType type = number;
};
template <class T>
struct ElementOf {
    static_assert(!sizeof(T*),
                  "the CPU executor has wmma for half, bfloat16, tf32, 8-bit integers and double");
    using Storage = int;
    static constexpr TensorType type = TensorType::s32;
};
// clang-format off
template <> struct ElementOf<__half> : Element<__half, __half, TensorType::f16> {};
template <> struct ElementOf<__nv_bfloat16> : Element<__nv_bfloat16, __nv_bfloat16, TensorType::bf16> {};
template <> struct ElementOf<precision::tf32> : Element<precision::tf32, float, TensorType::tf32> {};
template <> struct ElementOf<float> : Element<float, float, TensorType::f32> {};
template <> struct ElementOf<double> : Element<double, double, TensorType::f64> {};
template <> struct ElementOf<signed char> : Element<signed char, signed char, TensorType::s8> {};
template <> struct ElementOf<unsigned char> : Element<unsigned char, unsigned char, TensorType::u8> {};
template <> struct ElementOf<int> : Element<int, int, TensorType::s32> {};

template <class Use> struct RoleOf;
template <> struct RoleOf<matrix_a> { static constexpr TensorRole role = TensorRole::a; };
template <> struct RoleOf<matrix_b> { static constexpr TensorRole role = TensorRole::b; };
template <> struct RoleOf<accumulator> { static constexpr TensorRole role = TensorRole::accumulator; };
// clang-format on

constexpr bool is_shape(int m, int n, int k, int for_m, int for_n, int for_k) {
    return m == for_m && n == for_n && k == for_k;
}
constexpr bool is_large_shape(int m, int n, int k) {
    return is_shape(m, n, k, 16, 16, 16) || is_shape(m, n, k, 32, 8, 16) || is_shape(m, n, k, 8, 32, 16);
}

/// Returns whether CUDA has fragments of this shape with this type of elements.
template <class Use, class T>
constexpr bool exists(int m, int n, int k) {
    constexpr TensorType type = ElementOf<T>::type;
    constexpr bool sums = RoleOf<Use>::role == TensorRole::accumulator;
    switch (type) {
        case TensorType::f16:
            return is_large_shape(m, n, k);
        case TensorType::bf16:
        case TensorType::s8:
        case TensorType::u8:
            return !sums && is_large_shape(m, n, k);
        case TensorType::tf32:
            return !sums && is_shape(m, n, k, 16, 16, 8);
        case TensorType::f32:
            return sums && (is_large_shape(m, n, k) || is_shape(m, n, k, 16, 16, 8));
        case TensorType::s32:
            return sums && is_large_shape(m, n, k);
        default:
            return is_shape(m, n, k, 8, 8, 4);
    }
}

/// Returns the number of elements that a lane holds. As on a GPU, two lanes hold each element of a factor of
/// type half.
template <class Use, class T>
constexpr int count(int m, int n, int k) {
    constexpr TensorRole role = RoleOf<Use>::role;
    if (role == TensorRole::accumulator) return m * n / 32;
    if (ElementOf<T>::type == TensorType::f16) return 16;
    return (role == TensorRole::a ? m : n) * k / 32;
}

}  // namespace kit_details

/// A lane's part of a matrix. A program may change the elements x[0] to x[num_elements - 1], all in the same
/// way.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public kit::cpu::Fragment<typename kit_details::ElementOf<T>::Storage,
                                           kit_details::count<Use, T>(m, n, k)> {
    static_assert(kit_details::exists<Use, T>(m, n, k), "wmma has no fragment of this type with these sizes");

  public:
    using element_type = T;
    using storage_element_type = typename kit_details::ElementOf<T>::Storage;
};

namespace kit_details {

template <class Use, int m, int n, int k, class T, class Layout>
kit::cpu::TensorPart part_of(const fragment<Use, m, n, k, T, Layout>& of) {
    auto& own = const_cast<fragment<Use, m, n, k, T, Layout>&>(of);
    return {ElementOf<T>::type, RoleOf<Use>::role, true, own.num_elements, own.x, &own.kit_made};
}

/// Returns where the matrix of a fragment, which has `rows` rows, is in memory.
template <class Use, int m, int n, int k, class T>
kit::cpu::TensorMemory memory_of(const void* matrix, unsigned ldm, bool by_rows) {
    constexpr unsigned rows = RoleOf<Use>::role == TensorRole::b ? k : m,
                       columns = RoleOf<Use>::role == TensorRole::a ? k : n;
    constexpr unsigned bytes = sizeof(typename ElementOf<T>::Storage);
    return {matrix, (by_rows ? columns : rows) * bytes, by_rows ? rows : columns, ldm, by_rows};
}

constexpr kit::cpu::TensorShape shape_of(int m, int n, int k) {
    return {static_cast<unsigned char>(m), static_cast<unsigned char>(n), static_cast<unsigned char>(k)};
}

template <class Use, int m, int n, int k, class T, class Layout>
void load(fragment<Use, m, n, k, T, Layout>& to, const void* from, unsigned ldm, bool by_rows,
          kit::cpu::Place place) {
    constexpr unsigned bytes = sizeof(typename ElementOf<T>::Storage);
    const kit::cpu::TensorMemory memory = memory_of<Use, m, n, k, T>(from, ldm, by_rows);
    kit::cpu::check_tensor_memory("load_matrix_sync()", memory, bytes, place);
    unsigned long long pieces[kit::cpu::most_tensor_pieces];
    for (unsigned i = 0; i < kit::cpu::most_tensor_pieces; ++i) {
        const char* const piece = kit::cpu::tensor_piece_at(memory, kit::cpu::lane_id(), i, bytes);
        if (!piece) break;
        pieces[i] = *reinterpret_cast<const unsigned long long*>(piece);
    }
    kit::cpu::tensor_take("load_matrix_sync()", shape_of(m, n, k), part_of(to), memory, pieces, place);
}

}  // namespace kit_details

template <class Use, int m, int n, int k, class T, class Layout>
inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& a,
                             const typename kit_details::ElementOf<T>::Storage* mptr, unsigned ldm,
                             kit::cpu::Place place = KIT_CPU_HERE) {
    static_assert(!std::is_void_v<Layout>,
                  "an accumulator has no layout: pass mem_row_major or mem_col_major");
    kit_details::load(a, mptr, ldm, std::is_same_v<Layout, row_major>, place);
}

template <int m, int n, int k, class T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& a, const T* mptr, unsigned ldm,
                             layout_t layout, kit::cpu::Place place = KIT_CPU_HERE) {
    kit_details::load(a, mptr, ldm, layout == mem_row_major, place);
}

template <int m, int n, int k, class T>
inline void store_matrix_sync(T* mptr, const fragment<accumulator, m, n, k, T>& a, unsigned ldm,
                              layout_t layout, kit::cpu::Place place = KIT_CPU_HERE) {
    const kit::cpu::TensorMemory memory =
        kit_details::memory_of<accumulator, m, n, k, T>(mptr, ldm, layout == mem_row_major);
    kit::cpu::check_tensor_memory("store_matrix_sync()", memory, sizeof(T), place);
    unsigned long long pieces[kit::cpu::most_tensor_pieces];
    kit::cpu::tensor_give("store_matrix_sync()", kit_details::shape_of(m, n, k), kit_details::part_of(a),
                          memory, pieces, place);
    for (unsigned i = 0; i < kit::cpu::most_tensor_pieces; ++i) {
        char* const piece = kit::cpu::tensor_piece_at(memory, kit::cpu::lane_id(), i, sizeof(T));
        if (!piece) break;
        *reinterpret_cast<unsigned long long*>(piece) = pieces[i];
    }
}

template <class Use, int m, int n, int k, class T, class Layout>
inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& a,
                          const typename kit_details::ElementOf<T>::Storage& value) {
    const typename kit_details::ElementOf<T>::Storage each = value;
    for (auto& element : a.x) element = each;
    kit::cpu::tensor_filled(kit_details::part_of(a));
}

/// d = a * b + c.
template <int m, int n, int k, class T, class Sum, class Result, class LayoutA, class LayoutB>
inline void mma_sync(fragment<accumulator, m, n, k, Result>& d,
                     const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                     const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                     const fragment<accumulator, m, n, k, Sum>& c, bool satf = false,
                     kit::cpu::Place place = KIT_CPU_HERE) {
    using kit_details::part_of;
    static_assert(std::is_same_v<T, __half> || std::is_same_v<Sum, Result>,
                  "only products of half may add a fragment of one type and give another");
    kit::cpu::tensor_multiply(
        "mma_sync()", {kit_details::shape_of(m, n, k), part_of(d), part_of(a), part_of(b), part_of(c), satf},
        place);
}

/// Rounds a float to the nearest number that tf32 has.
inline float __float_to_tf32(float value) {
    return kit::cpu::rounded_to_tf32(value);
}

}  // namespace nvcuda::wmma

// Fragments of 4 bits and of 1 bit are not supported.
namespace nvcuda::wmma::experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
template <class... Arguments>
__attribute__((unavailable(
    "bmma_sync() is not supported by the CPU backend, which has wmma for half, bfloat16, tf32, 8-bit "
    "integers and double"))) void
bmma_sync(Arguments&&...);
}  // namespace nvcuda::wmma::experimental
