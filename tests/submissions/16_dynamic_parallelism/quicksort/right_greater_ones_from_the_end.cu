// expect: right
// REGION 1
    int to_front = before.less, to_back = n - before.greater;
    for (int i = threadIdx.x; i < n; i += kSortBlock) {
        int value = data[i];
        if (value < pivot) scratch[to_front++] = value;
        if (value > pivot) scratch[--to_back] = value;
    }
    for (int i = before.all_less + threadIdx.x; i < n - before.all_greater; i += kSortBlock) scratch[i] = pivot;
