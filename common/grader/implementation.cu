// The part of the grader that no test needs to compile anew (see grader.cuh), as one object for all of them.
#undef KIT_GRADER_COMPILED
#define KIT_GRADER_FUNCTION
#include "grader.cuh"

namespace kit::detail {

// The same for the patterns of wrong values of common types (declared in diagnose.hpp).
template class Pattern<float>;
template class Pattern<double>;
template class Pattern<int>;
template class Pattern<unsigned int>;

}  // namespace kit::detail
