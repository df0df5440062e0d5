// expect: wrong; task 1; cause: lacks the name | does not say where | does not show
// TOP
#include <cassert>
// REGION 1
    (void)expression, (void)file, (void)line;
    assert(error == cudaSuccess);
