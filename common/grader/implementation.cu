// Compiles the part of the grader that is the same for all tests (grader.cuh) into one object file.
#undef KIT_GRADER_COMPILED
#define KIT_GRADER_FUNCTION
#include "grader.cuh"

namespace kit {

KIT_CASE_FOR(, float)
KIT_CASE_FOR(, double)
KIT_CASE_FOR(, int)
KIT_CASE_FOR(, unsigned int)

}  // namespace kit
