// expect: right
// REGION 2
    unsigned int leader = __ffs(wanting) - 1;
    unsigned int base = lane == leader ? atomicAdd(count, static_cast<unsigned int>(__popc(wanting))) : 0;
    return __shfl_sync(all_lanes, base, leader) + __popc(wanting << 1 << (31 - lane));
// REGION 4
    auto present = cg::binary_partition(warp, i < n);
    if (i >= n) return;
    auto group = cg::labeled_partition(present, keys[i]);
    int sum = cg::reduce(group, values[i], cg::plus<int>());
    if (group.thread_rank() == group.size() - 1) atomicAdd(sums + keys[i], sum);
