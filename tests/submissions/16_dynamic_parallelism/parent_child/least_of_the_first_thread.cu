// expect: wrong; task 1; cause: never written | nobody has written | host memory | pointer
// REGION 1
    least = &smallest;
