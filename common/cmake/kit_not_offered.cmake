# Headers of CUDA that the CPU backend does not support. Including one prints an explanation instead of "No such file". They are generated
# when the build is configured, and searched last, so that a program's own copy of a library comes first.

# kit_not_offered(why header...)
function(kit_not_offered why)
    foreach(header IN LISTS ARGN)
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/not_offered/${header}
            CONTENT "#error \"<${header}> is not supported by the CPU backend: ${why}\"\n")
    endforeach()
endfunction()

kit_not_offered("of cuBLAS, the CPU backend has cublas_v2.h" cublas.h cublasLt.h cublasXt.h)
kit_not_offered("cuFFT runs on a GPU only" cufft.h cufftXt.h cufftw.h)
kit_not_offered("of cuRAND, the CPU backend has curand.h and curand_kernel.h" curand_philox4x32_x.h curand_mtgp32_kernel.h curand_mtgp32_host.h curand_normal.h curand_uniform.h)
kit_not_offered("cuSPARSE runs on a GPU only" cusparse.h cusparse_v2.h cusparseLt.h)
kit_not_offered("cuSOLVER runs on a GPU only" cusolverDn.h cusolverSp.h cusolverRf.h cusolverMg.h cusolver_common.h)
kit_not_offered("cuDNN runs on a GPU only" cudnn.h)
kit_not_offered("NPP runs on a GPU only" npp.h nppi.h npps.h nppdefs.h nppcore.h)
kit_not_offered("NVML queries the driver of a GPU" nvml.h)
kit_not_offered("CUPTI profiles a GPU" cupti.h)
kit_not_offered("kernels are compiled with the program, not while it runs" nvrtc.h nvJitLink.h nvPTXCompiler.h)
kit_not_offered("there is no graphics card to share memory with" cuda_gl_interop.h cuda_egl_interop.h cuda_vdpau_interop.h
    cudaGL.h
    cudaEGL.h cudaVDPAU.h)
kit_not_offered("the small types are half and bfloat16, in cuda_fp16.h and cuda_bf16.h" cuda_fp4.h cuda_fp6.h cuda_fp8.h)
kit_not_offered("barriers are in cuda/barrier" cuda_awbarrier.h cuda_awbarrier_primitives.h cuda/latch cuda/semaphore cuda/std/barrier
    cuda/std/latch cuda/std/semaphore)
if(NOT KIT_CCCL_FOLDER)
    set(advice "install libthrust-dev and libcub-dev, or the CUDA toolkit, and configure the build again")
    kit_not_offered("no CUB was found: ${advice}" cub/cub.cuh cub/util_type.cuh cub/util_allocator.cuh cub/block/block_exchange.cuh
        cub/block/block_load.cuh cub/block/block_radix_sort.cuh cub/block/block_reduce.cuh cub/block/block_scan.cuh
        cub/block/block_store.cuh cub/device/device_histogram.cuh cub/device/device_radix_sort.cuh cub/device/device_reduce.cuh
        cub/device/device_run_length_encode.cuh cub/device/device_scan.cuh cub/device/device_segmented_reduce.cuh
        cub/device/device_select.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh)
    kit_not_offered("no Thrust was found: ${advice}" thrust/adjacent_difference.h thrust/binary_search.h thrust/complex.h thrust/copy.h
        thrust/count.h
        thrust/device_free.h thrust/device_malloc.h thrust/device_ptr.h thrust/device_vector.h thrust/execution_policy.h
        thrust/extrema.h thrust/fill.h thrust/find.h thrust/for_each.h thrust/functional.h thrust/gather.h thrust/generate.h
        thrust/host_vector.h thrust/inner_product.h thrust/iterator/constant_iterator.h thrust/iterator/counting_iterator.h
        thrust/iterator/permutation_iterator.h thrust/iterator/transform_iterator.h thrust/iterator/zip_iterator.h thrust/pair.h
        thrust/partition.h thrust/random.h thrust/reduce.h thrust/remove.h thrust/replace.h thrust/scan.h thrust/scatter.h
        thrust/sequence.h thrust/set_operations.h thrust/sort.h thrust/swap.h thrust/system/cuda/execution_policy.h
        thrust/transform.h thrust/transform_reduce.h thrust/transform_scan.h thrust/tuple.h thrust/unique.h thrust/version.h)
endif()
