// SPDX-License-Identifier: Apache-2.0
/// Device memory with guard zones on both sides.
#ifndef ACLNN_CTS_DEVICE_MEMORY_H_
#define ACLNN_CTS_DEVICE_MEMORY_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn_cts/case.h"
#include "host_bytes.h"

namespace aclnn_cts {

constexpr uint8_t kGuardByte = 0xC3;
constexpr uint8_t kSlackByte = 0x3C;

/// Content of memory without data before a call. Outputs, workspace and gaps of inputs hold
/// different bytes, so that an element with such bytes shows where it was read, or that it was not
/// written.
enum class Content {
  kFirstPoison,  ///< large numbers
  kLaterPoison,  ///< NaNs, which show even if they are multiplied by 0
  kZeros,
};

/// A pattern of bytes: one element, repeated as often as it fits.
using Pattern = std::array<uint8_t, 16>;

/// Content of a tensor's elements without data. The later poison of a floating output is a
/// signaling NaN, which arithmetic changes, so it shows that an element was not written.
Pattern PatternOf(const TensorFacts &facts, Content content);

/// Content of each byte of a workspace.
constexpr uint8_t WorkspaceByteOf(Content content) {
  return content == Content::kFirstPoison ? 0x6D : 0xFF;
}

/// Sets `bytes` bytes, which begin where an element does.
void Repeat(const Pattern &pattern, uint8_t *to, int64_t bytes);

/// The zones of an allocation: guard, payload, slack, guard. All counts are bytes.
///
/// The payload has the room that the product's aclrtMalloc would leave: a size rounded up to 32,
/// and the product's slack. A write into the room after the payload is a remark; a write beyond the
/// room is a fault.
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
  /// Throws RuntimeError if the runtime refuses, or returns memory that is not aligned to 64.
  explicit DeviceMemory(int64_t bytes);
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// The device address at an offset in bytes.
  uint8_t *At(int64_t position) const { return start_ + position; }
  /// Copies from the host; throws RuntimeError.
  void Upload(int64_t position, const uint8_t *from, int64_t bytes);
  /// Copies other memory of this size, in the order of the stream; throws RuntimeError.
  void CopyFrom(const DeviceMemory &other, aclrtStream stream);
  /// Copies `bytes` from that position to the host; throws RuntimeError.
  void Download(int64_t position, uint8_t *to, int64_t bytes) const;
  /// Sets every byte of that part; throws RuntimeError.
  void Fill(int64_t position, uint8_t value, int64_t bytes);
  /// Repeats the pattern over that part; throws RuntimeError.
  void Fill(int64_t position, const Pattern &pattern, int64_t bytes);

 private:
  uint8_t *start_ = nullptr;
  int64_t bytes_;
};

/// Memory with its zones. Its content is read in pieces and compared with the expected content,
/// which is computed from the case's data and the patterns.
class GuardedMemory {
 public:
  /// Throws RuntimeError.
  GuardedMemory(int64_t bytes, const Margins &margins)
      : zones_(bytes, margins), memory_(zones_.total) {}

  const Zones &Layout() const { return zones_; }
  /// Address of the payload on the device.
  void *Address() const { return memory_.At(zones_.guard); }
  /// Copies `bytes` to the host from a position of the payload; negative positions are before it.
  /// Throws RuntimeError.
  void Download(int64_t position, uint8_t *to, int64_t bytes) const {
    memory_.Download(zones_.guard + position, to, bytes);
  }

 protected:
  DeviceMemory &Memory() { return memory_; }
  const DeviceMemory &Memory() const { return memory_; }
  /// Throws RuntimeError.
  void FillMargins();

 private:
  Zones zones_;
  DeviceMemory memory_;
};

/// The device memory of one tensor.
class TensorMemory : public GuardedMemory {
 public:
  /// `data` gives the dense elements of an input while the memory lives; empty for outputs.
  /// Everything else holds `content`. Throws RuntimeError, and the exceptions of `data`.
  TensorMemory(const TensorFacts &facts, const Margins &margins, const ByteSource &data,
               Content content);

  /// Refills all of it, as the constructor does.
  void Fill(const TensorFacts &facts, const ByteSource &data, Content content);
  /// Fills the elements of another input in this storage, which are apart from all others and
  /// belong to it until the next Fill. `facts` must live as long. Throws as Fill.
  void Share(const TensorFacts &facts, const ByteSource &data);

  /// Copies another memory of the same tensor, in the order of the stream. Throws RuntimeError.
  void CopyFrom(const TensorMemory &other, aclrtStream stream);

  /// Calls `visit(position, dense, bytes)` for the current elements of the view, in pieces in
  /// row-major order. Throws RuntimeError, and the exceptions of `visit`.
  void VisitElements(const TensorFacts &facts,
                     const std::function<void(int64_t position, const uint8_t *dense,
                                              int64_t bytes)> &visit) const;
  /// Copies the elements of the view as they were filled. Throws the exceptions of `data`.
  void CopyFilled(int64_t position, uint8_t *to, int64_t bytes) const;
  /// Other inputs whose elements are in this storage, with their data.
  struct Sharer {
    const TensorFacts *facts;
    ByteSource data;
  };
  const std::vector<Sharer> &Sharers() const { return sharers_; }
  /// The initial content of the gaps, and of all of an output.
  const Pattern &FilledGaps() const { return gaps_; }

 private:
  ByteSource data_;
  Pattern gaps_;
  std::vector<Sharer> sharers_;
};

/// A workspace, which can be large; its content is not examined while it is in use.
class WorkspaceMemory : public GuardedMemory {
 public:
  /// Throws RuntimeError.
  WorkspaceMemory(int64_t bytes, const Margins &margins, Content content);

  /// Refills all of it, as the constructor does. Throws RuntimeError.
  void Fill(Content content);
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_DEVICE_MEMORY_H_
