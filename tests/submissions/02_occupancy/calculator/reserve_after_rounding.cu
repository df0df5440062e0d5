// expect: wrong; task 3; cause: by_shared
// REGION 3
    const int block = round_up(needs.shared, m.shared_unit) + m.shared_reserved;
    r.by_shared = block ? m.shared / block : m.blocks;
