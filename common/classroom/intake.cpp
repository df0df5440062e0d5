#include "intake.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "encoding.hpp"
#include "names.hpp"
#include "submission.hpp"

namespace classroom {

using namespace course;

namespace {

/// A folder or an archive of a student, or a row in the file of names for which there is neither.
struct Source {
    fs::path path;
    std::string name;  ///< name without the extension of an archive
    const Row* row = nullptr;
    Lines remarks = {};  ///< remarks about the row
};

/// A file in a student's submission that may be the file of an exercise.
struct Candidate {
    std::string path;
    int parts = 0;    ///< how much of the path matches: 3 is exercises/TOPIC/NAME.cu, 2 is TOPIC/NAME.cu, 1
                      ///< is NAME.cu
    int folders = 0;  ///< number of folders above the matching part
};

bool is_better(const Candidate& a, const Candidate& b) {
    return a.parts != b.parts ? a.parts > b.parts : a.folders < b.folders;
}

Lines parts_of(const std::string& path) {
    Lines parts;
    for (const fs::path& part : fs::path(path)) parts.push_back(part.string());
    return parts;
}

/// Returns whether the submission is a whole checkout of the course, which contains files of the kit as well
/// as exercises.
bool is_checkout(const Course& course, const HandedIn& handed_in) {
    const auto lies_there = [&](const auto& file) {
        const Lines parts = parts_of(file.first);
        const auto found = std::find(parts.begin(), parts.end(), "exercises");
        return parts.end() - found > 2 && !course.exercises_of(*(found + 1)).empty();
    };
    return std::any_of(handed_in.files.begin(), handed_in.files.end(), lies_there);
}

/// Returns whether a file of a checkout belongs to the kit and not to the exercises.
bool belongs_to_the_kit(const Lines& parts) {
    const std::set<std::string> folders = {"common", "lectures", "tests", "slides", "build", "playground"};
    return std::any_of(parts.begin(), parts.end() - 1, [&](const auto& part) { return folders.count(part); });
}

/// Returns the exercise to which a student's file belongs, and stores how well its path matches. If it
/// belongs to no exercise, returns null and the reason.
const Exercise* exercise_of_file(const Course& course, const Lines& parts, Candidate& candidate,
                                 std::string& why) {
    const std::size_t count = parts.size();
    const std::string stem = fs::path(parts.back()).stem().string();
    if (count >= 2) {
        if (const Exercise* found = course.find(parts[count - 2], stem)) {
            candidate.parts = count >= 3 && parts[count - 3] == "exercises" ? 3 : 2;
            return found;
        }
    }
    Lines ids;
    const Exercise* found = nullptr;
    for (const Exercise& exercise : course.exercises) {
        if (exercise.name != stem) continue;
        found = &exercise;
        ids.push_back(exercise.id());
    }
    candidate.parts = 1;
    if (ids.size() == 1) return found;
    try {
        if (ids.empty()) course.named(shown_name(stem));
        why = "could be " + joined(ids, " or ") + ": put it into a folder with the name of its topic";
    } catch (const Error& error) {
        why = "belongs to no exercise: " + std::string(error.what());
    }
    return nullptr;
}

/// Returns whether this is a file of a bug hunt: hunts/NAME.cu or hunts/NAME.answer.
bool is_in_hunts(const Lines& parts) {
    return parts.size() >= 2 && parts[parts.size() - 2] == "hunts";
}

/// Returns the path of a file of a bug hunt; empty if it was not handed in.
std::string path_in_hunts(const HandedIn& handed_in, const std::string& name) {
    for (const auto& [path, file] : handed_in.files) {
        const Lines parts = parts_of(path);
        if (is_in_hunts(parts) && parts.back() == name) return path;
    }
    return "";
}

/// Returns what is wrong with a student's answer to a hunt; empty if it names the line and the kind.
std::string objection_to(const HandedIn& handed_in, const Hunt& hunt) {
    const std::string path = path_in_hunts(handed_in, hunt.name() + ".answer");
    if (path.empty()) return "there is no file hunts/" + hunt.name() + ".answer";
    const HuntProgress answer = progress_from(graded_text(handed_in.files.at(path).text));
    const bool line = hunt.answers().count(answer.line) > 0, kind = answer.kind == hunt.kind;
    if (line && kind) return "";
    return line   ? "the answer names a wrong kind"
           : kind ? "the answer names a wrong line"
                  : "the answer names a wrong line and a wrong kind";
}

/// Returns the best file for each exercise, and adds remarks about all other files.
std::map<const Exercise*, Candidate> chosen_files(const Course& course, const HandedIn& handed_in,
                                                  Lines& remarks) {
    std::map<const Exercise*, std::vector<Candidate>> found;
    const bool with_kit = is_checkout(course, handed_in);
    bool with_solutions = false;
    for (const auto& [path, file] : handed_in.files) {
        const Lines parts = parts_of(path);
        if (is_in_hunts(parts) || (with_kit && belongs_to_the_kit(parts))) continue;
        if (with_kit && std::find(parts.begin(), parts.end(), "solutions") != parts.end()) {
            if (!with_solutions) remarks.push_back("the folder solutions is not graded");
            with_solutions = true;
            continue;
        }
        Candidate candidate{path};
        std::string why;
        const Exercise* exercise = exercise_of_file(course, parts, candidate, why);
        if (!ends_with(path, ".cu")) {  // for example "tree.cu.txt", "tree.cpp" or "tree.CU"
            const std::string stem = parts.back().substr(0, parts.back().find('.'));
            const std::string rest = in_small_letters(parts.back().substr(stem.size()));
            Lines as_source = parts;
            as_source.back() = stem + ".cu";
            if ((begins_with(rest, ".c") || rest == ".txt") &&
                exercise_of_file(course, as_source, candidate, why))
                remarks.push_back(
                    sentence(shown_name(path), " is not graded: its name must be ", stem, ".cu"));
            continue;
        }
        if (!exercise) {
            remarks.push_back(sentence(shown_name(path), " ", why));
            continue;
        }
        candidate.folders = static_cast<int>(parts.size()) - candidate.parts;
        const std::string folder = parts.size() >= 2 ? parts[parts.size() - 2] : "";
        if (candidate.parts == 1 && !course.exercises_of(folder).empty())
            remarks.push_back(sentence(shown_name(path), " is taken for ", exercise->id()));
        found[exercise].push_back(candidate);
    }
    std::map<const Exercise*, Candidate> chosen;
    for (auto& [exercise, candidates] : found) {
        std::stable_sort(candidates.begin(), candidates.end(), is_better);
        chosen[exercise] = candidates[0];
        for (std::size_t i = 1; i < candidates.size(); ++i) {
            if (handed_in.files.at(candidates[i].path).text != handed_in.files.at(candidates[0].path).text)
                remarks.push_back(sentence("two files for ", exercise->id(), ": ",
                                           shown_name(candidates[0].path), " is graded, ",
                                           shown_name(candidates[i].path), " is not"));
        }
    }
    return chosen;
}

/// Replaces the file atomically, even if several processes do this at the same time.
void put_file(const fs::path& path, const std::string& text) {
    if (fs::is_regular_file(fs::symlink_status(path)) && read_text(path) == text) return;
    fs::create_directories(path.parent_path());
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    const fs::path part = sentence(path.string(), ".", host, ".", getpid(), ".part");
    std::ofstream file(part, std::ios::binary);
    if (!(file << text) || !file.flush()) throw Error(part, ": cannot be written");
    file.close();
    fs::rename(part, path);
}

/// Removes files that an earlier intake has written, and this one has not.
void remove_others(const fs::path& folder, const std::set<fs::path>& kept) {
    std::vector<fs::path> others;
    if (!fs::is_directory(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_directory() && entry.path().extension() == ".cu" && !kept.count(entry.path()))
            others.push_back(entry.path());
    }
    for (const fs::path& other : others) fs::remove(other);
}

std::string shortened(const Lines& ids) {
    const std::size_t shown = ids.size() <= 6 ? ids.size() : 5;
    const Lines first(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown));
    return joined(first, ", ") + (shown < ids.size() ? sentence(" and ", ids.size() - shown, " more") : "");
}

/// Returns the submissions in the folder of the class. Each entry is a student, except hidden files, the file
/// of names, and files that are not archives and are not named like archives. The files that are not archives
/// get a remark.
std::vector<Source> sources_in(const fs::path& submissions, const fs::path& names, Lines& remarks) {
    if (!fs::is_directory(submissions))
        throw Error(submissions,
                    ": is not a folder. Name a folder that has a folder or an archive for each student");
    std::error_code error;
    std::vector<Source> sources;
    for (const auto& entry : fs::directory_iterator(submissions)) {
        const fs::path path = entry.path();
        const std::string name = path.filename().string();
        if (name[0] == '.' || name == "__MACOSX" || (!names.empty() && fs::equivalent(path, names, error)))
            continue;
        const fs::file_status status = entry.symlink_status(error);
        const bool is_file = fs::is_regular_file(status), is_folder = fs::is_directory(status);
        const std::string stem = is_folder ? name : without_archive_ending(name);
        if (is_file && stem == name && !read_archive(path, {1, 1, 0, 0, 1}).is_archive)
            remarks.push_back(
                sentence(shown_name(name), " is not graded: it is neither a folder nor an archive"));
        else
            sources.push_back({path, to_utf8(stem)});
    }
    std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
        return std::tie(a.name, a.path) < std::tie(b.name, b.path);
    });
    return sources;
}

/// Reads a folder or an archive. For anything else, adds a remark.
HandedIn read_source(const fs::path& path, const Limits& limits) {
    const fs::file_status status = fs::symlink_status(path);
    if (fs::is_directory(status)) return read_folder(path, limits);
    if (fs::is_regular_file(status)) return read_archive(path, limits);
    HandedIn nothing;
    nothing.remarks.push_back(sentence(shown_name(path.filename().string()),
                                       fs::is_symlink(status) ? " is a symbolic link, which is not followed"
                                                              : " is neither a folder nor an archive"));
    return nothing;
}

/// Finds the row of each source in the file of names. A row without a source becomes a source without a path.
void assign_rows(const std::vector<Row>& rows, std::vector<Source>& sources) {
    std::map<std::string, const Row*> row_of;  // rows by key; null if several rows have this key
    for (const Row& row : rows) {
        for (const std::string& key : row.keys) {
            const auto [place, is_new] = row_of.try_emplace(key, &row);
            if (!is_new && place->second != &row) place->second = nullptr;
        }
    }
    std::map<const Row*, std::string> taken;  // first source of each row
    for (Source& source : sources) {
        for (const std::string& key : keys_of_folder(source.name)) {
            const auto found = row_of.find(key);
            if (source.row || found == row_of.end() || !found->second) continue;
            source.row = found->second;
            const auto [other, is_first] = taken.try_emplace(source.row, source.path.filename().string());
            if (!is_first)
                source.remarks.push_back(sentence("handed in more than once: the other submission is ",
                                                  shown_name(other->second)));
        }
        if (!rows.empty() && !source.row) source.remarks.push_back("is not in the file of names");
    }
    for (const Row& row : rows) {
        if (!taken.count(&row)) sources.push_back({"", row.id, &row});
    }
}

/// Creates a student for each source.
class Intake {
  public:
    Intake(const Class& taken, const IntakeOptions& options) : class_(taken), options_(options) {
        if (!options.deadline.empty()) deadline_ = time_of_deadline(options.deadline);
        for (const Exercise* exercise : taken.exercises)
            starters_[exercise] = graded_text(pristine_starter(*taken.course, *exercise));
        for (const auto& [exercise, hunt] : options.hunts)
            starters_[exercise] = graded_text(course::text_of(hunt.program));
    }

    Student student_of(const Source& source) {
        Student student;
        give_name(student, source);
        const bool is_there = !source.path.empty();
        HandedIn handed_in;
        if (is_there)
            handed_in = read_source(source.path, options_.limits);
        else
            student.remarks.push_back("handed in nothing");
        student.remarks.insert(student.remarks.end(), handed_in.remarks.begin(), handed_in.remarks.end());
        const std::time_t newest = take_files(student, handed_in);
        if (is_there) tell_missing(student, handed_in);
        if (deadline_ > 0 && newest > deadline_)
            student.days_late = static_cast<double>(newest - deadline_) / 86400;
        if (source.row && source.row->days_late) student.days_late = *source.row->days_late;
        shorten_remarks(student);
        return student;
    }

  private:
    /// Sets the name and the id of a student. The id differs from those of all earlier students.
    void give_name(Student& student, const Source& source) {
        const std::string wanted = safe_id(source.name), person = name_in_folder(source.name);
        student.id = wanted;
        for (int number = 2; !ids_.insert(in_small_letters(student.id)).second; ++number)
            student.id = sentence(wanted, "_", number);
        student.name = source.row ? source.row->name : person.empty() ? shown_name(source.name) : person;
        if (source.row) student.columns = source.row->columns;
        student.remarks = source.remarks;
        if (student.id != wanted)
            student.remarks.push_back(
                sentence("is called ", student.id, " here, because another student is called ", wanted));
    }

    /// Fills in the entry of each exercise, and removes files of an earlier intake. Returns the time of the
    /// newest file that the student has edited.
    std::time_t take_files(Student& student, const HandedIn& handed_in) {
        auto chosen = chosen_files(*class_.course, handed_in, student.remarks);
        for (const auto& [exercise, hunt] : options_.hunts) {
            chosen.erase(exercise);
            const std::string path = path_in_hunts(handed_in, hunt.name() + ".cu");
            if (!path.empty()) chosen[exercise] = {path};
            Entry& entry = student.entries[exercise->id()];
            entry.hunt = hunt.name();
            entry.answer = objection_to(handed_in, hunt);
        }
        std::set<fs::path> files;
        std::time_t newest = 0;
        for (const Exercise* exercise : class_.exercises) {
            Entry& entry = student.entries[exercise->id()];
            const auto found = chosen.find(exercise);
            if (found == chosen.end()) {
                entry.outcome = "missing";
                entry.sentence = "not handed in";
                continue;
            }
            const File& file = handed_in.files.at(found->second.path);
            entry.file = options_.students / student.id / (exercise->id() + ".cu");
            put_file(entry.file, file.text);
            files.insert(entry.file);
            read_entry(entry, file.text, starters_.at(exercise));
            if (entry.is_starter && options_.hunts.count(exercise))
                entry.sentence = "the given file is unchanged";
            if (!entry.is_starter) newest = std::max(newest, std::min(file.time, now_));
            if (begins_with(file.text, "\xff\xfe") || begins_with(file.text, "\xfe\xff"))
                student.remarks.push_back(
                    sentence(shown_name(found->second.path),
                             " is written in UTF-16, which no compiler reads: save it as UTF-8"));
            if (trimmed(file.text).empty())
                student.remarks.push_back(sentence(shown_name(found->second.path), " is empty"));
        }
        remove_others(options_.students / student.id, files);
        return newest;
    }

    static void read_entry(Entry& entry, const std::string& text, const std::string& starter) {
        const std::string graded = graded_text(text);
        entry.content = name_of_content(graded);
        entry.is_starter = !graded.empty() && graded == starter;
        if (!entry.is_starter) return;
        entry.outcome = "open";
        entry.sentence = "the starter is unchanged";
    }

    void tell_missing(Student& student, const HandedIn& handed_in) const {
        Lines missing;
        for (const Exercise* exercise : class_.exercises) {
            if (student.entries[exercise->id()].outcome == "missing") missing.push_back(exercise->id());
        }
        const std::size_t all = class_.exercises.size();
        if (handed_in.files.empty())
            student.remarks.push_back("the submission contains no file");
        else if (missing.size() == all)
            student.remarks.push_back("the submission contains no file of these exercises");
        else if (!missing.empty())
            student.remarks.push_back(
                sentence(missing.size(), " of ", all, " exercises are missing: ", shortened(missing)));
    }

    void shorten_remarks(Student& student) const {
        const std::size_t most = options_.limits.remarks, count = student.remarks.size();
        if (count <= most) return;
        student.remarks.resize(most);
        student.remarks.push_back(sentence("and ", count - most, " more of such remarks"));
    }

    const Class& class_;
    const IntakeOptions& options_;
    const std::time_t now_ = std::time(nullptr);
    std::time_t deadline_ = 0;  ///< 0 if there is none
    std::map<const Exercise*, std::string> starters_;
    std::set<std::string> ids_;  ///< ids so far, in small letters
};

}  // namespace

std::string safe_id(const std::string& name) {
    std::string id;
    for (const char c : to_utf8(name)) {
        const unsigned char byte = static_cast<unsigned char>(c);
        const bool is_plain = std::isalnum(byte) || byte >= 0x80 || contains("-_.@+", std::string(1, c));
        id += is_plain ? c : '_';
    }
    if (id.empty() || id[0] == '.' || id[0] == '-') id = "_" + id;
    std::size_t end = std::min<std::size_t>(id.size(), 100);
    while (end < id.size() && (static_cast<unsigned char>(id[end]) & 0xc0) == 0x80) --end;
    return id.substr(0, end);
}

std::time_t time_of_deadline(const std::string& deadline) {
    const Lines parts =
        match(deadline, "^([0-9]{4})-([0-9]{2})-([0-9]{2})([T ]([0-9]{2}:[0-9]{2}(:[0-9]{2})?))?$");
    std::tm time{};
    const std::string whole = parts.empty() ? ""
                                            : parts[1] + "-" + parts[2] + "-" + parts[3] + "T" +
                                                  (parts[5].empty()   ? "23:59:59"
                                                   : parts[6].empty() ? parts[5] + ":00"
                                                                      : parts[5]);
    const char* end = strptime(whole.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
    if (whole.empty() || !end || *end)
        throw Error("the deadline ", deadline, " is not a time: write it as 2026-12-01T23:59");
    time.tm_isdst = -1;
    return std::mktime(&time);
}

Class take_in(const Course& course, const std::vector<const Exercise*>& exercises,
              const fs::path& submissions, const IntakeOptions& options) {
    Class taken;
    taken.course = &course;
    taken.exercises = exercises;
    const std::vector<Row> rows = options.names.empty() ? std::vector<Row>() : read_names(options.names);
    std::vector<Source> sources = sources_in(submissions, options.names, taken.remarks);
    assign_rows(rows, sources);
    Intake intake(taken, options);
    for (const Source& source : sources) taken.students.push_back(intake.student_of(source));
    std::sort(taken.students.begin(), taken.students.end(),
              [](const Student& a, const Student& b) { return a.id < b.id; });
    return taken;
}

}  // namespace classroom
