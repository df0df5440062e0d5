// Numbers instructions and calls in the order in which they first access memory.
#include "sites.hpp"

#include "source/source_lines.hpp"

namespace kit::cpu {

std::uint32_t Sites::add(const Site& site) {
    if (sites_.size() == most_sites) return 0;
    sites_.push_back(site);
    return static_cast<std::uint32_t>(sites_.size() - 1);
}

std::uint32_t Sites::find(const void* instruction) {
    Slot& slot = recent_[reinterpret_cast<std::uintptr_t>(instruction) % slots];
    auto [found, is_new] = numbers_.emplace(instruction, 0);
    if (is_new) found->second = add({instruction, {}, false});
    slot = {instruction, found->second};
    return found->second;
}

std::uint32_t Sites::number(Place call) {
    if (call.line == Place::of_instruction) return number(call.instruction);
    auto [found, is_new] = calls_.emplace(std::pair{std::string(call.file), call.line}, 0);
    if (is_new) found->second = add({nullptr, call, true});
    return found->second;
}

Place Sites::place(std::uint32_t number) {
    Site& site = sites_[number];
    if (site.known) return site.place;
    if (site.instruction && !is_known(site.instruction)) {
        // A report names several places, so their source lines are looked up together.
        std::vector<const void*> unknown;
        for (const Site& other : sites_)
            if (other.instruction && !other.known) unknown.push_back(other.instruction);
        look_up_lines(unknown);
    }
    if (site.instruction) site.place = source_line(site.instruction);
    site.known = true;
    return site.place;
}

}  // namespace kit::cpu
