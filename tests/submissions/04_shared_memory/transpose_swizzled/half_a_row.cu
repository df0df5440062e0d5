// expect: wrong; task 1; cause: wavefronts
// REGION 1
    at = (x + y * kBanks) % kTile;
