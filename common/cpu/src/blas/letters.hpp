// The letters with which Fortran's BLAS names an operation, a triangle, a side or a diagonal.
#pragma once

#include <cublas_api.h>

namespace kit::cpu {

inline char letter(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}
inline char letter(cublasFillMode_t uplo) {
    return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
}
inline char letter(cublasSideMode_t side) {
    return side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
inline char letter(cublasDiagType_t diagonal) {
    return diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N';
}
inline bool known(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
inline bool known(cublasFillMode_t uplo) {
    return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

}  // namespace kit::cpu
