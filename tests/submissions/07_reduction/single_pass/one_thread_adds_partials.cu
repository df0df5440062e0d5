// expect: wrong; task 2; cause: one thread | shared by many | all threads
// REGION 2
    if (threadIdx.x == 0) {
        sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += workspace.partials[b];
        *out = sum;
    }
