// expect: wrong; task 5; cause: lane
// REGION 5
    for (int byte = 0; byte < 4; ++byte) {
        unsigned int value = word >> 8 * byte & 255;
        atomicAdd(&own_bins[value * 32 + 0 * lane], 1u);
    }
