// Decoding, for the demo: steps over many sequences, launches and graphs, padded and exact sizes, and two loops.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "21_attention/21_attention.hpp"
#include "demo.hpp"
#include "grader/inputs.hpp"
#include "handles.hpp"
#include "kit.cuh"

namespace attention {
// Defined in the solutions of decode_graph and decode_loop.
__global__ void begin_step(Batch batch, Batch* current);
__global__ void append(Model model, Slots slots, const Batch* current);
__global__ void attend(Model model, Slots slots, const Batch* current, float* hidden);
__global__ void project(Model model, Slots slots, const Batch* current, const float* hidden);
__global__ void start(Generation work);
__global__ void forward(Generation work);
__global__ void choose(Generation work);
}  // namespace attention

namespace decoding {

using attention::Batch;
using attention::kElements;
using attention::kHidden;
using attention::kVocabulary;
using kit::DeviceBuffer;
using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using Exec = std::shared_ptr<CUgraphExec_st>;

#ifdef KIT_CPU
constexpr bool is_gpu = false;
#else
constexpr bool is_gpu = true;
#endif

inline std::vector<float> random_values(std::size_t count, double largest) {
    kit::Random random(21);
    return kit::uniform<float>(random, count, -largest, largest);
}

/// Returns the work of a table whose rows are measured by the clock of the host, with the time of each of `pieces` parts.
inline Work by_host_clock(const char* piece, long long pieces) {
    Work work;
    work.n = pieces;
    work.repetitions = 11;
    work.host_clock = true;
    work.piece = piece;
    work.pieces = pieces;
    return work;
}

// ---- decode: decode_step for batches of several sizes ----

/// Sequences of one length, with 8 heads, in pages of 16 tokens.
class Sequences {
  public:
    Sequences(int count, int length)
        : count_(count),
          rows_(static_cast<std::size_t>(count) * heads),
          pages_(kit::ceil_div(length + 1, page_tokens)),
          keys_(random_values(rows_ * static_cast<std::size_t>(pages_ * page_tokens) * kElements, 1)),
          values_(random_values(keys_.size(), 1)),
          new_rows_(random_values(rows_ * kElements, 1)),
          out_(rows_ * kElements),
          lengths_(std::vector<int>(static_cast<std::size_t>(count), length)),
          tickets_(rows_),
          states_(rows_ * attention::kSplits) {
        kit::Random random(22);
        table_ = DeviceBuffer<int>(kit::permutation<int>(
            random, static_cast<std::size_t>(count) * static_cast<std::size_t>(pages_)));
        tickets_.clear();
    }

    void step() {
        attention::decode_step(
            {count_, heads, new_rows_.data(), new_rows_.data(), new_rows_.data(), lengths_.data()},
            {keys_.data(), values_.data(), table_.data(), page_tokens, pages_}, out_.data(),
            {states_.data(), tickets_.data()});
    }
    double bytes() const { return static_cast<double>(keys_.bytes() + values_.bytes()); }

    /// Returns whether every output is a mean of values, which are between -1 and 1.
    bool is_right() const {
        const std::vector<float> out = out_.to_vector();
        return std::all_of(out.begin(), out.end(), [](float value) { return value > -1 && value < 1; });
    }

  private:
    static constexpr int heads = 8, page_tokens = 16;
    int count_;
    std::size_t rows_;
    int pages_;
    DeviceBuffer<float> keys_, values_, new_rows_, out_;
    DeviceBuffer<int> lengths_, tickets_, table_;
    DeviceBuffer<attention::PartialState> states_;
};

inline void show_decode(Demo& demo) {
    if (!demo.part("decode")) return;
    const int length = is_gpu ? 4096 : 60;
    Work work;
    work.n = length;
    work.piece = "token";
    std::vector<std::unique_ptr<Sequences>> all;
    std::vector<Version> versions;
    for (const int count : is_gpu ? std::vector<int>{1, 8, 64, 256} : std::vector<int>{1, 4}) {
        all.push_back(std::make_unique<Sequences>(count, length));
        Sequences& sequences = *all.back();
        versions.push_back(
            {"b" + std::to_string(count), std::to_string(count) + (count == 1 ? " sequence" : " sequences"),
             "", [&](long long) { sequences.step(); }, [&](long long) { return sequences.is_right(); }});
        versions.back().bytes = sequences.bytes();
        versions.back().pieces = [count] { return static_cast<long long>(count); };
    }
    demo.ladder("decode", "one token for each sequence of " + std::to_string(length) + " tokens, 8 heads",
                work, versions);
}

// ---- graphs and padding: steps of a model with several layers ----

/// A graph of a step for a fixed number of blocks.
struct StepGraph {
    std::shared_ptr<CUgraph_st> graph;
    Exec exec;
    cudaGraphNode_t first = nullptr;
};

/// A model whose layers all have the kernels of decode_graph, with a cache for each layer.
class Server {
  public:
    static constexpr int layers = is_gpu ? 12 : 2, most = is_gpu ? 64 : 8, capacity = is_gpu ? 128 : 16;
    static constexpr int steps = is_gpu ? 64 : 6;

    Server()
        : weights_(random_values(kHidden * kHidden, 0.6)),
          keys_(cache_size()),
          values_(cache_size()),
          hidden_(static_cast<std::size_t>(most) * kHidden),
          logits_(hidden_.size()),
          lengths_(static_cast<std::size_t>(layers * most)),
          current_(1) {
        std::vector<int> slots, tokens;
        for (int i = 0; i < most; ++i) slots.push_back(i), tokens.push_back(i * 7 % kVocabulary);
        slots_ = DeviceBuffer<int>(slots);
        tokens_ = DeviceBuffer<int>(tokens);
        clear_logits();
    }

    Batch batch(int n) { return {n, slots_.data(), tokens_.data(), logits_.data()}; }

    /// Empties all sequences.
    void begin() { CUDA_CHECK(cudaMemsetAsync(lengths_.data(), 0, lengths_.bytes(), stream)); }

    void launch(int n, int blocks) {
        attention::begin_step<<<1, 1, 0, stream>>>(batch(n), current_.data());
        const float* const w = weights_.data();
        const attention::Model model = {w, w, w, w, w, w};
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const attention::Slots slots = {keys_.data() + layer * cache_size() / layers,
                                            values_.data() + layer * cache_size() / layers,
                                            lengths_.data() + layer * most, capacity};
            attention::append<<<blocks, 32, 0, stream>>>(model, slots, current_.data());
            attention::attend<<<blocks, 32, 0, stream>>>(model, slots, current_.data(), hidden_.data());
            attention::project<<<blocks, 32, 0, stream>>>(model, slots, current_.data(), hidden_.data());
        }
        CUDA_CHECK_LAUNCH();
    }

    StepGraph record(int blocks) {
        StepGraph made;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        launch(0, blocks);
        CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
        std::size_t one = 1;
        CUDA_CHECK(cudaGraphGetRootNodes(graph, &made.first, &one));
        made.graph = {graph, cudaGraphDestroy};
        made.exec = {exec, cudaGraphExecDestroy};
        return made;
    }

    void run(const StepGraph& graph, int n) {
        Batch wanted = batch(n);
        Batch* current = current_.data();
        void* arguments[] = {&wanted, &current};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void*>(attention::begin_step);
        params.gridDim = params.blockDim = dim3(1);
        params.kernelParams = arguments;
        CUDA_CHECK(cudaGraphExecKernelNodeSetParams(graph.exec.get(), graph.first, &params));
        CUDA_CHECK(cudaGraphLaunch(graph.exec.get(), stream));
    }

    std::vector<float> logits() {
        CUDA_CHECK(cudaDeviceSynchronize());
        return logits_.to_vector();
    }
    void clear_logits() {
        logits_.clear();
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    kit::Stream stream;

  private:
    static constexpr std::size_t cache_size() { return std::size_t{layers} * most * capacity * kHidden; }

    DeviceBuffer<float> weights_, keys_, values_, hidden_, logits_;
    DeviceBuffer<int> lengths_, slots_, tokens_;
    DeviceBuffer<Batch> current_;
};

inline int padded_size(int n) {
    int size = 1;
    while (size < n) size *= 2;
    return size;
}

/// Returns whether the logits are those of the same sizes, launched kernel by kernel.
inline bool same_as_launched(Server& server, const std::vector<int>& sizes) {
    const std::vector<float> got = server.logits();
    server.clear_logits();
    server.begin();
    for (const int n : sizes) server.launch(n, n);
    const bool same = got == server.logits();
    server.clear_logits();
    return same;
}

inline void show_graphs(Demo& demo) {
    if (!demo.part("graphs")) return;
    Server server;
    std::vector<Version> versions;
    for (const int n : is_gpu ? std::vector<int>{1, 8, 64} : std::vector<int>{1, 8}) {
        const std::vector<int> sizes(Server::steps, n);
        const auto right = [&server, sizes](long long) { return same_as_launched(server, sizes); };
        const std::string of = ", batch " + std::to_string(n);
        versions.push_back({"launch" + std::to_string(n), "launches" + of, "",
                            [&server, n](long long) {
                                server.begin();
                                for (int i = 0; i < Server::steps; ++i) server.launch(n, n);
                            },
                            right});
        versions.push_back({"graph" + std::to_string(n), "graphs" + of, "",
                            [&server, n, graph = server.record(n)](long long) {
                                server.begin();
                                for (int i = 0; i < Server::steps; ++i) server.run(graph, n);
                            },
                            right});
    }
    demo.ladder(
        "graphs",
        std::to_string(Server::steps) + " steps of " + std::to_string(3 * Server::layers + 1) + " kernels",
        by_host_clock("step", Server::steps), versions);
}

inline void show_padding(Demo& demo) {
    if (!demo.part("padding")) return;
    Server server;
    kit::Random random(23);
    std::vector<int> sizes(Server::steps);
    for (int& n : sizes) n = static_cast<int>(random.integer(1, Server::most));
    std::vector<StepGraph> exact(Server::most + 1), padded(Server::most + 1);
    for (int n = 1; n <= Server::most; ++n) {
        exact[static_cast<std::size_t>(n)] = server.record(n);
        if (padded_size(n) == n) padded[static_cast<std::size_t>(n)] = server.record(n);
    }
    const auto right = [&](long long) { return same_as_launched(server, sizes); };
    const auto each = [&](auto step) {
        return [&server, &sizes, step](long long) {
            server.begin();
            for (const int n : sizes) step(n);
        };
    };
    demo.ladder(
        "padding",
        std::to_string(Server::steps) + " steps with 1 to " + std::to_string(Server::most) + " sequences",
        by_host_clock("step", Server::steps),
        {{"launched", "launches", "", each([&](int n) { server.launch(n, n); }), right},
         {"fresh", "a new instance each", "", each([&](int n) { server.run(server.record(n), n); }), right},
         {"exact", "a graph per size", "",
          each([&](int n) { server.run(exact[static_cast<std::size_t>(n)], n); }), right},
         {"padded", "a graph per padded size", "",
          each([&](int n) { server.run(padded[static_cast<std::size_t>(padded_size(n))], n); }), right},
         {"largest", "one graph, the largest", "", each([&](int n) { server.run(padded[Server::most], n); }),
          right}});
}

// ---- loop: the host or the device decides after each token ----

/// Sequences for which the small model generates tokens.
class Text {
  public:
    static constexpr int sequences = is_gpu ? 8 : 2, most_tokens = is_gpu ? 64 : 6;

    Text()
        : weights_(random_values(kHidden * kHidden, 0.6)),
          keys_(std::size_t{sequences} * most_tokens * kHidden),
          values_(keys_.size()),
          random_(random_values(std::size_t{sequences} * most_tokens, 0)),
          logits_(std::size_t{sequences} * kVocabulary),
          numbers_(std::size_t{5} * sequences + 1),
          tokens_(random_.size()) {
        numbers_.clear();
        const float* const w = weights_.data();
        int* const n = numbers_.data();
        work = {{w, w, w, w, w, w},
                {keys_.data(), values_.data(), n, most_tokens},
                sequences,
                n + sequences,
                n + sequences,
                most_tokens,
                -1,
                0,
                random_.data(),
                tokens_.data(),
                n + 2 * sequences,
                n + 3 * sequences,
                n + 4 * sequences,
                logits_.data(),
                n + 5 * sequences};
        CUDA_CHECK(cudaDeviceSynchronize());
    }

    /// Launches the kernels of one round.
    void round() {
        attention::forward<<<sequences, 32, 0, stream>>>(work);
        attention::choose<<<sequences, 32, 0, stream>>>(work);
        CUDA_CHECK_LAUNCH();
    }
    void begin() {
        attention::start<<<sequences, 1, 0, stream>>>(work);
        CUDA_CHECK_LAUNCH();
    }
    bool is_active() {
        int active = 0;
        CUDA_CHECK(cudaMemcpyAsync(&active, work.active, sizeof active, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        return active > 0;
    }

    /// Returns whether the tokens are those of the first version.
    bool is_right() {
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::vector<int> got = tokens_.to_vector();
        if (expected_.empty()) expected_ = got;
        CUDA_CHECK(cudaMemset(tokens_.data(), 0xff, tokens_.bytes()));
        CUDA_CHECK(cudaDeviceSynchronize());
        return got == expected_;
    }

    kit::Stream stream;
    attention::Generation work;

  private:
    DeviceBuffer<float> weights_, keys_, values_, random_, logits_;
    DeviceBuffer<int> numbers_, tokens_;
    std::vector<int> expected_;
};

inline void show_loop(Demo& demo) {
    if (!demo.part("loop")) return;
    Text text;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(text.stream, cudaStreamCaptureModeThreadLocal));
    text.round();
    CUDA_CHECK(cudaStreamEndCapture(text.stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    const Exec one_round(exec, cudaGraphExecDestroy);
    const Exec generator(attention::build_generator(text.work), cudaGraphExecDestroy);
    const auto right = [&](long long) { return text.is_right(); };
    demo.ladder(
        "loop",
        std::to_string(Text::most_tokens) + " tokens of " + std::to_string(Text::sequences) + " sequences",
        by_host_clock("step", Text::most_tokens),
        {{"host", "the host, kernels", "",
          [&](long long) {
              text.begin();
              for (bool active = true; active; active = text.is_active()) text.round();
          },
          right},
         {"host_graph", "the host, graphs", "",
          [&](long long) {
              text.begin();
              for (bool active = true; active; active = text.is_active())
                  CUDA_CHECK(cudaGraphLaunch(one_round.get(), text.stream));
          },
          right},
         {"device", "a WHILE node", "", [&](long long) { attention::generate(generator.get(), text.stream); },
          right}});
}

inline void show(Demo& demo) {
    show_decode(demo);
    show_graphs(demo);
    show_padding(demo);
    show_loop(demo);
}

}  // namespace decoding
