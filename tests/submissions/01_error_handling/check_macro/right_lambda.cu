// expect: right
// TOP
#include <iostream>
#include <unistd.h>
// REGION 2
#define MY_CHECK(...) [&] { check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__); }()
// REGION 1
    if (!error) return;
    std::cerr << "error " << error << " (" << cudaGetErrorName(error) << ", \"" << cudaGetErrorString(error) << "\")\n  at "
              << file << ':' << line << "\n  in " << expression << std::endl;
    _exit(static_cast<int>(error) % 200 + 1);
