// The parts of 08_scan/single_pass, launched separately, so that each is graded on its own. Included at the end of that file.
#pragma once

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

/// Does kernel<<<blocks, threads>>>(arguments...). Headers cannot use that syntax, because only .cu files are translated for the CPU.
template <class... Parameters, class... Arguments>
void launch_alone(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

/// Publishes a word late, when a block that polls without waiting has already read the old word.
__device__ void tell_late(Word& word, Word now) {
    for (int i = 0; i < 10; ++i) __nanosleep(100000);
    tell(word, now);
}

/// Block 0 publishes a word late; block 1 gets the words.
__global__ void answers_alone(Word* words, int nearest, unsigned int call, int late, Word late_word,
                              Word* told) {
    if (blockIdx.x == 0) {
        if (late >= 0 && threadIdx.x == 0) tell_late(words[late], late_word);
    } else {
        told[threadIdx.x] = answers(words, nearest, call);
    }
}

void ask_window(Word* words, int nearest, unsigned int call, int late, Word late_word, Word* told) {
    launch_alone(answers_alone, 2, 32, words, nearest, call, late, late_word, told);
}

__global__ void draw_alone(PassWorkspace workspace, int* tiles, unsigned int* calls) {
    const Ticket ticket = draw(workspace);
    int i = blockIdx.x * kThreads + threadIdx.x;
    tiles[i] = ticket.tile;
    calls[i] = ticket.call;
}

void draw_tickets(PassWorkspace workspace, int blocks, int* tiles, unsigned int* calls) {
    launch_alone(draw_alone, blocks, kThreads, workspace, tiles, calls);
}

__global__ void scan_rows_alone(const int* in, int* out, int* sum) {
    int4 rows[kRows];
    int offsets[kRows];
    int first = threadIdx.x * 4;
    load_rows(in, first, kSegment, true, rows);
    int segment_sum = scan_rows(rows, offsets);
    store_rows(out, first, kSegment, true, rows, offsets, 0);
    sum[threadIdx.x] = segment_sum;
}

void scan_segment(const int* in, int* out, int* sum) {
    launch_alone(scan_rows_alone, 1, 32, in, out, sum);
}

/// Block 0 publishes a word late; block 1 looks back.
__global__ void look_back_alone(Word* words, int tile, unsigned int call, int late, Word late_word,
                                int* exclusive) {
    if (blockIdx.x == 0) {
        if (late >= 0 && threadIdx.x == 0) tell_late(words[late], late_word);
    } else {
        int sum = sum_before(words, tile, call);
        if (threadIdx.x == 0) *exclusive = sum;
    }
}

void look_back(Word* words, int tile, unsigned int call, int late, Word late_word, int* exclusive) {
    launch_alone(look_back_alone, 2, 32, words, tile, call, late, late_word, exclusive);
}

}  // namespace scan
