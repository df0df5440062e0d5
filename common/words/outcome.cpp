// Converts the facts of a failure to its sentence.
#include <csignal>
#include <cstdio>
#include <words/finding.hpp>
#include <words/names.hpp>
#include <words/outcome.hpp>

namespace kit::words {

using facts::Difference;
using facts::End;
using facts::Failure;
using facts::Fault;
using facts::Pattern;

namespace {

/// Returns the expression that CUDA_CHECK has checked, or a phrase if it is only the name of a variable.
std::string call_in_words(const std::string& checked) {
    const bool is_name = checked.find_first_of("( ") == std::string::npos;
    return is_name ? "a call whose result is in `" + checked + "`" : checked;
}

const char* words_of(const End& end) {
    switch (end.fault) {
        case Fault::late:
            return "no result after {seconds} s~Check the conditions of your loops and waits";
        case Fault::exited:
            return "your code ended the program with exit status {status}~Return from the function instead";
        case Fault::crashed:
            switch (end.status) {
                case SIGSEGV:
                case SIGBUS:
                    return "the host code crashed ({signal})~Look for a bad pointer, a device pointer that the host uses, or a recursion without an end";
                case SIGFPE:
                    return "the host code divides an integer by zero, or the smallest integer by -1~Check the divisor first";
                case SIGABRT:
                    return "the host code aborted~Look for an assertion that failed, or an exception that your code does not catch";
                default:
                    return "the host code crashed ({signal})~Check its pointers and its recursion";
            }
        default:
            return "";
    }
}

const char* words_of(const Failure& failure) {
    const bool explained = !failure.because.empty(), has_text = !failure.error.text.empty(),
               is_one = failure.difference.wrong == 1;
    switch (failure.fault) {
        case Fault::none:
        case Fault::other_method:
        case Fault::finding:
            return "";
        case Fault::stated:
            return "{sentence}";
        case Fault::values:
            if (failure.difference.of == 1)
                return "the value of `{what}` is wrong~Compute it by hand, and compare each step with your code";
            if (is_one)
                return "{wrong} of {of:values} of `{what}` differs~Compute it by hand, and compare each step with your code";
            return failure.difference.wrong == failure.difference.of
                       ? "all {of:values} of `{what}` differ~Compute the first of them by hand, and compare each step with your code"
                       : "{wrong} of {of:values} of `{what}` differ~Compute the first of them by hand, and compare each step with your code";
        case Fault::one_value:
            return failure.sentence.empty()
                       ? "{what}: {got}, expected {expected}~Find the line that stores or returns this value, and check what it computes"
                       : "{what}: {got}, expected {expected}~{sentence}";
        case Fault::size:
            return "`{what}` has {wrong:values}, expected {of}~Check how many values your code produces";
        case Fault::written_after:
            return "out of bounds: your code wrote {wrong:bytes} after the end of `{what}`~Check the index and the number of bytes";
        case Fault::written_before:
            return "out of bounds: your code wrote {wrong:bytes} before the beginning of `{what}`~Check the index";
        case Fault::input_modified:
            return "your code modified the input `{what}`, first at [{first}]~Write only to outputs";
        case Fault::all_on_host:
            return "no kernel ran, so the host did the work~Let a kernel do it, because the contract accepts only results of kernels";
        case Fault::no_kernel:
            return "no kernel ran, so the host did the work: let a kernel do it ({sentence})";
        case Fault::too_many_stores:
            return "the kernels stored {actual} bytes to global memory, but the results have only {required}: let one thread store each element, once ({sentence})";
        case Fault::too_many_loads:
            return "the kernels loaded {actual} bytes from global memory, but at most {required} are needed: do not load the same elements in several threads ({sentence})";
        case Fault::kernel_error:
            return "a kernel failed with CUDA error {error} ({error text})~Check the indices and pointers of the kernels";
        case Fault::unchecked_error:
            return "a launch or a call failed with CUDA error {error} ({error text}), and your code did not read this error~Check each call, and call cudaGetLastError() after each launch";
        case Fault::checked_error:
            return "{call} failed with CUDA error {error} ({error text})~Check its arguments, and whether it is allowed here";
        case Fault::test_error:
            return "a CUDA call of the test failed with {error} ({error text})~Perhaps an earlier call or kernel caused this error: check them";
        case Fault::late:
            return explained ? "no result after {seconds} s: {because}" : words_of(failure.end);
        case Fault::crashed:
            return explained ? "the host code crashed ({signal})" : words_of(failure.end);
        case Fault::exited:
            return words_of(failure.end);
        case Fault::threw:
            return has_text ? "your code threw an exception: {error text}~Catch it, or remove its cause"
                            : "your code threw an exception~Catch it, or remove its cause";
        case Fault::test_threw:
            return "the test threw an exception: {error text}~Report this mistake of the test";
        case Fault::judge_ended:
            return "the judge did not finish with the results of your code: {end}";
        case Fault::not_run:
            return "not run, because three earlier cases did not finish~Fix those first";
        case Fault::work_is_repeated:
            return "not run, because smaller cases show that work is repeated~Fix those first";
        case Fault::too_many_results:
            return "your code returned more results than the test expects~Return each result once";
        case Fault::not_returned:
            return "your code did not return `{what}` to the judge~Return from every call";
        case Fault::unreadable:
            return "your code sent data that is not a result~Do not write to the channel of the grader";
        case Fault::gap:
            return "TODO({task}) is still open: {place}";
        case Fault::no_check:
            return sentence_of(Diagnosis::no_check);
        case Fault::expects_nan:
            return "`{what}`: the expected value at [{first}] is NaN~Report this mistake of the test";
        case Fault::zeros_would_pass:
            return "`{what}`: the tolerance is so wide that zeros would pass~Report this mistake of the test";
    }
    return "";
}

const char* words_of_end(const Difference& values) {
    const bool never_written = values.unwritten == values.wrong;
    if (values.first + 1 == values.of) {
        if (!values.block)
            return never_written
                       ? "only the last value is wrong, because it was never written~Check the guard and the number of threads"
                       : "only the last value is wrong~Check how your code treats the end";
        return never_written
                   ? "only the last value is wrong, because it was never written; it does not fill a block of {block}~Check the number of blocks and the guard"
                   : "only the last value is wrong; it does not fill a block of {block}~Check how your code treats the end";
    }
    if (!values.block)
        return never_written
                   ? "only the end is wrong, [{first}] to [{last}], because it was never written~Check the number of threads, the bounds of loops and the guards"
                   : "only the end is wrong, [{first}] to [{last}]~Check how your code treats the end";
    return never_written
               ? "only the end is wrong, [{first}] to [{last}], because it was never written; it does not fill a block of {block}~Check the number of blocks and the guard"
               : "only the end is wrong, [{first}] to [{last}]; it does not fill a block of {block}~Check how your code treats the end";
}

const char* words_of_pattern(const Failure& failure) {
    const bool is_one = failure.difference.wrong == 1;
    switch (failure.pattern) {
        case Pattern::none:
            return "";
        case Pattern::never_written:
            return "`{what}` was never written: check whether your code reaches the store, and where the store writes";
        case Pattern::some_never_written:
            if (failure.difference.unwritten < failure.difference.wrong)
                return "{unwritten} of them were never written: check which thread should write each of them";
            return is_one ? "it was never written: check which thread should write it"
                          : "they were never written: check which thread should write each of them";
        case Pattern::end:
            return words_of_end(failure.difference);
        case Pattern::beginning_is_right:
            return "only the first {first} values are correct: check which thread computes the next one";
        case Pattern::shifted_left:
            return "the values are shifted by one: element [i] has the value of [i + 1]. Check the indices of reads and writes";
        case Pattern::shifted_right:
            return "the values are shifted by one: element [i] has the value of [i - 1]. Check the indices of reads and writes";
        case Pattern::block_offset:
            return "the values are off by one block of {block}: check how the index of the block is used";
        case Pattern::zero:
            return "the result is 0: check whether your code computes it and stores it";
        case Pattern::constant:
            return "every value is {value}: check whether the result depends on the index";
        case Pattern::of_call_before:
            return "this is the result of the previous call: reset everything that your code keeps between calls";
        case Pattern::when_timed:
            return "the first call is correct and the timed calls are wrong: reset everything that your code keeps between calls";
        case Pattern::at_later_call:
            return sentence_of(Diagnosis::second_call);
        case Pattern::between_runs:
            return sentence_of(Diagnosis::race);
        case Pattern::order_of_threads:
            return "the result depends on the order in which threads run: look for accesses that nothing orders";
        case Pattern::transposed:
            return sentence_of(Diagnosis::transposed);
        case Pattern::not_finite:
            return sentence_of(Diagnosis::nan);
        case Pattern::imprecise:
            return sentence_of(Diagnosis::precision);
        case Pattern::as_diagnosed:
            return sentence_of(failure.mistake.value_or(failure.diagnosis));
    }
    return "";
}

/// Returns a number with at most three significant digits, such as "0.001".
std::string short_number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string with_unit(std::uint64_t count, const std::string& unit) {
    return unit.empty() ? std::to_string(count) : count_of(static_cast<double>(count), unit);
}

/// Returns the function that replaces names in braces in a sentence. `element` is the element that the
/// sentence is about.
Meaning meaning_in(const Failure& failure, const facts::Element& element) {
    return [&failure, &element](Sentence& to, const std::string& name) {
        const std::size_t colon = name.find(':');
        const std::string fact = name.substr(0, colon),
                          unit = colon == std::string::npos ? "" : name.substr(colon + 1);
        const Difference& values = failure.difference;
        const End& end = failure.end;
        if (fact == "sentence") to.add(failure.sentence);
        if (fact == "because") to.add(failure.because);
        if (fact == "what") to.add(values.what);
        if (fact == "wrong") to.add(with_unit(values.wrong, unit));
        if (fact == "of") to.add(with_unit(values.of, unit));
        if (fact == "unwritten") to.add(with_unit(values.unwritten, unit));
        if (fact == "first") to.add(std::to_string(values.first));
        if (fact == "last") to.add(std::to_string(values.last));
        if (fact == "block") to.add(std::to_string(values.block));
        if (fact == "at") to.add(std::to_string(element.at));
        if (fact == "got") to.add(got_of(element));
        if (fact == "value") to.add(element.got);
        if (fact == "expected") to.add(element.expected);
        if (fact == "tolerance") to.add(short_number(element.tolerance));
        if (fact == "actual") to.add(number_of(failure.count.actual));
        if (fact == "required") to.add(number_of(failure.count.required));
        if (fact == "error") to.add(failure.error.name);
        if (fact == "error text") to.add(failure.error.text);
        if (fact == "call") to.add(call_in_words(failure.error.call));
        if (fact == "task" && !failure.tasks.empty()) to.add(std::to_string(failure.tasks[0]));
        if (fact == "place") to.add(failure.at.file + ":" + std::to_string(failure.at.line));
        if (fact == "seconds") to.add(short_number(end.seconds));
        if (fact == "status") to.add(std::to_string(end.status));
        if (fact == "signal") to.add(end.signal);
        if (fact == "end") to.add(words_of(end), meaning_in(failure, element));
    };
}

std::string filled(const char* pattern, const Failure& failure, const facts::Element& element,
                   bool advises = true) {
    Sentence sentence;
    return sentence.add(pattern, meaning_in(failure, element)).text(advises);
}

std::string filled(const char* pattern, const Failure& failure, bool advises = true) {
    static const facts::Element none;
    const std::vector<facts::Element>& elements = failure.difference.elements;
    return filled(pattern, failure, elements.empty() ? none : elements[0], advises);
}

}  // namespace

std::string got_of(const facts::Element& element) {
    return element.unwritten ? "never written" : "got " + element.got;
}

std::string headline_of(const Failure& failure) {
    return failure.finding ? text_of(*failure.finding, false) : filled(words_of(failure), failure, false);
}

std::string headline_of(const facts::Outcome& outcome) {
    return outcome.method ? text_of(*outcome.method) : headline_of(static_cast<const Failure&>(outcome));
}

std::string meaning_of(const Failure& failure) {
    if (failure.fault == Fault::late) return "";  // the headline already says why
    if (!failure.because.empty()) return failure.because;
    const std::string meaning = filled(words_of_pattern(failure), failure);
    const bool has_advice = failure.fault == Fault::stated;  // the sentence of a test says what to do
    return has_advice && meaning == sentence_of(Diagnosis::second_call)
               ? "the first call is correct, and a later one is wrong"
               : meaning;
}

std::vector<std::string> details_of(const Failure& failure) {
    std::vector<std::string> details;
    for (const facts::Element& element : failure.difference.elements) {
        if (failure.fault != Fault::values) break;
        details.push_back(filled(element.tolerance > 0
                                     ? "at [{at}]: {got}, expected {expected} (tolerance {tolerance})"
                                     : "at [{at}]: {got}, expected {expected}",
                                 failure, element));
    }
    details.insert(details.end(), failure.lines.begin(), failure.lines.end());
    if (failure.finding && failure.end.fault != Fault::none)
        details.push_back(filled(words_of(failure.end), failure));
    return details;
}

Told told(const Failure& failure) {
    Told told;
    const bool advises = meaning_of(failure).empty();
    if (failure.finding)
        told = words::told(*failure.finding, advises);
    else
        told.what = filled(words_of(failure), failure, advises);
    if (told.lines.empty() && facts::first_line_of(failure).line > 0)
        told.lines.push_back({facts::first_line_of(failure), ""});
    return told;
}

std::string text_of(const facts::Note& note) {
    using Kind = facts::Note::Kind;
    char text[160];
    switch (note.kind) {
        case Kind::stated:
            return note.text;
        case Kind::timed_on_cpu:
            std::snprintf(text, sizeof text,
                          "timed %d times; times on the CPU executor do not predict times on a GPU",
                          note.times);
            return text;
        case Kind::timed:
            std::snprintf(text, sizeof text, "%.4f ms (spread %.0f%%), %.0f GB/s, %.0f%% of a copy",
                          note.milliseconds, 100 * note.spread, note.gb_per_s, 100 * note.of_copy);
            return text;
        case Kind::time_not_valid:
            return "this time is not valid: " + note.text;
        case Kind::program_passes:
            return "your program printed that this case passes, but the grader did not";
        case Kind::not_tried:
            return "The CPU backend has not run more than 2^" + std::to_string(note.bits) + " " + note.text +
                   ", which the contract allows. Check that each index and each size is 64 bits wide before you "
                   "multiply.";
    }
    return "";
}

std::string text_of(const facts::Method& method) {
    return Sentence()
        .add("It practises {practises}; {did}.",
             [&](Sentence& to, const std::string& name) {
                 to.add(name == "did" ? method.did : method.practises);
             })
        .text();
}

std::string screen_of(const facts::Method& method) {
    return "right results, but not as this exercise asks. " + text_of(method);
}

const char* next_of_method() {
    return "Write this part as the task asks, and grade it again. Until then, the exercise does not count as done.";
}

std::string no_gpu(const facts::RuntimeError& error) {
    return "no usable GPU: " + error.name + " (" + error.text +
           "); configure with -DKIT_BACKEND=CPU to grade without a GPU";
}

std::string no_start(const std::string& program, const std::string& why) {
    return program + " cannot be started: " + why;
}

const char* cuda_before_main() {
    return "your program used CUDA before main(), perhaps in a global object: use it only in functions";
}

const char* all_on_host() {
    return "no kernel ran, so the host did the work: let a kernel do it";
}

std::string more_lines(std::size_t count) {
    return "and " + count_of(static_cast<double>(count), "more lines");
}

const char* without_protection() {
    return "--no-fork: graded without protection from crashes, exit() and endless loops";
}

const char* device_is_lost() {
    return "the device is lost; without --no-fork, the next case would run";
}

const char* program_has_ended() {
    return "your code ended the program; without --no-fork, the next case would run";
}

const char* host_function_crashed() {
    return "a host function runs after the call that queues it has returned, so the memory to which its argument points must still exist then: it must not be freed earlier, and it must not be a local variable";
}

const char* host_code_crashed() {
    return "the host code crashed; without --no-fork, the next case would run";
}

}  // namespace kit::words
