// SPDX-License-Identifier: Apache-2.0
/// A block of host memory.
#ifndef ACLNN_CTS_HOST_BYTES_H_
#define ACLNN_CTS_HOST_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aclnn_cts {

/// Unlike std::vector it does not clear the memory first, which would cost as much as filling it.
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

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_HOST_BYTES_H_
