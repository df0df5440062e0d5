// The functions that half and bfloat16 have in common. cuda_fp16.h and cuda_bf16.h define these macros, and
// then include this file: KIT_SMALL and KIT_SMALL_RAW are the types of one number, KIT_SMALL2 and
// KIT_SMALL2_RAW those of two, and KIT_SMALL_EXPONENT is the number of bits of the exponent.

struct __attribute__((aligned(2))) KIT_SMALL_RAW {
    unsigned short x;
};
struct __attribute__((aligned(4))) KIT_SMALL2_RAW {
    unsigned short x, y;
};

struct __attribute__((aligned(2))) KIT_SMALL {
  protected:
    unsigned short __x;

  public:
    using Raw = KIT_SMALL_RAW;
    using Format = kit::cpu::SmallFormat<KIT_SMALL_EXPONENT>;

    KIT_SMALL() = default;
    KIT_SMALL(const KIT_SMALL_RAW& raw) : __x(raw.x) {}
    KIT_SMALL(float value) : __x(kit::cpu::encode_small<Format>(value)) {}
    KIT_SMALL(double value) : __x(kit::cpu::encode_small<Format>(value)) {}
    KIT_SMALL(short value) : KIT_SMALL(static_cast<float>(value)) {}
    KIT_SMALL(unsigned short value) : KIT_SMALL(static_cast<float>(value)) {}
    KIT_SMALL(int value) : KIT_SMALL(static_cast<double>(value)) {}
    KIT_SMALL(unsigned value) : KIT_SMALL(static_cast<double>(value)) {}
    KIT_SMALL(long value)
        : KIT_SMALL(kit::cpu::small_from_integer<KIT_SMALL>(value, kit::cpu::Rounding::nearest)) {}
    KIT_SMALL(unsigned long value)
        : KIT_SMALL(kit::cpu::small_from_integer<KIT_SMALL>(value, kit::cpu::Rounding::nearest)) {}
    KIT_SMALL(long long value)
        : KIT_SMALL(kit::cpu::small_from_integer<KIT_SMALL>(value, kit::cpu::Rounding::nearest)) {}
    KIT_SMALL(unsigned long long value)
        : KIT_SMALL(kit::cpu::small_from_integer<KIT_SMALL>(value, kit::cpu::Rounding::nearest)) {}

    operator KIT_SMALL_RAW() const { return {__x}; }
    operator KIT_SMALL_RAW() const volatile { return {__x}; }
    operator float() const { return kit::cpu::decode_small<Format>(__x); }
    operator bool() const { return (__x & 0x7fff) != 0; }
    operator signed char() const {
        return kit::cpu::small_to_integer<signed char>(*this, kit::cpu::Rounding::zero);
    }
    operator unsigned char() const {
        return kit::cpu::small_to_integer<unsigned char>(*this, kit::cpu::Rounding::zero);
    }
    operator char() const { return kit::cpu::small_to_integer<char>(*this, kit::cpu::Rounding::zero); }
    operator short() const { return kit::cpu::small_to_integer<short>(*this, kit::cpu::Rounding::zero); }
    operator unsigned short() const {
        return kit::cpu::small_to_integer<unsigned short>(*this, kit::cpu::Rounding::zero);
    }
    operator int() const { return kit::cpu::small_to_integer<int>(*this, kit::cpu::Rounding::zero); }
    operator unsigned() const {
        return kit::cpu::small_to_integer<unsigned>(*this, kit::cpu::Rounding::zero);
    }
    operator long() const { return kit::cpu::small_to_integer<long>(*this, kit::cpu::Rounding::zero); }
    operator unsigned long() const {
        return kit::cpu::small_to_integer<unsigned long>(*this, kit::cpu::Rounding::zero);
    }
    operator long long() const {
        return kit::cpu::small_to_integer<long long>(*this, kit::cpu::Rounding::zero);
    }
    operator unsigned long long() const {
        return kit::cpu::small_to_integer<unsigned long long>(*this, kit::cpu::Rounding::zero);
    }

    KIT_SMALL& operator=(const KIT_SMALL_RAW& raw) { return *this = KIT_SMALL(raw); }
    KIT_SMALL& operator=(float value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(double value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(short value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(unsigned short value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(int value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(unsigned value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(long long value) { return *this = KIT_SMALL(value); }
    KIT_SMALL& operator=(unsigned long long value) { return *this = KIT_SMALL(value); }
};

struct __attribute__((aligned(4))) KIT_SMALL2 {
    KIT_SMALL x, y;

    KIT_SMALL2() = default;
    KIT_SMALL2(const KIT_SMALL& x, const KIT_SMALL& y) : x(x), y(y) {}
    KIT_SMALL2(const KIT_SMALL2_RAW& raw) : x(KIT_SMALL_RAW{raw.x}), y(KIT_SMALL_RAW{raw.y}) {}
    operator KIT_SMALL2_RAW() const { return {KIT_SMALL_RAW(x).x, KIT_SMALL_RAW(y).x}; }
};

// Functions for one number, and the same for each of two.

#define KIT_SMALL_UNARY(name, name2, ...)          \
    inline KIT_SMALL name(KIT_SMALL number) {      \
        [[maybe_unused]] const float a = number;   \
        return __VA_ARGS__;                        \
    }                                              \
    inline KIT_SMALL2 name2(KIT_SMALL2 numbers) {  \
        return {name(numbers.x), name(numbers.y)}; \
    }
#define KIT_SMALL_BINARY(name, name2, ...)                \
    inline KIT_SMALL name(KIT_SMALL a, KIT_SMALL b) {     \
        return __VA_ARGS__;                               \
    }                                                     \
    inline KIT_SMALL2 name2(KIT_SMALL2 a, KIT_SMALL2 b) { \
        return {name(a.x, b.x), name(a.y, b.y)};          \
    }
#define KIT_SMALL_TERNARY(name, name2, ...)                             \
    inline KIT_SMALL name(KIT_SMALL a, KIT_SMALL b, KIT_SMALL c) {      \
        return __VA_ARGS__;                                             \
    }                                                                   \
    inline KIT_SMALL2 name2(KIT_SMALL2 a, KIT_SMALL2 b, KIT_SMALL2 c) { \
        return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};              \
    }
#define KIT_SMALL_OF(...) kit::cpu::make_small<KIT_SMALL>(__VA_ARGS__)
#define KIT_SMALL_A static_cast<double>(static_cast<float>(a))
#define KIT_SMALL_B static_cast<double>(static_cast<float>(b))

KIT_SMALL_BINARY(__hadd, __hadd2, KIT_SMALL_OF(KIT_SMALL_A + KIT_SMALL_B))
KIT_SMALL_BINARY(__hadd_rn, __hadd2_rn, __hadd(a, b))
KIT_SMALL_BINARY(__hadd_sat, __hadd2_sat, kit::cpu::saturated_small(__hadd(a, b)))
KIT_SMALL_BINARY(__hsub, __hsub2, KIT_SMALL_OF(KIT_SMALL_A - KIT_SMALL_B))
KIT_SMALL_BINARY(__hsub_rn, __hsub2_rn, __hsub(a, b))
KIT_SMALL_BINARY(__hsub_sat, __hsub2_sat, kit::cpu::saturated_small(__hsub(a, b)))
KIT_SMALL_BINARY(__hmul, __hmul2, KIT_SMALL_OF(KIT_SMALL_A* KIT_SMALL_B))
KIT_SMALL_BINARY(__hmul_rn, __hmul2_rn, __hmul(a, b))
KIT_SMALL_BINARY(__hmul_sat, __hmul2_sat, kit::cpu::saturated_small(__hmul(a, b)))
KIT_SMALL_BINARY(__hdiv, __h2div, KIT_SMALL_OF(KIT_SMALL_A / KIT_SMALL_B))
KIT_SMALL_BINARY(__hmax, __hmax2, kit::cpu::larger_small(a, b, false))
KIT_SMALL_BINARY(__hmin, __hmin2, kit::cpu::smaller_small(a, b, false))
KIT_SMALL_BINARY(__hmax_nan, __hmax2_nan, kit::cpu::larger_small(a, b, true))
KIT_SMALL_BINARY(__hmin_nan, __hmin2_nan, kit::cpu::smaller_small(a, b, true))
KIT_SMALL_TERNARY(__hfma, __hfma2, kit::cpu::fused_small<KIT_SMALL>(a, b, c))
KIT_SMALL_TERNARY(__hfma_sat, __hfma2_sat, kit::cpu::saturated_small(__hfma(a, b, c)))
KIT_SMALL_TERNARY(__hfma_relu, __hfma2_relu, kit::cpu::rectified_small(__hfma(a, b, c)))
KIT_SMALL_UNARY(__hneg, __hneg2, KIT_SMALL_OF(-a))
KIT_SMALL_UNARY(__habs, __habs2, KIT_SMALL_OF(fabsf(a)))
KIT_SMALL_UNARY(hsqrt, h2sqrt, KIT_SMALL_OF(sqrt(static_cast<double>(a))))
KIT_SMALL_UNARY(hrsqrt, h2rsqrt, KIT_SMALL_OF(1 / sqrt(static_cast<double>(a))))
KIT_SMALL_UNARY(hrcp, h2rcp, KIT_SMALL_OF(1 / static_cast<double>(a)))
KIT_SMALL_UNARY(hexp, h2exp, KIT_SMALL_OF(exp(static_cast<double>(a))))
KIT_SMALL_UNARY(hexp2, h2exp2, KIT_SMALL_OF(exp2(static_cast<double>(a))))
KIT_SMALL_UNARY(hexp10, h2exp10, KIT_SMALL_OF(pow(10.0, a)))
KIT_SMALL_UNARY(hlog, h2log, KIT_SMALL_OF(log(static_cast<double>(a))))
KIT_SMALL_UNARY(hlog2, h2log2, KIT_SMALL_OF(log2(static_cast<double>(a))))
KIT_SMALL_UNARY(hlog10, h2log10, KIT_SMALL_OF(log10(static_cast<double>(a))))
KIT_SMALL_UNARY(hsin, h2sin, KIT_SMALL_OF(sin(static_cast<double>(a))))
KIT_SMALL_UNARY(hcos, h2cos, KIT_SMALL_OF(cos(static_cast<double>(a))))
KIT_SMALL_UNARY(htanh, h2tanh, KIT_SMALL_OF(tanh(static_cast<double>(a))))
KIT_SMALL_UNARY(hceil, h2ceil, KIT_SMALL_OF(ceil(static_cast<double>(a))))
KIT_SMALL_UNARY(hfloor, h2floor, KIT_SMALL_OF(floor(static_cast<double>(a))))
KIT_SMALL_UNARY(htrunc, h2trunc, KIT_SMALL_OF(trunc(static_cast<double>(a))))
KIT_SMALL_UNARY(hrint, h2rint, KIT_SMALL_OF(rint(static_cast<double>(a))))
KIT_SMALL_UNARY(htanh_approx, h2tanh_approx, htanh(number))

inline bool __hisnan(KIT_SMALL a) {
    return isnan(static_cast<float>(a));
}
inline int __hisinf(KIT_SMALL a) {
    const float value = a;
    return isinf(value) ? value > 0 ? 1 : -1 : 0;
}
inline KIT_SMALL2 __hisnan2(KIT_SMALL2 a) {
    return {KIT_SMALL_OF(__hisnan(a.x)), KIT_SMALL_OF(__hisnan(a.y))};
}

// Comparisons. Those with a `u` in the name are also true if an operand is a NaN.

#define KIT_SMALL_COMPARE(name, operation, unordered)                                           \
    inline bool __h##name(KIT_SMALL a, KIT_SMALL b) {                                           \
        const float x = a, y = b;                                                               \
        return isunordered(x, y) ? unordered : x operation y;                                   \
    }                                                                                           \
    inline KIT_SMALL2 __h##name##2(KIT_SMALL2 a, KIT_SMALL2 b) {                                \
        return {KIT_SMALL_OF(__h##name(a.x, b.x)), KIT_SMALL_OF(__h##name(a.y, b.y))};          \
    }                                                                                           \
    inline unsigned __h##name##2_mask(KIT_SMALL2 a, KIT_SMALL2 b) {                             \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
    }                                                                                           \
    inline bool __hb##name##2(KIT_SMALL2 a, KIT_SMALL2 b) {                                     \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
    }

KIT_SMALL_COMPARE(eq, ==, false)
KIT_SMALL_COMPARE(equ, ==, true)
KIT_SMALL_COMPARE(ne, !=, false)
KIT_SMALL_COMPARE(neu, !=, true)
KIT_SMALL_COMPARE(lt, <, false)
KIT_SMALL_COMPARE(ltu, <, true)
KIT_SMALL_COMPARE(le, <=, false)
KIT_SMALL_COMPARE(leu, <=, true)
KIT_SMALL_COMPARE(gt, >, false)
KIT_SMALL_COMPARE(gtu, >, true)
KIT_SMALL_COMPARE(ge, >=, false)
KIT_SMALL_COMPARE(geu, >=, true)

// Operators.

#define KIT_SMALL_OPERATORS(T, add, sub, mul, div, neg) \
    inline T operator+(const T& a, const T& b) {        \
        return add(a, b);                               \
    }                                                   \
    inline T operator-(const T& a, const T& b) {        \
        return sub(a, b);                               \
    }                                                   \
    inline T operator*(const T& a, const T& b) {        \
        return mul(a, b);                               \
    }                                                   \
    inline T operator/(const T& a, const T& b) {        \
        return div(a, b);                               \
    }                                                   \
    inline T& operator+=(T& a, const T& b) {            \
        return a = add(a, b);                           \
    }                                                   \
    inline T& operator-=(T& a, const T& b) {            \
        return a = sub(a, b);                           \
    }                                                   \
    inline T& operator*=(T& a, const T& b) {            \
        return a = mul(a, b);                           \
    }                                                   \
    inline T& operator/=(T& a, const T& b) {            \
        return a = div(a, b);                           \
    }                                                   \
    inline T operator+(const T& a) {                    \
        return a;                                       \
    }                                                   \
    inline T operator-(const T& a) {                    \
        return neg(a);                                  \
    }
#define KIT_SMALL_ORDER(T, prefix, suffix)           \
    inline bool operator==(const T& a, const T& b) { \
        return prefix##eq##suffix(a, b);             \
    }                                                \
    inline bool operator!=(const T& a, const T& b) { \
        return prefix##neu##suffix(a, b);            \
    }                                                \
    inline bool operator<(const T& a, const T& b) {  \
        return prefix##lt##suffix(a, b);             \
    }                                                \
    inline bool operator<=(const T& a, const T& b) { \
        return prefix##le##suffix(a, b);             \
    }                                                \
    inline bool operator>(const T& a, const T& b) {  \
        return prefix##gt##suffix(a, b);             \
    }                                                \
    inline bool operator>=(const T& a, const T& b) { \
        return prefix##ge##suffix(a, b);             \
    }

KIT_SMALL_OPERATORS(KIT_SMALL, __hadd, __hsub, __hmul, __hdiv, __hneg)
KIT_SMALL_OPERATORS(KIT_SMALL2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
KIT_SMALL_ORDER(KIT_SMALL, __h, )
KIT_SMALL_ORDER(KIT_SMALL2, __hb, 2)

inline KIT_SMALL& operator++(KIT_SMALL& a) {
    return a = __hadd(a, KIT_SMALL_OF(1));
}
inline KIT_SMALL& operator--(KIT_SMALL& a) {
    return a = __hsub(a, KIT_SMALL_OF(1));
}
inline KIT_SMALL operator++(KIT_SMALL& a, int) {
    const KIT_SMALL before = a;
    ++a;
    return before;
}
inline KIT_SMALL operator--(KIT_SMALL& a, int) {
    const KIT_SMALL before = a;
    --a;
    return before;
}

// Functions for the parts of two numbers, shuffles, and atomics.

inline float __low2float(KIT_SMALL2 a) {
    return a.x;
}
inline float __high2float(KIT_SMALL2 a) {
    return a.y;
}
inline KIT_SMALL2 __lowhigh2highlow(KIT_SMALL2 a) {
    return {a.y, a.x};
}
/// Returns the sum of a complex number and the product of two others.
inline KIT_SMALL2 __hcmadd(KIT_SMALL2 a, KIT_SMALL2 b, KIT_SMALL2 c) {
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

#define KIT_SMALL_SHUFFLE(T, name, Delta, source)                                                 \
    inline T name(unsigned mask, T value, Delta delta, int width = 32,                            \
                  kit::cpu::Place place = KIT_CPU_HERE) {                                         \
        return kit::cpu::shuffle(#name "()", mask, value, kit::cpu::source(delta, width), place); \
    }
KIT_SMALL_SHUFFLE(KIT_SMALL, __shfl_sync, int, source_indexed)
KIT_SMALL_SHUFFLE(KIT_SMALL, __shfl_up_sync, unsigned, source_up)
KIT_SMALL_SHUFFLE(KIT_SMALL, __shfl_down_sync, unsigned, source_down)
KIT_SMALL_SHUFFLE(KIT_SMALL, __shfl_xor_sync, int, source_xor)
KIT_SMALL_SHUFFLE(KIT_SMALL2, __shfl_sync, int, source_indexed)
KIT_SMALL_SHUFFLE(KIT_SMALL2, __shfl_up_sync, unsigned, source_up)
KIT_SMALL_SHUFFLE(KIT_SMALL2, __shfl_down_sync, unsigned, source_down)
KIT_SMALL_SHUFFLE(KIT_SMALL2, __shfl_xor_sync, int, source_xor)

inline KIT_SMALL atomicAdd(KIT_SMALL* address, KIT_SMALL value) {
    return kit::cpu::atomic_update(address, [value](KIT_SMALL old) { return __hadd(old, value); });
}
/// Adds to each of the two numbers separately. A GPU does not guarantee that both additions are one atomic
/// operation.
inline KIT_SMALL2 atomicAdd(KIT_SMALL2* address, KIT_SMALL2 value) {
    return kit::cpu::atomic_update(address, [value](KIT_SMALL2 old) { return __hadd2(old, value); });
}
#undef KIT_SMALL_UNARY
#undef KIT_SMALL_BINARY
#undef KIT_SMALL_TERNARY
#undef KIT_SMALL_OF
#undef KIT_SMALL_A
#undef KIT_SMALL_B
#undef KIT_SMALL_COMPARE
#undef KIT_SMALL_OPERATORS
#undef KIT_SMALL_ORDER
#undef KIT_SMALL_SHUFFLE
