// expect: wrong; task 1|2; cause: race | of `out` | `out` | out[
// REGION 1
    return __popc(votes & (1u << lane));
