// Operations of tensor cores for the CPU executor: the interface that <mma.h> and translated PTX (mma.sync,
// ldmatrix) use. All 32 lanes of a warp call an operation together, and each lane passes its part of the
// matrices. src/run/tensor.cpp implements the operations.
#pragma once

#include <host_defines.h>
#include <vector_types.h>

#include <kit_cpu/thread.hpp>

namespace kit::cpu {

enum class TensorType : unsigned char { f16, bf16, tf32, f32, f64, s8, u8, s32 };
enum class TensorRole : unsigned char { a, b, accumulator };

/// The sizes of D = A * B + C: A has m rows and k columns, B has k rows and n columns.
struct TensorShape {
    unsigned char m, n, k;
};

/// A lane's part of one matrix.
struct TensorPart {
    TensorType type = TensorType::f32;
    TensorRole role = TensorRole::accumulator;
    /// Whether the matrix is a fragment of wmma, whose layout is unspecified. A matrix of mma.sync has the
    /// layout that PTX documents.
    bool is_fragment = false;
    unsigned char count = 0;  ///< number of elements
    void* data = nullptr;
    unsigned long long* made = nullptr;  ///< the state of a fragment, see Fragment
};

/// The contents of a fragment. `made` is 0 until an operation has set its elements.
template <class T, int count>
struct Fragment {
    enum { num_elements = count, num_storage_elements = count };
    T x[count];
    unsigned long long kit_made;

    Fragment();
#ifdef __SANITIZE_THREAD__
    Fragment(const Fragment&) = default;
    Fragment& operator=(const Fragment&) = default;
    ~Fragment();
#endif
};

/// Fills the elements of a new fragment with a pattern, so that the use of elements that nothing has set is
/// recognized.
void poison_fragment(void* elements, unsigned element_bytes, unsigned count);

/// Fills registers with a pattern, so that mma.sync recognizes those that nothing has set.
void poison_registers(void* registers, unsigned long bytes);

/// Called when a fragment ends.
void forget_fragment(const void* elements);

#ifdef __SANITIZE_THREAD__
template <class T, int count>
KIT_CPU_UNCHECKED inline Fragment<T, count>::Fragment() : kit_made(0) {
    poison_fragment(x, sizeof(T), count);
}
template <class T, int count>
KIT_CPU_UNCHECKED inline Fragment<T, count>::~Fragment() {
    forget_fragment(x);
}
#else
template <class T, int count>
inline Fragment<T, count>::Fragment() {}
#endif

/// How the matrix of a fragment is stored in memory.
struct TensorMemory {
    const void* matrix;
    unsigned line_bytes, lines;  ///< bytes that are adjacent, and their number
    unsigned stride;             ///< elements from the start of one line to the next
    bool by_rows;
};

/// The bytes that one access of load_matrix_sync() or store_matrix_sync() moves, and the maximum number of
/// such accesses of a lane.
constexpr unsigned tensor_piece = 8, most_tensor_pieces = 4;

/// Returns the address of piece `number` of the lane; null if there is none.
KIT_CPU_UNCHECKED inline char* tensor_piece_at(const TensorMemory& memory, unsigned lane, unsigned number,
                                               unsigned element_bytes) {
    const unsigned piece = (lane + 5) % 32 + 32 * number, per_line = memory.line_bytes / tensor_piece;
    if (piece >= per_line * memory.lines) return nullptr;
    return const_cast<char*>(static_cast<const char*>(memory.matrix)) +
           static_cast<unsigned long long>(piece / per_line) * memory.stride * element_bytes +
           piece % per_line * tensor_piece;
}

/// Ends the kernel if the pointer or the stride breaks the rules of load_matrix_sync() and store_matrix_sync().
void check_tensor_memory(const char* what, const TensorMemory& memory, unsigned element_bytes, Place place);

/// Distributes the pieces of a matrix, which the lanes have read, to the fragments of the lanes.
void tensor_take(const char* what, TensorShape shape, const TensorPart& part, const TensorMemory& memory,
                 const unsigned long long* pieces, Place place);
/// Converts the fragments of the lanes to the pieces of the matrix that the lanes then write.
void tensor_give(const char* what, TensorShape shape, const TensorPart& part, const TensorMemory& memory,
                 unsigned long long* pieces, Place place);

/// Notes that fill_fragment() has set all elements.
void tensor_filled(const TensorPart& part);

/// Returns the nearest number that tf32 has; a tie is rounded away from zero.
inline float rounded_to_tf32(float value) {
    unsigned bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0x1000u) & 0xffffe000u;
    __builtin_memcpy(&value, &bits, sizeof bits);
    return value;
}

/// D = A * B + C. `saturates`: integers stay in the range of their type, and infinities of a half become its largest number.
struct TensorProduct {
    TensorShape shape;
    TensorPart d, a, b, c;
    bool saturates;
};
void tensor_multiply(const char* what, const TensorProduct& product, Place place);

/// Exchanges the rows of `count` matrices of 8 x 8 numbers of 16 bits. Lane i passes row i % 8 of matrix i /
/// 8. Each lane receives two adjacent numbers of each matrix: from a row or, if `transposed`, from a column.
struct MatrixRows {
    const unsigned long long* row;  ///< 16 bytes; null for a lane that passes no row
    unsigned* numbers;
    unsigned count;
    bool transposed;
};
void exchange_rows(const char* what, const MatrixRows& rows, Place place);
/// Ends the kernel unless the address of a row is a multiple of 16.
void check_row(const char* what, const void* row, Place place);

namespace ptx {

/// Copies a row of 16 bytes with one load and one store.
inline void copy_row(void* to, const void* from) {
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
}

/// mma.sync: the registers have the layout of the PTX reference.
template <class D, class A, class B, class C>
inline void mma(TensorShape shape, TensorType type_d, TensorType type_a, TensorType type_b, TensorType type_c,
                bool saturates, D& d, const A& a, const B& b, const C& c, Place place = KIT_CPU_HERE) {
    const auto part = [](TensorType type, TensorRole role, unsigned count, const void* data) {
        return TensorPart{type,   role, false, static_cast<unsigned char>(count), const_cast<void*>(data),
                          nullptr};
    };
    tensor_multiply("mma.sync",
                    {shape, part(type_d, TensorRole::accumulator, shape.m * shape.n / 32u, d),
                     part(type_a, TensorRole::a, shape.m * shape.k / 32u, a),
                     part(type_b, TensorRole::b, shape.k * shape.n / 32u, b),
                     part(type_c, TensorRole::accumulator, shape.m * shape.n / 32u, c), saturates},
                    place);
}

/// ldmatrix: `row` is an address in shared memory. A lane loads its row with one access, so the profile counts
/// one request, whose wavefronts are those of 16 bytes per lane.
template <unsigned count>
inline void load_rows(unsigned (&numbers)[count], const void* row, bool transposed,
                      Place place = KIT_CPU_HERE) {
    alignas(16) unsigned long long bytes[2] = {};
    const bool brings = lane_id() < 8 * count;
    if (brings) {
        check_row("ldmatrix", row, place);
        copy_row(bytes, row);
    }
    exchange_rows("ldmatrix", {brings ? bytes : nullptr, numbers, count, transposed}, place);
}

/// stmatrix: the reverse of ldmatrix.
void gather_rows(const char* what, const MatrixRows& rows, Place place);
template <unsigned count>
inline void store_rows(const unsigned (&numbers)[count], void* row, bool transposed,
                       Place place = KIT_CPU_HERE) {
    alignas(16) unsigned long long bytes[2] = {};
    unsigned own[count];
    for (unsigned i = 0; i < count; ++i) own[i] = numbers[i];
    gather_rows("stmatrix", {bytes, own, count, transposed}, place);
    if (lane_id() >= 8 * count) return;
    check_row("stmatrix", row, place);
    copy_row(row, bytes);
}

/// movmatrix: the transposed matrix.
inline unsigned transpose(unsigned numbers, Place place = KIT_CPU_HERE) {
    unsigned own[1] = {numbers}, result[1] = {};
    unsigned long long bytes[2] = {};
    gather_rows("movmatrix", {bytes, own, 1, false}, place);
    exchange_rows("movmatrix", {lane_id() < 8 ? bytes : nullptr, result, 1, true}, place);
    return result[0];
}

}  // namespace ptx
}  // namespace kit::cpu
