// expect: right
// REGION 1
    int* front = scratch + before.less;
    int* back = scratch + n - before.all_greater + before.greater;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        if (data[i] < pivot) *front++ = data[i];
        if (pivot < data[i]) *back++ = data[i];
    }
    if (threadIdx.x < 32)
        for (int i = before.all_less + threadIdx.x; i < n - before.all_greater; i += 32) scratch[i] = pivot;
