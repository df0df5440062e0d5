// expect: wrong; task 4; cause: loads | loaded
// REGION 4
    if (2 * i + 1 < n) {
        out[2 * i] = __float2half(a * __half2float(x[2 * i]) + __half2float(y[2 * i]));
        out[2 * i + 1] = __float2half(a * __half2float(x[2 * i + 1]) + __half2float(y[2 * i + 1]));
    }
