// One run of one case: what a test's body can do, and what came of it.
#pragma once

#include <facts/outcome.hpp>
#include <functional>
#include <grader/buffer.hpp>
#include <grader/counts.hpp>
#include <grader/inputs.hpp>
#include <grader/wall.hpp>
#include <kit.cuh>
#include <map>
#include <memory>
#include <typeinfo>

namespace kit {

class Case;
using facts::Method;

namespace detail {

using facts::Status;

/// The outcome of one run, and what the grader itself needs from it.
struct Outcome : facts::Outcome {
    std::vector<double> got;   ///< the first wrong values, to tell whether two runs differ
    std::size_t checks = 0;    ///< comparisons made
    bool called = false;       ///< a call of the student's function was followed
    bool kernel_ran = false;   ///< during such a call; always true where it cannot be seen
    bool device_lost = false;  ///< a sticky error: this process cannot go on
};

inline facts::Failure failure_of(facts::Fault fault, Diagnosis diagnosis) {
    facts::Failure failure;
    failure.fault = fault;
    failure.diagnosis = diagnosis;
    return failure;
}

/// The failure that a finding is.
inline facts::Failure failure_of(facts::Finding finding) {
    const FindingRow* const row = finding_row(finding.kind.c_str());
    facts::Failure failure = failure_of(facts::Fault::finding, row ? row->diagnosis : Diagnosis::wrong_value);
    failure.finding = std::move(finding);
    return failure;
}

/// `sentence`: of the author of the test.
inline facts::Failure failure_of(Diagnosis diagnosis, const std::string& sentence) {
    facts::Failure failure = failure_of(facts::Fault::stated, diagnosis);
    failure.sentence = sentence;
    return failure;
}

inline facts::Failure failure_of(facts::Fault fault, cudaError_t error) {
    facts::Failure failure = failure_of(fault, Diagnosis::cuda_error);
    failure.error = {cudaGetErrorName(error), cudaGetErrorString(error)};
    return failure;
}

/// The outcome of a case with this failure.
inline facts::Outcome failed(facts::Failure failure) {
    facts::Outcome outcome;
    outcome.status = Status::fail;
    static_cast<facts::Failure&>(outcome) = std::move(failure);
    return outcome;
}

/// What earlier runs of the same case expected, by the name of the output: a cached result shows itself by
/// them.
using Expectations = std::map<std::string, std::shared_ptr<void>>;

struct StopCase {};  ///< thrown to leave the body after a failure that makes the rest meaningless

template <class T>
struct Identity {
    using type = T;
};

}  // namespace detail

/// What a test demands of a number that it has counted (Case::demand).
template <class Number, class Limit>
facts::Count counted(facts::Count::Bound bound, Number actual, Limit required) {
    facts::Count count;
    count.actual = static_cast<double>(actual), count.required = static_cast<double>(required);
    count.bound = bound;
    count.is_known = true;
    return count;
}
template <class Number, class Limit>
facts::Count at_most(Number actual, Limit limit) {
    return counted(facts::Count::Bound::at_most, actual, limit);
}
template <class Number, class Limit>
facts::Count at_least(Number actual, Limit limit) {
    return counted(facts::Count::Bound::at_least, actual, limit);
}
template <class Number, class Limit>
facts::Count exactly(Number actual, Limit wanted) {
    return counted(facts::Count::Bound::exactly, actual, wanted);
}
template <class Number, class Least, class Most>
facts::Count between(Number actual, Least least, Most most) {
    const facts::Count above = at_least(actual, least);
    return above.holds() ? at_most(actual, most) : above;
}
/// A count that holds in any case if the condition is true.
inline facts::Count unless(bool excused, facts::Count count) {
    if (excused) count.required = count.actual;
    return count;
}

/// Passed to the body of a case. Every array made here lives until the body returns.
class Case {
  public:
    Case(Random random, detail::Expectations& expectations)
        : random_(std::move(random)), expectations_(expectations) {
        running_ = this;
    }
    ~Case() { running_ = nullptr; }
    Case(const Case&) = delete;

    /// Seeded by --seed, the name of the case and the number of the run: the student's code cannot know the
    /// values.
    Random& random() { return random_; }

    /// Device arrays. An input must be unchanged after each call; an output starts as poison; both have guard
    /// zones.
    template <class T>
    Input<T> input(const std::string& name, const std::vector<T>& values) {
        return Input<T>(make<T>(name, detail::Space::device, detail::Role::input, &values, values.size()),
                        values.size());
    }
    template <class T>
    Output<T> output(const std::string& name, std::size_t size) {
        return Output<T>(make<T>(name, detail::Space::device, detail::Role::output, nullptr, size), size);
    }
    template <class T>
    Output<T> inout(const std::string& name, const std::vector<T>& values) {
        return Output<T>(make<T>(name, detail::Space::device, detail::Role::inout, &values, values.size()),
                         values.size());
    }

    /// The same in host memory.
    template <class T>
    Input<T> host_input(const std::string& name, const std::vector<T>& values) {
        return Input<T>(make<T>(name, detail::Space::host, detail::Role::input, &values, values.size()),
                        values.size());
    }
    template <class T>
    Output<T> host_output(const std::string& name, std::size_t size) {
        return Output<T>(make<T>(name, detail::Space::host, detail::Role::output, nullptr, size), size);
    }
    template <class T>
    Output<T> host_inout(const std::string& name, const std::vector<T>& values) {
        return Output<T>(make<T>(name, detail::Space::host, detail::Role::inout, &values, values.size()),
                         values.size());
    }

    /// Runs the student's function, waits for the device, then checks CUDA errors (stale ones too), what the
    /// executor found, all guard zones and all inputs. Returns what the function returns. A failure ends the
    /// case.
    template <class Function>
    auto call(Function&& function) {
        using Result = std::decay_t<decltype(function())>;
        if constexpr (std::is_void_v<Result>) {
            if (detail::calls_are_spared()) return;
            begin_call();
            guarded(function);
            finish_call();
        } else {
            if constexpr (detail::is_plain<Result>)
                if (detail::calls_are_spared()) return seen(Result{});
            begin_call();
            std::optional<Result> result;
            guarded([&] { result.emplace(function()); });
            finish_call();
            return seen(std::move(*result));
        }
    }

    /// For functions that are meant to meet CUDA errors: nothing is waited for and nothing checked.
    template <class Function>
    auto call_unchecked(Function&& function) {
        begin_call();
        if constexpr (std::is_void_v<decltype(function())>) {
            guarded(function);
            finish_unchecked();
        } else {
            std::optional<std::decay_t<decltype(function())>> result;
            guarded([&] { result.emplace(function()); });
            finish_unchecked();
            return seen(std::move(*result));
        }
    }

    /// Times a function that `call` has run before (see kit::time) and notes figures. Outputs are poisoned
    /// again before the last timed run, inputs checked after it: a following `expect` judges that very run.
    template <class Function>
    Timing time(Function&& function, double bytes = 0);

    /// Every element of `got` is within the tolerance of `want`; otherwise the first five that are not are
    /// shown.
    template <class T>
    void expect(const Output<T>& got, const std::vector<typename detail::Identity<T>::type>& want,
                const Tolerance& tolerance = exact(), Shape shape = {}) {
        const std::vector<T> values = got.values();
        cuda(got.error());
        compare(got.name(), values, want, tolerance, shape);
    }
    template <class T>
    void expect(const std::string& name, const std::vector<T>& got,
                const std::vector<typename detail::Identity<T>::type>& want,
                const Tolerance& tolerance = exact(), Shape shape = {}) {
        compare<T>(name, detail::passed(name, got), want, tolerance, shape);
    }

    /// One value that must be equal, e.g. an error code: test.equal("the error of the launch", got, want).
    template <class Got, class Want>
    void equal(const std::string& what, const Got& got, const Want& want) {
        if constexpr (detail::is_plain<Got>) {
            compare_one(what, detail::passed(what, got), want);
        } else {
            compare_one(what, got, want);
        }
    }

    /// Any other condition; the sentence is shown when it does not hold.
    void check(bool condition, const std::string& sentence, Diagnosis diagnosis = Diagnosis::wrong_value) {
        ++outcome_.checks;
        if (!condition) fail(diagnosis, sentence);
    }

    /// The next expect: if the student's result is `gives`, then this sentence is what is wrong. For results
    /// of one value, where the pattern of mistakes cannot be seen: test.mistake(Diagnosis::tail,
    /// {sum_of_full_blocks}).
    template <class T>
    void mistake(Diagnosis diagnosis, const std::vector<T>& gives, std::string sentence = "") {
        mistakes_.push_back(
            {diagnosis, std::move(sentence), std::make_shared<std::vector<T>>(gives), &typeid(T)});
    }

    /// From now on in this case: what the executor finds of this kind is followed by this sentence, which may name the task. For cases
    /// that are made such that only one task can cause it.
    void explain(Diagnosis diagnosis, const std::string& sentence) {
        explain(diagnosis, [sentence](const facts::Finding&) { return sentence; });
    }
    /// The same for a sentence that depends on the counts so far and on the finding; empty: there is nothing to say.
    void explain(Diagnosis diagnosis, std::function<std::string(const facts::Finding& found)> sentence) {
        explanations_[diagnosis] = std::move(sentence);
    }
    /// The same for a race of threads that write one element in one line: they have computed one index.
    void explain_places(const std::string& sentence) { places_ = sentence; }

    /// The same for a number that says how the result comes about: `counted` says what it counts, "barriers" for example, and `count` is
    /// kit::at_most(got, 2), at_least, exactly or between. The contract's list "What is counted" has the exercise with the same words; the
    /// judge compares the two. `details`: lines to be shown below the sentence, such as a picture of what was counted.
    void demand(const std::string& counted, const facts::Count& count, const std::string& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, count, count.holds(), std::move(failure));
    }
    /// For a condition that is not about one number.
    void demand(const std::string& counted, bool condition, const std::string& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, facts::Count(), condition, std::move(failure));
    }

    /// Demands a method (see `demand`). If a submission uses another one, and nothing else is wrong in any case, the verdict is "right, but
    /// not as the exercise asks", which is neither done nor wrong. A demand that is about correctness or cost is not one of these.
    void method(const std::string& counted, bool condition, Method method);

    /// Demands that nothing of the kind was found; `task`: of the README, to look at if something was.
    void demand(const std::string& counted, const std::vector<facts::Finding>& found, int task) {
        facts::Failure failure = detail::failure_of(found.empty() ? facts::Finding() : found[0]);
        failure.diagnosis = Diagnosis::wrong_value;
        failure.tasks = {task};
        demand(counted, facts::Count(), found.empty(), std::move(failure));
    }

    /// Demands "kernels" (see `demand`): the last call has run one, so the host has not done the work. `task`: what the sentence ends
    /// with, "Task 1" for example.
    void by_kernels(const std::string& task);
    /// Demands "stores": the kernels of the last call have stored at most so many bytes to global memory, which is each element of the
    /// outputs once. That two threads store the same value is no race, so nothing else notices that they do the same work.
    void stored_at_most(std::size_t bytes, const std::string& task);
    /// For large cases: leaves this one where a smaller one has failed "stores" or "loads" of the functions around this one. Work that
    /// every block repeats would take the executor minutes here.
    void skip_if_work_is_repeated();
    /// For `skip_if_work_is_repeated` where nothing is demanded: the kernels of the last call need to load no more bytes than this.
    void watch_loads(std::size_t bytes);
    /// Demands "loads" likewise: `bytes` is each element of the inputs once, or as often as the contract allows.
    void loaded_at_most(std::size_t bytes, const std::string& task);

    /// As `call`, for a function without a result, and counts what the warps of its kernels ask memory for.
    template <class Function>
    Counts counts(Function&& function) {
        const detail::Counting counting;
        call(std::forward<Function>(function));
        return counting.take();
    }

    /// Demands "sectors" of global memory (see `demand`): so many for each 128 bytes that the lanes of a warp use, which is one request
    /// of 32 lanes with 4 bytes each. 4 are ideal, whatever the width; 32 are paid by lanes that go alone. What is told names the
    /// line that wastes most.
    void sectors_at_most(double limit, const Counts& counts, Way way);
    /// The same for "wavefronts" of shared memory: 1 is ideal.
    void wavefronts_at_most(double limit, const Counts& counts, Way way);
    /// Demands "active lanes": of the 32 lanes of a warp so many take part in its accesses to global memory, on average. What is told
    /// names the line that the most lanes miss.
    void active_lanes_at_least(double limit, const Counts& counts, Way way);
    /// Demands "divergent branches": lanes of a warp part no more often.
    void divergent_branches_at_most(std::uint64_t limit, const Counts& counts);

    /// Fails the case; the first failure is the one that is reported.
    void fail(Diagnosis diagnosis, const std::string& sentence);

    /// Fails the case if a CUDA call of the test itself fails.
    void cuda(cudaError_t error);

    /// Leaves the case: it cannot run here.
    [[noreturn]] void skip(const std::string& why) {
        outcome_.status = detail::Status::skip;
        outcome_.fault = facts::Fault::stated;
        outcome_.sentence = why;
        throw detail::StopCase{};
    }

    /// For the grader: returns the failure that a finding is in the running case, with the sentence of explain(). Code that ends the
    /// process needs it, too.
    static facts::Failure explained(const facts::Finding& finding);
    /// A line below the verdict, also when the case passes.
    void note(const std::string& text) {
        facts::Note note;
        note.text = text;
        outcome_.notes.push_back(std::move(note));
    }
    /// For the grader: adds a failure. If something has failed before, it is another failure of the same run.
    void add_failure(facts::Failure failure);

    /// For the grader: ends the run and says what came of it.
    detail::Outcome finish();

  private:
    struct Mistake {
        Diagnosis diagnosis;
        std::string sentence;
        std::shared_ptr<void> gives;
        const std::type_info* type;
    };

    template <class T>
    std::shared_ptr<detail::Buffer> make(const std::string& name, detail::Space space, detail::Role role,
                                         const std::vector<T>* values, std::size_t size);
    /// What the student's function has returned, as the judge sees it.
    template <class T>
    static T seen(T&& result) {
        if constexpr (detail::is_plain<T>) {
            return detail::passed("what it returns", std::move(result));
        } else {
            return std::move(result);
        }
    }
    template <class T>
    void compare(const std::string& name, const std::vector<T>& got, const std::vector<T>& want,
                 const Tolerance& tolerance, Shape shape);
    template <class Got, class Want>
    void compare_one(const std::string& what, const Got& got, const Want& want) {
        ++outcome_.checks;
        if (got == want) return;
        facts::Failure failure = detail::failure_of(facts::Fault::one_value, Diagnosis::wrong_value);
        failure.difference.what = what;
        failure.difference.elements = {detail::element_of_one(got, want)};
        add_failure(std::move(failure));
    }
    /// Puts a mistake that the test knows by its result into the failure. Returns whether there is one that says something.
    template <class T>
    bool is_known_mistake(const std::vector<T>& got, const Tolerance& tolerance, facts::Failure& failure);
    template <class Function>
    void guarded(Function&& function);
    void begin_call();
    void finish_call();
    void finish_unchecked();
    bool collect_findings(bool report);
    void begin_demand(const std::string& counted, const facts::Count& count = {}) {
        outcome_.demands.push_back(counted);
        ++outcome_.checks;
        demanded_ = count;
        demanded_.name = counted;
    }
    void end_demand();
    void demand(const std::string& counted, const facts::Count& count, bool holds, facts::Failure failure);
    /// A demand of the grader's own. `addition`: what the test adds to the sentence.
    void demand_of_grader(const std::string& counted, const facts::Count& count, facts::Fault fault,
                          const std::string& addition);
    void demand_units(bool shared, double limit, const Counts& counts, Way way);
    void add_finding(const facts::Finding& finding);
    /// Tells what the executor has noted that is no mistake in itself, before the wrong values that may come of it.
    void explain_wrong_values();
    /// Where something else is wrong, too, another method is one of the failures.
    void fail_with_method(const Method& method);

    Random random_;
    detail::Expectations& expectations_;
    std::vector<std::shared_ptr<detail::Buffer>> buffers_;
    std::vector<Mistake> mistakes_;
    std::map<Diagnosis, std::function<std::string(const facts::Finding&)>> explanations_;
    std::string places_;
    detail::Outcome outcome_;
    facts::Count demanded_;                                            ///< while a demand is looked at
    std::uint64_t kernels_ = 0, bytes_stored_ = 0, bytes_loaded_ = 0;  ///< during the last call
    std::uint64_t kernels_before_ = 0;                                 ///< that had run before the last call
    bool timed_ = false;
    static inline bool work_is_repeated_ = false;  ///< in this process
    static inline Case* running_ = nullptr;
};

}  // namespace kit

#include <grader/case_templates.hpp>
