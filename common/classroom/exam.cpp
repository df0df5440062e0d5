#include "exam.hpp"

#include <mutex>

#include "judge.hpp"

namespace classroom {

namespace {

using course::Error;

void run_or_throw(const std::string& what, const std::string& script) {
    const course::Run done = course::run({"sh", "-ec", script});
    if (done.status != 0) throw Error(what, ": ", done.output.substr(0, 2000));
}

/// nm, told the format of objects: otherwise it asks the plugins of all compilers, which takes longer than all the rest.
Lines nm(const std::string& which) {
    static const std::string format = course::trimmed(course::run({"ld", "--print-output-format"}).output);
    return {"nm", "-P", "--target=" + format, which};
}

/// The names that stand in an object, one a line: `which` is an option of nm.
std::string names(const std::string& which, const std::vector<fs::path>& objects) {
    Lines words = nm(which);
    for (const fs::path& object : objects) words.push_back(object);
    return for_shell(words) + " 2>/dev/null";
}

/// The lists, and the test's object for workers. Names are told apart by nm: U is asked of others, T, D, B, R, S, G and C are
/// given to them; W, V and u are given by every file that includes the same header.
void hide_names(Exam& exam) {
    const std::string test = for_shell(exam.test.string()), contract = for_shell(exam.contract.string()),
                      reserved = for_shell(exam.reserved.string());
    // What the test asks for and the solution has; what the kit has and the solution has not.
    const std::string solution = names("-g", {exam.recipe.solution});
    run_or_throw("the names in the solution of " + exam.name + " cannot be read",
                 "asked=$(mktemp) given=$(mktemp) kit=$(mktemp); trap 'rm -f $asked $given $kit' EXIT\n" +
                     names("-u", {exam.test}) + " | awk 'NF {print $1}' | sort -u >$asked\n" + solution +
                     " | awk '$2 != \"U\" {print $1}' | sort -u >$given\n" + "comm -12 $asked $given >" +
                     contract + "\n{ " + names("-g", {exam.recipe.libraries[0]}) + "; " +
                     names("-D", {exam.recipe.libraries.back()}) +
                     "; } | awk '$2 ~ /^[TDBRSGC]$/ {print $1}' | sort -u >$kit\n" +
                     "comm -23 $kit $given >" + reserved + "\n" +
                     // Of the test, what it shares with the kit, the library of C++ and the solution stays.
                     names("-g", {exam.test}) + " | awk '$2 != \"U\" {print $1}' | sort -u >$asked\n" +
                     solution + " | awk '{print $1}' | sort -u >$given\n" +
                     "comm -23 $asked $given | grep -vE "
                     "'^(main$|DW[.]|_Z(N|NK|ZN|ZNK|GV|GVZN|GVZNK)?(S|3kit|9__gnu_cxx|10__cxxabiv1)|_ZT)' "
                     ">$kit || true\n" +
                     // objcopy takes no empty list.
                     "[ -s $kit ] || echo no_such_name >$kit\n" +
                     "objcopy --localize-symbols=$kit --strip-debug " + test + "\n");
}

/// The grader's library as workers are linked with it: what a debugger would need is 95% of it, and would be written into every
/// program, copied out of the sandbox, and searched for each line that a verdict names. Made once for `folder`.
fs::path lean_grader(const fs::path& grader, const fs::path& folder) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const fs::path lean = folder / grader.filename();
    if (!fs::exists(lean) || fs::last_write_time(lean) < fs::last_write_time(grader))
        run_or_throw("the grader's library cannot be copied",
                     for_shell(Lines{"objcopy", "--strip-debug", grader, lean.string() + ".part"}) + "\n" +
                         for_shell(Lines{"mv", lean.string() + ".part", lean}) + "\n");
    return lean;
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
    exam.judge = exam.recipe.program;
    if (!cases.empty()) {
        const std::string source = exam.test.string() + ".cpp", object = exam.test.string() + ".whole";
        Lines objects = {object, exam.recipe.solution};
        for (const fs::path& library : exam.recipe.libraries) objects.push_back(library);
        exam.judge = folder / exam.name;
        run_or_throw("the cases in " + cases.string() + " do not compile",
                     "cd " + for_shell(course.build.string()) + "\n" + for_shell(exam.recipe.translate) +
                         " " + for_shell(Lines{cases, source}) + "\n" + for_shell(exam.recipe.compile_test) +
                         " -iquote " + for_shell((course.root / exercise.test().parent_path()).string()) +
                         " -o " + for_shell(object) + " -c " + for_shell(source) + "\n" +
                         for_shell(exam.recipe.link) + " -o " + for_shell(exam.judge.string()) + " " +
                         for_shell(objects) + "\n");
        exam.recipe.test = object;
    }
    fs::copy_file(exam.recipe.test, exam.test, fs::copy_options::overwrite_existing);
    hide_names(exam);
    return exam;
}

/// As the student knows the files: exercises/TOPIC/NAME.cu, no folders of ours.
std::string in_students_words(const Course& course, const fs::path& file, std::string text) {
    const std::string path = file, root = course.root.string() + "/";
    const std::size_t above = path.rfind("/exercises/");  // the kit's own solution lies elsewhere
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
    const std::string grader = recipe.libraries.front();
    Lines others;
    for (auto library = recipe.libraries.begin() + 1; library != recipe.libraries.end(); ++library)
        others.push_back(*library);
    constexpr int kits_name = 42;
    // The kit's own objects come first: what they define is what is used.
    const std::string script =
        "scratch=$(mktemp -d); trap 'rm -rf $scratch' EXIT; cd " + for_shell(course.build.string()) + "\n" +
        "{ " + for_shell(recipe.translate) + " " + for_shell(file.string()) + " $scratch/file.cpp\n" +
        for_shell(recipe.compile) + " -iquote " + for_shell(file.parent_path().string()) +
        " -o $scratch/file.o -c $scratch/file.cpp\n" + for_shell(nm("-g")) +
        " $scratch/file.o >$scratch/names\n" +
        "awk -v taken=$scratch/taken -v own=$scratch/own 'FILENAME == ARGV[1] {reserved[$1]; next} "
        "FILENAME == ARGV[2] {contract[$1]; next} $2 == \"U\" {next} $1 in reserved {print $1 >taken} "
        "$2 ~ /^[TDBRSGC]$/ && !($1 in contract) {print $1 >own}' " +
        for_shell(Lines{exam.reserved, exam.contract}) + " $scratch/names\n" +
        "if [ -s $scratch/taken ]; then c++filt <$scratch/taken; exit " + std::to_string(kits_name) +
        "; fi\n"
        "if [ -s $scratch/own ]; then objcopy --localize-symbols=$scratch/own $scratch/file.o; fi\n" +
        for_shell(recipe.link) + " -o $scratch/program -Wl,--whole-archive " + for_shell(grader) +
        " -Wl,--no-whole-archive " + for_shell(exam.test.string()) + " $scratch/file.o " + for_shell(others) +
        "\n} >&2\ncat $scratch/program\n";
    std::vector<fs::path> visible = {course.root / "common",
                                     course.build / "CMakeFiles/kit_submission_header.dir",
                                     course.build / "not_offered",
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
    const Ended ended = run_limited(sandbox.command({"sh", "-ec", script}, visible, limits),
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
        built.message = "The file defines what is the kit's own: " + course::on_one_line(ended.err) +
                        ". Leave it out, or give it another name.\n";
    } else {
        built.message =
            in_students_words(course, file, ended.err.empty() ? "no program came out\n" : ended.err);
    }
    return built;
}

Lines command_of_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                        const fs::path& program) {
    std::vector<fs::path> visible = {program, file, course.root / "common/kit.cuh"};
    // What tests read, such as a text whose letters are counted; no sources.
    for (const auto& entry : fs::directory_iterator(course.root / exam.exercise->test().parent_path())) {
        static const std::set<std::string> sources = {".cu", ".cuh", ".hpp", ".cmake", ".starter"};
        const fs::path name = entry.path().filename();
        if (entry.is_regular_file() && !sources.count(name.extension()) && name != "CMakeLists.txt")
            visible.push_back(entry.path());
    }
    visible.insert(visible.end(), exam.recipe.libraries.begin() + 1, exam.recipe.libraries.end());
    visible.insert(visible.end(), exam.recipe.headers.begin(), exam.recipe.headers.end());
    return sandbox.command({program}, visible, RunLimits());
}

}  // namespace classroom
