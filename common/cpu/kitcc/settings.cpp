// Reads the file kitcc.settings.
#include "settings.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kitcc {
namespace {

namespace fs = std::filesystem;

/// Returns whether kitcc uses the compiler flag. kitcc omits the flags for warnings, which only the course's
/// own code must satisfy.
bool is_wanted(const std::string& flag) {
    return flag.compare(0, 2, "-W") != 0 || flag.compare(0, 5, "-Wno-") == 0;
}

std::string with_root(std::string value, const std::string& root) {
    const std::string mark = "{root}";
    for (std::size_t at = value.find(mark); at != std::string::npos; at = value.find(mark, at + root.size()))
        value.replace(at, mark.size(), root);
    return value;
}

/// Adds an option, which CMake marks if it consists of several words. {root} is replaced after the split,
/// because the folder may contain blanks.
void add_flag(std::vector<std::string>& flags, const std::string& value, const std::string& root) {
    if (!is_wanted(value)) return;
    if (value.compare(0, 6, "SHELL:") != 0) return flags.push_back(with_root(value, root));
    std::istringstream words(value.substr(6));
    for (std::string word; words >> word;) flags.push_back(with_root(word, root));
}

}  // namespace

Settings read_settings() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    const fs::path beside = folder / "kitcc.settings", installed = folder / "../share/kitcc/kitcc.settings";
    const fs::path path = fs::exists(beside) ? beside : installed;
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(
            "there is no " + beside.string() + " and no " + installed.lexically_normal().string() +
            ": run the kitcc of the course's build folder, or one that 'cmake --install' has installed");
    const std::string root = folder.parent_path().string();
    Settings settings;
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t blank = line.find(' ');
        if (blank == std::string::npos) continue;
        const std::string word = line.substr(0, blank), raw = line.substr(blank + 1);
        const std::string value = with_root(raw, root);
        if (word == "compiler") settings.compiler = value;
        if (word == "header") settings.header = value;
        if (word == "architecture") settings.architecture = value;
        if (word == "pages") settings.pages = value;
        if (word == "build") settings.build = value;
        if (word == "keep") settings.kept.push_back(value);
        if (word == "library") settings.libraries.push_back(value);
        if (word == "link") settings.linked.push_back(value);
        if (word == "flag") add_flag(settings.flags, raw, root);
        if (word == "unchecked") add_flag(settings.unchecked, raw, root);
    }
    return settings;
}

}  // namespace kitcc
