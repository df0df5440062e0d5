// expect: wrong; task 2; cause: by_registers
// REGION 2
    const int registers_of_block = round_up(needs.registers * warps * 32, m.register_unit);
    r.by_registers = m.registers / registers_of_block;
