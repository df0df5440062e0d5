// The number of devices, the current device, and which devices can access each other's memory.
#pragma once

namespace kit::cpu {

constexpr int most_devices = 8;

/// Returns the number of devices: from KIT_DEVICES, otherwise from assume_devices(), otherwise 1.
int device_count();
bool is_device_number(int device);

/// Returns the device of the running kernel; in host code, the device that the thread has chosen with
/// cudaSetDevice.
int current_device();
void choose_device_of_thread(int device);
/// Returns the number of running host threads that have selected a device, or reported that they use one.
int threads_with_device();
void thread_uses_device();

/// Called when a kernel starts. Only one kernel runs at a time.
void kernel_runs_on(int device);

/// Returns whether peer access between these devices can be enabled (set_peer_possible).
bool peer_is_possible(int device, int owner);

/// Returns whether kernels on `device` may use memory of `owner`. A device can always use its own memory.
bool has_access(int device, int owner);
/// Enables or disables access by kernels on `device` to memory of `owner`. Returns whether this changed
/// anything.
bool change_access(int device, int owner, bool allowed);
/// Disables the access of other devices to this device's memory, and of this device to theirs.
void forget_access(int device);

}  // namespace kit::cpu
