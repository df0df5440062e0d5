// How many devices there are, which of them is current, and which may use the memory of a different one.
#pragma once

namespace kit::cpu {

constexpr int most_devices = 8;

/// As KIT_DEVICES says, or else assume_devices(): 1 if neither does.
int device_count();
bool is_device_number(int device);

/// Returns the device of the kernel that asks, or else the one that the host thread has chosen by cudaSetDevice.
int current_device();
void choose_device_of_thread(int device);
/// Host threads that have chosen a device, or said that they use one, and have not ended.
int threads_with_device();
void thread_uses_device();

/// Said when a kernel begins: one runs at a time.
void kernel_runs_on(int device);

/// Returns whether access can be enabled. See set_peer_possible().
bool peer_is_possible(int device, int owner);

/// Returns whether kernels of `device` may use memory of `owner`. Both may be the same device.
bool has_access(int device, int owner);
/// Returns whether this changed anything.
bool change_access(int device, int owner, bool allowed);
/// From now on, no other device may use the memory of this one, and its kernels may not use that of others.
void forget_access(int device);

}  // namespace kit::cpu
