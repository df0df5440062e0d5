// expect: wrong; task 1; cause: atomic
// REGION 1
    atomicMin(a < b ? &labels[edge.b] : &labels[edge.a], min(a, b));
    state->changed = 1;
