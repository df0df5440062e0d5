// expect: wrong; task 2; cause: by_registers
// REGION 2
    const int warp = round_up(32 * needs.registers, m.register_unit);
    r.by_registers = kQuarters * (m.registers / kQuarters / warp / warps);
