// expect: right
// REGION 1
    bank = (offset >> 2) & (kBanks - 1);
