#include "exchange.hpp"

#include <algorithm>
#include <cstring>

#include "events.hpp"

namespace kit::cpu {
namespace {

/// A function by which lanes vote: how the name of the call begins. Each lane passes an int. `negated`: it passes the opposite of its vote.
struct VotingFunction {
    const char* name;
    bool negated = false;
};
constexpr VotingFunction voting_functions[] = {{"__ballot_sync()"}, {"__any_sync()"}, {"__all_sync()", true},
                                               {"ballot()"},        {"any()"},        {"all()"}};

}  // namespace

ShuffleSources no_sources() {
    ShuffleSources none;
    none.fill(-1);
    return none;
}

Exchange exchange_of(const BarrierStep& step, const ShuffleSources& sources) {
    Exchange exchange;
    if (!step.what) return exchange;
    exchange.kind = Exchange::Kind::other;
    exchange.what = step.what;
    const auto lane = [](std::uint32_t lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); };
    if (sources[lane(step.lanes)] >= 0) {
        exchange.kind = Exchange::Kind::shuffle;
        exchange.sources = sources;
        return exchange;
    }
    const auto function = std::find_if(
        std::begin(voting_functions), std::end(voting_functions), [&](const VotingFunction& one) {
            return std::strncmp(one.name, step.what, std::strlen(one.name)) == 0;
        });
    if (function == std::end(voting_functions)) return exchange;
    exchange.kind = Exchange::Kind::vote;
    for (std::uint32_t rest = step.lanes; rest; rest &= rest - 1) {
        const bool passed = *static_cast<const int*>(step.passed[lane(rest)]) != 0;
        if (passed != function->negated) exchange.yes |= 1u << lane(rest);
    }
    return exchange;
}

}  // namespace kit::cpu
