// The number of devices, the current one, and which devices can access the memory of others.
#pragma once

namespace kit::cpu {

constexpr int most_devices = 8;

/// Returns KIT_DEVICES, or else the number of assume_devices(); 1 without either.
int device_count();
bool is_device_number(int device);

/// Returns the device of the kernel that asks, or else the one that the host thread has chosen by cudaSetDevice.
int current_device();
void choose_device_of_thread(int device);
/// Returns the number of host threads that have selected a device, or reported that they use one, and that have not ended.
int threads_with_device();
void thread_uses_device();

/// Called when a kernel starts. Only one kernel runs at a time.
void kernel_runs_on(int device);

/// Returns whether access can be enabled. See set_peer_possible().
bool peer_is_possible(int device, int owner);

/// Returns whether kernels of `device` may use memory of `owner`. Both may be the same device.
bool has_access(int device, int owner);
/// Returns whether this changed anything.
bool change_access(int device, int owner, bool allowed);
/// Ends the access of other devices to the memory of this one, and of its kernels to the memory of others.
void forget_access(int device);

}  // namespace kit::cpu
