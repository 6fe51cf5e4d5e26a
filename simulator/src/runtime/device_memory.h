// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_DEVICE_MEMORY_H_
#define SIMULATOR_RUNTIME_DEVICE_MEMORY_H_

#include <cstddef>

#pragma GCC visibility push(default)
namespace simulator {

/// Device memory holds this byte after it was allocated.
constexpr unsigned char kFreshDeviceByte = 0xDE;

/// Whether the address belongs to the device, allocated or not.
bool IsDeviceAddress(const void *address);

/// Ends the program unless `bytes` bytes at `device` lie inside one live piece of device memory.
/// `user` says in the sentence what refers to them, such as `aclrtMemcpy: source`. The room that
/// aclrtMalloc adds behind the asked-for size belongs to the piece.
void RequireDeviceBytes(const void *device, size_t bytes, const char *user);

/// RequireDeviceBytes, and returns where the simulator itself can read and write them.
char *DeviceWindow(const void *device, size_t bytes, const char *user);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_DEVICE_MEMORY_H_
