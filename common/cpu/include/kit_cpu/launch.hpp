// The functions that translated code calls: kernel launches, __shared__ variables and launch bounds.
//
// The translator replaces
//
//   kernel<<<grid, block, bytes, stream>>>(args)   by
//   ::kit::cpu::launch("kernel", kernel, grid, block, bytes, stream)(args)
//
// An overloaded kernel, or a kernel template with deduced arguments, is passed as a lambda. The return type
// of the lambda is the KernelConstant that the arguments select. If the translator cannot write this type,
// the lambda calls the kernel itself. A launch that uses default arguments passes a lambda that returns the
// kernel with all arguments.
#pragma once

#include <driver_types.h>
#include <host_defines.h>

#include <kit_cpu/layout.hpp>
#include <kit_cpu/turn.hpp>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace kit::cpu {

/// Turns off the checks of the calling thread's accesses during the lifetime of the object. A kernel that
/// launches a kernel copies the arguments to host memory.
class InExecutor {
  public:
    InExecutor();
    ~InExecutor();
    InExecutor(const InExecutor&) = delete;
    InExecutor& operator=(const InExecutor&) = delete;

  private:
    bool before_;
};

/// One argument of a launch: the copy in host memory.
struct Argument {
    void* address;
    std::size_t bytes, alignment;
    bool scalar;   ///< whether the argument is a number or a pointer, not a structure
    bool pointer;  ///< whether the argument is a pointer to data
};

struct ArgumentList {
    const Argument* first = nullptr;
    std::size_t count = 0;

    const Argument* begin() const { return first; }
    const Argument* end() const { return first + count; }
    std::size_t size() const { return count; }
    const Argument& operator[](std::size_t i) const { return first[i]; }
};

struct KernelCall;
std::shared_ptr<const KernelCall> owned(
    const KernelCall* call);  ///< a function that is compiled in the executor, not in every program

/// A function that runs threads of one kernel. `arguments` points to a tuple of the kernel's arguments.
using Loop = void (*)(const void* arguments);

/// A kernel with the arguments of one launch, which are in host memory and are read unchecked. Every kernel
/// of every program compiles its own version of this class, so facts about the arguments are in a table.
struct KernelCall {
    virtual ~KernelCall() = default;
    virtual void run() const = 0;
    /// Returns the same kernel with other arguments, for nodes of graphs.
    virtual std::shared_ptr<const KernelCall> with_arguments(void** others) const = 0;

    Loop loop = nullptr;  ///< one function that does the same as run(); null if there is none
    const void* loop_arguments = nullptr;
    ArgumentList arguments;
};

/// Records the loop of a kernel, which was compiled together with the kernel. The translator inserts the call
/// at the top of each kernel.
bool declare_loop(const void* kernel, Loop loop);
Loop loop_of(const void* kernel);  ///< returns null if there is none

template <class Pointer, Pointer Kernel>
struct KernelLoop;
template <class... Parameters, void (*Kernel)(Parameters...)>
struct KernelLoop<void (*)(Parameters...), Kernel> {
    [[gnu::flatten]] static void run(const void* arguments) {
        std::apply([](std::decay_t<Parameters>... copies) { for_each_in_row([&] { Kernel(copies...); }); },
                   *static_cast<const std::tuple<std::decay_t<Parameters>...>*>(arguments));
    }
    static inline const bool declared = declare_loop(reinterpret_cast<const void*>(Kernel), run);
};

/// A function that creates a call with copies of arguments of any type. If the program passes arguments by
/// their addresses, the translator inserts a call at the top of each kernel that records it.
using BindByAddress = const KernelCall* (*)(void** arguments);
bool declare_binder(const void* kernel, BindByAddress binder);
BindByAddress binder_of(const void* kernel);  ///< returns null if there is none

template <class T>
Argument argument_at(const T& copy) {
    constexpr bool is_pointer = std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>;
    return {const_cast<void*>(static_cast<const volatile void*>(std::addressof(copy))), sizeof(T), alignof(T),
            std::is_scalar_v<T>, is_pointer};
}

template <class Kernel, class... Arguments>
struct BoundCall final : KernelCall {
    using Copies = std::tuple<Arguments...>;

    BoundCall(Kernel kernel, Copies copies)
        : BoundCall(std::move(kernel), std::move(copies), std::index_sequence_for<Arguments...>()) {}

    template <std::size_t... I>
    BoundCall(Kernel kernel, Copies all, std::index_sequence<I...>)
        : kernel(std::move(kernel)), copies(std::move(all)), table{argument_at(std::get<I>(copies))..., {}} {
        if constexpr (std::is_same_v<Kernel, void (*)(Arguments...)>)
            loop = loop_of(reinterpret_cast<const void*>(this->kernel));
        loop_arguments = &copies;
        arguments = {table, sizeof...(I)};
    }

    KIT_CPU_UNCHECKED void run() const override {
        do call(std::index_sequence_for<Arguments...>());
        while (next_thread());
    }

    template <std::size_t... I>
    KIT_CPU_UNCHECKED void call(std::index_sequence<I...>) const {
        if constexpr (sizeof(Copies) > 4096)
            kernel(std::get<I>(copies)...);  // a second copy of the arguments might not fit on the thread's
                                             // stack
        else
            call_with(std::get<I>(copies)...);
    }

    KIT_CPU_UNCHECKED void call_with(Arguments... own) const { kernel(own...); }

    std::shared_ptr<const KernelCall> with_arguments(void** others) const override {
        return copy_with(others, std::index_sequence_for<Arguments...>());
    }
    template <std::size_t... I>
    std::shared_ptr<const KernelCall> copy_with(void** others, std::index_sequence<I...>) const {
        (void)others;  // unused if the kernel has no parameters
        return owned(new BoundCall(kernel, Copies(*static_cast<const Arguments*>(others[I])...)));
    }

    Kernel kernel;
    Copies copies;
    Argument table[sizeof...(Arguments) + 1];
};

/// One launch: the kernel, its grid and block size, and its stream.
struct Launch {
    const char* name = "";  ///< name of the kernel as in the source, such as "reduce<256>"; never freed
    const void* function =
        nullptr;  ///< identifies the kernel for functions about attributes; null if its template arguments
                  ///< are deduced
    dim3 grid, block;
    std::size_t dynamic_shared = 0;  ///< size of the dynamic shared memory in bytes
    cudaStream_t stream = nullptr;
    bool cooperative = false;
    Place place;
    std::shared_ptr<const KernelCall> body;
    dim3 cluster{0, 0, 0};  ///< blocks per cluster; 0 if the launch does not request clusters
    cudaAccessPolicyWindow
        window{};             ///< window of the stream, if the launch does not request one; 0 bytes if there
                              ///< is none
    bool has_window = false;  ///< whether the launch requests a window, which can have 0 bytes
    int device = 0;           ///< device on which the kernel runs: that of its stream
    cudaGraphDeviceNode_t device_node = nullptr;  ///< handle of a graph node that kernels can change
    HostCalls calls = {};                         ///< calls by host code that led to the launch
};

Launch launch_of(const char* name, const void* function, dim3 grid, dim3 block, std::size_t shared,
                 cudaStream_t stream, const Place& place);

/// Checks a launch against the limits of the device, and queues it. Host code and device code can call this
/// function. An error is returned, and stored for cudaGetLastError, as in CUDA.
cudaError_t submit(Launch launch);
cudaError_t submit(Launch& launch, const KernelCall* body);  ///< the launch becomes the owner of the body

template <class Pointer, Pointer Kernel>
struct KernelByAddress;
template <class... Parameters, void (*Kernel)(Parameters...)>
struct KernelByAddress<void (*)(Parameters...), Kernel> {
    template <std::size_t... I>
    static const KernelCall* bind([[maybe_unused]] void** arguments, std::index_sequence<I...>) {
        return new BoundCall<void (*)(Parameters...), std::decay_t<Parameters>...>(
            Kernel, std::tuple<std::decay_t<Parameters>...>(
                        *static_cast<const std::decay_t<Parameters>*>(arguments[I])...));
    }
    static const KernelCall* bind_all(void** arguments) {
        return bind(arguments, std::index_sequence_for<Parameters...>());
    }
    static inline const bool declared = declare_binder(reinterpret_cast<const void*>(Kernel), bind_all);
};

/// Converts the arguments to the types of the kernel's parameters and copies them, when it is called with
/// them.
template <class... Parameters>
struct BoundKernel {
    Launch launch;
    void (*kernel)(Parameters...);

    cudaError_t operator()(Parameters... arguments) {
        const InExecutor inside;
        using Call = BoundCall<void (*)(Parameters...), std::decay_t<Parameters>...>;
        return submit(launch,
                      new Call(kernel, std::tuple<std::decay_t<Parameters>...>(std::move(arguments)...)));
    }
};

/// A kernel as a type, so that overload resolution can select it. The translator declares functions that
/// return this type.
template <class Pointer, Pointer Function>
struct KernelConstant {
    static constexpr Pointer pointer = Function;
};

/// A kernel with all arguments of a launch, including default arguments, which are evaluated on the host.
template <class Pointer, Pointer Function>
struct KernelWithArguments;
template <class... Parameters, void (*Function)(Parameters...)>
struct KernelWithArguments<void (*)(Parameters...), Function> {
    std::tuple<std::decay_t<Parameters>...> arguments;
};

template <class... Parameters>
BoundKernel<Parameters...> bind(Launch launch, void (*kernel)(Parameters...)) {
    launch.function = reinterpret_cast<const void*>(kernel);
    return {std::move(launch), kernel};
}

template <class... Parameters, void (*Function)(Parameters...)>
cudaError_t submit_with(Launch launch, KernelWithArguments<void (*)(Parameters...), Function> call) {
    return std::apply(bind(std::move(launch), Function), std::move(call.arguments));
}
template <class T>
struct HasArguments : std::false_type {};
template <class Pointer, Pointer Function>
struct HasArguments<KernelWithArguments<Pointer, Function>> : std::true_type {};

template <class Callable>
struct DeducedKernel {
    Launch launch;
    Callable kernel;

    template <class... Arguments>
    cudaError_t operator()(Arguments&&... arguments) {
        const InExecutor inside;
        using Result = decltype(kernel(arguments...));
        if constexpr (std::is_void_v<Result>) {
            return submit(
                launch,
                new BoundCall<Callable, std::decay_t<Arguments>...>(
                    kernel, std::tuple<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...)));
        } else if constexpr (HasArguments<Result>::value) {
            return submit_with(std::move(launch), kernel(std::forward<Arguments>(arguments)...));
        } else {
            return bind(std::move(launch), Result::pointer)(std::forward<Arguments>(arguments)...);
        }
    }
};

/// Returns the size in bytes of a kernel's parameters, placed one after another.
template <class... Parameters>
constexpr std::size_t parameter_bytes() {
    std::size_t end = 0;
    ((end = (end + alignof(Parameters) - 1) / alignof(Parameters) * alignof(Parameters) + sizeof(Parameters)),
     ...);
    return end;
}

template <class... Parameters>
BoundKernel<Parameters...> launch(const char* name, void (*kernel)(Parameters...), dim3 grid, dim3 block = 1,
                                  std::size_t shared = 0, cudaStream_t stream = nullptr,
                                  Place place = KIT_CPU_HERE) {
    static_assert(parameter_bytes<Parameters...>() <= 32764,
                  "a kernel's parameters have room for 32764 bytes: pass a pointer to device memory instead");
    const InExecutor inside;
    return {launch_of(name, reinterpret_cast<const void*>(kernel), grid, block, shared, stream, place),
            kernel};
}

/// Records a kernel. The translator inserts these calls if a program launches functions through pointers:
/// every other function is then a host function. If the translator cannot record one of the kernels, no
/// function counts as a host function.
bool note_kernel(const void* kernel);
bool note_unmarked();
bool is_host_function(const void* function);
template <class... Parameters>
bool note_kernel(void (*kernel)(Parameters...)) {
    return note_kernel(reinterpret_cast<const void*>(kernel));
}
template <class Pointer, Pointer Kernel>
struct KernelMark {
    static inline const bool noted = note_kernel(Kernel);
};

/// A launch through a pointer. If the pointer is to a host function, the function is called once on the host,
/// as by nvcc's <<<>>>.
template <class... Parameters>
struct BoundPointer {
    BoundKernel<Parameters...> kernel;

    cudaError_t operator()(Parameters... arguments) {
        if (!is_host_function(reinterpret_cast<const void*>(kernel.kernel)))
            return kernel(std::forward<Parameters>(arguments)...);
        kernel.kernel(std::forward<Parameters>(arguments)...);
        return cudaSuccess;
    }
};

template <class... Parameters>
BoundPointer<Parameters...> launch_pointer(const char* name, void (*kernel)(Parameters...), dim3 grid,
                                           dim3 block = 1, std::size_t shared = 0,
                                           cudaStream_t stream = nullptr, Place place = KIT_CPU_HERE) {
    return {launch(name, kernel, grid, block, shared, stream, place)};
}

template <class Callable, class = std::enable_if_t<std::is_class_v<Callable>>>
DeducedKernel<Callable> launch(const char* name, Callable kernel, dim3 grid, dim3 block = 1,
                               std::size_t shared = 0, cudaStream_t stream = nullptr,
                               Place place = KIT_CPU_HERE) {
    const InExecutor inside;
    return {launch_of(name, nullptr, grid, block, shared, stream, place), std::move(kernel)};
}

template <class Callable, class = std::enable_if_t<std::is_class_v<Callable>>>
DeducedKernel<Callable> launch_pointer(const char* name, Callable kernel, dim3 grid, dim3 block = 1,
                                       std::size_t shared = 0, cudaStream_t stream = nullptr,
                                       Place place = KIT_CPU_HERE) {
    return launch(name, std::move(kernel), grid, block, shared, stream, place);
}

/// Records the shared memory of a kernel before it runs. `local_type` is the mangled name of a type that is
/// declared in the kernel. This name contains the mangled name of the kernel, which identifies the kernel.
bool declare_shared(const char* local_type, std::size_t bytes, std::size_t align);

/// The bounds that the attributes of a kernel state; 0 if there is no bound.
struct KernelBounds {
    unsigned threads = 0;         ///< __launch_bounds__: maximum threads per block
    unsigned blocks = 0;          ///< __launch_bounds__: minimum blocks per multiprocessor
    unsigned cluster_blocks = 0;  ///< __launch_bounds__: maximum blocks per cluster
    unsigned registers = 0;       ///< __maxnreg__: maximum registers per thread
    dim3 cluster{0, 0, 0};        ///< __cluster_dims__: cluster size in blocks
};
bool declare_bounds(const char* local_type, const KernelBounds& bounds);

/// Returns the storage of a shared variable. The translator replaces `__shared__ float tile[32];` by
///   `struct kit_shared_1 { float tile[32]; }; auto& tile = ::kit::cpu::shared<kit_shared_1>("tile").tile;`
template <class Holder>
const Layout& layout_held_by() {
    auto& [variable] = *static_cast<Holder*>(nullptr);  // only its type is used
    return layout_of<std::remove_reference_t<decltype(variable)>>();
}

template <class Holder>
struct SharedFact {
    static bool declare() {
        return declare_shared(typeid(Holder).name(), sizeof(Holder), alignof(Holder)) &&
               note_layout(&declared, &layout_held_by<Holder>);
    }
    static inline const bool declared = declare();
};

template <class Holder>
Holder* ask_for_shared(const char* name) {
    return static_cast<Holder*>(
        shared_variable(&SharedFact<Holder>::declared, name, sizeof(Holder), alignof(Holder)));
}

template <class Holder>
Holder& shared(const char* name) {
#ifdef __SANITIZE_THREAD__
    return *ask_for_shared<Holder>(name);
#else
    static __thread struct {
        unsigned long block;
        Holder* address;
    } known;  // the same for all threads of a block
    if (known.block != block_number) known = {block_number, ask_for_shared<Holder>(name)};
    return *known.address;
#endif
}

/// Returns the dynamic shared memory. The translator replaces `extern __shared__ float all[];` by
///   `auto (&all)[] = ::kit::cpu::dynamic_shared<float[]>("all");`
template <class Array>
Array& dynamic_shared(const char* name) {
    return *static_cast<Array*>(dynamic_shared_as(name, &layout_of<Array>));
}

/// Records a `__constant__` variable. The translator inserts this call after each of them.
bool declare_constant(const void* variable, std::size_t bytes);
template <class T>
bool declare_constant(const T& variable) {
    return note_layout(std::addressof(variable), &layout_of<T>) &&
           declare_constant(std::addressof(variable), sizeof(T));
}

/// Records a `__device__` variable. The translator inserts this call after each of them.
template <class T>
bool declare_variable(const T& variable) {
    return note_layout(std::addressof(variable), &layout_of<T>);
}

template <class Holder, unsigned MaxThreads, unsigned MinBlocks = 0, unsigned MaxClusterBlocks = 0>
struct LaunchBounds {
    static inline const bool declared =
        declare_bounds(typeid(Holder).name(), {MaxThreads, MinBlocks, MaxClusterBlocks, 0, {0, 0, 0}});
    static void declare() { (void)&declared; }
};

template <class Holder, unsigned Most>
struct MaxRegisters {
    static inline const bool declared = declare_bounds(typeid(Holder).name(), {0, 0, 0, Most, {0, 0, 0}});
    static void declare() { (void)&declared; }
};

template <class Holder, unsigned X = 0, unsigned Y = 1, unsigned Z = 1>
struct ClusterDims {
    static inline const bool declared = declare_bounds(typeid(Holder).name(), {0, 0, 0, 0, {X, Y, Z}});
    static void declare() { (void)&declared; }
};

}  // namespace kit::cpu
