// SPDX-License-Identifier: Apache-2.0
/// How much memory the process and its device use, and whether that grows from call to call.
#ifndef ACLNN_CTS_MEMORY_USE_H_
#define ACLNN_CTS_MEMORY_USE_H_

#include <array>
#include <cstdint>

namespace aclnn_cts {

/// Kinds of memory that calls may fail to give back.
enum class MemoryKind { kDevice, kHost };

/// Follows the memory in use over blocks of equal numbers of calls.
///
/// Pools and caches grow, too, but not with each block and not beyond a bound. So growth counts
/// from the first look on, and only while every look found more than the one before.
class MemoryUse {
 public:
  /// Notes how much is in use now, after another block of calls.
  void Look();

  /// Whether memory of some kind was found to grow each time, over at least three blocks.
  bool Grows() const;
  /// Whether it did so beyond what a bounded pool of a driver holds.
  bool GrowsBeyondPools() const;
  /// By how many bytes that kind of memory has grown with every look; 0 if it did not.
  int64_t GrownBytes(MemoryKind kind) const;

 private:
  struct Series {
    int64_t first = -1;  ///< bytes in use at the first look, -1 if unknown
    int64_t last = -1;
    bool steady = true;

    void Add(int64_t bytes, bool isFirst);
  };

  int64_t looks_ = 0;
  std::array<Series, 3> series_;  // memory of the device; allocated, resident memory of the host
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_MEMORY_USE_H_
