#include "exam.hpp"

#include <mutex>

#include "judge.hpp"

namespace classroom {

namespace {

using course::Error;

void run_or_throw(const std::string& what, const Lines& command) {
    const course::Run done = course::run(command);
    if (done.status != 0) throw Error(what, ": ", done.output.substr(0, 2000));
}

/// Returns a copy of the grader's library without debug information, which is 95% of its size. With this
/// information, every worker would be larger, and each line in a verdict would take longer to find. The copy
/// is made once for `folder`.
fs::path lean_grader(const fs::path& grader, const fs::path& folder) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const fs::path lean = folder / grader.filename();
    if (!fs::exists(lean) || fs::last_write_time(lean) < fs::last_write_time(grader)) {
        const fs::path part = lean.string() + ".part";
        run_or_throw("the grader's library cannot be copied", {"objcopy", "--strip-debug", grader, part});
        fs::rename(part, lean);
    }
    return lean;
}

/// Compiles the instructor's cases, and links the program that judges with them.
void build_cases(const Course& course, Exam& exam, const fs::path& cases) {
    const fs::path source = exam.test.string() + ".cpp", object = exam.test.string() + ".whole";
    const auto in_build_folder = [&](const Lines& command, const Lines& more) {
        Lines words = {"env", "-C", course.build};
        words.insert(words.end(), command.begin(), command.end());
        words.insert(words.end(), more.begin(), more.end());
        run_or_throw("the cases in " + cases.string() + " do not compile", words);
    };
    in_build_folder(exam.recipe.translate, {cases, source});
    in_build_folder(exam.recipe.compile_test, {"-iquote", course.root / exam.exercise->test().parent_path(),
                                               "-o", object, "-c", source});
    Lines files = {"-o", exam.judge, object, exam.recipe.solution};
    files.insert(files.end(), exam.recipe.libraries.begin(), exam.recipe.libraries.end());
    in_build_folder(exam.recipe.link, files);
    exam.recipe.test = object;
}

Exam make_exam(const Course& course, const Exercise& exercise, const std::string& variant,
               const fs::path& folder, const fs::path& cases) {
    Exam exam;
    exam.exercise = &exercise;
    exam.name = target_of(exercise, variant) + (cases.empty() ? "" : ".cases");
    exam.recipe = recipe_of(course, exercise, variant);
    exam.recipe.libraries.front() = lean_grader(exam.recipe.libraries.front(), folder);
    exam.test = folder / (exam.name + ".test.o");
    exam.contract = folder / (exam.name + ".contract");
    exam.reserved = folder / (exam.name + ".reserved");
    exam.judge = cases.empty() ? exam.recipe.program : folder / exam.name;
    if (!cases.empty()) build_cases(course, exam, cases);
    fs::copy_file(exam.recipe.test, exam.test, fs::copy_options::overwrite_existing);
    run_or_throw("the names in the solution of " + exam.name + " cannot be read",
                 {course.root / "common/classroom/hide_names.sh", exam.test, exam.recipe.solution,
                  exam.recipe.libraries.front(), exam.recipe.libraries.back(), exam.contract, exam.reserved});
    return exam;
}

/// Returns at most 30 lines of the text. Files have the names that the student knows:
/// exercises/TOPIC/NAME.cu.
std::string in_students_words(const Course& course, const fs::path& file, std::string text) {
    const std::string path = file, root = course.root.string() + "/";
    const std::size_t above = path.rfind("/exercises/");  // not found if the file is the kit's own solution
    if (above != std::string::npos) text = course::replaced(std::move(text), path.substr(0, above + 1), "");
    text = course::replaced(std::move(text), root, "");
    Lines lines = course::lines_of(text);
    constexpr std::size_t most = 30;
    if (lines.size() > most) lines.resize(most), lines.push_back("...");
    return course::text_of(lines);
}

}  // namespace

std::vector<Exam> exams_of(const Course& course, const Exercise& exercise, const fs::path& folder,
                           const fs::path& cases) {
    fs::create_directories(folder);
    std::vector<Exam> exams = {make_exam(course, exercise, "", folder, "")};
    for (const std::string& variant : exercise.variants)
        exams.push_back(make_exam(course, exercise, variant, folder, ""));
    const fs::path more = cases / exercise.topic / (exercise.name + "_test.cu");
    if (!cases.empty() && fs::exists(more))
        exams.push_back(make_exam(course, exercise, "", folder, fs::absolute(more)));
    return exams;
}

Built build_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                   const fs::path& program) {
    const Recipe& recipe = exam.recipe;
    const Lines libraries(recipe.libraries.begin() + 1, recipe.libraries.end());
    const Lines script = {"env",
                          "-C",
                          course.build,
                          course.root / "common/classroom/build_worker.sh",
                          file,
                          for_shell(recipe.translate),
                          for_shell(recipe.compile),
                          for_shell(recipe.link),
                          recipe.libraries.front(),
                          exam.test,
                          for_shell(libraries),
                          exam.contract,
                          exam.reserved};
    constexpr int kits_name = 42;  // exit status of build_worker.sh if the file defines names of the kit
    std::vector<fs::path> visible = {course.root / "common",
                                     course.build / "CMakeFiles/kit_submission_header.dir",
                                     course.build / "not_offered",
                                     course.build / "std_headers",
                                     recipe.translate[0],
                                     exam.test,
                                     exam.contract,
                                     exam.reserved,
                                     file};
    visible.insert(visible.end(), recipe.libraries.begin(), recipe.libraries.end());
    visible.insert(visible.end(), recipe.headers.begin(), recipe.headers.end());
    RunLimits limits;
    limits.seconds = 120;
    limits.memory = 3ull << 30;
    limits.output = limits.disk;
    const Ended ended = run_limited(sandbox.command(script, visible, limits),
                                    {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", "/tmp"}}, limits);
    Built built;
    if (ended.status == 0 && !ended.out.empty()) {
        fs::create_directories(program.parent_path());
        course::write_text(program, ended.out);
        fs::permissions(program, fs::perms::owner_all);
        built.good = true;
    } else if (!ended.stopped_for.empty()) {
        built.message = "The compiler was stopped: it " + ended.stopped_for + ".\n";
    } else if (ended.status == kits_name) {
        built.message = "The file defines a name that belongs to the kit: " + course::on_one_line(ended.err) +
                        ". Remove the definition, or choose a different name.\n";
    } else {
        built.message =
            in_students_words(course, file, ended.err.empty() ? "no program came out\n" : ended.err);
    }
    return built;
}

Lines command_of_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                        const fs::path& program) {
    std::vector<fs::path> visible = {program, file, course.root / "common/kit.cuh"};
    // The sandbox contains only data that tests read, such as a text whose letters are counted. Other files
    // in the folder contain solutions.
    for (const auto& entry : fs::directory_iterator(course.root / exam.exercise->test().parent_path())) {
        if (entry.is_regular_file() && entry.path().extension() == ".txt") visible.push_back(entry.path());
    }
    visible.insert(visible.end(), exam.recipe.libraries.begin() + 1, exam.recipe.libraries.end());
    visible.insert(visible.end(), exam.recipe.headers.begin(), exam.recipe.headers.end());
    return sandbox.command({program}, visible, RunLimits());
}

}  // namespace classroom
