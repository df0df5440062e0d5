// expect: wrong; task 2; cause: child | launch | kernels
// REGION 2
    if (threadIdx.x < 8) {
        int child = cell.first_child + threadIdx.x;
        if (tree.nodes[child].count > 0 && meets(tree.nodes[child].bounds, box)) refused[atomicAdd(&refused_count, 1)] = child;
    }
