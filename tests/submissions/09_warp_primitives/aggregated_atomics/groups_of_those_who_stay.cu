// expect: wrong; task 4; cause: labeled_partition | reduce
// REGION 4
    if (i >= n) return;
    auto group = cg::labeled_partition(warp, keys[i]);
    int sum = cg::reduce(group, values[i], cg::plus<int>());
    if (group.thread_rank() == 0) atomicAdd(&sums[keys[i]], sum);
