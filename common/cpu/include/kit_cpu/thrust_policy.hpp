// The tag and the base of all policies of Thrust's device system (thrust_system.hpp). Iterators need the tag
// and the base before the algorithms exist.
#pragma once

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/config.h>
#include <thrust/detail/execution_policy.h>

#define THRUST_RUNTIME_FUNCTION
#define THRUST_FUNCTION inline

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

struct tag;
template <class>
struct execution_policy;
template <>
struct execution_policy<tag> : thrust::execution_policy<tag> {
    using tag_type = tag;
};
struct tag : execution_policy<tag>, detail::allocator_aware_execution_policy<cuda_cub::execution_policy> {};
template <class Derived>
struct execution_policy : thrust::execution_policy<Derived> {
    using tag_type = tag;
    operator tag() const { return tag(); }
};

}  // namespace cuda_cub

namespace system::cuda {
using thrust::cuda_cub::execution_policy;
using thrust::cuda_cub::tag;
namespace detail {
using thrust::cuda_cub::execution_policy;
using thrust::cuda_cub::tag;
}  // namespace detail
}  // namespace system::cuda
namespace cuda {
using thrust::cuda_cub::execution_policy;
using thrust::cuda_cub::tag;
}  // namespace cuda
THRUST_NAMESPACE_END
