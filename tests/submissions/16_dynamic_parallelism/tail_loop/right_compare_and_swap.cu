// expect: right
// REGION 1
    int* const where = &labels[a < b ? edge.b : edge.a];
    const int least = a < b ? a : b;
    for (int seen = max(a, b); seen > least;) {
        const int now = atomicCAS(where, seen, least);
        if (now == seen) break;
        seen = now;
    }
    atomicOr(&state->changed, 1);
