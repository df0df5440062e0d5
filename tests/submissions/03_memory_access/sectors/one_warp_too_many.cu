// expect: wrong; task 4; cause: traffic is
// REGION 4
    for (int l = 0; l < kLanes; ++l) {
        request.active[l] = warp * kLanes + std::size_t(l) < n;
        request.address[l] = (first + warp * kLanes * stride + std::size_t(l)) * std::size_t(bytes);
    }
    all.requests += 1;
    all.sectors += std::size_t(sectors(request));
