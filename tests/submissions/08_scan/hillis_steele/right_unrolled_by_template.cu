// expect: right
// TOP
template <int stride, int end, class T>
__device__ void steps(T* tile, int t) {
    __syncthreads();
    const T mine = tile[t], other = t < stride ? T{} : tile[t - stride];
    __syncthreads();
    if (t >= stride) tile[t] = other + mine;
    if constexpr (2 * stride < end) steps<2 * stride, end>(tile, t);
}
// REGION 2
    steps<1, kBlock>(tile, t);
