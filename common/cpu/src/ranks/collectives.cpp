// Executes collective calls. Each rank's bytes are read when its part starts, so receiving in place does not
// disturb other ranks. Results are written at the end.
#include "collectives.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "events.hpp"
#include "memory/copies.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"

namespace kit::cpu {
namespace {

bool reduces(Collective kind) {
    return kind == Collective::all_reduce || kind == Collective::reduce || kind == Collective::reduce_scatter;
}

bool has_root(Collective kind) {
    return kind == Collective::reduce || kind == Collective::broadcast;
}

/// The arithmetic type in which elements of a NCCL type are added and compared.
template <class T>
T widened(T value) {
    return value;
}
float widened(__half value) {
    return __half2float(value);
}
float widened(__nv_bfloat16 value) {
    return __bfloat162float(value);
}
template <class T, class Wide>
T narrowed(Wide value) {
    if constexpr (std::is_same_v<T, __half>)
        return __float2half(value);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __float2bfloat16(value);
    else
        return static_cast<T>(value);
}

template <class Wide>
Wide combine(ncclRedOp_t operation, Wide a, Wide b) {
    switch (operation) {
        case ncclProd:
            return static_cast<Wide>(a * b);
        case ncclMax:
            return a < b ? b : a;
        case ncclMin:
            return b < a ? b : a;
        default:
            return static_cast<Wide>(a + b);
    }
}

template <class T>
void reduce_as(const std::vector<std::vector<char>>& sent, std::size_t first, std::size_t count,
               ncclRedOp_t operation, char* result) {
    const auto value = [&](std::size_t rank, std::size_t i) {
        T one;
        std::memcpy(&one, sent[rank].data() + (first + i) * sizeof(T), sizeof(T));
        return widened(one);
    };
    for (std::size_t i = 0; i < count; ++i) {
        auto sum = value(0, i);
        for (std::size_t rank = 1; rank < sent.size(); ++rank) sum = combine(operation, sum, value(rank, i));
        if (operation == ncclAvg)
            sum = static_cast<decltype(sum)>(sum / static_cast<decltype(sum)>(sent.size()));
        const T one = narrowed<T>(sum);
        std::memcpy(result + i * sizeof(T), &one, sizeof(T));
    }
}

void reduce(ncclDataType_t type, const std::vector<std::vector<char>>& sent, std::size_t first,
            std::size_t count, ncclRedOp_t operation, char* result) {
    switch (type) {
        case ncclInt8:
            return reduce_as<signed char>(sent, first, count, operation, result);
        case ncclUint8:
            return reduce_as<unsigned char>(sent, first, count, operation, result);
        case ncclInt32:
            return reduce_as<int>(sent, first, count, operation, result);
        case ncclUint32:
            return reduce_as<unsigned>(sent, first, count, operation, result);
        case ncclInt64:
            return reduce_as<long long>(sent, first, count, operation, result);
        case ncclUint64:
            return reduce_as<unsigned long long>(sent, first, count, operation, result);
        case ncclFloat16:
            return reduce_as<__half>(sent, first, count, operation, result);
        case ncclFloat32:
            return reduce_as<float>(sent, first, count, operation, result);
        case ncclFloat64:
            return reduce_as<double>(sent, first, count, operation, result);
        case ncclBfloat16:
            return reduce_as<__nv_bfloat16>(sent, first, count, operation, result);
        default:
            return;
    }
}

}  // namespace

std::size_t bytes_of(ncclDataType_t type) {
    constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
    return static_cast<std::size_t>(type) < std::size(bytes) ? bytes[type] : 0;
}

std::size_t CollectiveCall::bytes_read() const {
    if (!send || (kind == Collective::broadcast && rank != root)) return 0;
    const std::size_t pieces = kind == Collective::reduce_scatter ? static_cast<std::size_t>(ranks) : 1;
    return pieces * count * bytes_of(type);
}

std::size_t CollectiveCall::bytes_written() const {
    if (!receive || (kind == Collective::reduce && rank != root)) return 0;
    const std::size_t pieces = kind == Collective::all_gather ? static_cast<std::size_t>(ranks) : 1;
    return pieces * count * bytes_of(type);
}

facts::Call CollectiveCall::facts() const {
    constexpr const char* types[] = {"ncclInt8",   "ncclUint8",   "ncclInt32", "ncclUint32", "ncclInt64",
                                     "ncclUint64", "ncclFloat16", "ncclFloat", "ncclDouble", "ncclBfloat16"};
    constexpr const char* operations[] = {"ncclSum", "ncclProd", "ncclMax", "ncclMin", "ncclAvg"};
    const auto type_number = static_cast<std::size_t>(type),
               operation_number = static_cast<std::size_t>(operation);
    facts::Call call;
    call.rank = rank;
    call.function = function;
    call.at = line_of(place);
    call.count = count;
    if (type_number < std::size(types)) call.type = types[type_number];
    if (reduces(kind) && operation_number < std::size(operations))
        call.operation = operations[operation_number];
    if (has_root(kind)) call.root = root;
    return call;
}

Finding about_calls(facts::Rule rule, Place place, std::vector<facts::Call> calls) {
    Finding finding = finding_about(rule, place);
    finding.calls = std::move(calls);
    return finding;
}

/// One execution of a collective call, as a meeting of its parties.
class Gathering::Occasion : public Meeting {
  public:
    Occasion(const std::vector<std::optional<CollectiveCall>>& calls, const bool& refused,
             std::shared_ptr<Gathering> keeps)
        : Meeting(calls.size()),
          calls_(calls),
          refused_(refused),
          keeps_(std::move(keeps)),
          sent_(calls.size()) {}

    cudaError_t begin(std::size_t party) {
        const CollectiveCall& call = *calls_[party];
        const std::size_t bytes = call.bytes_read();
        if (!bytes) return cudaSuccess;
        if (const cudaError_t error =
                check_range({call.function, false, bytes, call.place}, call.send, find_allocation(call.send)))
            return error;
        observer().touches({call.function, call.place, call.send, bytes, bytes, 1, false});
        sent_[party].resize(bytes);
        const DeviceWindow readable(call.send, bytes);
        copy_rows({sent_[party].data(), bytes}, {const_cast<void*>(call.send), bytes}, {bytes, 1});
        return cudaSuccess;
    }

    cudaError_t end(std::size_t party) {
        if (refused_) return cudaErrorLaunchFailure;
        const CollectiveCall& call = *calls_[party];
        const std::size_t bytes = call.bytes_written();
        if (!bytes) return cudaSuccess;
        if (const cudaError_t error = check_range({call.function, true, bytes, call.place}, call.receive,
                                                  find_allocation(call.receive)))
            return error;
        observer().touches({call.function, call.place, call.receive, bytes, bytes, 1, true});
        const DeviceWindow writable(call.receive, bytes);
        char* const result = static_cast<char*>(call.receive);
        if (reduces(call.kind)) {
            // Initializes only results whose inputs are initialized. Which inputs are initialized is known
            // only for the rank's own part.
            const std::size_t first = call.kind == Collective::reduce_scatter ? party * call.count : 0;
            copy_rows({result, bytes}, {sent_[party].data() + first * bytes_of(call.type), bytes},
                      {bytes, 1});
            reduce(call.type, sent_, first, call.count, call.operation, result);
        } else if (call.kind == Collective::all_gather) {
            const std::size_t piece = bytes / sent_.size();
            for (std::size_t from = 0; from < sent_.size(); ++from)
                copy_rows({result + from * piece, piece}, {sent_[from].data(), piece}, {piece, 1});
        } else {
            const std::size_t from =
                call.kind == Collective::broadcast ? static_cast<std::size_t>(call.root) : 0;
            copy_rows({result, bytes}, {sent_[from].data(), bytes}, {bytes, 1});
        }
        return cudaSuccess;
    }

    void tell_stuck() const override {
        if (refused_) return;  // the refusal has already been reported
        std::vector<facts::Call> here;
        std::vector<int> missing;
        Place first;
        bool recorded = true;
        for (std::size_t party = 0; party < calls_.size(); ++party)
            if (begun[party]) {
                if (here.empty()) first = calls_[party]->place;
                here.push_back(calls_[party]->facts());
            } else {
                missing.push_back(rank_of(party));
                recorded = recorded && calls_[party];
            }
        if (missing.empty())
            return add_finding(about_calls(facts::Rule::ranks_in_two_orders, first, std::move(here)));
        Finding waits = about_calls(recorded ? facts::Rule::ranks_only_recorded : facts::Rule::ranks_missing,
                                    first, {here.front()});
        for (const int rank : missing) waits.with("missing", rank);
        add_finding(std::move(waits));
    }

  private:
    /// Returns the rank of a party, including a party that has not called yet.
    int rank_of(std::size_t party) const {
        if (calls_[party]) return calls_[party]->rank;
        const std::optional<CollectiveCall>& other = calls_[party ? 0 : 1];
        return other && other->kind == Collective::message ? other->root : static_cast<int>(party);
    }

    const std::vector<std::optional<CollectiveCall>>& calls_;
    const bool& refused_;
    std::shared_ptr<Gathering> keeps_;
    std::vector<std::vector<char>> sent_;
};

bool Gathering::add(std::size_t party, const CollectiveCall& call) {
    for (const std::optional<CollectiveCall>& other : calls_) {
        if (!other) continue;
        const bool same = other->kind == call.kind && other->count == call.count &&
                          other->type == call.type &&
                          (!reduces(call.kind) || other->operation == call.operation) &&
                          (!has_root(call.kind) || other->root == call.root);
        if (!same && !refused_)
            add_finding(about_calls(facts::Rule::ranks_differ, call.place, {other->facts(), call.facts()})
                            .with("number", number_));
        const bool apart = other->thread == call.thread && other->group != call.group;
        if (same && apart && !refused_)
            add_finding(
                about_calls(facts::Rule::ranks_without_group, call.place, {other->facts(), call.facts()}));
        refused_ = refused_ || !same || apart;
    }
    calls_[party] = call;
    return !refused_;
}

bool Gathering::all_have_called() const {
    return std::all_of(calls_.begin(), calls_.end(), [](const auto& call) { return call.has_value(); });
}

void Gathering::abandon(int rank) {
    for (std::size_t party = 0; party < calls_.size(); ++party)
        if (calls_[party] && calls_[party]->rank == rank)
            for (const auto& [turn, occasion] : open_) kit::cpu::abandon(occasion->ended[party]);
}

namespace {

/// A party's visit to one execution. The visit keeps the gathering alive, because executions refer to the
/// calls in the gathering.
struct Visit {
    std::shared_ptr<Gathering::Occasion> occasion;
    std::size_t party;
};

}  // namespace

Part part_of(const std::vector<Seat>& seats) {
    std::vector<Visit> visits;
    Part part;
    for (const Seat& seat : seats) {
        visits.push_back({seat.gathering->next(seat.gathering, seat.party), seat.party});
        part.meetings.push_back({visits.back().occasion, seat.party});
    }
    const auto each = [visits](cudaError_t (Gathering::Occasion::*step)(std::size_t)) {
        for (const Visit& visit : visits)
            if (const cudaError_t error = ((*visit.occasion).*step)(visit.party)) return error;
        return cudaSuccess;
    };
    part.begin = [each] { return each(&Gathering::Occasion::begin); };
    part.end = [each] { return each(&Gathering::Occasion::end); };
    return part;
}

std::shared_ptr<Gathering::Occasion> Gathering::next(const std::shared_ptr<Gathering>& self,
                                                     std::size_t party) {
    const std::uint64_t turn = turns_[party]++;
    std::shared_ptr<Occasion>& open = open_[turn];
    if (!open) open = std::make_shared<Occasion>(calls_, refused_, self);
    const std::shared_ptr<Occasion> occasion = open;
    if (*std::min_element(turns_.begin(), turns_.end()) > turn) open_.erase(turn);
    return occasion;
}

}  // namespace kit::cpu
