// expect: wrong; task 2; cause: of `copied`
// REGION 2
    out.x[i] = p.x; out.y[i] = p.y; out.z[i] = p.z;
    out.x[i] = p.vx; out.y[i] = p.vy; out.z[i] = p.vz;
    out.mass[i] = p.mass; out.charge[i] = p.charge;
