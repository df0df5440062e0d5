// expect: wrong; task 2; cause: a variable of the same name
// REGION 2
#define MY_CHECK(call)                          \
    do {                                        \
        cudaError_t code = cudaSuccess;         \
        cudaError_t err = (code = (call));      \
        check(err, #call, __FILE__, __LINE__);  \
    } while (0)
