// expect: right
// TOP
#include <cmath>
// REGION 1
    if (needs.threads <= m.threads_per_block) r.by_warps = int(std::floor(double(m.warps) / warps));
// REGION 2
    const double units = std::ceil(32.0 * needs.registers / m.register_unit);
    r.by_registers = 4 * int(m.registers / 4 / (units * m.register_unit)) / warps;
