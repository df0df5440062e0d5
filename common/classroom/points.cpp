#include "points.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>

#include "author/json_library.hpp"
#include "quoting.hpp"
#include "source.hpp"
#include "submission.hpp"

namespace classroom {

namespace {

using course::Error;
using Json = nlohmann::ordered_json;

double hundredths(double points) {
    return std::floor(points * 100 + 0.5 + 1e-9) / 100;
}

std::string in_quotes(const std::string& text) {
    return "\"" + text + "\"";
}

/// Returns the element of `words` with the smallest edit distance to `word`.
const std::string& nearest(const std::string& word, const Lines& words) {
    return *std::min_element(words.begin(), words.end(), [&](const auto& a, const auto& b) {
        return course::distance(word, a) < course::distance(word, b);
    });
}

/// Reads the parts of the file of points. Error messages begin with the name of the file.
class PointsFile {
  public:
    PointsFile(std::string name, const Course& course) : name_(std::move(name)), course_(course) {}

    template <class... Parts>
    [[noreturn]] void complain(const Parts&... parts) const {
        throw Error(name_, ": ", parts...);
    }

    Json parsed(const std::string& text) const {
        std::vector<std::set<std::string>> keys;  // for each object that is still open: the keys that were
                                                  // read so far
        const auto look = [&](int, Json::parse_event_t event, Json& value) {
            if (event == Json::parse_event_t::object_start) keys.emplace_back();
            if (event == Json::parse_event_t::object_end) keys.pop_back();
            if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
                complain(value.dump(), " occurs twice: remove one");
            return true;
        };
        try {
            return Json::parse(text, look);
        } catch (const Json::parse_error& error) {
            const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
            throw Error(name_, ":", course::line_at(text, at),
                        ": this is not JSON: look for a missing or extra comma, quote or bracket");
        }
    }

    void check_keys(const Json& object, const std::string& what, const Lines& known) const {
        if (!object.is_object()) complain(what, " must be { ... }");
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end())
                complain("unknown key ", in_quotes(key), ": did you mean ", in_quotes(nearest(key, known)),
                         "?");
        }
    }

    double number(const Json& value, const std::string& key, double most = 1e6) const {
        if (value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most)
            return value.get<double>();
        complain(in_quotes(key), " must be a number from 0 to ", as_number(most), ", not ", value.dump());
    }

    const Exercise& exercise(const std::string& words) const {
        const std::size_t slash = words.find('/');
        const Exercise* exact = slash == std::string::npos
                                    ? nullptr
                                    : course_.find(words.substr(0, slash), words.substr(slash + 1));
        if (exact) return *exact;  // even if this build folder does not grade the topic
        try {
            return course_.named(words);
        } catch (const Error& error) {
            complain(error.what());
        }
    }

    void check_pattern(const std::string& pattern) const {
        Lines topics = course_.topics();
        const std::size_t slash = pattern.find('/');
        bool has_topic = false;
        for (const Exercise& exercise : course_.exercises) {
            if (fnmatch(pattern.c_str(), exercise.id().c_str(), 0) == 0) return;
            has_topic =
                has_topic || fnmatch(pattern.substr(0, slash).c_str(), exercise.topic.c_str(), 0) == 0;
        }
        if (topics.empty())
            complain("no exercise matches ", in_quotes(pattern), ": the course has no exercises");
        if (slash != std::string::npos && has_topic)
            complain("no exercise of this topic matches ", in_quotes(pattern), ": did you mean ",
                     in_quotes(pattern.substr(0, slash) + "/*"), "?");
        complain("no exercise matches ", in_quotes(pattern), ": did you mean ",
                 in_quotes(nearest(pattern.substr(0, slash), topics) + "/*"), "?");
    }

  private:
    std::string name_;
    const Course& course_;
};

std::string days_in_words(double days) {
    return days == 1 ? "one day" : as_number(days) + " days";
}

/// Returns whether at least one case passed, and every failed case failed because of a race.
bool only_races(const Verdict& verdict) {
    int races = 0, right = 0;
    for (const course::CaseVerdict& one : verdict.cases) {
        const bool is_race = one.diagnosis == kit::Diagnosis::race && one.finding;
        if (one.status == course::Status::fail && !is_race) return false;
        races += one.status == course::Status::fail;
        right += one.status == course::Status::pass;
    }
    return races > 0 && right > 0;
}

}  // namespace

Points Points::read(const fs::path& file, const Course& course) {
    return parse(course::read_text(file), file.filename().string(), course);
}

Points Points::parse(const std::string& text, const std::string& name, const Course& course) {
    const PointsFile file(name, course);
    const Json json = file.parsed(text);
    file.check_keys(json, "the file", {"default", "points", "late", "other_method", "partial", "races"});
    Points points;
    if (json.contains("default")) points.default_ = file.number(json["default"], "default");
    if (json.contains("other_method"))
        points.other_method_ = file.number(json["other_method"], "other_method", 1);
    if (json.contains("races")) points.races_ = file.number(json["races"], "races", 1);
    if (json.contains("partial")) {
        const Lines kinds = {"none", "tasks", "cases"};
        const Json& value = json["partial"];
        const std::string kind = value.is_string() ? value.get<std::string>() : value.dump();
        const auto found = std::find(kinds.begin(), kinds.end(), kind);
        if (found == kinds.end())
            file.complain("\"partial\" must be \"none\", \"tasks\" or \"cases\", not ", value.dump());
        points.partial_ = static_cast<Partial>(found - kinds.begin());
    }
    if (json.contains("late")) {
        const Json& late = json["late"];
        file.check_keys(late, "\"late\"", {"free_days", "lost_per_day", "most_lost"});
        if (late.contains("free_days")) points.free_days_ = file.number(late["free_days"], "free_days");
        if (late.contains("lost_per_day"))
            points.lost_per_day_ = file.number(late["lost_per_day"], "lost_per_day", 1);
        if (late.contains("most_lost")) points.most_lost_ = file.number(late["most_lost"], "most_lost", 1);
    }
    if (!json.contains("points")) return points;
    if (!json["points"].is_object()) file.complain("\"points\" must be { ... }");
    for (const auto& [key, value] : json["points"].items()) {
        const double worth = file.number(value, key);
        const Lines task = course::match(key, "^(.*[^ ]) +task +([^ ]+)$");
        if (!task.empty()) {
            const Exercise& exercise = file.exercise(task[1]);
            const std::set<int>& numbers = points.tasks_of(course, exercise);
            const int number = course::number_of(task[2]);
            if (!numbers.count(number))
                file.complain(exercise.id(), " has no task ", task[2], ": ",
                              numbers.empty() ? "it has no tasks"
                                              : course::sentence("its tasks are 1 to ", *numbers.rbegin()));
            if (!points.tasks_[exercise.id()].emplace(number, worth).second)
                file.complain("task ", number, " of ", exercise.id(), " occurs twice: remove one");
        } else if (key.find_first_of("*?[") != std::string::npos) {
            file.check_pattern(key);
            points.patterns_.emplace_back(key, worth);
        } else if (const Exercise& exercise = file.exercise(key);
                   !points.exercises_.emplace(exercise.id(), worth).second) {
            file.complain(exercise.id(), " occurs twice: remove one");
        }
    }
    for (const auto& [id, tasks] : points.tasks_) {
        if (points.exercises_.count(id))
            file.complain(id, " has points as a whole and for its tasks: remove one of the two");
        for (const int number : points.numbers_[id]) {
            if (!tasks.count(number))
                file.complain("task ", number, " of ", id,
                              " has no points, and other tasks of it have: give it ", "some too, or 0");
        }
    }
    return points;
}

const std::set<int>& Points::tasks_of(const Course& course, const Exercise& exercise) const {
    const auto [entry, is_new] = numbers_.try_emplace(exercise.id());
    if (is_new) entry->second = course::Source("", course::pristine_starter(course, exercise)).todos();
    return entry->second;
}

double Points::most(const Exercise& exercise) const {
    const std::string id = exercise.id();
    if (const auto tasks = tasks_.find(id); tasks != tasks_.end()) {
        double sum = 0;
        for (const auto& [task, worth] : tasks->second) sum += worth;
        return hundredths(sum);
    }
    if (const auto whole = exercises_.find(id); whole != exercises_.end()) return hundredths(whole->second);
    double worth = default_;
    for (const auto& [pattern, points] : patterns_) {
        if (fnmatch(pattern.c_str(), id.c_str(), 0) == 0) worth = points;
    }
    return hundredths(worth);
}

double Points::most(const Class& graded) const {
    double sum = 0;
    for (const Exercise* exercise : graded.exercises) sum += most(*exercise);
    return hundredths(sum);
}

double Points::share_late(double days) const {
    const double counted_days = std::max(0.0, std::ceil(days - 1e-6) - free_days_);
    return std::min(most_lost_, counted_days * lost_per_day_);
}

double Points::share_of_tasks(const Course& course, const Exercise& exercise, const Entry& entry,
                              std::string& why) const {
    const std::set<int>& tasks = tasks_of(course, exercise);
    std::set<int> left;
    if (entry.outcome == "open") {
        left = course::Source("", course::read_text_if_there(entry.file)).gaps();
        if (left.empty())
            left = tasks;  // the verdict is "open", but the file does not show which gap is
                           // left
        if (entry.verdict.passed == 0) left = tasks;
    }
    for (const course::CaseVerdict& one : entry.verdict.cases) {
        if (one.status != course::Status::fail) continue;
        if (one.tasks.empty()) left = tasks;
        left.insert(one.tasks.begin(), one.tasks.end());
    }
    if (entry.outcome == "wrong" && left.empty()) left = tasks;  // no failure names a task
    const auto own = tasks_.find(exercise.id());
    double all = 0, done = 0;
    std::size_t count = 0;
    for (const int task : tasks) {
        const double worth = own == tasks_.end() ? 1 : own->second.at(task);
        all += worth;
        if (left.count(task)) continue;
        done += worth;
        ++count;
    }
    why = course::sentence(count, " of ", counted(tasks.size(), "task"));
    return all > 0 ? done / all : 0;
}

Score Points::of(const Class& graded, const Student& student, const Exercise& exercise) const {
    Score score;
    score.most = most(exercise);
    const auto found = student.entries.find(exercise.id());
    if (found == student.entries.end() || found->second.outcome.empty()) {
        score.why = "not graded yet";
        return score;
    }
    const Entry& entry = found->second;
    const Verdict& verdict = entry.verdict;
    double share = entry.outcome == "pass" ? 1 : 0;
    if (entry.outcome == course::other_method) {
        share = other_method_;
        score.why = "right, but not as the exercise asks: " + as_number(100 * share) + "%";
    }
    const bool ran = entry.outcome == "wrong" || entry.outcome == "open";
    if (ran && !entry.is_starter && partial_ == Partial::tasks)
        share = share_of_tasks(*graded.course, exercise, entry, score.why);
    if (ran && partial_ == Partial::cases) {
        const int all = verdict.passed + verdict.failed;
        if (entry.outcome == "wrong" && all > 0) {
            share = static_cast<double>(verdict.passed) / all;
            score.why =
                course::sentence(verdict.passed, " of ", counted(static_cast<std::size_t>(all), "case"));
        } else if (entry.outcome == "open" && !entry.is_starter) {
            score.why = "a gap is open, so not every case ran";
        }
    }
    if (entry.outcome == "wrong" && races_ > share && only_races(verdict)) {
        share = races_;
        score.why = "right values, but a race: " + as_number(100 * races_) + "%";
    }
    const double lost = share_late(student.days_late);
    if (share > 0 && student.days_late > 0 && (lost > 0 || free_days_ > 0)) {
        score.why += (score.why.empty() ? "" : "; ") + days_in_words(std::ceil(student.days_late - 1e-6)) +
                     " late: " + (lost > 0 ? as_number(100 * lost) + "% less" : "free");
    }
    score.points = hundredths(score.most * share * (1 - lost));
    return score;
}

Score Points::of(const Class& graded, const Student& student) const {
    Score total;
    total.most = most(graded);
    for (const Exercise* exercise : graded.exercises) total.points += of(graded, student, *exercise).points;
    total.points = hundredths(total.points);
    const double lost = share_late(student.days_late);
    if (student.days_late > 0 && (lost > 0 || free_days_ > 0)) {
        total.why = days_in_words(std::ceil(student.days_late - 1e-6)) +
                    " late: " + (lost > 0 ? as_number(100 * lost) + "% less" : "free");
    }
    return total;
}

}  // namespace classroom
