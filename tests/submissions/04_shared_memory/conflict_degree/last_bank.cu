// expect: wrong; task 2; cause: degree is
// REGION 2
    for (int lane = first; lane < first + count; ++lane) {
        if ((access.active >> lane & 1) == 0) continue;
        for (int k = 0; k < access.bytes; k += kWordBytes) {
            int word = (access.offset[lane] + k) / kWordBytes, bank = word % kBanks;
            bool known = false;
            for (int i = 0; i < wanted[bank]; ++i) known = known || words[bank][i] == word;
            if (!known) words[bank][wanted[bank]++] = word;
            most = wanted[bank];
        }
    }
