// The schema of records, the rules about their folders, and the comparison of two runs: each with what it must reject.
// Usage: course_results_test FOLDER ROOT. The folder is emptied; ROOT has lectures/results.md.
#include "results.hpp"

#include <functional>
#include <set>

#include "results_test.hpp"

namespace course::test {

namespace {

void test_json(Tally& tally) {
    const Json json =
        parse_json(R"({"a": 1, "b": "1", "c": true, "d": "a \"b\": c", "e": [1, {}], "f": null, "g": ""})");
    using Kind = Json::Kind;
    const std::pair<const char*, Kind> kinds[] = {
        {"a", Kind::number}, {"b", Kind::text}, {"c", Kind::boolean}, {"d", Kind::text},
        {"e", Kind::list},   {"f", Kind::null}, {"g", Kind::text}};
    for (const auto& [name, kind] : kinds)
        tally.report(std::string("type of ") + name, json.find(name) && json.find(name)->kind == kind,
                     "is another");
    tally.report("escaped quotes", json.says("d", "a \"b\": c"), json.find("d")->text);
    tally.report("a missing member", json.find("z") == nullptr, "was found");
}

void test_schema(Tally& tally) {
    const struct {
        std::string from, to, complaint;
    } all[] = {
        {"", "", ""},
        {"\"schema\": 1,", "", "lectures/00_first/results/h200.json: has no \"schema\": 1"},
        {"\"schema\": 1", "\"schema\": \"1\"", "schema is \"1\""},
        {"\"schema\": 1", "\"schema\": 2", "schema is 2"},
        {"\"tables\"", "tables", "not JSON: line 6"},
        {"00_first", "01_second", "topic is \"01_second\""},
        {"\"gpu\"", "\"tpu\"", "backend is \"tpu\""},
        {"NVIDIA H200", "NVIDIA A100-SXM4-80GB", "should be a100_sxm4_80gb.json"},
        {"132", "\"132\"", "multiprocessors is \"132\""},
        {"\"multiprocessors\": 132, ", "", "run: has no multiprocessors"},
        {"580.159.04", "unknown", "driver is \"unknown\""},
        {"1980", "0", "sm_clock_mhz is 0"},
        {"2026-11-21", "2026-11-31", "date is"},
        {"2026-11-21", "2026-02-29", "date is"},
        {"2026-11-21", "21 Nov 2026", "date is"},
        {"eb97664", "", "commit is"},
        {"eb97664", "a branch", "commit is"},
        {", \"options\": \"\"", "", "has no options"},
        {"\"roofs\"", "\"rooves\"", "has no roofs"},
        {"4131.3", "0", "roofs: copy_gb_per_s is 0"},
        {"\"launch_us\": 0", "\"launch_us\": -1", "launch_us is -1"},
        {", \"graph_node_us\": 0", "", "has no graph_node_us"},
        {"\"table\": \"sizes\"", "\"table\": \"ladder\"", "table ladder: there are two"},
        {"\"table\": \"sizes\"", "\"table\": \"Sizes\"", "table Sizes: table is"},
        {"\"kind\": \"free\"", "\"kind\": \"any\"", "kind is \"any\""},
        {", \"title\": \"sizes\"", "", "table sizes: has no title"},
        {"\"row\": \"v2\"", "\"row\": \"v1\"", "table ladder, row v1: there are two"},
        {"\"row\": \"v2\"", "\"row\": \"v 2\"", "row is \"v 2\""},
        {"\"row\": \"v2\", ", "", "row without a name: has no row"},
        {"\"us\": 100.0", "\"us\": \"100.0\"", "table ladder, row v2: us is \"100.0\""},
        {"\"us\": 100.0", "\"us\": 0", "us is 0"},
        {"\"us\": 100.0", "\"us\": -3", "us is -3"},
        {"\"us\": 100.0, ", "", "row v2: has no us"},
        {"\"us\": 100.0", "\"us\": 100.0, \"us\": 99", "has two fields us"},
        {"\"spread\": 0.05", "\"spread\": -0.05", "spread is -0.05"},
        {"\"spread\": 0.05, ", "", "has no spread"},
        {"\"repetitions\": 21", "\"repetitions\": 0", "repetitions is 0"},
        {"\"repetitions\": 21", "\"repetitions\": 2.5", "repetitions is 2.5"},
        {"\"valid\": true", "\"valid\": \"true\"", "valid is \"true\""},
        {"\"valid\": true, ", "", "has no valid"},
        {", \"noisy\": false", "", "has no noisy"},
        {", \"reason\": \"the output is wrong\"", "", "row v3: is not valid, and no reason"},
        {"\"of_bound\": 0.8", "\"of_bound\": 1.31", "of_bound is 1.31"},
        {"\"of_bound\": 0.8", "\"of_bound\": 80", "of_bound is 80"},
        {"\"bound\": \"copy\", ", "", "no bound says of what"},
        {"\"n\": 16", "\"n\": 1.6", "n is 1.6"},
        {"\"count\": 7", "\"Count\": 7", "field \"Count\""},
        {"\"count\": 7", "\"count\": [7]", "count is neither"},
        {"\"count\": 7", "\"us\": 0", "row a.b+c-d: us is 0"},
    };
    for (const auto& [from, to, complaint] : all) {
        const std::string text = from.empty() ? gpu_record : replaced(gpu_record, from, to);
        tally.judge("a record with " + (to.empty() ? "no " + from : to),
                    check_record("lectures/00_first/results/h200.json", text, "00_first"), complaint);
    }
    const struct {
        std::string from, to, complaint;
    } on_cpu[] = {
        {"", "", ""},
        {"\"cpu\"", "\"gpu\"", "should be h200.json"},
        {"\"date\"", "\"driver\": \"580.1\", \"date\"", "has driver, which only a GPU has"},
        {"\"tables\"", "\"roofs\": {}, \"tables\"", "has roofs, which only a GPU has"},
        {"\"kind\": \"counts\"", "\"kind\": \"ladder\"", "the CPU executor has no times"},
        {"\"barriers\": 2056", "\"us\": 3", "row v1: a record of the CPU executor has no times"},
        {"\"rows\": [", "\"rows\": [], \"old\": [", "rows is nothing"},
    };
    for (const auto& [from, to, complaint] : on_cpu) {
        const std::string text = from.empty() ? cpu_record : replaced(cpu_record, from, to);
        tally.judge("a record of the executor with " + to,
                    check_record("lectures/00_first/results/cpu_executor.json", text, "00_first"), complaint);
    }
}

void test_folder(Tally& tally, const fs::path& root) {
    const fs::path lecture = root / "lectures/00_first", results = lecture / "results";
    const struct {
        std::string name, complaint;
        std::function<void()> damage;
    } all[] = {
        {"a right folder", "", [] {}},
        {"a linked file", "",
         [&] { write(results / "more.txt", "1"), write(lecture / "README.md", "[a](results/more.txt)"); }},
        {"a file whose lines are shown", "",
         [&] {
             write(results / "more.txt", "1"),
                 write(lecture / "README.md", "<!-- output: results/more.txt 1-1 -->");
         }},
        {"a missing output", "h200.json: no h200.txt", [&] { fs::remove(results / "h200.txt"); }},
        {"an empty output", "h200.json: no h200.txt", [&] { write(results / "h200.txt", ""); }},
        {"an orphaned output", "h200.txt: stray", [&] { fs::remove(results / "h200.json"); }},
        {"a forgotten file", "h200.json.part: stray", [&] { write(results / "h200.json.part", "{"); }},
        {"a forgotten folder", "results/old: stray", [&] { fs::create_directories(results / "old"); }},
        {"a file whose longer name is linked", "more.txt: stray",
         [&] { write(results / "more.txt", "1"), write(lecture / "README.md", "[a](results/more.txt2)"); }},
        {"a wrong record", "h200.json, run: on NVIDIA T4: the file should be t4.json",
         [&] { write(results / "h200.json", replaced(gpu_record, "H200", "T4")); }},
        {"no record at all", "no record", [&] { fs::remove_all(results); }},
    };
    for (const auto& [name, complaint, damage] : all) {
        fs::remove_all(root);
        write(results / "h200.json", gpu_record);
        write(results / "h200.txt", "printed\n");
        write(results / "cpu_executor.json", cpu_record);
        write(results / "cpu_executor.txt", "printed\n");
        damage();
        tally.judge(name, check_results(root), complaint);
    }
}

void test_comparison(Tally& tally) {
    const std::string first = gpu_record;
    const auto counts = [&](const std::string& name, const Comparison& result, int agree, int noisy) {
        tally.judge(name, result.complaints, "");
        tally.report(name + ", counted",
                     result.agree == agree && result.noisy == noisy && result.invalid == 1,
                     std::to_string(result.agree) + " agree, " + std::to_string(result.noisy) + " noisy");
    };
    const Comparison same = compare_records(first, first);
    counts("the same run", same, 3, 0);
    tally.report("the same run is not marked", same.marked == first, same.marked);
    counts("4% apart, spread 5%", compare_records(first, replaced(first, "100.0", "104.0")), 3, 0);
    counts("1.9% apart, spread 1%", compare_records(first, replaced(first, "200.25", "204.1")), 3, 0);

    const Comparison apart = compare_records(first, replaced(first, "200.25", "205.0"));
    counts("2.3% apart, spread 1%", apart, 2, 1);
    const std::string wanted = replaced(first, "\"noisy\": false", "\"noisy\": true");
    tally.report("only the noisy row is marked", apart.marked == wanted, apart.marked);
    const std::string sweep = replaced(first, "12345.6", "1.0");
    tally.report("a row of another table is marked",
                 compare_records(first, sweep).marked.find("\"noisy\": true") > first.find("v2@16"),
                 "is not");
    counts("a row that was marked before", compare_records(wanted, first), 2, 1);
    const std::string bare = replaced(first, ", \"noisy\": false}", "}");
    tally.report(
        "a row without a mark gets one",
        compare_records(bare, replaced(first, "200.25", "205.0")).marked.find("true, \"noisy\": true}") !=
            std::string::npos,
        "has none");
    const struct {
        std::string from, to, complaint;
    } refused[] = {
        {"NVIDIA H200", "NVIDIA A100", "device differs: NVIDIA H200 and NVIDIA A100"},
        {"00_first", "01_second", "the topics differ"},
        {"\"options\": \"\"", "\"options\": \"--n 3\"", "options differs"},
        {"\"row\": \"v1\"", "\"row\": \"v0\"", "ladder:v1 is only in the first"},
        {"\"row\": \"v1\"", "\"row\": \"v0\"", "ladder:v0 is only in the second"},
        {"\"n\": 16", "\"n\": 32", "sizes:v2@16: n differs: 16 and 32"},
        {"\"run\"", "run", "not JSON"},
    };
    for (const auto& [from, to, complaint] : refused)
        tally.judge("a comparison with " + to, compare_records(first, replaced(first, from, to)).complaints,
                    complaint);
    tally.judge("a comparison of the executor", compare_records(cpu_record, cpu_record).complaints,
                "not a run on a GPU");
}

/// What lectures/results.md tells is what is checked: its example is right, and its table is the schema.
void test_page(Tally& tally, const fs::path& root) {
    const std::string page = read_text(root / "lectures/results.md");
    const std::string open = "```json\n";
    const std::size_t begin = page.find(open), end = page.find("```\n", begin + open.size());
    const std::string example =
        end == std::string::npos ? "" : page.substr(begin + open.size(), end - begin - open.size());
    tally.judge("the example of results.md", check_record("h200.json", example, "07_reduction"), "");
    std::set<std::string> told, checked;
    bool in_table = false;
    for (const std::string& line : lines_of(page)) {
        if (line.rfind("| where |", 0) == 0) in_table = true;
        if (line.empty()) in_table = false;
        if (in_table && line.rfind("| where", 0) != 0 && line.rfind("|--", 0) != 0) told.insert(line);
    }
    for (const SchemaField& field : schema())
        checked.insert("| " + field.where + " | `" + field.name + "` | " + field.type + " | " + field.needed +
                       " |");
    for (const std::string& line : checked)
        tally.report("results.md tells: " + line, told.count(line) == 1, "no such line");
    for (const std::string& line : told)
        tally.report("is checked: " + line, checked.count(line) == 1, "is not");
}

}  // namespace

}  // namespace course::test

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: course_results_test FOLDER ROOT\n";
        return 2;
    }
    course::test::Tally tally;
    try {
        course::test::test_json(tally);
        course::test::test_schema(tally);
        course::test::test_folder(tally, argv[1]);
        course::test::test_comparison(tally);
        course::test::test_page(tally, argv[2]);
    } catch (const std::exception& error) {
        std::cout << "stopped: " << error.what() << "\n";
        return 1;
    }
    return tally.finish();
}
