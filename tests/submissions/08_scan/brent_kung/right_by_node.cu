// expect: right
// REGION 2
    for (int half = kTile / 4; half; half >>= 1) {
        __syncthreads();
        const int node = (2 * t + 3) * half - 1;
        if (node < count) tile[node] = tile[node - half] + tile[node];
    }
    __syncthreads();
