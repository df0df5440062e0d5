// Declares the functions of the system's BLAS with Fortran's calling convention: arguments by address,
// matrices by columns.
#pragma once

namespace kit::cpu {

template <class T>
struct Fortran;

#define KIT_FORTRAN(l, T)                                                                                    \
    extern "C" {                                                                                             \
    void l##copy_(const int*, const T*, const int*, T*, const int*);                                         \
    void l##swap_(const int*, T*, const int*, T*, const int*);                                               \
    void l##scal_(const int*, const T*, T*, const int*);                                                     \
    void l##axpy_(const int*, const T*, const T*, const int*, T*, const int*);                               \
    T l##dot_(const int*, const T*, const int*, const T*, const int*);                                       \
    T l##nrm2_(const int*, const T*, const int*);                                                            \
    T l##asum_(const int*, const T*, const int*);                                                            \
    void l##rot_(const int*, T*, const int*, T*, const int*, const T*, const T*);                            \
    void l##rotg_(T*, T*, T*, T*);                                                                           \
    void l##rotm_(const int*, T*, const int*, T*, const int*, const T*);                                     \
    void l##rotmg_(T*, T*, T*, const T*, T*);                                                                \
    void l##gemv_(const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*, \
                  const T*, T*, const int*);                                                                 \
    void l##gbmv_(const char*, const int*, const int*, const int*, const int*, const T*, const T*,           \
                  const int*, const T*, const int*, const T*, T*, const int*);                               \
    void l##ger_(const int*, const int*, const T*, const T*, const int*, const T*, const int*, T*,           \
                 const int*);                                                                                \
    void l##symv_(const char*, const int*, const T*, const T*, const int*, const T*, const int*, const T*,   \
                  T*, const int*);                                                                           \
    void l##sbmv_(const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*, \
                  const T*, T*, const int*);                                                                 \
    void l##spmv_(const char*, const int*, const T*, const T*, const T*, const int*, const T*, T*,           \
                  const int*);                                                                               \
    void l##syr_(const char*, const int*, const T*, const T*, const int*, T*, const int*);                   \
    void l##spr_(const char*, const int*, const T*, const T*, const int*, T*);                               \
    void l##syr2_(const char*, const int*, const T*, const T*, const int*, const T*, const int*, T*,         \
                  const int*);                                                                               \
    void l##spr2_(const char*, const int*, const T*, const T*, const int*, const T*, const int*, T*);        \
    void l##trmv_(const char*, const char*, const char*, const int*, const T*, const int*, T*, const int*);  \
    void l##trsv_(const char*, const char*, const char*, const int*, const T*, const int*, T*, const int*);  \
    void l##tbmv_(const char*, const char*, const char*, const int*, const int*, const T*, const int*, T*,   \
                  const int*);                                                                               \
    void l##tbsv_(const char*, const char*, const char*, const int*, const int*, const T*, const int*, T*,   \
                  const int*);                                                                               \
    void l##tpmv_(const char*, const char*, const char*, const int*, const T*, T*, const int*);              \
    void l##tpsv_(const char*, const char*, const char*, const int*, const T*, T*, const int*);              \
    void l##gemm_(const char*, const char*, const int*, const int*, const int*, const T*, const T*,          \
                  const int*, const T*, const int*, const T*, T*, const int*);                               \
    void l##symm_(const char*, const char*, const int*, const int*, const T*, const T*, const int*,          \
                  const T*, const int*, const T*, T*, const int*);                                           \
    void l##syrk_(const char*, const char*, const int*, const int*, const T*, const T*, const int*,          \
                  const T*, T*, const int*);                                                                 \
    void l##syr2k_(const char*, const char*, const int*, const int*, const T*, const T*, const int*,         \
                   const T*, const int*, const T*, T*, const int*);                                          \
    void l##trmm_(const char*, const char*, const char*, const char*, const int*, const int*, const T*,      \
                  const T*, const int*, T*, const int*);                                                     \
    void l##trsm_(const char*, const char*, const char*, const char*, const int*, const int*, const T*,      \
                  const T*, const int*, T*, const int*);                                                     \
    }                                                                                                        \
    template <>                                                                                              \
    struct Fortran<T> {                                                                                      \
        static constexpr auto copy = l##copy_;                                                               \
        static constexpr auto swap = l##swap_;                                                               \
        static constexpr auto scal = l##scal_;                                                               \
        static constexpr auto axpy = l##axpy_;                                                               \
        static constexpr auto dot = l##dot_;                                                                 \
        static constexpr auto nrm2 = l##nrm2_;                                                               \
        static constexpr auto asum = l##asum_;                                                               \
        static constexpr auto rot = l##rot_;                                                                 \
        static constexpr auto rotg = l##rotg_;                                                               \
        static constexpr auto rotm = l##rotm_;                                                               \
        static constexpr auto rotmg = l##rotmg_;                                                             \
        static constexpr auto gemv = l##gemv_;                                                               \
        static constexpr auto gbmv = l##gbmv_;                                                               \
        static constexpr auto ger = l##ger_;                                                                 \
        static constexpr auto symv = l##symv_;                                                               \
        static constexpr auto sbmv = l##sbmv_;                                                               \
        static constexpr auto spmv = l##spmv_;                                                               \
        static constexpr auto syr = l##syr_;                                                                 \
        static constexpr auto spr = l##spr_;                                                                 \
        static constexpr auto syr2 = l##syr2_;                                                               \
        static constexpr auto spr2 = l##spr2_;                                                               \
        static constexpr auto trmv = l##trmv_;                                                               \
        static constexpr auto trsv = l##trsv_;                                                               \
        static constexpr auto tbmv = l##tbmv_;                                                               \
        static constexpr auto tbsv = l##tbsv_;                                                               \
        static constexpr auto tpmv = l##tpmv_;                                                               \
        static constexpr auto tpsv = l##tpsv_;                                                               \
        static constexpr auto gemm = l##gemm_;                                                               \
        static constexpr auto symm = l##symm_;                                                               \
        static constexpr auto syrk = l##syrk_;                                                               \
        static constexpr auto syr2k = l##syr2k_;                                                             \
        static constexpr auto trmm = l##trmm_;                                                               \
        static constexpr auto trsm = l##trsm_;                                                               \
    };

KIT_FORTRAN(s, float)
KIT_FORTRAN(d, double)
#undef KIT_FORTRAN

}  // namespace kit::cpu
