// Stores the observer of events. The observer is not set before the checks call observe().
#include "events.hpp"

#include <unistd.h>

#include <kit_cpu/executor.hpp>

namespace kit::cpu {
namespace {

struct Nobody final : Observer {};
Nobody nobody;

const pid_t loaded_by = getpid();

}  // namespace

Observer* observer_now = &nobody;
const Observer* const no_observer = &nobody;
bool runtime_used = false;

void observe(Observer& observer) {
    observer_now = &observer;
}

void run_unchecked() {
    if (getpid() != loaded_by && !runtime_used) observer_now = &nobody;
}

}  // namespace kit::cpu
