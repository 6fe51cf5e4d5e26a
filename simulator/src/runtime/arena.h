// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_ARENA_H_
#define SIMULATOR_RUNTIME_ARENA_H_

#include <cstddef>
#include <cstdint>

namespace simulator {

/// The simulated device's memory: one sparse range of pages that is mapped twice. The device
/// mapping, whose addresses programs get, has no access rights. Through the window the simulator
/// itself reads and writes the same memory.
///
/// If the host accesses the device mapping, a fault handler ends the program with a message; other
/// faults go to the previous handler.
class Arena {
 public:
  /// Mapped at the first call; ends the program if that fails.
  static Arena &Instance();

  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  size_t Size() const;
  bool Contains(const void *device) const;

  /// The device address `offset` bytes into the arena, and back.
  void *DeviceAddress(size_t offset) const;
  size_t Offset(const void *device) const;

  /// The simulator's own address of a device address.
  char *Window(const void *device) const;

 private:
  Arena();

  uintptr_t device_;
  char *window_;
};

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_ARENA_H_
