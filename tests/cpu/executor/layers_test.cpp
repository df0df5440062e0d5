// Tests that the layers of the executor, the folders of common/cpu/src, have the order of the table in common/cpu/README.md: no
// file includes a file of a higher layer. The checks are the highest layer, so no other layer includes them.
// Every file that the README names must exist.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the first group of each match of the pattern.
std::vector<std::string> all(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

/// The layers from bottom to top, with their positions. A layer is a folder, or a single file such as "events".
using Order = std::map<std::string, std::size_t>;

Order read_order(const std::string& readme) {
    const std::size_t begin = readme.find("## The layers"), end = readme.find("\n## ", begin + 1);
    Order order;
    if (begin == std::string::npos) return order;
    for (const std::string& layer : all(readme.substr(begin, end - begin), "\n\\| `(\\w+)(?:/|\\.hpp)` \\|"))
        order.emplace(layer, order.size());
    return order;
}

std::string layer_of(const fs::path& file) {
    return file.has_parent_path() ? file.begin()->string() : file.stem().string();
}

struct Walk {
    std::size_t files = 0, includes_between = 0;
    std::vector<std::string> wrong;
};

Walk walk(const fs::path& src, const Order& order) {
    Walk found;
    for (const auto& entry : fs::recursive_directory_iterator(src)) {
        const std::string kind = entry.path().extension();
        if (kind != ".hpp" && kind != ".cpp") continue;
        ++found.files;
        const fs::path file = entry.path().lexically_relative(src);
        const std::string layer = layer_of(file);
        if (!order.count(layer)) {
            found.wrong.push_back(file.string() + " is in no layer of the table");
            continue;
        }
        for (const std::string& name : all(read(entry.path()), "#include \"([^\"]+)\"")) {
            const bool beside = fs::exists(entry.path().parent_path() / name);
            const std::string other =
                layer_of(beside ? (file.parent_path() / name).lexically_normal() : fs::path(name));
            if (other == layer) continue;
            ++found.includes_between;
            if (!order.count(other) || order.at(other) > order.at(layer))
                found.wrong.push_back(file.string() + " includes " + name + ", from a layer above its own");
        }
    }
    return found;
}

/// Tests the test itself, with three layers: one file includes upwards, one downwards, and one is in no layer.
bool sees_mistakes() {
    const fs::path src = fs::temp_directory_path() / ("kit_layers_" + std::to_string(std::random_device()()));
    const auto write = [&](const char* file, const char* text) {
        fs::create_directories((src / file).parent_path());
        std::ofstream(src / file) << text;
    };
    write("low/a.cpp", "#include \"a.hpp\"\n#include \"high/b.hpp\"\n");
    write("low/a.hpp", "#include \"events.hpp\"\n");
    write("events.hpp", "");
    write("high/b.hpp", "#include \"low/a.hpp\"\n#include \"../events.hpp\"\n");
    write("loose/c.hpp", "");
    const Walk found =
        walk(src, read_order("## The layers\n| `events.hpp` | x |\n| `low/` | x |\n| `high/` |\n"));
    fs::remove_all(src);
    return found.files == 5 && found.includes_between == 4 && found.wrong.size() == 2;
}

}  // namespace

int main() {
    const fs::path executor = fs::path(KIT_ROOT) / "common/cpu";
    const std::string readme = read(executor / "README.md");
    const Order order = read_order(readme);
    Walk found = walk(executor / "src", order);
    if (!sees_mistakes()) found.wrong.push_back("the walk does not see planted mistakes");
    if (order.size() < 2 || order.count("checks") == 0 || order.at("checks") + 1 != order.size())
        found.wrong.push_back("common/cpu/README.md: the table of layers does not end with `checks/`");
    for (const auto& [layer, place] : order)
        if (!fs::exists(executor / "src" / layer) && !fs::exists(executor / "src" / (layer + ".hpp")))
            found.wrong.push_back("there is no layer " + layer);
    for (const std::string& file : all(readme, "`((?:src|include|translate|kitcc)/[\\w/.]+\\.[chi]\\w+)`"))
        if (!fs::exists(executor / file))
            found.wrong.push_back("common/cpu/README.md names " + file + ", which is not there");
    for (const std::string& file : all(readme, "`(common/[\\w/.]+\\.[chi]\\w+)`"))
        if (!fs::exists(fs::path(KIT_ROOT) / file))
            found.wrong.push_back("common/cpu/README.md names " + file + ", which is not there");
    for (const std::string& problem : found.wrong) std::printf("FAIL  %s\n", problem.c_str());
    std::printf("%zu files in %zu layers, %zu includes from one layer into another: %zu problems\n",
                found.files, order.size(), found.includes_between, found.wrong.size());
    return found.wrong.empty() && found.files > 100 ? 0 : 1;
}
