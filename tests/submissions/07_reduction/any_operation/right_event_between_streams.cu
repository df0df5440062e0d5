// expect: right
// REGION 4
    struct Second {
        cudaStream_t stream;
        cudaEvent_t first, done;
        Second() {
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            CUDA_CHECK(cudaEventCreateWithFlags(&first, cudaEventDisableTiming));
            CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
        }
        ~Second() { cudaEventDestroy(first), cudaEventDestroy(done), cudaStreamDestroy(stream); }
    } second;
    const T identity = operation.template identity<T>();
    const int blocks = std::clamp(n / kBlock, 1, kMaxBlocks);
    any_operation_v4<<<blocks, kBlock>>>(in, n, operation, identity, partials);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(second.first, nullptr));
    CUDA_CHECK(cudaStreamWaitEvent(second.stream, second.first));
    any_operation_v4<<<1, kBlock, 0, second.stream>>>(partials, blocks, operation, identity, out);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaEventRecord(second.done, second.stream));
    CUDA_CHECK(cudaStreamWaitEvent(nullptr, second.done));
