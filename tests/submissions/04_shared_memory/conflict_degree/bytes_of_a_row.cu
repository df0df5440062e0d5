// expect: wrong; task 1; cause: is in bank
// REGION 1
    bank = offset % (kBanks * kWordBytes);
