// expect: wrong; task 2; cause: sectors is
// REGION 2
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (int l = 0; l < kLanes; ++l) {
        if (!request.active[l]) continue;
        touched[lanes++] = request.address[l];
        low = std::min(low, request.address[l]);
        high = std::max(high, request.address[l] + static_cast<std::uint64_t>(request.bytes) - 1);
    }
    return lanes == 0 ? 0 : static_cast<int>(high / kSectorBytes - low / kSectorBytes + 1);
