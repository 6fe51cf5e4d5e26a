// SPDX-License-Identifier: Apache-2.0
/// Blocks of host memory, and sources of bytes.
#ifndef ACLNN_CTS_HOST_BYTES_H_
#define ACLNN_CTS_HOST_BYTES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace aclnn_cts {

/// Unlike std::vector, it does not clear the memory, which would cost as much as filling it.
class HostBytes {
 public:
  HostBytes() = default;
  explicit HostBytes(int64_t size)
      : data_(new uint8_t[static_cast<size_t>(size)]), size_(static_cast<size_t>(size)) {}

  uint8_t *Data() { return data_.get(); }
  const uint8_t *Data() const { return data_.get(); }
  size_t Size() const { return size_; }

 private:
  std::unique_ptr<uint8_t[]> data_;
  size_t size_ = 0;
};

/// Copies `count` bytes from `position` to host memory; only whole elements.
using ByteSource = std::function<void(int64_t position, uint8_t *to, int64_t count)>;

/// Size of the pieces in which the host handles tensors; a multiple of every element size.
constexpr int64_t kPieceBytes = int64_t{1} << 22;

/// Calls `visit(position, count)` for the pieces of `bytes` bytes.
template <typename Visit>
void ForEachPiece(int64_t bytes, const Visit &visit) {
  for (int64_t position = 0; position < bytes; position += kPieceBytes) {
    visit(position, std::min(kPieceBytes, bytes - position));
  }
}

/// A buffer for any piece of `bytes` bytes.
inline HostBytes RoomForPiece(int64_t bytes) { return HostBytes(std::min(kPieceBytes, bytes)); }

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_HOST_BYTES_H_
