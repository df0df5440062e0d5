// attack: includes the test, whose references are right
// outcome: broken
// says: No such file
#include "07_reduction/block_sums.hpp"
static void attack() {}
