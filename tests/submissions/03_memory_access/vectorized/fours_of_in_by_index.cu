// expect: wrong; task 2; cause: misaligned
// REGION 2
    if (i < fours) {
        float4 v = *reinterpret_cast<const float4*>(in + 4 * i);
        v.x *= factor, v.y *= factor, v.z *= factor, v.w *= factor;
        *reinterpret_cast<float4*>(out + head + 4 * i) = v;
    }
