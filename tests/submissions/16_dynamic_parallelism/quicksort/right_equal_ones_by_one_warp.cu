// expect: right
// REGION 1
    int less = 0, greater = 0;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        less += data[i] < pivot;
        greater += data[i] > pivot;
    }
    Offsets before = offsets_of(less, greater);
    int* front = scratch + before.less;
    int* back = scratch + n - before.all_greater + before.greater;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        if (data[i] < pivot) *front++ = data[i];
        if (pivot < data[i]) *back++ = data[i];
    }
    if (threadIdx.x < 32)
        for (int i = before.all_less + threadIdx.x; i < n - before.all_greater; i += 32) scratch[i] = pivot;
    Parts parts = {before.all_less, before.all_greater};
