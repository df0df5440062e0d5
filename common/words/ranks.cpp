// Sentences about ranks that must meet, and about PEs: memory that is not symmetric, and signals that cannot
// arrive.
#include <iterator>
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Call;
using facts::Finding;
using facts::Rule;

namespace {

/// Adds a text such as "rank 1 calls ncclBroadcast of 64 ncclFloat and root 0 at line 12 of sum.cu: `...`".
void add_rank(Sentence& sentence, const Call& call) {
    sentence.add(
        call.operation.empty()
            ? call.root ? "rank {rank} calls {function} of {count} {type} and root {root} at {at}"
                        : "rank {rank} calls {function} of {count} {type} at {at}"
        : call.root
            ? "rank {rank} calls {function} of {count} {type} with {operation} and root {root} at {at}"
            : "rank {rank} calls {function} of {count} {type} with {operation} at {at}",
        [&](Sentence& to, const std::string& name) {
            if (name == "rank") to.add(std::to_string(call.rank));
            if (name == "function") to.add(call.function);
            if (name == "count") to.add(std::to_string(call.count));
            if (name == "type") to.add(call.type);
            if (name == "operation") to.add(call.operation);
            if (name == "root") to.add(std::to_string(call.root.value_or(0)));
            if (name == "at") to.add(call.at);
        });
}

/// Adds a text such as "thread (0,0,0) of block (0,0,0) of `send`, on PE 1, calls nvshmem_float_put() at line 12 of ring.cu: `...`".
void add_pe(Sentence& sentence, const Call& call) {
    const bool is_host = call.who.kind == facts::Who::Kind::nobody;
    sentence.add(
        is_host ? "PE {pe} calls {function}() at {at}" : "{who}, on PE {pe}, calls {function}() at {at}",
        [&](Sentence& to, const std::string& name) {
            if (name == "who") to.add(text_of(call.who));
            if (name == "pe") to.add(std::to_string(call.rank));
            if (name == "function") to.add(call.function);
            if (name == "at") to.add(call.at);
        });
}

/// Adds the same text as add_pe(), with the number of bytes that the call moves.
void add_pe_with_bytes(Sentence& sentence, const Call& call) {
    add_pe(sentence, call);
    if (call.bytes) sentence.add(" for " + count_of(static_cast<double>(call.bytes), "bytes"));
}

const char* comparison_of(double comparison) {
    constexpr const char* words[] = {"equal to", "other than", "greater than",
                                     "at most",  "less than",  "at least"};
    const auto index = static_cast<std::size_t>(comparison);
    return index < std::size(words) ? words[index] : "compared with";
}

std::string missing_ranks(const Finding& finding) {
    std::string ranks;
    std::size_t count = 0;
    for (const facts::Value& value : finding.values) {
        if (value.name != "missing") continue;
        ranks += (count++ ? ", " : "") + number_of(value.number);
    }
    return (count > 1 ? "ranks " : "rank ") + ranks;
}

std::string missing_pes(const Finding& finding) {
    std::string pes;
    for (const facts::Value& value : finding.values)
        if (value.name == "missing") pes += (pes.empty() ? "PE " : ", PE ") + number_of(value.number);
    return pes;
}

/// Returns the sentence of a rule. {call} and {other_call} stand for the calls of two ranks.
const char* words_of_ranks(Rule rule) {
    switch (rule) {
        case Rule::ranks_differ:
            return "call {number} of a communicator is not the same on all ranks| {call}, and {other_call}: on a GPU the ranks wait for each other forever, or mix their data~Make the same calls in the same order on all ranks";
        case Rule::ranks_missing:
            return "{call} and waits for {missing}, which never makes this call~Make it for every rank of the communicator";
        case Rule::ranks_only_recorded:
            return "{call} and waits for {missing}, but that call is only recorded in a graph~Let the streams of all ranks take part in the capture";
        case Rule::ranks_in_two_orders:
            return "{all_calls}, but each of these ranks waits for a call that another of them makes later~Make the calls of all communicators and messages in the same order on all ranks, or in one group";
        case Rule::ranks_without_group:
            return "one host thread calls for two ranks, but not in one group| {call}, then {other_call}: the first call can wait forever for the second one~Put the calls of one thread between ncclGroupStart() and ncclGroupEnd()";
        case Rule::send_buffer_of_host:
            return "{call}: the send buffer is ordinary host memory~Pass a device pointer";
        case Rule::receive_buffer_of_host:
            return "{call}: the receive buffer is ordinary host memory~Pass a device pointer";
        case Rule::send_buffer_of_another_device:
            return "{call}: the send buffer is on device {owner}, but the device of this rank is {device}~Pass a buffer on the device of the rank";
        case Rule::receive_buffer_of_another_device:
            return "{call}: the receive buffer is on device {owner}, but the device of this rank is {device}~Pass a buffer on the device of the rank";
        case Rule::rank_in_stream_of_another:
            return "{call}: the stream belongs to device {owner}, but the device of this rank is {device}~Pass a stream of the device of the rank";
        default:
            return nullptr;
    }
}

const char* words_of_pes(Rule rule) {
    switch (rule) {
        case Rule::no_pes:
            return "{who} calls {function}() at {at}, but its device does not belong to a PE~On the host, first call nvshmemx_init_attr(), and then cudaSetDevice()";
        case Rule::no_such_pe:
            return "{call}: there is no PE {pe}~Pass a number from 0 to {last}";
        case Rule::not_symmetric:
            return "{call}: {memory} is private memory of this PE~A different PE can access only symmetric memory, so allocate it with nvshmem_malloc()";
        case Rule::symmetric_of_another:
            return "{call}: {memory} is a pointer of PE {owner}~Pass your own pointer to the symmetric object; the number of the PE selects whose memory the call uses";
        case Rule::symmetric_too_short:
            return "{call}: it moves {bytes:bytes}, but the symmetric object has only {left:bytes} after {memory}~Move fewer bytes, or allocate more";
        case Rule::waits_for_nobody:
            return "{who}, on PE {pe}, waits in {function}() at {at} until {memory} is {comparison} {value}. It is {now}, and all PEs wait or have ended, so no signal can arrive~Check which signal is missing, and the value that you wait for";
        case Rule::pes_differ:
            return "{call_with_bytes}, and {other_with_bytes}~Make such calls together on all PEs, in the same order and with the same sizes";
        case Rule::pes_missing:
            return "{call} and waits for {missing}, which never makes that call~Make it on all PEs";
        case Rule::pes_share_device:
            return "PE {pe} calls {function}() at {at} with device {device}, but PE {owner} already uses it~Give each PE its own device: call cudaSetDevice() first";
        case Rule::not_initialised:
            return "{function}() is called at {at} by a host thread that is not a PE~Call nvshmemx_init_attr() first";
        case Rule::not_from_heap:
            return "{call} with a pointer that nvshmem_malloc() has not returned to this PE~Pass a pointer from nvshmem_malloc()";
        default:
            return nullptr;
    }
}

}  // namespace

bool add_calls(Sentence& sentence, const Finding& finding) {
    const char* const of_ranks = words_of_ranks(finding.rule);
    const char* const pattern = of_ranks ? of_ranks : words_of_pes(finding.rule);
    if (!pattern) return false;
    const auto call = [&](std::size_t i) { return i < finding.calls.size() ? finding.calls[i] : Call{}; };
    const Meaning named = meaning_of(finding);
    sentence.add(pattern, [&](Sentence& to, const std::string& name) {
        if (name == "call" || name == "other_call") {
            (of_ranks ? add_rank : add_pe)(to, call(name == "call" ? 0 : 1));
        } else if (name == "call_with_bytes" || name == "other_with_bytes") {
            add_pe_with_bytes(to, call(name == "call_with_bytes" ? 0 : 1));
        } else if (name == "all_calls") {
            for (std::size_t i = 0; i < finding.calls.size(); ++i)
                add_rank(i ? to.add(std::string(", and ")) : to, finding.calls[i]);
        } else if (name == "missing") {
            to.add(of_ranks ? missing_ranks(finding) : missing_pes(finding));
        } else if (name == "comparison") {
            to.add(std::string(comparison_of(number_in(finding, "comparison"))));
        } else {
            named(to, name);
        }
    });
    return true;
}

}  // namespace kit::words
