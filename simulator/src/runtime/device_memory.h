// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_DEVICE_MEMORY_H_
#define SIMULATOR_RUNTIME_DEVICE_MEMORY_H_

#include <cstddef>

#pragma GCC visibility push(default)
namespace simulator {

/// Initial content of device memory.
constexpr unsigned char kFreshDeviceByte = 0xDE;

/// Whether the address belongs to the device, allocated or not.
bool IsDeviceAddress(const void *address);

/// Ends the program unless `bytes` bytes at `device` lie inside one live allocation of device
/// memory. `user` names in the message what refers to them, such as `aclrtMemcpy: source`. The
/// slack after the requested size belongs to the allocation.
void RequireDeviceBytes(const void *device, size_t bytes, const char *user);

/// As RequireDeviceBytes; returns the simulator's own address.
char *DeviceWindow(const void *device, size_t bytes, const char *user);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_DEVICE_MEMORY_H_
