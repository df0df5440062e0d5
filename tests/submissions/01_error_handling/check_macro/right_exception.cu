// expect: right
// TOP
#include <stdexcept>
#include <string>
// REGION 1
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + expression + " gave " +
                                 cudaGetErrorName(error) + ": " + cudaGetErrorString(error));
