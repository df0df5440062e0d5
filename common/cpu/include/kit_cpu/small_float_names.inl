// The conversions of half and bfloat16, whose names contain the name of the type: KIT_SMALL_NAME is half, and
// KIT_SMALL2_NAME is half2. This file needs the macros of small_float.inl, and KIT_SMALL_BOTH, which is
// __half2half2 for half.

#define KIT_JOIN_NOW(a, b, c) a##b##c
#define KIT_JOIN(a, b, c) KIT_JOIN_NOW(a, b, c)
#define KIT_TO(from) KIT_JOIN(__##from##2, KIT_SMALL_NAME, )    // for example __float2half
#define KIT_TO2(from) KIT_JOIN(__##from##2, KIT_SMALL2_NAME, )  // for example __halves2half2
#define KIT_FROM(to) KIT_JOIN(__, KIT_SMALL_NAME, 2##to)        // for example __half2float
#define KIT_BITS_TO(from) KIT_JOIN(__##from##_as_, KIT_SMALL_NAME, )
#define KIT_BITS_FROM(to) KIT_JOIN(__, KIT_SMALL_NAME, _as_##to)

inline KIT_SMALL KIT_TO(float)(float value) {
    return kit::cpu::make_small<KIT_SMALL>(value);
}
inline KIT_SMALL KIT_TO(double)(double value) {
    return kit::cpu::make_small<KIT_SMALL>(value);
}
inline float KIT_FROM(float)(KIT_SMALL value) {
    return value;
}
inline KIT_SMALL KIT_BITS_TO(ushort)(unsigned short bits) {
    return KIT_SMALL_RAW{bits};
}
inline KIT_SMALL KIT_BITS_TO(short)(short bits) {
    return KIT_SMALL_RAW{static_cast<unsigned short>(bits)};
}
inline unsigned short KIT_BITS_FROM(ushort)(KIT_SMALL value) {
    return KIT_SMALL_RAW(value).x;
}
inline short KIT_BITS_FROM(short)(KIT_SMALL value) {
    return static_cast<short>(KIT_SMALL_RAW(value).x);
}

#define KIT_ROUNDINGS(X, name, T) \
    X(_rn, nearest, name, T)      \
    X(_rz, zero, name, T)         \
    X(_rd, down, name, T)         \
    X(_ru, up, name, T)
#define KIT_FROM_FLOAT(suffix, rounding, name, Float)                                \
    inline KIT_SMALL KIT_JOIN(__##name##2, KIT_SMALL_NAME, suffix)(Float value) {    \
        return kit::cpu::make_small<KIT_SMALL>(value, kit::cpu::Rounding::rounding); \
    }
#define KIT_FROM_INTEGER(suffix, rounding, name, Integer)                                    \
    inline KIT_SMALL KIT_JOIN(__##name##2, KIT_SMALL_NAME, suffix)(Integer value) {          \
        return kit::cpu::small_from_integer<KIT_SMALL>(value, kit::cpu::Rounding::rounding); \
    }
#define KIT_TO_INTEGER(suffix, rounding, name, Integer)                                  \
    inline Integer KIT_JOIN(__, KIT_SMALL_NAME, 2##name##suffix)(KIT_SMALL value) {      \
        return kit::cpu::small_to_integer<Integer>(value, kit::cpu::Rounding::rounding); \
    }
KIT_ROUNDINGS(KIT_FROM_FLOAT, float, float)
KIT_ROUNDINGS(KIT_FROM_INTEGER, short, short)
KIT_ROUNDINGS(KIT_FROM_INTEGER, ushort, unsigned short)
KIT_ROUNDINGS(KIT_FROM_INTEGER, int, int)
KIT_ROUNDINGS(KIT_FROM_INTEGER, uint, unsigned)
KIT_ROUNDINGS(KIT_FROM_INTEGER, ll, long long)
KIT_ROUNDINGS(KIT_FROM_INTEGER, ull, unsigned long long)
KIT_ROUNDINGS(KIT_TO_INTEGER, short, short)
KIT_ROUNDINGS(KIT_TO_INTEGER, ushort, unsigned short)
KIT_ROUNDINGS(KIT_TO_INTEGER, int, int)
KIT_ROUNDINGS(KIT_TO_INTEGER, uint, unsigned)
KIT_ROUNDINGS(KIT_TO_INTEGER, ll, long long)
KIT_ROUNDINGS(KIT_TO_INTEGER, ull, unsigned long long)
KIT_TO_INTEGER(_rz, zero, char, signed char)
KIT_TO_INTEGER(_rz, zero, uchar, unsigned char)

// Conversions of two numbers.

inline KIT_SMALL2 KIT_JOIN(make_, KIT_SMALL2_NAME, )(KIT_SMALL x, KIT_SMALL y) {
    return {x, y};
}
inline KIT_SMALL2 KIT_TO2(halves)(KIT_SMALL x, KIT_SMALL y) {
    return {x, y};
}
inline KIT_SMALL2 KIT_JOIN(KIT_SMALL_BOTH, , )(KIT_SMALL value) {
    return {value, value};
}
inline KIT_SMALL2 KIT_JOIN(__float2, KIT_SMALL2_NAME, _rn)(float value) {
    return {value, value};
}
inline KIT_SMALL2 KIT_JOIN(__floats2, KIT_SMALL2_NAME, _rn)(float x, float y) {
    return {x, y};
}
inline KIT_SMALL2 KIT_JOIN(__float22, KIT_SMALL2_NAME, _rn)(float2 values) {
    return {values.x, values.y};
}
inline float2 KIT_JOIN(__, KIT_SMALL2_NAME, 2float2)(KIT_SMALL2 values) {
    return {values.x, values.y};
}
inline KIT_SMALL KIT_TO(low)(KIT_SMALL2 values) {
    return values.x;
}
inline KIT_SMALL KIT_TO(high)(KIT_SMALL2 values) {
    return values.y;
}
inline KIT_SMALL2 KIT_TO2(low)(KIT_SMALL2 values) {
    return {values.x, values.x};
}
inline KIT_SMALL2 KIT_TO2(high)(KIT_SMALL2 values) {
    return {values.y, values.y};
}
inline KIT_SMALL2 KIT_TO2(lows)(KIT_SMALL2 a, KIT_SMALL2 b) {
    return {a.x, b.x};
}
inline KIT_SMALL2 KIT_TO2(highs)(KIT_SMALL2 a, KIT_SMALL2 b) {
    return {a.y, b.y};
}

#undef KIT_JOIN_NOW
#undef KIT_JOIN
#undef KIT_TO
#undef KIT_TO2
#undef KIT_FROM
#undef KIT_BITS_TO
#undef KIT_BITS_FROM
#undef KIT_ROUNDINGS
#undef KIT_FROM_FLOAT
#undef KIT_FROM_INTEGER
#undef KIT_TO_INTEGER
