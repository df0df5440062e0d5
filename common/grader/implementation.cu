// The part of the grader that no test needs to compile anew (see grader.cuh), as one object for all of them.
#undef KIT_GRADER_COMPILED
#define KIT_GRADER_FUNCTION
#include "grader.cuh"

namespace kit {

KIT_CASE_FOR(, float)
KIT_CASE_FOR(, double)
KIT_CASE_FOR(, int)
KIT_CASE_FOR(, unsigned int)

}  // namespace kit
