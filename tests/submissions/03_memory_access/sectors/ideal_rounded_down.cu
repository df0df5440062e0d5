// expect: wrong; task 3; cause: ideal is
// REGION 3
    for (int l = 0; l < kLanes; ++l)
        if (request.active[l]) different[lanes++] = request.address[l];
    std::sort(different, different + lanes);
    const auto addresses = std::unique(different, different + lanes) - different;
    return static_cast<int>(addresses) * request.bytes / kSectorBytes;
