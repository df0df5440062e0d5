// Channel descriptions: the elements of CUDA arrays. The arrays themselves are not supported
// (kit_cpu/not_offered.h).
#pragma once
#define __CHANNEL_DESCRIPTOR_H__

#include <driver_types.h>

#include <type_traits>

extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind);

/// Returns the channel description of a number type, or of a vector type whose components all have the same
/// type.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    if constexpr (std::is_arithmetic_v<T>) {
        return {8 * static_cast<int>(sizeof(T)), 0, 0, 0,
                std::is_floating_point_v<T> ? cudaChannelFormatKindFloat
                : std::is_signed_v<T>       ? cudaChannelFormatKindSigned
                                            : cudaChannelFormatKindUnsigned};
    } else {
        const cudaChannelFormatDesc one = cudaCreateChannelDesc<decltype(T::x)>();
        const int components = static_cast<int>(sizeof(T) / sizeof(T::x));
        return {one.x, components > 1 ? one.x : 0, components > 2 ? one.x : 0, components > 3 ? one.x : 0,
                one.f};
    }
}
