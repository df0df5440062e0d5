// expect: wrong; task 4; cause: corner
// REGION 4
    out += pixels(x_of(kFirstIntensity)) + "," + pixels(y_of(machine.gb_per_s * kFirstIntensity)) + " " +
           pixels(x_of(kLastIntensity)) + "," + pixels(y_of(machine.gflop_per_s));
