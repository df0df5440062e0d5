// Demo of 21_attention: decoding with pages, with graphs and in a loop on the device. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.21_attention
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/21_attention/demo.cu
//            solutions/21_attention/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/21_attention [--help]
//
//   decode   one token for 1 to 256 sequences
//   graphs   steps of a model with 12 layers: kernel by kernel, or as a graph
//   padding  batches of changing sizes: launches, a new instance each, exact sizes, padded sizes, the largest size
//   loop     the host reads after each token whether another one follows, or a WHILE node decides
//
// On a GPU: times. On the CPU executor: counts, for smaller sizes.

#include "decoding.hpp"

int main(int argc, char** argv) {
    kit::demo::Demo demo({"21_attention",
                          "decoding with pages, with graphs and in a loop on the device",
                          0,
                          0,
                          0,
                          {},
                          {"decode", "graphs", "padding", "loop"}},
                         argc, argv);
    decoding::show(demo);
    return demo.finish();
}
