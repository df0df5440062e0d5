// Decides which host thread has the turn, and which thread is next.
#include "turns.hpp"

namespace kit::cpu {
namespace {

thread_local int my_number = -1;

/// Time after which a thread loses its turn while it is outside the API. Such a thread may be waiting for
/// another thread through a mutex or flag of the host, which the executor does not see.
constexpr std::chrono::seconds patience{2};

}  // namespace

int Turns::number() {
    return my_number;
}

void Turns::join(unsigned number) {
    const std::lock_guard lock(mutex_);
    if (number >= states_.size()) states_.resize(number + 1, State::absent);
    states_[number] = State::ready;
    my_number = static_cast<int>(number);
    if (turn_ != no_thread) return;
    turn_ = my_number;
    inside_ = true;
}

void Turns::leave() {
    if (my_number < 0) return;
    const std::lock_guard lock(mutex_);
    states_[static_cast<std::size_t>(my_number)] = State::absent;
    if (turn_ == my_number) choose_after(my_number);
    my_number = -1;
}

void Turns::wait() {
    if (my_number < 0) return;
    std::unique_lock lock(mutex_);
    while (!may_go(my_number)) {
        changed_.wait_for(lock, std::chrono::milliseconds(500));
        if (!may_go(my_number) && !inside_ && Clock::now() - left_ > patience) turn_ = my_number;
    }
    only_looks_ = turn_ == no_thread;
    turn_ = my_number;
    states_[static_cast<std::size_t>(my_number)] = State::ready;
    inside_ = true;
}

bool Turns::is_mine() {
    if (my_number < 0) return true;
    const std::lock_guard lock(mutex_);
    return may_go(my_number);
}

void Turns::outside() {
    if (my_number < 0) return;
    const std::lock_guard lock(mutex_);
    if (turn_ != my_number) return;
    inside_ = false;
    left_ = Clock::now();
}

void Turns::pass_on(bool sleeps) {
    if (my_number < 0) return;
    const std::lock_guard lock(mutex_);
    states_[static_cast<std::size_t>(my_number)] = sleeps ? State::asleep : State::ready;
    if (turn_ == my_number) choose_after(sleeps && only_looks_ ? last_ : my_number);
}

void Turns::wake_all() {
    const std::lock_guard lock(mutex_);
    for (State& state : states_)
        if (state == State::asleep) state = State::ready;
    if (turn_ == no_thread) choose_after(last_);
}

void Turns::begin_with_first() {
    wake_all();
    const std::lock_guard lock(mutex_);
    choose_after(no_thread);
}

void Turns::choose_after(int number) {
    last_ = number;
    turn_ = no_thread;
    only_looks_ = false;
    inside_ = false;
    left_ = Clock::now();
    const int size = static_cast<int>(states_.size());
    for (int step = 1; step <= size && turn_ == no_thread; ++step) {
        const int next = (number + step) % size;
        if (states_[static_cast<std::size_t>(next)] == State::ready) turn_ = next;
    }
    changed_.notify_all();
}

Turns& turns() {
    static auto* all = new Turns;  // never destroyed, because threads may run after main has returned
    return *all;
}

}  // namespace kit::cpu
