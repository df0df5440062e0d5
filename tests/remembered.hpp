// What the cases of a test learn for later ones. A child process that a mistake ends takes its variables along, but not these.
#pragma once

#include <sys/mman.h>

#include <new>
#include <type_traits>

namespace kit {

/// A value for all child processes of the grader, if it is a variable outside of functions. It begins as T{}.
template <class T>
class Remembered {
    static_assert(std::is_trivially_copyable_v<T>, "the processes share its bytes");

  public:
    Remembered() {
        void* const memory =
            mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        value_ = new (memory == MAP_FAILED ? static_cast<void*>(&own_) : memory) T{};
    }
    Remembered(const Remembered&) = delete;
    Remembered& operator=(const Remembered&) = delete;

    T& operator*() const { return *value_; }
    T* operator->() const { return value_; }

  private:
    T* value_;
    T own_{};  ///< where memory cannot be shared
};

}  // namespace kit
