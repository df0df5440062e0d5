// Who watches: nobody until somebody asks for it.
#include "events.hpp"

#include <kit_cpu/executor.hpp>

namespace kit::cpu {
namespace {

struct Nobody final : Observer {};
Nobody nobody;

}  // namespace

Observer* observer_now = &nobody;
const Observer* const no_observer = &nobody;

void observe(Observer& observer) {
    observer_now = &observer;
}

void run_unchecked() {
    observer_now = &nobody;
}

}  // namespace kit::cpu
