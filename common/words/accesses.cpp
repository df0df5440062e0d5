// Sentences about accesses to a wrong address, and about reads of uninitialized bytes.
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Finding;
using facts::Rule;

namespace {

/// Returns the part of the sentence that says what is wrong with the address.
const char* words_of_address(const Finding& finding) {
    switch (finding.rule) {
        case Rule::out_of_bounds:
            if (finding.memory.freed)
                return "out of bounds, {memory}~Free memory after the last access to it";
            if (finding.memory.dormant)
                return "out of bounds, {memory}~Order the access after the allocation and before the free";
            if (finding.memory.kind == facts::Memory::Kind::no_shared)
                return "out of bounds, {memory}~Pass the size of the shared memory as the third argument";
            return "out of bounds, {memory}~Check the index, its guard, and the size of this memory";
        case Rule::out_of_bounds_somewhere:
            return "out of bounds~Check the pointer and the index";
        case Rule::before_shared:
            return "out of bounds, {ahead} bytes before the shared memory of the block~Check whether the index is negative";
        case Rule::before_element:
            return "out of bounds, `{element}`, {ahead} bytes before the shared memory of the block~Check whether the index is negative";
        case Rule::beyond_neighbour:
            return "out of bounds, {memory} of the cluster~Check the index, and the rank of the block";
        case Rule::neighbour_to_come:
            return "{memory} of the cluster, and that block may not have started yet~Call cluster.sync() first";
        case Rule::neighbour_gone:
            return "{memory} of the cluster, and that block may have ended~Call cluster.sync() before a block whose memory others use ends";
        case Rule::writes_constant:
            return "this is {memory}, a __constant__ variable, which kernels can only read~Write it on the host, with cudaMemcpyToSymbol";
        case Rule::misaligned:
            return "misaligned: the address of {memory} is not a multiple of {bytes}~Start at an aligned address, or use a narrower type";
        case Rule::misaligned_somewhere:
            return "misaligned: the address is not a multiple of {bytes}~Start at an aligned address, or use a narrower type";
        case Rule::another_device:
            return "{memory} is memory of device {owner}, and the kernel runs on device {device}~First call cudaDeviceEnablePeerAccess({owner}, 0) while device {device} is current";
        case Rule::another_device_ordered:
            return "{memory} is memory of device {owner}, and the kernel runs on device {device}: peer access does not include memory of cudaMallocAsync~Allocate it with cudaMalloc";
        case Rule::nothing_there:
            return "nothing is allocated at {address:hex}~Check whether the index overflows, and whether the pointer is set";
        case Rule::host_memory:
            return "this is host memory, which a kernel cannot use~Allocate with cudaMalloc, copy with cudaMemcpy, and pass the device pointer";
        default:
            return nullptr;
    }
}

bool add_bad_address(Sentence& sentence, const Finding& finding) {
    const char* const what = words_of_address(finding);
    if (!what) return false;
    const Meaning meaning = meaning_of(finding);
    const facts::Access access = finding.accesses.empty() ? facts::Access{} : finding.accesses[0];
    sentence.add(access.discards ? "{who} discards memory at {at}: "
                 : access.write  ? "{who} writes {bytes:bytes} at {at}: "
                                 : "{who} reads {bytes:bytes} at {at}: ",
                 meaning);
    sentence.add(what, meaning);
    return true;
}

const char* sentence_of_access(const Finding& finding) {
    switch (finding.rule) {
        case Rule::unwritten:
            return "uninitialised read| {who} reads {memory} at {at}, but nothing has written it~Write it before this read, or read a different element";
        case Rule::unwritten_copy:
            return "uninitialised read| host code at {at} uses a copy of {memory}, but nothing has written that memory~Write it before the copy, or copy less";
        case Rule::discarded:
            return "discarded| {who} reads {memory} at {at}, but it was discarded at {discarded}, so it has no value~Write it again before this read, or discard it later";
        case Rule::discarded_copy:
            return "discarded| host code at {at} uses a copy of {memory}, but it was discarded at {discarded}, so it has no value~Write it again before this read, or discard it later";
        case Rule::undefined_lane:
            return "warp| {who} reads {memory} at {at}, which was computed from the value that {shuffle} at {shuffled} took from lane {lane}~Use the value only in lanes whose source lane takes part in the shuffle";
        case Rule::undefined_lane_copy:
            return "warp| host code at {at} uses a copy of {memory}, which was computed from the value that {shuffle} at {shuffled} took from lane {lane}~Use the value only in lanes whose source lane takes part in the shuffle";
        case Rule::undefined_store:
            return "warp| {who} stores at {at} the value that {shuffle} at {shuffled} took from lane {lane}~Use the value only in lanes whose source lane takes part in the shuffle";
        case Rule::constant_of_host:
            return "`{kernel}` uses {memory}, a __constant__ variable, but host code assigned to `{written}` by its name, which changes only a copy on the host~Use cudaMemcpyToSymbol, at {at}";
        case Rule::outlived:
            return !finding.accesses.empty() && finding.accesses[0].write
                       ? "{who} writes {memory} at {at}, shared memory of {other} of its cluster, and that block may have ended~Call cluster.sync() before a block whose memory others use ends"
                       : "{who} reads {memory} at {at}, shared memory of {other} of its cluster, and that block may have ended~Call cluster.sync() before a block whose memory others use ends";
        case Rule::copy_outlives_block:
            return "{who} starts {copy} at {at} from {memory}, and the block ends before this copy~Shared memory exists until its block ends, so first wait for the bulk copies (cp_async_bulk_wait_group_read)";
        default:
            return nullptr;
    }
}

/// Returns the part of the sentence that says what is wrong with the lane that a shuffle reads; null for
/// other findings.
const char* words_of_lane(const Finding& finding) {
    if (!finding.value("lane") || !finding.value("shuffle")) return nullptr;
    if (finding.value("mask")) return ": this lane is not in the mask {mask:mask}, so the value is undefined";
    if (finding.value("returned"))
        return ": this lane has returned from the kernel, so the value is undefined";
    if (finding.value("threads"))
        return ": this lane does not exist, because the warp has only {threads:threads}, so the value is undefined";
    return ": this lane shuffles a value of a different size, so the value is undefined";
}

/// Returns the part of the sentence that says how the program uses the undefined value.
const char* words_of_user(Rule rule) {
    switch (rule) {
        case Rule::undefined_lane:
            return "{who} reads {memory}, which was computed from it";
        case Rule::undefined_lane_copy:
            return "host code uses a copy of {memory}, which was computed from it";
        case Rule::undefined_store:
            return "{who} stores a value computed from it";
        default:
            return nullptr;
    }
}

}  // namespace

bool list_undefined_lane(Told& told, const Finding& finding, bool advises) {
    const char *const user = words_of_user(finding.rule), *const lane = words_of_lane(finding);
    const facts::Value* const shuffled = finding.value("shuffled");
    if (!user || !lane || !shuffled || !shuffled->line.line || !finding.at.line) return false;
    const Meaning meaning = meaning_of(finding);
    Sentence source, use;
    source.add("{shuffle} takes a value from lane {lane}", meaning).add(lane, meaning);
    told.what = "warp: an undefined value is used";
    told.lines = {{shuffled->line, source.text()}, {finding.at, use.add(user, meaning).text()}};
    if (advises) told.rest = "Use the value only in lanes whose source lane takes part in the shuffle";
    if (finding.times > 1)
        told.rest += (advises ? " (seen " : "(seen ") + std::to_string(finding.times) + " times)";
    return true;
}

bool add_access(Sentence& sentence, const Finding& finding) {
    if (add_bad_address(sentence, finding)) return true;
    const char* const pattern = sentence_of_access(finding);
    if (!pattern) return false;
    sentence.add(pattern, meaning_of(finding));
    if (const char* const lane = words_of_lane(finding)) sentence.add(lane, meaning_of(finding));
    if (finding.value("short_copy"))
        sentence.add(
            number_in(finding, "copied") == 1
                ? ", because the copy ends before it, at {short_copy}. It copied {copied:bytes}, but {copied} element of {element:bytes} has {needed:bytes}~Give the size of a copy in bytes"
                : ", because the copy ends before it, at {short_copy}. It copied {copied:bytes}, but {copied} elements of {element:bytes} have {needed:bytes}~Give the size of a copy in bytes",
            meaning_of(finding));
    return true;
}

}  // namespace kit::words
