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

const char* words_of(const End& end) {
    switch (end.fault) {
        case Fault::late:
            return "no result after {seconds} s: an endless loop or a deadlock";
        case Fault::exited:
            return "the code ended the program (exit status {status}) instead of returning";
        case Fault::crashed:
            switch (end.status) {
                case SIGSEGV:
                case SIGBUS:
                    return "the host code crashed ({signal}): a bad pointer, a device pointer used on the host, or a stack overflow";
                case SIGFPE:
                    return "the host code divides an integer by zero (or the smallest one by -1)";
                case SIGABRT:
                    return "the host code aborted: an assertion or an exception that nobody caught";
                default:
                    return "the host code crashed ({signal})";
            }
        default:
            return "";
    }
}

const char* words_of(const Failure& failure) {
    const bool explained = !failure.because.empty(), has_text = !failure.sentence.empty(),
               is_one = failure.difference.wrong == 1;
    switch (failure.fault) {
        case Fault::none:
        case Fault::other_method:
        case Fault::finding:
            return "";
        case Fault::stated:
        case Fault::printed_error:
        case Fault::gap:
            return "{sentence}";
        case Fault::values:
            return is_one ? "{wrong} of {of:values} of `{what}` differs"
                          : "{wrong} of {of:values} of `{what}` differ";
        case Fault::one_value:
            return "{what}: {got}, expected {expected}";
        case Fault::size:
            return "`{what}` has {wrong:values}, expected {of}";
        case Fault::written_after:
            return "out of bounds: wrote {wrong:bytes} after the end of `{what}`";
        case Fault::written_before:
            return "out of bounds: wrote {wrong:bytes} before the beginning of `{what}`";
        case Fault::input_modified:
            return "the input `{what}` was modified: first at [{first}]";
        case Fault::all_on_host:
            return "no kernel ran: the host did the work, and the contract says that only results of kernels count";
        case Fault::no_kernel:
            return "no kernel ran: the host did the work, and this exercise is about what a kernel does ({sentence})";
        case Fault::too_many_stores:
            return "{actual} bytes were stored to global memory, and the results have {required}: each element must be written once, so several threads do the same work ({sentence})";
        case Fault::too_many_loads:
            return "{actual} bytes were loaded from global memory, at most {required} are needed: several threads load the same elements ({sentence})";
        case Fault::kernel_error:
            return "CUDA error {error} ({error text}) while the kernels ran";
        case Fault::unchecked_error:
            return "CUDA error {error} ({error text}): a launch or a call failed and nobody looked at the error";
        case Fault::test_error:
            return "a CUDA call of the test failed: {error} ({error text})";
        case Fault::late:
            return explained ? "no result after {seconds} s: {because}" : words_of(failure.end);
        case Fault::exited:
        case Fault::crashed:
            return words_of(failure.end);
        case Fault::threw:
            return has_text ? "your code threw an exception: {sentence}" : "your code threw an exception";
        case Fault::test_threw:
            return "an exception left the test: {sentence}";
        case Fault::judge_ended:
            return "the judge came to no end with the results of your code: {end}";
        case Fault::not_run:
            return "not run, because three cases before it came to no end";
        case Fault::work_is_repeated:
            return "not run: smaller cases show that work is repeated";
        case Fault::too_many_results:
            return "your code returned more results than there are";
        case Fault::not_returned:
            return "your code did not return `{what}` to the judge";
        case Fault::unreadable:
            return "your code sent something else than a result";
        case Fault::no_check:
            return sentence_of(Diagnosis::no_check);
        case Fault::expects_nan:
            return "`{what}`: the expected value at [{first}] is NaN: the test is at fault";
        case Fault::zeros_would_pass:
            return "`{what}`: the tolerance is so wide that zeros would pass: the test is at fault";
    }
    return "";
}

const char* words_of_end(const Difference& values) {
    const bool never_written = values.unwritten == values.wrong;
    if (values.first + 1 == values.of) {
        if (!values.block)
            return never_written ? "only the last value is wrong (never written)"
                                 : "only the last value is wrong";
        return never_written
                   ? "only the last value is wrong (never written): what does not fill a block of {block}"
                   : "only the last value is wrong: what does not fill a block of {block}";
    }
    if (!values.block)
        return never_written ? "only the end is wrong, from [{first}] to [{last}] (never written)"
                             : "only the end is wrong, from [{first}] to [{last}]";
    return never_written
               ? "only the end is wrong, from [{first}] to [{last}] (never written): what does not fill a block of {block}"
               : "only the end is wrong, from [{first}] to [{last}]: what does not fill a block of {block}";
}

const char* words_of_pattern(const Failure& failure) {
    switch (failure.pattern) {
        case Pattern::none:
            return "";
        case Pattern::never_written:
            return "`{what}` was never written";
        case Pattern::some_never_written:
            return "{unwritten:values} of `{what}` never written";
        case Pattern::end:
            return words_of_end(failure.difference);
        case Pattern::beginning_is_right:
            return "only the first {first} values are right";
        case Pattern::shifted_left:
            return "every value is shifted by one: at [i] stands what belongs at [i + 1]";
        case Pattern::shifted_right:
            return "every value is shifted by one: at [i] stands what belongs at [i - 1]";
        case Pattern::block_offset:
            return "every value is off by one block of {block}";
        case Pattern::zero:
            return "the result is 0";
        case Pattern::constant:
            return "every value is {value}";
        case Pattern::of_call_before:
            return "this is the result of the call before: right at the first call, wrong at a later one: something is kept between calls";
        case Pattern::when_timed:
            return "right when called once, wrong when timed";
        case Pattern::at_later_call:
            return sentence_of(Diagnosis::second_call);
        case Pattern::between_runs:
            return sentence_of(Diagnosis::race);
        case Pattern::order_of_threads:
            return "the result depends on the order in which threads run";
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
        if (fact == "seconds") to.add(short_number(end.seconds));
        if (fact == "status") to.add(std::to_string(end.status));
        if (fact == "signal") to.add(end.signal);
        if (fact == "end") to.add(words_of(end), meaning_in(failure, element));
    };
}

std::string filled(const char* pattern, const Failure& failure, const facts::Element& element) {
    Sentence sentence;
    return sentence.add(pattern, meaning_in(failure, element)).text();
}

std::string filled(const char* pattern, const Failure& failure) {
    static const facts::Element none;
    const std::vector<facts::Element>& elements = failure.difference.elements;
    return filled(pattern, failure, elements.empty() ? none : elements[0]);
}

}  // namespace

std::string got_of(const facts::Element& element) {
    return element.unwritten ? "never written" : "got " + element.got;
}

std::string headline_of(const Failure& failure) {
    return failure.finding ? text_of(*failure.finding) : filled(words_of(failure), failure);
}

std::string headline_of(const facts::Outcome& outcome) {
    return outcome.method ? text_of(*outcome.method) : headline_of(static_cast<const Failure&>(outcome));
}

std::string meaning_of(const Failure& failure) {
    if (failure.fault == Fault::late) return "";  // the headline already says why
    return failure.because.empty() ? filled(words_of_pattern(failure), failure) : failure.because;
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
    if (failure.finding)
        told = words::told(*failure.finding);
    else
        told.what = headline_of(failure);
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
                          "timed %d times; a time on the CPU executor says nothing about a GPU", note.times);
            return text;
        case Kind::timed:
            std::snprintf(text, sizeof text, "%.4f ms (spread %.0f%%), %.0f GB/s, %.0f%% of a copy",
                          note.milliseconds, 100 * note.spread, note.gb_per_s, 100 * note.of_copy);
            return text;
        case Kind::time_not_valid:
            return "this time is not valid: " + note.text;
        case Kind::program_passes:
            return "the program itself said that this case passes";
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
           "); configure with -DKIT_BACKEND=CPU to grade without one";
}

std::string no_start(const std::string& program, const std::string& why) {
    return program + " cannot be started: " + why;
}

const char* cuda_before_main() {
    return "CUDA was used before main(), perhaps by a global object: use it in functions only";
}

const char* all_on_host() {
    return "no kernel ran: the work was done on the host";
}

std::string more_lines(std::size_t count) {
    return "and " + count_of(static_cast<double>(count), "more lines");
}

const char* without_protection() {
    return "--no-fork: graded without protection from crashes, exit() and endless loops";
}

const char* device_is_lost() {
    return "the device is lost; without --no-fork the next case goes on";
}

const char* program_has_ended() {
    return "the code ended the program; without --no-fork the next case goes on";
}

const char* host_code_crashed() {
    return "the host code crashed; without --no-fork the next case goes on";
}

}  // namespace kit::words
