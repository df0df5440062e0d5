// expect: right
// REGION 1
    const int last = a.row_start[row + 1];
    float other = 0;
    int k = a.row_start[row] + t;
    for (; k + kBlock < last; k += 2 * kBlock) {
        sum = fmaf(a.value[k], x[a.column[k]], sum);
        other = fmaf(a.value[k + kBlock], x[a.column[k + kBlock]], other);
    }
    if (k < last) sum += a.value[k] * x[a.column[k]];
    sum += other;
