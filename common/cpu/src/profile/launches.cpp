#include "launches.hpp"

#include "json.hpp"

namespace kit::cpu {

const char* name_of(RequestKind kind) {
    constexpr const char* names[request_kinds] = {"load", "store", "shared_load", "shared_store", "atomic"};
    return names[static_cast<std::size_t>(kind)];
}

std::string launches_as_json(const std::vector<KernelProfile>& launches) {
    Json json;
    const auto size = [&](const char* name, dim3 of) {
        json.key(name).open('[').number(of.x).number(of.y).number(of.z).close(']');
    };
    json.open('[');
    for (const KernelProfile& launch : launches) {
        json.open('{').key("kernel").string(launch.kernel);
        size("grid", launch.grid);
        size("block", launch.block);
        json.key("child").number(launch.is_child).key("lines").open('[');
        for (const LineCounts& line : launch.lines) {
            json.open('{').key("file").string(line.place.file).key("line").number(line.place.line);
            json.key("barriers").count(line.barriers).key("requests").open('[');
            for (std::size_t kind = 0; kind < request_kinds; ++kind) {
                const RequestCounts& of = line.requests[kind];
                if (!of.requests) continue;
                json.open('{').key("kind").string(name_of(static_cast<RequestKind>(kind)));
                json.key("requests").count(of.requests).key("lanes").count(of.lanes);
                json.key("units").count(of.units).key("ideal").count(of.ideal);
                json.key("used").count(of.used).close('}');
            }
            json.close(']').close('}');
        }
        json.close(']').close('}');
    }
    return json.close(']').text() + "\n";
}

}  // namespace kit::cpu
