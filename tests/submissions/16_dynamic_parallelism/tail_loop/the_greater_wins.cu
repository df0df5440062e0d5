// expect: wrong; task 1; cause: labels
// REGION 1
    atomicMax(a < b ? &labels[edge.a] : &labels[edge.b], max(a, b));
    atomicExch(&state->changed, 1);
