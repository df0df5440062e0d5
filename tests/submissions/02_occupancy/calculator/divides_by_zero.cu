// expect: wrong; task 3; cause: division by zero | divi
// REGION 3
    r.by_shared = m.shared / ((needs.shared + m.shared_reserved + m.shared_unit - 1) / m.shared_unit * m.shared_unit);
