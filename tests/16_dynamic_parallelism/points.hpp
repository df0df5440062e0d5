// Random points, for the tests of octree_query and of stack_traversal of topic 15.
#pragma once

#include <vector>

#include "grader.cuh"

namespace nested_test {

/// Returns a point whose coordinates are between low and high.
inline float3 anywhere(kit::Random& random, float low, float high) {
    const auto one = [&] { return static_cast<float>(low + (high - low) * random.unit()); };
    const float x = one(), y = one(), z = one();
    return {x, y, z};
}

/// Returns n points of the unit cube.
inline std::vector<float3> uniform(kit::Random& random, int n) {
    std::vector<float3> points(static_cast<std::size_t>(n));
    for (float3& p : points) p = anywhere(random, 0, 1);
    return points;
}

}  // namespace nested_test
