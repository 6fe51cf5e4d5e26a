// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_ARENA_H_
#define SIMULATOR_RUNTIME_ARENA_H_

#include <cstddef>
#include <cstdint>

namespace simulator {

/// The simulated device's memory: one sparse range of pages that is mapped twice. The device
/// mapping has no access rights; its addresses are what programs get. The window is the same
/// memory as the simulator itself reads and writes it.
///
/// When the host touches the device mapping, a fault handler ends the program with a sentence;
/// faults elsewhere go on to the handler that was there before.
class Arena {
 public:
  /// Mapped at the first call; ends the program when that fails.
  static Arena &Instance();

  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  size_t Size() const;
  bool Contains(const void *device) const;

  /// The device address `offset` bytes into the arena, and back.
  void *DeviceAddress(size_t offset) const;
  size_t Offset(const void *device) const;

  /// Where the simulator itself finds the memory of a device address.
  char *Window(const void *device) const;

 private:
  Arena();

  uintptr_t device_;
  char *window_;
};

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_ARENA_H_
