// expect: right
// REGION 3
    T* read = buffers[0];
    T* write = buffers[1];
    for (int stride = 1; stride < kBlock; stride <<= 1) {
        __syncthreads();
        write[t] = t < stride ? read[t] : read[t - stride] + read[t];
        T* const swap = read;
        read = write;
        write = swap;
        from ^= 1;
    }
