// expect: right
// REGION 1
    auto load = [&](int s) {
        const int j = first + s;
        return 0 <= j && j < n ? __ldg(&in[j]) : 0.f;
    };
    tile[t] = load(t);
    if (t < width - 1) tile[t + kBlock] = load(t + kBlock);
