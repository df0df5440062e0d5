// One run of one case: the functions for a test's body, and the outcome.
#pragma once

#include <functional>
#include <grader/buffer.hpp>
#include <grader/counts.hpp>
#include <grader/failure.hpp>
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

/// The outcome of one run, with facts that only the grader itself needs.
struct Outcome : facts::Outcome {
    std::vector<double> got;   ///< the first wrong values, with which the results of two runs are compared
    std::size_t checks = 0;    ///< number of comparisons that the test has made
    bool called = false;       ///< whether the student's function was called, as far as the grader can see
    bool kernel_ran = false;   ///< whether a kernel ran in such a call; true if that is unknown
    bool device_lost = false;  ///< whether an execution error has made the device unusable for this process
};

/// Called before and after each call of the student's function, if a test runs a case itself (Grader::run_once).
inline std::function<void()> before_call, after_call;

/// The values that earlier runs of the same case expected, by the name of the output. If a result equals one
/// of these instead of the current expectation, the student's code has cached it.
using Expectations = std::map<std::string, std::shared_ptr<void>>;

struct StopCase {};  ///< thrown to end the body after a failure that makes its other checks meaningless

template <class T>
struct Identity {
    using type = T;
};

}  // namespace detail

/// The argument of a case's body. Arrays that the case creates exist until the body returns.
class Case {
  public:
    Case(Random random, detail::Expectations& expectations)
        : random_(std::move(random)), expectations_(expectations) {
        running_ = this;
    }
    ~Case() { running_ = nullptr; }
    Case(const Case&) = delete;

    /// Returns a random generator. The generator's seed depends on --seed, the name of the case and the
    /// number of the run, so the student's code cannot know the values.
    Random& random() { return random_; }

    /// Create arrays in device memory. An input must be unchanged after each call. An output starts as
    /// poison. Both have guard zones.
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

    /// Create arrays in host memory, which are checked in the same way.
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

    /// Calls the student's function, waits for the device, and returns the function's result. Before it
    /// returns, checks CUDA errors (including earlier ones), findings of the executor, all guard zones and
    /// all inputs. A failure ends the case.
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

    /// Calls a function that is expected to cause CUDA errors. This function neither waits for the device nor
    /// checks anything.
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

    /// Measures the time of a function that `call` has already run (see kit::time), and adds the result as a
    /// note. Before the last timed run, the outputs are poisoned, and after it, the inputs are checked, so a
    /// following `expect` checks that run.
    template <class Function>
    Timing time(Function&& function, double bytes = 0);

    /// Requires that each element of `got` is within the tolerance of `want`. The report shows the first five
    /// wrong elements.
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

    /// Requires that a single value is equal, such as an error code: test.equal("the error of the launch",
    /// got, want). `advice` says what to do if it is not.
    template <class Got, class Want>
    void equal(const Said& what, const Got& got, const Want& want, const Said& advice = {}) {
        if constexpr (detail::is_plain<Got>) {
            compare_one(what, detail::passed(what.text, got), want, advice);
        } else {
            compare_one(what, got, want, advice);
        }
    }

    /// Requires a condition. If the condition is false, the report shows the sentence.
    void check(bool condition, const Said& sentence, Diagnosis diagnosis = Diagnosis::wrong_value) {
        ++outcome_.checks;
        if (!condition) fail(diagnosis, sentence);
    }

    /// States a known mistake for the next `expect`: if the result is `gives`, the report explains it with
    /// this diagnosis. Useful for results of one value, in which wrong elements form no pattern:
    /// test.mistake(Diagnosis::tail, {sum_of_full_blocks}).
    template <class T>
    void mistake(Diagnosis diagnosis, const std::vector<T>& gives, Said sentence = {}) {
        mistakes_.push_back(
            {diagnosis, std::move(sentence), std::make_shared<std::vector<T>>(gives), &typeid(T)});
    }

    /// For the rest of this case, wrong values point to these tasks, unless a known mistake names a different
    /// task. Use this for cases in which only these tasks compute the values.
    void values_are_of(std::vector<int> tasks) { tasks_of_values_ = std::move(tasks); }

    /// Adds this sentence to the executor's findings of this kind in the rest of this case. The sentence can
    /// name a task, if only this task can cause such a finding in this case.
    void explain(Diagnosis diagnosis, const Said& sentence) {
        explain(diagnosis, [sentence](const facts::Finding&) { return sentence; });
    }
    /// Adds a sentence that depends on the finding and on the counts so far. An empty text adds nothing.
    void explain(Diagnosis diagnosis, std::function<Said(const facts::Finding& found)> sentence) {
        explanations_[diagnosis] = std::move(sentence);
    }
    /// Adds this sentence to a race of threads that write one element at one line: they have computed the
    /// same index.
    void explain_places(const Said& sentence) { places_ = sentence; }

    /// Demands a limit for a number that shows how the result was computed. `counted` is the name of the
    /// number, such as "barriers"; `count` is kit::at_most(got, 2), at_least, exactly or between. The
    /// contract's list "What is counted" must have the same name for this exercise (the judge compares the
    /// two). `details` are lines to show below the sentence, such as a drawing of what was counted.
    void demand(const std::string& counted, const facts::Count& count, const Said& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, count, count.holds(), std::move(failure));
    }
    /// Demands a condition that is not about a number.
    void demand(const std::string& counted, bool condition, const Said& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, facts::Count(), condition, std::move(failure));
    }

    /// Demands a method. If a submission uses a different method and has no other failure in any case, its
    /// verdict is "right, but not as the exercise asks", which is neither done nor wrong. Do not use method()
    /// for correctness or cost.
    void method(const std::string& counted, bool condition, Method method);

    /// Demands that `found` is empty. If there is a finding, the verdict points to this task of the README.
    void demand(const std::string& counted, const std::vector<facts::Finding>& found, int task) {
        facts::Failure failure = detail::failure_of(found.empty() ? facts::Finding() : found[0]);
        failure.diagnosis = Diagnosis::wrong_value;
        failure.tasks = {task};
        demand(counted, exactly(found.size(), 0), found.empty(), std::move(failure));
    }

    /// Demands "kernels" (see `demand`): the last call must have run a kernel, so that the host has not done
    /// the work. `task` ends the sentence, for example "Task 1".
    void by_kernels(const Said& task);
    /// Demands "stores": the kernels of the last call may store at most this many bytes to global memory,
    /// which is the size of the outputs. Two threads that store the same value do not race, so no other check
    /// finds that they do the same work.
    void stored_at_most(std::size_t bytes, const Said& task);
    /// Skips this case if a smaller case with the same functions has failed the demand "stores" or "loads".
    /// Work that every block repeats would take the executor minutes in a large case.
    void skip_if_work_is_repeated();
    /// States how many bytes the kernels of the last call need to load, for skip_if_work_is_repeated() in a
    /// case without a demand.
    void watch_loads(std::size_t bytes);
    /// Demands "loads": `bytes` is the size of the inputs, or a multiple of it if the contract allows several
    /// loads.
    void loaded_at_most(std::size_t bytes, const Said& task);

    /// Like `call`, for a function without a result. Returns the memory requests of the warps in its kernels.
    template <class Function>
    Counts counts(Function&& function) {
        const detail::Counting counting;
        call(std::forward<Function>(function));
        return counting.take();
    }

    /// Demands "sectors" of global memory (see `demand`): at most `limit` for each 128 bytes that the lanes
    /// of a warp use, which is one request of 32 lanes with 4 bytes each. The ideal is 4 for any width. If
    /// each lane touches its own sector, the number is 32. The report names the line that wastes most.
    void sectors_at_most(double limit, const Counts& counts, Way way);
    /// Demands "wavefronts" of shared memory: at most `limit` for each 128 bytes, as for sectors_at_most().
    /// The ideal is 1.
    void wavefronts_at_most(double limit, const Counts& counts, Way way);
    /// Demands "active lanes": on average, at least this many of a warp's 32 lanes take part in its accesses
    /// to global memory. The report names the line with the most inactive lanes.
    void active_lanes_at_least(double limit, const Counts& counts, Way way);
    /// Demands "divergent branches": the lanes of a warp may diverge at most this many times.
    void divergent_branches_at_most(std::uint64_t limit, const Counts& counts);

    /// Fails the case. The report explains the first failure.
    void fail(Diagnosis diagnosis, const Said& sentence);

    /// Fails the case if a CUDA call by the test itself has failed.
    void cuda(cudaError_t error);

    /// Ends the case as skipped, because it cannot run on this machine.
    [[noreturn]] void skip(const std::string& why) {
        outcome_.status = detail::Status::skip;
        outcome_.fault = facts::Fault::stated;
        outcome_.sentence = why;
        throw detail::StopCase{};
    }

    /// For the grader: returns a finding of the running case as a failure, with the sentence of explain().
    /// Code that ends the process also uses this function.
    static facts::Failure explained(const facts::Finding& finding);
    /// Adds a line below the verdict, even if the case passes.
    void note(const std::string& text) {
        facts::Note note;
        note.text = text;
        outcome_.notes.push_back(std::move(note));
    }
    /// States below a passing verdict that no case of this backend has more than 2^bits `units`, such as
    /// "elements", although the contract allows more.
    void not_tried(int bits, const std::string& units) {
        facts::Note note;
        note.kind = facts::Note::Kind::not_tried;
        note.bits = bits, note.text = units;
        ++outcome_.checks;
        outcome_.notes.push_back(std::move(note));
    }
    /// For the grader: adds a failure. Further failures of the same run are listed after the first.
    void add_failure(facts::Failure failure);

    /// For the grader: ends the run and returns its outcome.
    detail::Outcome finish();

  private:
    struct Mistake {
        Diagnosis diagnosis;
        Said sentence;
        std::shared_ptr<void> gives;
        const std::type_info* type;
    };

    template <class T>
    std::shared_ptr<detail::Buffer> make(const std::string& name, detail::Space space, detail::Role role,
                                         const std::vector<T>* values, std::size_t size);
    /// Returns the result of the student's function in the form that the judge compares.
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
    void compare_one(const Said& what, const Got& got, const Want& want, const Said& advice) {
        ++outcome_.checks;
        if (got == want) return;
        facts::Failure failure = detail::failure_of(facts::Fault::one_value, Diagnosis::wrong_value);
        failure.difference.what = what.text;
        failure.sentence = advice.text;
        detail::take_facts(failure, what + advice);
        failure.difference.elements = {detail::element_of_one(got, want)};
        add_failure(std::move(failure));
    }
    /// Adds a known mistake to the failure if the wrong result is one that mistake() has stated. Returns
    /// whether this adds a sentence.
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
    /// Adds a demand that the grader itself defines. `addition` is what the test adds to the sentence.
    void demand_of_grader(const std::string& counted, const facts::Count& count, facts::Fault fault,
                          const Said& addition);
    void demand_units(bool shared, double limit, const Counts& counts, Way way);
    void add_finding(const facts::Finding& finding);
    /// Adds the executor's remarks as failures before wrong values, which they may explain.
    void explain_wrong_values();
    /// Adds the different method to the failures, which is needed if there is another failure.
    void fail_with_method(const Method& method);

    Random random_;
    detail::Expectations& expectations_;
    std::vector<std::shared_ptr<detail::Buffer>> buffers_;
    std::vector<Mistake> mistakes_;
    std::map<Diagnosis, std::function<Said(const facts::Finding&)>> explanations_;
    Said places_;
    std::vector<int> tasks_of_values_;
    detail::Outcome outcome_;
    facts::Count demanded_;                                            ///< the demand that is being checked
    std::uint64_t kernels_ = 0, bytes_stored_ = 0, bytes_loaded_ = 0;  ///< counts of the last call
    std::uint64_t kernels_before_ = 0;  ///< number of kernels that ran before the last call
    bool timed_ = false;
    static inline bool work_is_repeated_ = false;  ///< set when a case has failed "stores" or "loads", for
                                                   ///< the rest of the process
    static inline Case* running_ = nullptr;
};

}  // namespace kit

#include <grader/case_templates.hpp>
