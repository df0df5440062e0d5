// expect: right
// REGION 1
    int less = 0, greater = 0;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        less += data[i] < pivot;
        greater += data[i] > pivot;
    }
    Offsets before = offsets_of(less, greater);
    int to_front = before.less, to_back = n - before.greater;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        int value = data[i];
        if (value < pivot) scratch[to_front++] = value;
        if (value > pivot) scratch[--to_back] = value;
    }
    for (int i = before.all_less + threadIdx.x; i < n - before.all_greater; i += kSortBlock) scratch[i] = pivot;
    Parts parts = {before.all_less, before.all_greater};
