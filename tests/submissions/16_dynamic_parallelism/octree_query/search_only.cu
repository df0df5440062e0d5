// expect: wrong; task 2; cause: child | launch | kernels
// REGION 2
    Node cell = tree.nodes[visited];
    if (search_now(cell)) {
        search(tree, cell, box, found, threadIdx.x, kVisit);
        return;
    }
    if (threadIdx.x < 8) {
        int child = cell.first_child + threadIdx.x;
        if (tree.nodes[child].count > 0 && meets(tree.nodes[child].bounds, box)) refused[atomicAdd(&refused_count, 1)] = child;
    }
