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

/// The outcome of one run, with the facts that only the grader needs.
struct Outcome : facts::Outcome {
    std::vector<double> got;   ///< the first wrong values, to find out whether two runs differ
    std::size_t checks = 0;    ///< number of comparisons
    bool called = false;       ///< whether a call of the student's function was observed
    bool kernel_ran = false;   ///< whether a kernel ran during such a call; always true if that is unknown
    bool device_lost = false;  ///< whether a sticky error ended the use of the device in this process
};

/// The values that earlier runs of the same case expected, by the name of the output. A result that equals an earlier expectation was
/// cached.
using Expectations = std::map<std::string, std::shared_ptr<void>>;

struct StopCase {};  ///< thrown to leave the body after a failure that makes the rest meaningless

template <class T>
struct Identity {
    using type = T;
};

}  // namespace detail

/// The argument of a case's body. Every array made here exists until the body returns.
class Case {
  public:
    Case(Random random, detail::Expectations& expectations)
        : random_(std::move(random)), expectations_(expectations) {
        running_ = this;
    }
    ~Case() { running_ = nullptr; }
    Case(const Case&) = delete;

    /// Returns a generator seeded by --seed, the name of the case and the number of the run, so the student's code cannot know the
    /// values.
    Random& random() { return random_; }

    /// Arrays in device memory. An input must be unchanged after each call. An output starts as poison. Both have guard
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

    /// Arrays in host memory, checked in the same way.
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

    /// Runs the student's function and waits for the device. Then checks CUDA errors (including earlier ones), the
    /// executor's findings, all guard zones and all inputs. Returns the function's result. A failure ends the
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

    /// Runs a function that is expected to cause CUDA errors: it does not wait, and checks nothing.
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

    /// Times a function that `call` has run before (see kit::time), and notes the figures. It poisons the outputs before the last timed run
    /// and checks the inputs after it, so a following `expect` checks that run.
    template <class Function>
    Timing time(Function&& function, double bytes = 0);

    /// Requires that every element of `got` is within the tolerance of `want`. The report shows the first five wrong
    /// elements.
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

    /// Requires that one value is equal, such as an error code: test.equal("the error of the launch", got, want).
    template <class Got, class Want>
    void equal(const Said& what, const Got& got, const Want& want) {
        if constexpr (detail::is_plain<Got>) {
            compare_one(what, detail::passed(what.text, got), want);
        } else {
            compare_one(what, got, want);
        }
    }

    /// Requires any other condition. The report shows the sentence if it does not hold.
    void check(bool condition, const Said& sentence, Diagnosis diagnosis = Diagnosis::wrong_value) {
        ++outcome_.checks;
        if (!condition) fail(diagnosis, sentence);
    }

    /// For the next expect: if the student's result is `gives`, the report explains it with this diagnosis. Use it for
    /// results of one value, in which no pattern of wrong elements can show: test.mistake(Diagnosis::tail,
    /// {sum_of_full_blocks}).
    template <class T>
    void mistake(Diagnosis diagnosis, const std::vector<T>& gives, Said sentence = {}) {
        mistakes_.push_back(
            {diagnosis, std::move(sentence), std::make_shared<std::vector<T>>(gives), &typeid(T)});
    }

    /// For the rest of this case, wrong values point to these tasks, unless a known mistake names another one. For cases in which only
    /// these tasks compute the values.
    void values_are_of(std::vector<int> tasks) { tasks_of_values_ = std::move(tasks); }

    /// For the rest of this case, adds this sentence to the executor's findings of this kind. It may name a task, if the case is made such
    /// that only one task can cause the finding.
    void explain(Diagnosis diagnosis, const Said& sentence) {
        explain(diagnosis, [sentence](const facts::Finding&) { return sentence; });
    }
    /// The same for a sentence that depends on the counts so far and on the finding. An empty text adds nothing.
    void explain(Diagnosis diagnosis, std::function<Said(const facts::Finding& found)> sentence) {
        explanations_[diagnosis] = std::move(sentence);
    }
    /// The same for a race of threads that write one element in one line, which means that they have computed the same index.
    void explain_places(const Said& sentence) { places_ = sentence; }

    /// Demands a limit for a number that shows how the result is computed. `counted` names the number, such as "barriers", and `count` is
    /// kit::at_most(got, 2), at_least, exactly or between. The contract's list "What is counted" names the exercise with the same words, and
    /// the judge compares the two. `details` are lines to show below the sentence, such as a picture of what was counted.
    void demand(const std::string& counted, const facts::Count& count, const Said& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, count, count.holds(), std::move(failure));
    }
    /// The same for a condition that is not about a number.
    void demand(const std::string& counted, bool condition, const Said& sentence,
                Diagnosis diagnosis = Diagnosis::wrong_value, const std::vector<std::string>& details = {}) {
        facts::Failure failure = detail::failure_of(diagnosis, sentence);
        failure.lines = details;
        demand(counted, facts::Count(), condition, std::move(failure));
    }

    /// Demands a method (see `demand`). If a submission uses a different method, and nothing else is wrong in any case, the verdict is
    /// "right, but not as the exercise asks", which is neither done nor wrong. Do not use it for correctness or cost.
    void method(const std::string& counted, bool condition, Method method);

    /// Demands that there are no such findings. `task` is the task of the README to look at if there are some.
    void demand(const std::string& counted, const std::vector<facts::Finding>& found, int task) {
        facts::Failure failure = detail::failure_of(found.empty() ? facts::Finding() : found[0]);
        failure.diagnosis = Diagnosis::wrong_value;
        failure.tasks = {task};
        demand(counted, exactly(found.size(), 0), found.empty(), std::move(failure));
    }

    /// Demands "kernels" (see `demand`): the last call ran a kernel, so the host has not done the work. `task` is the end of the sentence,
    /// such as "Task 1".
    void by_kernels(const Said& task);
    /// Demands "stores": the kernels of the last call stored at most this many bytes to global memory, which is each element of the outputs
    /// once. Two threads that store the same value are not a race, so no other check finds that they do the same work.
    void stored_at_most(std::size_t bytes, const Said& task);
    /// For large cases: leaves this case if a smaller case with the same functions has failed "stores" or "loads". Work that every block
    /// repeats would take the executor minutes here.
    void skip_if_work_is_repeated();
    /// For `skip_if_work_is_repeated` in cases without a demand: states the number of bytes that the kernels of the last call need to load.
    void watch_loads(std::size_t bytes);
    /// Demands "loads" in the same way: `bytes` is each element of the inputs once, or as many times as the contract allows.
    void loaded_at_most(std::size_t bytes, const Said& task);

    /// Like `call`, for a function without a result; also returns what the warps of its kernels requested from memory.
    template <class Function>
    Counts counts(Function&& function) {
        const detail::Counting counting;
        call(std::forward<Function>(function));
        return counting.take();
    }

    /// Demands "sectors" of global memory (see `demand`): at most `limit` for each 128 bytes that the lanes of a warp use, which is one
    /// request of 32 lanes with 4 bytes each. 4 is ideal for any width; lanes that each touch their own sector need 32. The report names
    /// the line that wastes most.
    void sectors_at_most(double limit, const Counts& counts, Way way);
    /// The same for "wavefronts" of shared memory, of which 1 is ideal.
    void wavefronts_at_most(double limit, const Counts& counts, Way way);
    /// Demands "active lanes": at least this many of a warp's 32 lanes take part in its accesses to global memory, on average. The report
    /// names the line with the most inactive lanes.
    void active_lanes_at_least(double limit, const Counts& counts, Way way);
    /// Demands "divergent branches": the lanes of a warp diverge at most this many times.
    void divergent_branches_at_most(std::uint64_t limit, const Counts& counts);

    /// Fails the case. The report shows the first failure.
    void fail(Diagnosis diagnosis, const Said& sentence);

    /// Fails the case if a CUDA call of the test itself fails.
    void cuda(cudaError_t error);

    /// Leaves the case, because it cannot run here.
    [[noreturn]] void skip(const std::string& why) {
        outcome_.status = detail::Status::skip;
        outcome_.fault = facts::Fault::stated;
        outcome_.sentence = why;
        throw detail::StopCase{};
    }

    /// For the grader: returns a finding of the running case as a failure, with the sentence of explain(). Code that ends the process needs
    /// it, too.
    static facts::Failure explained(const facts::Finding& finding);
    /// Adds a line below the verdict, even if the case passes.
    void note(const std::string& text) {
        facts::Note note;
        note.text = text;
        outcome_.notes.push_back(std::move(note));
    }
    /// For the grader: adds a failure. If there is already one, this is another failure of the same run.
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
    /// Returns the result of the student's function as the judge sees it.
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
    void compare_one(const Said& what, const Got& got, const Want& want) {
        ++outcome_.checks;
        if (got == want) return;
        facts::Failure failure = detail::failure_of(facts::Fault::one_value, Diagnosis::wrong_value);
        failure.difference.what = what.text;
        detail::take_facts(failure, what);
        failure.difference.elements = {detail::element_of_one(got, want)};
        add_failure(std::move(failure));
    }
    /// Adds a known mistake to the failure, if the wrong result is one of those given to mistake(). Returns whether it has a sentence.
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
    /// Adds a demand that the grader itself defines. `addition` is the test's addition to the sentence.
    void demand_of_grader(const std::string& counted, const facts::Count& count, facts::Fault fault,
                          const Said& addition);
    void demand_units(bool shared, double limit, const Counts& counts, Way way);
    void add_finding(const facts::Finding& finding);
    /// Adds the executor's remarks, which are not errors by themselves, before the wrong values that they may explain.
    void explain_wrong_values();
    /// Adds the different method to the failures, if something else is wrong, too.
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
    std::uint64_t kernels_before_ = 0;  ///< number of kernels before the last call
    bool timed_ = false;
    static inline bool work_is_repeated_ = false;  ///< set for the rest of the process
    static inline Case* running_ = nullptr;
};

}  // namespace kit

#include <grader/case_templates.hpp>
