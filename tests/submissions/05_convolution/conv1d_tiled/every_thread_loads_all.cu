// expect: wrong; task 1; cause: loads | reads
// REGION 1
    const int size = kBlock + width - 1;
    for (int s = 0; s < size; ++s) {
        int u = (s + t) % size, j = first + u;
        float value = j >= 0 && j < n ? in[j] : 0.0f;
        if (u % kBlock == t) tile[u] = value;
    }
