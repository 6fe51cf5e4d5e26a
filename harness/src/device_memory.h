// SPDX-License-Identifier: Apache-2.0
/// Device memory with guard zones on both sides.
#ifndef ACLNN_CTS_DEVICE_MEMORY_H_
#define ACLNN_CTS_DEVICE_MEMORY_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn_cts/case.h"
#include "host_bytes.h"

namespace aclnn_cts {

constexpr uint8_t kGuardByte = 0xC3;
constexpr uint8_t kSlackByte = 0x3C;

/// What memory holds before a call where no data stand. Outputs, workspace and gaps of inputs hold
/// different bytes, so that an element that shows some of them tells where it was read, or that
/// nobody wrote it.
enum class Content {
  kFirstPoison,  ///< large numbers
  kLaterPoison,  ///< NaNs, which show even where they are multiplied by 0
  kZeros,
};

/// The bytes of one element; as many of them count as an element has.
using Pattern = std::array<uint8_t, 16>;

/// What each element of a tensor holds that no data set. The later poison of a floating output is a
/// signaling NaN: arithmetic makes other bytes of it, so whoever still finds it there knows that
/// the element was not written.
Pattern PatternOf(const TensorFacts &facts, Content content);

/// What each byte of a workspace holds.
constexpr uint8_t WorkspaceByteOf(Content content) {
  return content == Content::kFirstPoison ? 0x6D : 0xFF;
}

/// Where the zones of one allocation lie: guard, payload, slack, guard. All counts are bytes.
///
/// The payload gets the room that the product's aclrtMalloc would leave it: a size rounded up to
/// 32, and the product's own slack. Writing into that room beyond the payload is bad style; writing
/// beyond the room is a fault.
struct Zones {
  Zones(int64_t bytes, const Margins &margins)
      : guard(margins.guard),
        payload(bytes),
        room((bytes + 31) / 32 * 32 + margins.slack),
        total(room + 2 * guard) {}

  int64_t guard;  ///< of one of the two
  int64_t payload;
  int64_t room;   ///< payload and slack
  int64_t total;  ///< room and both guards
};

/// An allocation of aclrtMalloc.
class DeviceMemory {
 public:
  /// Throws RuntimeError when the runtime refuses, or gives memory that does not start at a
  /// multiple of 64.
  explicit DeviceMemory(int64_t bytes);
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// The device address that many bytes after the start.
  uint8_t *At(int64_t position) const { return start_ + position; }
  /// Copies from the host; throws RuntimeError.
  void Upload(const HostBytes &bytes);
  /// Copies what other memory of this size holds, in the order of the stream; throws RuntimeError.
  void CopyFrom(const DeviceMemory &other, aclrtStream stream);
  /// Copies `bytes` from that position to the host; throws RuntimeError.
  void Download(int64_t position, uint8_t *to, int64_t bytes) const;
  /// Sets every byte of that part; throws RuntimeError.
  void Fill(int64_t position, uint8_t value, int64_t bytes);

 private:
  uint8_t *start_ = nullptr;
  int64_t bytes_;
};

/// The device memory of one tensor, with what the host wrote there and what it read back.
class TensorMemory {
 public:
  /// `data` holds the dense elements of an input; nullptr for outputs. All that `data` does not
  /// set, holds `content`. Throws RuntimeError.
  TensorMemory(const TensorFacts &facts, const Margins &margins, const uint8_t *data,
               Content content);

  /// Fills all of it again, as the constructor does. Throws RuntimeError.
  void Fill(const TensorFacts &facts, const uint8_t *data, Content content);

  /// Becomes as another memory of the same tensor, behind the work that waits in the stream.
  /// Throws RuntimeError.
  void CopyFrom(const TensorMemory &other, aclrtStream stream);

  const Zones &Layout() const { return zones_; }
  /// Address of the storage on the device.
  void *Address() const { return memory_.At(zones_.guard); }

  /// Reads everything back. Throws RuntimeError.
  void Download();
  /// Whether the last download found exactly what the host expects there.
  bool IsUnchanged() const;
  /// From now on, expects what the last download found.
  void AcceptChanges() { std::swap(expected_, found_); }

  /// Images of the whole allocation. Checks may change what is expected.
  HostBytes &Expected() { return expected_; }
  const HostBytes &Found() const { return found_; }

 private:
  Zones zones_;
  DeviceMemory memory_;
  HostBytes expected_;
  HostBytes found_;
};

/// A workspace. It can be large and its content is of no interest while it is in use, so only the
/// zones around it are read back then.
class WorkspaceMemory {
 public:
  /// Throws RuntimeError.
  WorkspaceMemory(int64_t bytes, const Margins &margins, Content content);

  /// Fills all of it again, as the constructor does. Throws RuntimeError.
  void Fill(Content content);

  const Zones &Layout() const { return zones_; }
  void *Address() const { return memory_.At(zones_.guard); }
  /// The guard in front, and slack with the guard behind it, as they are now. Throws RuntimeError.
  HostBytes DownloadFront() const;
  HostBytes DownloadRear() const;
  /// The workspace itself. Throws RuntimeError.
  HostBytes Download() const;

 private:
  Zones zones_;
  DeviceMemory memory_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_DEVICE_MEMORY_H_
