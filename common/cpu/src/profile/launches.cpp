#include "launches.hpp"

#include <json.hpp>

namespace kit::cpu {

const char* name_of(RequestKind kind) {
    constexpr const char* names[request_kinds] = {"load", "store", "shared_load", "shared_store", "atomic"};
    return names[static_cast<std::size_t>(kind)];
}

std::string launches_as_json(const std::vector<KernelProfile>& launches) {
    Json json;
    const auto size = [&](const char* name, dim3 of) {
        json.key(name).open('[').value(of.x).value(of.y).value(of.z).close(']');
    };
    json.open('[');
    for (const KernelProfile& launch : launches) {
        json.open('{').member("kernel", launch.kernel);
        size("grid", launch.grid);
        size("block", launch.block);
        json.member("child", launch.is_child).key("lines").open('[');
        for (const LineCounts& line : launch.lines) {
            json.open('{').member("file", line.place.file).member("line", line.place.line);
            json.member("products", line.products).member("multiplications", line.multiplications);
            json.member("barriers", line.barriers).key("requests").open('[');
            for (std::size_t kind = 0; kind < request_kinds; ++kind) {
                const RequestCounts& of = line.requests[kind];
                if (!of.requests) continue;
                json.open('{').member("kind", name_of(static_cast<RequestKind>(kind)));
                json.member("requests", of.requests).member("lanes", of.lanes);
                json.member("units", of.units).member("ideal", of.ideal);
                json.member("used", of.used).close('}');
            }
            json.close(']').close('}');
        }
        json.close(']').close('}');
    }
    return json.close(']').text() + "\n";
}

}  // namespace kit::cpu
