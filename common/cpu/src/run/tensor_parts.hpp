// What the operations of tensor cores share: a lane's part of a matrix, its state, and the meeting of the lanes.
#pragma once

#include <array>
#include <cstdint>
#include <kit_cpu/tensor.hpp>

#include "caller.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

unsigned bytes_of(TensorType type);
unsigned rows_of(TensorShape shape, TensorRole role);
unsigned columns_of(TensorShape shape, TensorRole role);

/// The position of an element in a matrix.
struct TensorPosition {
    unsigned row, column;
};

/// Returns the position of an element of a lane. The layout of mma.sync is that of the PTX reference. A fragment's elements are scattered by a
/// permutation that is different for each kind of fragment, and that no GPU uses.
TensorPosition position_of(TensorShape shape, const TensorPart& part, unsigned lane, unsigned i);

/// Returns the bits of element `i` of a part.
std::uint64_t element(const TensorPart& part, unsigned i);

/// Notes that an operation has set the elements of a fragment. `filled`: all have one value.
void set_made(const TensorPart& part, unsigned lane, bool filled = false);

/// The bit of this kind of fragment in Warp::fragments.
std::uint32_t kind_bit(const TensorPart& part);

/// What the lanes that meet have in common: the function, its place, and the thread that arrived last.
struct TensorMeeting {
    const char* what;
    Place place;

    Finding finding(facts::Rule rule, unsigned lane) const;
};

/// The parts of one matrix that the lanes pass; null for a lane that passes none.
using TensorParts = std::array<const TensorPart*, 32>;

/// Checks a matrix that is an operand. Two things are reported: elements that nothing has set, and elements of a fragment whose values depend
/// on their index. Values count as dependent on their index if the program has set different values without an operation, although no
/// operation has set a fragment of this kind from which the values could come, or if two lanes hold different values of one element.
void check_operand(const TensorMeeting& meeting, TensorShape shape, const TensorParts& parts);

/// Ends the kernel if a lane passes different arguments than the first lane. `same` returns the name of what differs, or null.
template <class Same>
void check_alike(const TensorMeeting& meeting, unsigned mask, Same same) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
    for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (const char* const differs = same(first, lane))
            stop_kernel(cudaErrorLaunchFailure, meeting.finding(facts::Rule::tensor_arguments_differ, lane)
                                                    .with("operand", differs)
                                                    .with("first", first)
                                                    .with("lane", lane));
    }
}

/// Makes the lanes of the warp meet. All 32 lanes must call this function.
void meet_whole_warp(const Caller& block, const TensorMeeting& meeting, const void* in, WarpCombine combine,
                     const void* frame);

}  // namespace kit::cpu
