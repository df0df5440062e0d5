// Tests of records: their schema, the rules about their folders, the comparison of two runs, and references,
// each with examples that must be rejected.
#include "records.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "folder.hpp"
#include "records_sample.hpp"

namespace records_test {

using namespace course;
using namespace course_test;

namespace {

const std::string page = read_text(fs::path(KIT_ROOT) / "lectures/results.md");
const Schema schema = schema_of(page);

/// Checks the unchanged record, and the record with each of the changes.
void try_all(const std::string& name, const std::string& record, const std::vector<Case>& cases) {
    const std::string file = "lectures/00_first/results/" + name;
    judge("as it is", check_record(schema, file, record, "00_first"), "");
    for (const Case& one : cases)
        judge(one.to, check_record(schema, file, with(record, one.from, one.to), "00_first"), one.complaint);
}

}  // namespace

TEST_CASE("the schema of a record") {
    const std::vector<Case> cases = {
        {"\"schema\": 1,", "",
         "lectures/00_first/results/h200.json:1: is not a record, because it has no \"schema\": 1"},
        {"\"schema\": 1", "\"schema\": \"1\"", "schema is \"1\""},
        {"\"schema\": 1", "\"schema\": 2", "schema is 2"},
        {"\"tables\"", "tables", "h200.json:6: not JSON"},
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
        {"\"us\": 100.0", "\"us\": \"100.0\"", "h200.json:9: table ladder, row v2: us is \"100.0\""},
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
        {", \"reason\": \"the output is wrong\"", "", "row v3: is not valid, but has no reason"},
        {"\"of_bound\": 0.8", "\"of_bound\": 1.31", "of_bound is 1.31"},
        {"\"of_bound\": 0.8", "\"of_bound\": 80", "of_bound is 80"},
        {"\"bound\": \"copy\", ", "", "has of_bound, but no bound"},
        {"\"n\": 16", "\"n\": 1.6", "n is 1.6"},
        {"\"count\": 7", "\"Count\": 7", "field \"Count\""},
        {"\"count\": 7", "\"count\": [7]", "count is neither"},
        {"\"count\": 7", "\"us\": 0", "row a.b+c-d: us is 0"},
    };
    try_all("h200.json", gpu_record, cases);
}

TEST_CASE("the schema of a record of the executor") {
    const std::vector<Case> cases = {
        {"\"cpu\"", "\"gpu\"", "should be h200.json"},
        {"\"date\"", "\"driver\": \"580.1\", \"date\"", "has driver, which only a GPU has"},
        {"\"tables\"", "\"roofs\": {}, \"tables\"", "has roofs, which only a GPU has"},
        {"\"kind\": \"counts\"", "\"kind\": \"ladder\"", "the CPU executor has no times"},
        {"\"barriers\": 2056", "\"us\": 3", "row v1: a record of the CPU executor has no times"},
        {"\"rows\": [", "\"rows\": [], \"old\": [", "rows is nothing"},
    };
    try_all("cpu_executor.json", cpu_record, cases);
}

TEST_CASE("a folder of records") {
    const struct {
        std::string complaint;
        std::function<void(const fs::path&)> damage;
    } cases[] = {
        {"", [](const fs::path&) {}},
        {"",
         [](const fs::path& lecture) {
             write_text(lecture / "results/more.txt", "1");
             write_text(lecture / "README.md", "[a](results/more.txt)");
         }},
        {"",
         [](const fs::path& lecture) {
             write_text(lecture / "results/more.txt", "1");
             write_text(lecture / "README.md", "<!-- output: results/more.txt 1-1 -->");
         }},
        {"",
         [](const fs::path& lecture) {
             write_text(lecture / "results/more.txt", "1");
             write_text(lecture / "appendix.md", "[a](results/more.txt)");
         }},
        {"", [](const fs::path& lecture) { write_text(lecture / "results/tables.md", "## claims"); }},
        {"", [](const fs::path& lecture) { fs::remove(lecture / "results/cpu_executor.txt"); }},
        {"h200.json: no h200.txt", [](const fs::path& lecture) { fs::remove(lecture / "results/h200.txt"); }},
        {"h200.json: no h200.txt",
         [](const fs::path& lecture) { write_text(lecture / "results/h200.txt", ""); }},
        {"names a file of the machine",
         [](const fs::path& lecture) {
             write_text(lecture / "results/h200.txt", "us\n1.5\n\nwritten: /home/ada/h200.json\n");
         }},
        {"",
         [](const fs::path& lecture) {
             write_text(lecture / "results/t4.json", with(gpu_record, "H200", "T4"));
         }},
        {"t4.json: no t4.txt",
         [](const fs::path& lecture) {
             write_text(lecture / "results/t4.json", with(gpu_record, "H200", "T4"));
             for (const char* file : {"results/h200.json", "results/h200.txt"}) fs::remove(lecture / file);
         }},
        {"h200.txt: stray", [](const fs::path& lecture) { fs::remove(lecture / "results/h200.json"); }},
        {"h200.json.part: stray",
         [](const fs::path& lecture) { write_text(lecture / "results/h200.json.part", "{"); }},
        {"results/old: stray",
         [](const fs::path& lecture) { fs::create_directories(lecture / "results/old"); }},
        {"more.txt: stray",
         [](const fs::path& lecture) {
             write_text(lecture / "results/more.txt", "1");
             write_text(lecture / "README.md", "[a](results/more.txt2)");
         }},
        {"h200.json:3: run: on NVIDIA T4: the file should be t4.json",
         [](const fs::path& lecture) {
             write_text(lecture / "results/h200.json", with(gpu_record, "H200", "T4"));
         }},
        {"no record", [](const fs::path& lecture) { fs::remove_all(lecture / "results"); }},
    };
    for (const auto& [complaint, damage] : cases) {
        const Folder root;
        const fs::path lecture = root.path / "lectures/00_first";
        root.write("lectures/results.md", page);
        write_text(lecture / "results/h200.json", gpu_record);
        write_text(lecture / "results/h200.txt", "printed\n");
        write_text(lecture / "results/cpu_executor.json", cpu_record);
        write_text(lecture / "results/cpu_executor.txt", "printed\n");
        damage(lecture);
        judge(complaint, check_records(root.path), complaint);
    }
}

TEST_CASE("two runs that agree, and two that do not") {
    const auto counts = [](const Comparison& result, int agree, int noisy) {
        judge("compared", result.complaints, "");
        CHECK(result.agree == agree);
        CHECK(result.noisy == noisy);
        CHECK(result.invalid == 1);
    };
    const std::string& first = gpu_record;
    counts(compare_records(first, first), 3, 0);
    CHECK(compare_records(first, first).marked == first);
    // The difference is 4%, and the spread is 5%.
    counts(compare_records(first, with(first, "100.0", "104.0")), 3, 0);
    counts(compare_records(first, with(first, "200.25", "204.1")), 3,
           0);  // the difference is 1.9% and the spread is 1%, but 2% is always allowed

    const Comparison apart = compare_records(first, with(first, "200.25", "205.0"));
    counts(apart, 2, 1);
    const std::string marked = with(first, "\"noisy\": false", "\"noisy\": true");
    CHECK(apart.marked == marked);
    counts(compare_records(marked, first), 2, 1);
    const std::string other_table = compare_records(first, with(first, "12345.6", "1.0")).marked;
    CHECK(other_table.find("\"noisy\": true") > first.find("v2@16"));
    const std::string bare = with(first, ", \"noisy\": false}", "}");
    CHECK(contains(compare_records(bare, with(first, "200.25", "205.0")).marked, "true, \"noisy\": true}"));
}

TEST_CASE("two runs that cannot be compared") {
    const std::vector<Case> cases = {
        {"NVIDIA H200", "NVIDIA A100", "device differs: NVIDIA H200 and NVIDIA A100"},
        {"00_first", "01_second", "topic differs: 00_first and 01_second"},
        {"\"options\": \"\"", "\"options\": \"--n 3\"", "options differs"},
        {"\"row\": \"v1\"", "\"row\": \"v0\"", "ladder:v1 is only in the first"},
        {"\"row\": \"v1\"", "\"row\": \"v0\"", "ladder:v0 is only in the second"},
        {"\"n\": 16", "\"n\": 32", "sizes:v2@16: n differs: 16 and 32"},
        {"\"run\"", "run", "the second:3: not JSON"},
    };
    for (const Case& one : cases)
        judge(one.to, compare_records(gpu_record, with(gpu_record, one.from, one.to)).complaints,
              one.complaint);
    judge("the executor", compare_records(cpu_record, cpu_record).complaints, "not a run on a GPU");
    std::string two_in_a_line =
        with(gpu_record, "\"noisy\": false},\n      {\"row\": \"v2\"", "\"x\": \"}\"}, {\"row\": \"v2\"");
    judge("a row with a brace",
          compare_records(two_in_a_line, with(gpu_record, "200.25", "205.0")).complaints,
          "the marked record:8: not JSON");
}

TEST_CASE("numbers by reference") {
    const Folder folder;
    folder.write("results/h200.json", gpu_record);
    folder.write("results/cpu_executor.json", cpu_record);
    folder.write("results/t4.json", with(with(gpu_record, "NVIDIA H200", "Tesla T4"), "100.0", "900.0"));
    folder.write("results/a1.json", "{\"rows\": [1]}");
    Records records(folder.path / "results");
    CHECK(records.value("ladder:v2:us") == 100);
    CHECK(records.value("ladder:v2:us", "t4") == 900);
    CHECK(records.value("t4.ladder:v2:us") == 900);
    CHECK(records.value("cpu.counts:v1:barriers") == 2056);
    CHECK(records.value("roofs:copy_gb_per_s") == 4131.3);
    CHECK(records.value("other:a.b+c-d:tiny") == 0.0000213);
    CHECK(records.shown_gpu() == "h200");
    CHECK(records.shown_name("h200") == "H200");
    CHECK(records.shown_name("t4") == "Tesla T4");

    const std::pair<const char*, const char*> wrong[] = {
        {"letter:v2:us", "the record of h200 has no letter"},
        {"ladder:v9:us", "the record of h200 has no ladder:v9"},
        {"ladder:v2:ms", "the record of h200 has no ladder:v2:ms"},
        {"roofs:copy", "has no roofs:copy"},
        {"ladder:v2:version", "ladder:v2:version is not a number"},
        {"other:a.b+c-d:none", "is not a number"},
        {"ladder:v3:us", "the row is not valid on h200"},
        {"ladder:v2", "a reference is table:row:field"},
        {"p100.ladder:v2:us", "results/p100.json does not exist"},
        {"a1.ladder:v2:us", "results/a1.json is not a record of schema 1"},
    };
    for (const auto& [reference, complaint] : wrong) {
        CAPTURE(reference);
        CHECK(contains(error_of([&, reference = reference] { records.value(reference); }), complaint));
    }
}

TEST_CASE("the schema is the table of the page for authors, whose example is right") {
    CHECK(schema.size() == 39);
    CHECK(schema[0].name == "schema");
    CHECK(schema[38].type == "above 0, at most 1.3");
    CHECK(schema[38].needed == "may");
    const std::size_t begin = page.find("```json\n") + 8;
    const std::string example = page.substr(begin, page.find("```\n", begin) - begin);
    judge("the example", check_record(schema, "h200.json", example, "07_reduction"), "");
    CHECK(contains(error_of([] { schema_of(with(page, "| where |", "| place |")); }),
                   "the table of the schema is missing"));
    const std::string unknown = with(page, "| above 0 |", "| more than 0 |");
    judge("unknown", check_record(schema_of(unknown), "h200.json", example, "07_reduction"),
          "has no type \"more than 0\"");
}

}  // namespace records_test
