// Operations of tensor cores: the lanes of a warp meet, and the last one to arrive computes the results of all.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "events.hpp"
#include "grid.hpp"
#include "tensor_arithmetic.hpp"
#include "tensor_parts.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

/// One of the matrices of an operation: its elements by rows, as bits.
struct Matrix {
    std::array<std::uint64_t, 32 * 16> elements;

    Matrix() { elements.fill(0); }
    std::uint64_t& at(unsigned row, unsigned column, unsigned columns) {
        return elements[row * columns + column];
    }
};

bool same_part(const TensorPart& a, const TensorPart& b) {
    return a.type == b.type && a.role == b.role && a.count == b.count;
}
bool same_shape(TensorShape a, TensorShape b) {
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

/// Returns the parts of one matrix. `part(lane)` is the part of a lane.
template <class Part>
TensorParts parts_of(unsigned mask, Part part) {
    TensorParts parts{};
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        parts[lane] = &part(lane);
    }
    return parts;
}

// ---- load_matrix_sync(), store_matrix_sync() ----

struct Transfer {
    TensorMeeting meeting;
    TensorShape shape;
    TensorPart part;
    TensorMemory memory;
    unsigned long long* pieces;
};

const char* difference(const Transfer& a, const Transfer& b) {
    if (a.memory.matrix != b.memory.matrix) return "pointer";
    if (a.memory.stride != b.memory.stride) return "stride";
    if (a.memory.by_rows != b.memory.by_rows) return "layout";
    return same_shape(a.shape, b.shape) && same_part(a.part, b.part) ? nullptr : "kind";
}

/// Copies the pieces of all lanes to or from the whole matrix, line by line.
template <class Copy>
void each_piece(unsigned mask, const void* const in[32], Copy copy) {
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (!in[lane]) continue;
        const Transfer& transfer = *static_cast<const Transfer*>(in[lane]);
        const unsigned pieces = transfer.memory.line_bytes / tensor_piece * transfer.memory.lines;
        for (unsigned i = 0, piece = (lane + 5) % 32; piece < pieces; ++i, piece += 32)
            copy(transfer.pieces[i], piece * tensor_piece);
    }
}

/// Returns the offset of an element in the matrix, in bytes; the lines of the matrix follow each other.
unsigned offset_of(const Transfer& transfer, TensorPosition at) {
    const unsigned size = bytes_of(transfer.part.type);
    const unsigned line = transfer.memory.by_rows ? at.row : at.column;
    const unsigned within = transfer.memory.by_rows ? at.column : at.row;
    return line * transfer.memory.line_bytes + within * size;
}

using Bytes = std::array<char, 1024>;

void combine_take(unsigned mask, const void* const in[32], void* const[32]) {
    const auto of = [&](unsigned lane) -> const Transfer& { return *static_cast<const Transfer*>(in[lane]); };
    check_alike(of(static_cast<unsigned>(__builtin_ctz(mask))).meeting, mask,
                [&](unsigned first, unsigned lane) { return difference(of(first), of(lane)); });
    Bytes bytes{};
    each_piece(mask, in,
               [&](unsigned long long piece, unsigned at) { std::memcpy(&bytes[at], &piece, tensor_piece); });
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const TensorPart& part = of(lane).part;
        const unsigned size = bytes_of(part.type);
        for (unsigned i = 0; i < part.count; ++i)
            std::memcpy(static_cast<char*>(part.data) + i * size,
                        &bytes[offset_of(of(lane), position_of(of(lane).shape, part, lane, i))], size);
        set_made(part, lane);
        this_worker->block->note_fragments(kind_bit(part));
    }
}

void combine_give(unsigned mask, const void* const in[32], void* const[32]) {
    const auto of = [&](unsigned lane) -> const Transfer& { return *static_cast<const Transfer*>(in[lane]); };
    const TensorMeeting& meeting = of(static_cast<unsigned>(__builtin_ctz(mask))).meeting;
    check_alike(meeting, mask,
                [&](unsigned first, unsigned lane) { return difference(of(first), of(lane)); });
    check_operand(meeting, of(static_cast<unsigned>(__builtin_ctz(mask))).shape,
                  parts_of(mask, [&](unsigned lane) -> const TensorPart& { return of(lane).part; }));
    Bytes bytes{};
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const TensorPart& part = of(lane).part;
        const unsigned size = bytes_of(part.type);
        for (unsigned i = 0; i < part.count; ++i)
            std::memcpy(&bytes[offset_of(of(lane), position_of(of(lane).shape, part, lane, i))],
                        static_cast<const char*>(part.data) + i * size, size);
    }
    each_piece(mask, in, [&](unsigned long long& piece, unsigned at) {
        std::memcpy(&piece, &bytes[at], tensor_piece);
    });
}

// ---- mma_sync(), mma.sync ----

struct Multiplication {
    TensorMeeting meeting;
    const TensorProduct* product;
};

bool is_integer(TensorType type) {
    return type == TensorType::s8 || type == TensorType::u8;
}
std::int64_t integer(TensorType type, std::uint64_t bits) {
    return type == TensorType::s8 ? static_cast<std::int8_t>(bits) : static_cast<std::uint8_t>(bits);
}
double real(std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

void multiply_integers(const TensorProduct& of, Matrix& a, Matrix& b, Matrix& c) {
    const TensorShape s = of.shape;
    for (unsigned row = 0; row < s.m; ++row) {
        for (unsigned column = 0; column < s.n; ++column) {
            std::int64_t sum = static_cast<std::int32_t>(c.at(row, column, s.n));
            for (unsigned i = 0; i < s.k; ++i)
                sum += integer(of.a.type, a.at(row, i, s.k)) * integer(of.b.type, b.at(i, column, s.n));
            if (of.saturates)
                sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                               std::numeric_limits<std::int32_t>::max());
            c.at(row, column, s.n) = static_cast<std::uint32_t>(sum);
        }
    }
}

void multiply_doubles(const TensorProduct& of, Matrix& a, Matrix& b, Matrix& c) {
    const TensorShape s = of.shape;
    for (unsigned row = 0; row < s.m; ++row) {
        for (unsigned column = 0; column < s.n; ++column) {
            double sum = real(c.at(row, column, s.n));
            for (unsigned i = 0; i < s.k; ++i)
                sum = std::fma(real(a.at(row, i, s.k)), real(b.at(i, column, s.n)), sum);
            std::memcpy(&c.at(row, column, s.n), &sum, sizeof sum);
        }
    }
}

void multiply_floats(const TensorProduct& of, Matrix& a, Matrix& b, Matrix& c) {
    const TensorShape s = of.shape;
    std::array<TensorNumber, 32 * 16> rows, columns;
    for (unsigned row = 0; row < s.m; ++row)
        for (unsigned i = 0; i < s.k; ++i)
            rows[row * s.k + i] = tensor_number(of.a.type, static_cast<std::uint32_t>(a.at(row, i, s.k)));
    for (unsigned column = 0; column < s.n; ++column)
        for (unsigned i = 0; i < s.k; ++i)
            columns[column * s.k + i] =
                tensor_number(of.b.type, static_cast<std::uint32_t>(b.at(i, column, s.n)));
    for (unsigned row = 0; row < s.m; ++row) {
        for (unsigned column = 0; column < s.n; ++column) {
            std::uint64_t& sum = c.at(row, column, s.n);
            sum = tensor_sum(of.a.type, &rows[row * s.k], &columns[column * s.k], s.k, of.c.type,
                             static_cast<std::uint32_t>(sum), of.d.type);
        }
    }
}

void combine_multiply(unsigned mask, const void* const in[32], void* const[32]) {
    const auto of = [&](unsigned lane) -> const TensorProduct& {
        return *static_cast<const Multiplication*>(in[lane])->product;
    };
    const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
    const TensorMeeting& meeting = static_cast<const Multiplication*>(in[first])->meeting;
    check_alike(meeting, mask, [&](unsigned one, unsigned lane) {
        const TensorProduct &x = of(one), &y = of(lane);
        const bool same = same_shape(x.shape, y.shape) && same_part(x.a, y.a) && same_part(x.b, y.b) &&
                          same_part(x.c, y.c) && same_part(x.d, y.d);
        return same ? nullptr : "kind";
    });
    const TensorShape shape = of(first).shape;
    Matrix a, b, c;
    const auto gather = [&](Matrix& matrix, TensorPart TensorProduct::*which) {
        const unsigned columns = columns_of(shape, (of(first).*which).role);
        check_operand(meeting, shape,
                      parts_of(mask, [&](unsigned lane) -> const TensorPart& { return of(lane).*which; }));
        for (unsigned rest = mask; rest; rest &= rest - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            const TensorPart& part = of(lane).*which;
            for (unsigned i = 0; i < part.count; ++i) {
                const TensorPosition at = position_of(shape, part, lane, i);
                matrix.at(at.row, at.column, columns) = element(part, i);
            }
        }
    };
    gather(a, &TensorProduct::a);
    gather(b, &TensorProduct::b);
    gather(c, &TensorProduct::c);
    const TensorType type = of(first).a.type;
    if (is_integer(type))
        multiply_integers(of(first), a, b, c);
    else if (type == TensorType::f64)
        multiply_doubles(of(first), a, b, c);
    else
        multiply_floats(of(first), a, b, c);
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const TensorPart& part = of(lane).d;
        const unsigned size = bytes_of(part.type);
        for (unsigned i = 0; i < part.count; ++i) {
            const TensorPosition at = position_of(shape, part, lane, i);
            std::memcpy(static_cast<char*>(part.data) + i * size, &c.at(at.row, at.column, shape.n), size);
        }
        set_made(part, lane);
        if (part.is_fragment) this_worker->block->note_fragments(kind_bit(part));
    }
    Counters& counters = this_worker->counters;
    const std::uint64_t multiplications = std::uint64_t{shape.m} * shape.n * shape.k;
    observer().product(*this_worker->block, this_worker->met_at, multiplications);
    ++counters.tensor_products;
    counters.tensor_multiplications += multiplications;
}

// ---- ldmatrix, stmatrix ----

struct RowsMet {
    TensorMeeting meeting;
    MatrixRows rows;
};

/// Returns the place of a lane's number, 0 or 1, in a matrix of 8 x 8: its row and column.
TensorPosition in_eight(const MatrixRows& rows, unsigned lane, unsigned number) {
    const unsigned line = lane / 4, within = lane % 4 * 2 + number;
    return rows.transposed ? TensorPosition{within, line} : TensorPosition{line, within};
}

using EightByEight = std::array<std::array<std::uint16_t, 8>, 8>;

template <class Each>
void each_number(unsigned mask, const void* const in[32], Each each) {
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (!in[lane]) continue;
        const MatrixRows& rows = static_cast<const RowsMet*>(in[lane])->rows;
        for (unsigned matrix = 0; matrix < rows.count; ++matrix) {
            std::uint16_t numbers[2];
            std::memcpy(numbers, &rows.numbers[matrix], sizeof numbers);
            for (unsigned i = 0; i < 2; ++i) each(matrix, in_eight(rows, lane, i), numbers[i]);
            std::memcpy(&rows.numbers[matrix], numbers, sizeof numbers);
        }
    }
}

void check_same_rows(unsigned mask, const void* const in[32]) {
    const auto of = [&](unsigned lane) -> const RowsMet& { return *static_cast<const RowsMet*>(in[lane]); };
    check_alike(of(static_cast<unsigned>(__builtin_ctz(mask))).meeting, mask,
                [&](unsigned first, unsigned lane) {
                    const MatrixRows &x = of(first).rows, &y = of(lane).rows;
                    return x.count == y.count && x.transposed == y.transposed ? nullptr : "form";
                });
}

void combine_rows(unsigned mask, const void* const in[32], void* const[32]) {
    check_same_rows(mask, in);
    std::array<EightByEight, 4> matrices{};
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const MatrixRows& rows = static_cast<const RowsMet*>(in[lane])->rows;
        if (rows.row) std::memcpy(matrices[lane / 8][lane % 8].data(), rows.row, 16);
    }
    each_number(mask, in, [&](unsigned matrix, TensorPosition at, std::uint16_t& number) {
        number = matrices[matrix][at.row][at.column];
    });
}

void combine_numbers(unsigned mask, const void* const in[32], void* const[32]) {
    check_same_rows(mask, in);
    std::array<EightByEight, 4> matrices{};
    each_number(mask, in, [&](unsigned matrix, TensorPosition at, std::uint16_t& number) {
        matrices[matrix][at.row][at.column] = number;
    });
    for (unsigned rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        const MatrixRows& rows = static_cast<const RowsMet*>(in[lane])->rows;
        if (lane < 8 * rows.count)
            std::memcpy(const_cast<unsigned long long*>(rows.row), matrices[lane / 8][lane % 8].data(), 16);
    }
}

[[noreturn]] void refuse_alignment(const char* what, Place place, const char* operand, std::uint64_t past,
                                   std::uint64_t alignment) {
    stop_kernel(cudaErrorMisalignedAddress,
                finding(facts::Rule::tensor_misaligned, running_spot(place), place)
                    .by(running_thread())
                    .with("function", what)
                    .with("operand", operand)
                    .with("past", past)
                    .with("alignment", alignment));
}

}  // namespace

void check_tensor_memory(const char* what, const TensorMemory& memory, unsigned element_bytes, Place place) {
    const Caller block(what);
    constexpr unsigned stride_alignment = 16;
    // The programming guide requires 32 bytes. PTX requires the size of a lane's part, which is at most 16 bytes for
    // 8-bit integers, and NVIDIA's sample immaTensorCoreGemm relies on that.
    const unsigned pointer_alignment = element_bytes == 1 ? 16 : 32;
    if (const std::uint64_t past = reinterpret_cast<std::uint64_t>(memory.matrix) % pointer_alignment)
        refuse_alignment(what, place, "pointer", past, pointer_alignment);
    if (std::uint64_t{memory.stride} * element_bytes % stride_alignment)
        stop_kernel(cudaErrorMisalignedAddress,
                    finding(facts::Rule::tensor_stride, running_spot(place), place)
                        .by(running_thread())
                        .with("function", what)
                        .with("stride", memory.stride)
                        .with("multiple", stride_alignment / element_bytes));
}

void check_row(const char* what, const void* row, Place place) {
    const Caller block(what);
    constexpr unsigned alignment = 16;
    if (const std::uint64_t past = reinterpret_cast<std::uint64_t>(row) % alignment)
        refuse_alignment(what, place, "row", past, alignment);
}

void tensor_take(const char* what, TensorShape shape, const TensorPart& part, const TensorMemory& memory,
                 const unsigned long long* pieces, Place place) {
    const Caller block(what);
    const Transfer own{{what, place}, shape, part, memory, const_cast<unsigned long long*>(pieces)};
    meet_whole_warp(block, own.meeting, &own, combine_take, __builtin_dwarf_cfa());
}

void tensor_give(const char* what, TensorShape shape, const TensorPart& part, const TensorMemory& memory,
                 unsigned long long* pieces, Place place) {
    const Caller block(what);
    const Transfer own{{what, place}, shape, part, memory, pieces};
    meet_whole_warp(block, own.meeting, &own, combine_give, __builtin_dwarf_cfa());
}

void tensor_filled(const TensorPart& part) {
    const Caller block("fill_fragment()");
    set_made(part, block->rank() % 32, true);
}

void tensor_multiply(const char* what, const TensorProduct& product, Place place) {
    const Caller block(what);
    const Multiplication own{{what, place}, &product};
    meet_whole_warp(block, own.meeting, &own, combine_multiply, __builtin_dwarf_cfa());
}

void exchange_rows(const char* what, const MatrixRows& rows, Place place) {
    const Caller block(what);
    const RowsMet own{{what, place}, rows};
    meet_whole_warp(block, own.meeting, &own, combine_rows, __builtin_dwarf_cfa());
}

void ptx::gather_rows(const char* what, const MatrixRows& rows, Place place) {
    const Caller block(what);
    const RowsMet own{{what, place}, rows};
    meet_whole_warp(block, own.meeting, &own, combine_numbers, __builtin_dwarf_cfa());
}

}  // namespace kit::cpu
