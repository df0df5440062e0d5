// Writes the record of a run as JSON: the machine, its limits, and every row of every table; and the output
// as text in a second file.
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "../kit.cuh"
#include "../roofs.hpp"
#include "state.hpp"

namespace kit::demo {
namespace {

/// Returns the first line that a command prints; empty if the command cannot run.
std::string first_line_of(const std::string& command) {
    std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) return "";
    char buffer[256] = "";
    if (std::fgets(buffer, sizeof buffer, pipe) == nullptr) buffer[0] = 0;
    pclose(pipe);
    std::string line = buffer;
    line.erase(line.find_last_not_of(" \n") + 1);
    return line;
}

std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += c;
    }
    return all + "\"";
}

bool is_folder(const std::string& path) {
    struct stat facts;
    return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

void write_or_exit(const std::string& file, const std::string& text) {
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (out == nullptr || std::fwrite(text.data(), 1, text.size(), out) != text.size() ||
        std::fclose(out) != 0) {
        std::fprintf(stderr, "cannot write %s\n", file.c_str());
        std::exit(EXIT_FAILURE);
    }
}

}  // namespace

Machine find_machine() {
    Machine machine;
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    int runtime = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    machine.device = device.name;
    machine.multiprocessors = device.multiProcessorCount;
    machine.cuda = format("%d.%d", runtime / 1000, runtime % 1000 / 10);
#ifdef KIT_CPU
    machine.backend = "cpu";
    machine.title = "CPU executor, with the limits of " + machine.device;
#else
    machine.backend = "gpu";
    machine.title = machine.device + ", " + std::to_string(machine.multiprocessors) +
                    " multiprocessors, CUDA " + machine.cuda;
#endif
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    machine.date = date;
    return machine;
}

void ask_driver(Machine& machine) {
#ifndef KIT_CPU
    char bus[32] = "";
    CUDA_CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    const std::string said = first_line_of(std::string("nvidia-smi --format=csv,noheader,nounits --id=") +
                                           bus + " --query-gpu=driver_version,clocks.sm,clocks.mem");
    char driver[64] = "unknown";
    std::sscanf(said.c_str(), "%63[^,], %d, %d", driver, &machine.sm_clock_mhz, &machine.memory_clock_mhz);
    machine.driver = driver;
#else
    (void)machine;
#endif
}

std::string file_name_of(const Machine& machine) {
    if (machine.backend == "cpu") return "cpu_executor";
    std::string name = machine.device;
    if (name.rfind("NVIDIA ", 0) == 0) name.erase(0, 7);
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
    return name;
}

std::string json_row(const std::string& id, const std::vector<Field>& fields) {
    std::string text = "{\"row\": " + quoted(id);
    for (const auto& [name, value] : fields)
        text += ", \"" + name + "\": " + (value.is_number ? value.text : quoted(value.text));
    return text + "}";
}

Record& Demo::State::open(const std::string& table, const std::string& title, const char* kind) {
    out.say("");
    out.say(title);
    tables.push_back({table, title, kind, {}});
    return tables.back();
}

/// Writes FILE.part while the demo runs, so that the measurements of an interrupted run are kept.
void Demo::State::write_record(bool done) {
    if (options.json.empty()) return;
    std::string file = options.json;
    if (is_folder(file)) file += (file.back() == '/' ? "" : "/") + file_name_of(machine) + ".json";
    std::string text = "{\n  \"schema\": 1,\n  \"topic\": " + quoted(about.topic) +
                       ",\n  \"run\": {\"backend\": \"" + machine.backend +
                       "\", \"device\": " + quoted(machine.device) +
                       ", \"multiprocessors\": " + std::to_string(machine.multiprocessors);
#ifndef KIT_CPU
    if (done) {
        const Roofs& r = roofs();
        if (machine.driver.empty()) ask_driver(machine);
        text += ", \"driver\": " + quoted(machine.driver) + ", \"cuda\": " + quoted(machine.cuda) +
                format(", \"sm_clock_mhz\": %d, \"memory_clock_mhz\": %d", machine.sm_clock_mhz,
                       machine.memory_clock_mhz);
        text += ",\n          \"date\": " + quoted(machine.date) + ", \"commit\": " + quoted(machine.commit) +
                ", \"options\": " + quoted(options.joined) + "},\n";
        text += format(
            "  \"roofs\": {\"copy_gb_per_s\": %.1f, \"shared_gb_per_s\": %.0f, \"fp32_tflop_per_s\": %.2f, "
            "\"launch_us\": %.3f, \"launch_and_wait_us\": %.3f, \"graph_node_us\": %.3f},\n",
            r.copy_gb_per_s, r.shared_gb_per_s, r.fp32_tflop_per_s, r.launch_us, r.launch_and_wait_us,
            r.graph_node_us);
    } else {
        text += "},\n";
    }
#else
    text += ",\n          \"date\": " + quoted(machine.date) + ", \"commit\": " + quoted(machine.commit) +
            ", \"options\": " + quoted(options.joined) + "},\n";
#endif
    text += "  \"tables\": [";
    const char* next_table = "\n";
    for (const Record& record : tables) {
        text += next_table +
                format("    {\"table\": \"%s\", \"kind\": \"%s\",\n     \"title\": ", record.table.c_str(),
                       record.kind.c_str()) +
                quoted(record.title) + ",\n     \"rows\": [";
        const char* next_row = "\n";
        for (const std::string& row : record.rows) {
            text += next_row + ("      " + row);
            next_row = ",\n";
        }
        text += "\n     ]}";
        next_table = ",\n";
    }
    text += "\n  ]\n}\n";
    write_or_exit(file + ".part", text);
    if (!done) return;
    const std::size_t dot = file.rfind(".json");
    write_or_exit((dot == std::string::npos ? file : file.substr(0, dot)) + ".txt", out.plain());
    if (std::rename((file + ".part").c_str(), file.c_str()) != 0) {
        std::fprintf(stderr, "cannot write %s\n", file.c_str());
        std::exit(EXIT_FAILURE);
    }
    print(stdout, "\nwritten: " + file);
}

Demo::Demo(About about, int argc, char** argv) : state_(std::make_unique<State>()) {
    wrap_errors();
    state_->options = read_options(about, argc, argv);
    if (state_->options.input.empty() && !about.inputs.empty()) state_->options.input = about.inputs[0];
    state_->about = std::move(about);
    state_->machine = find_machine();
    const char* commit = std::getenv("KIT_COMMIT");  // for machines without git
    state_->machine.commit = commit != nullptr ? commit : first_line_of("git rev-parse --short HEAD");
    state_->out.say(state_->about.topic + ": " + state_->about.shows);
    state_->out.say(state_->machine.title);
    state_->write_record(false);  // tests at the start whether the file can be written
}

Demo::~Demo() = default;

long long Demo::n() const {
    return state_->options.n;
}
bool Demo::given_n() const {
    return state_->options.n_given;
}
const std::string& Demo::input() const {
    return state_->options.input;
}
int Demo::repetitions(int usual) const {
    return state_->options.repeat > 0 ? state_->options.repeat : usual;
}

bool Demo::part(const std::string& name) const {
    return state_->options.parts.empty() || contains(state_->options.parts, name);
}

bool Demo::wants(const std::string& id) const {
    if (!contains(state_->seen, id)) state_->seen.push_back(id);
    return state_->options.versions.empty() || contains(state_->options.versions, id);
}

int Demo::finish() {
    for (const std::string& id : state_->options.versions) {
        if (contains(state_->seen, id)) continue;
        std::string known;
        for (const std::string& one : state_->seen) known += (known.empty() ? "" : ", ") + one;
        std::fprintf(stderr, "--versions %s: unknown; choose from %s\n", id.c_str(), known.c_str());
        return 2;
    }
    state_->write_record(true);
    return state_->wrong ? 1 : 0;
}

}  // namespace kit::demo
