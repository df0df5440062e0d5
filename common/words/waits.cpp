// Sentences about threads that wait: at barriers, for lanes of their warp, for other blocks, or forever.
#include <words/finding.hpp>
#include <words/names.hpp>

namespace kit::words {

using facts::Finding;
using facts::Rule;
using facts::Waiting;

namespace {

void add_group(Sentence& sentence, const Waiting& group, bool is_first) {
    const Meaning meaning = [&](Sentence& to, const std::string& name) {
        if (name == "threads") to.add(count_of(group.count, "threads"));
        if (name == "block") to.add("block " + text_of(group.first.block));
        if (name == "kernel") to.add(group.first.name);
        if (name == "in") to.add(group.in == "shuffle" ? "a shuffle" : group.in);
        if (name == "at") to.add(group.at);
        if (name == "lanes") to.add(mask_of(group.lanes));
        if (name == "absent") to.add(mask_of(group.absent));
        if (name == "expected bytes") to.add(count_of(static_cast<double>(group.bytes_expected), "bytes"));
        if (name == "copied bytes") to.add(count_of(static_cast<double>(group.bytes_copied), "bytes"));
        if (name == "missing") to.add(std::to_string(group.missing));
        if (name == "expected") to.add(std::to_string(group.expected));
        if (name == "arrivals") to.add(count_of(group.expected, "arrivals"));
        if (name == "are missing") to.add(std::string(group.missing == 1 ? "is missing" : "are missing"));
        if (name == "first") {
            facts::Who thread = group.first;
            thread.block = {}, thread.name.clear();
            to.add(text_of(thread));
        }
    };
    const bool is_one = group.count == 1;
    if (is_first)
        sentence.add(is_one ? "{threads} of {block} of `{kernel}` waits in {in} ({first} first)"
                            : "{threads} of {block} of `{kernel}` wait in {in} ({first} first)",
                     meaning);
    else
        sentence.add(
            is_one ? "; {threads} waits in {in} ({first} first)" : "; {threads} wait in {in} ({first} first)",
            meaning);
    // A listing shows the text that precedes a line below that line.
    if (group.lanes)
        sentence.add(" for the lanes {lanes}, but the lanes {absent} never reach it, at {at}", meaning);
    else if (group.bytes_expected)
        sentence.add(
            " at {at}: all threads have arrived, but the barrier expects {expected bytes}, and the bulk copies of this phase bring {copied bytes}",
            meaning);
    else if (group.expected && group.in == "consumer_wait()")
        sentence.add(": {missing} of {expected} calls of producer_commit() {are missing}, at {at}", meaning);
    else if (group.expected && group.in == "producer_acquire()")
        sentence.add(": {missing} of {expected} calls of consumer_release() {are missing}, at {at}", meaning);
    else
        sentence.add(group.expected ? ": {missing} of {arrivals} {are missing}, at {at}" : " at {at}",
                     meaning);
}

const char* words_of_wait(Rule rule) {
    switch (rule) {
        case Rule::lane_not_named:
            return "{function} at {at} has the mask {mask:mask}, which does not include lane {lane}, but this lane calls it ({who})~Include in the mask every lane that calls the function";
        case Rule::block_parts:
            return "barrier| not all threads of the block reach the barrier of `{kernel}` at {at} ({who} does)~Let all threads of the block reach it";
        case Rule::warp_parts:
            return "warp| not all lanes in the mask take part in `{kernel}` at {at} ({who} does)~Include in the mask only lanes that make this call";
        case Rule::arrives_twice:
            return "barrier| {who} arrives at the barrier of its cluster at {at} for the second time without a wait~Call barrier_wait() between two arrivals";
        case Rule::waits_unarrived:
            return "barrier| {who} waits at the barrier of its cluster at {at}, but has not arrived~Call barrier_arrive() first";
        case Rule::too_many_arrivals:
            return "barrier| {who} arrives {update:times} at {at}, but the barrier expects only {missing} more of {expected:arrivals} in this phase~Make sure that the counts of all arrivals in a phase add up to {expected}";
        case Rule::foreign_token:
            return "barrier| {who} waits at {at} with a token that no arrive() of this barrier has returned~Wait with the token that arrive() returned";
        case Rule::old_token:
            return "barrier| {who} waits at {at} with the token of phase {phase}, but the barrier is in phase {now}~Wait with the token of the latest arrive()";
        case Rule::grid_sync_refused:
            return "grid.sync() at {at} needs a cooperative launch, but `{kernel}` was launched with <<<>>>~Launch it with cudaLaunchCooperativeKernel";
        case Rule::grid_sync_left:
            return "deadlock| some blocks of `{kernel}` wait in grid.sync(), but the other blocks have ended~Let every block call grid.sync() the same number of times";
        case Rule::endless_grid:
            return "`{kernel}` did not end within {seconds} s| {begun} of its {blocks} blocks had started~Check its loops and waits, or launch less work; KIT_KERNEL_SECONDS sets a larger limit";
        case Rule::endless_family:
            return "`{kernel}` and the {others} kernels that it caused did not end within {seconds} s~Check the condition that ends the chain of launches";
        case Rule::endless_tails:
            return "the graphs that followed the launch at {at} did not end within {seconds} s, after {launches} launches~Check the condition that ends the chain of launches";
        case Rule::endless_while:
            return "the WHILE node at {at} did not end within {seconds} s, after {rounds} rounds~Let a kernel of its body set the condition to 0";
        default:
            return nullptr;
    }
}

/// Returns what to do about threads or lanes that do not reach the place where others wait.
const char* advice_of_wait(const Finding& finding) {
    if (finding.waiting.empty()) return "";
    const Waiting& first = finding.waiting[0];
    if (first.lanes) return "~Let these lanes make the call, too, or leave them out of the mask";
    if (first.bytes_expected) return "~Expect as many bytes as the copies of the phase bring";
    if (first.expected) return "~Make the missing calls, or expect fewer";
    if (first.in.find("cluster") != std::string::npos) return "~Let all threads of the cluster reach it";
    return "~Let all threads of the block reach it";
}

}  // namespace

Sentence& add_progress(Sentence& sentence, const Finding& finding) {
    const char* between = "";
    const auto add = [&](const char* pattern) {
        sentence.add(between).add(pattern, meaning_of(finding));
        between = "; ";
    };
    if (number_in(finding, "others") > 0) add("{others:threads} of its block can continue as well");
    if (number_in(finding, "returned") > 0) add("{returned:threads} of its block returned before");
    if (number_in(finding, "unstarted") > 0) add("{unstarted:threads} of its block had not started");
    if (number_in(finding, "blocks") > 1) add("{ended} of {blocks} blocks ended");
    return sentence.add("~Check the condition that ends this loop or this wait", meaning_of(finding));
}

bool add_wait(Sentence& sentence, const Finding& finding) {
    if (finding.rule == Rule::endless_kernel) {
        sentence.add("`{kernel}` did not end within {seconds} s| {who} was at {at}", meaning_of(finding));
        for (const Waiting& group : finding.waiting) add_group(sentence, group, false);
        Sentence progress;
        if (!add_progress(progress, finding).text(false).empty()) sentence.add("; ");
        add_progress(sentence, finding);
        return true;
    }
    if (const char* const pattern = words_of_wait(finding.rule)) {
        sentence.add(pattern, meaning_of(finding));
        return true;
    }
    if (finding.rule == Rule::two_barriers && !finding.waiting.empty()) {
        sentence.add("barrier| ", meaning_of(finding));
        add_group(sentence, finding.waiting[0], true);
        sentence.add(
            ", but {who} reached another barrier, {function} at {at}~Let all threads of a block reach the same barrier",
            meaning_of(finding));
        return true;
    }
    if (finding.rule != Rule::threads_missing) return false;
    sentence.add("{kind}|", meaning_of(finding));
    for (const Waiting& group : finding.waiting)
        add_group(sentence.add(&group == &finding.waiting[0] ? " " : ""), group,
                  &group == &finding.waiting[0]);
    if (const facts::Value* const returned = finding.value("returned"))
        sentence.add(
            returned->number == 1
                ? "; {returned:threads} has returned from the kernel without reaching it ({other} first)"
                : "; {returned:threads} have returned from the kernel without reaching it ({other} first)",
            meaning_of(finding));
    sentence.add(advice_of_wait(finding), meaning_of(finding));
    return true;
}

}  // namespace kit::words
