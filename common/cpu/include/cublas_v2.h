// The main header of cuBLAS (see cublas_api.h). Programs can also use the names that the library exports,
// which end with _v2.
#pragma once

#include <cublas_api.h>
#include <kit_cpu/blas_not_offered.h>

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
