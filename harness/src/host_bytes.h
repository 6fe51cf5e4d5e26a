// SPDX-License-Identifier: Apache-2.0
/// Blocks of host memory, and the inputs of runs that have others than the case.
#ifndef ACLNN_CTS_HOST_BYTES_H_
#define ACLNN_CTS_HOST_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "aclnn_cts/case.h"

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

/// So many bytes, all 0.
HostBytes Zeros(size_t size);

/// The same inputs with the numbers of each in the opposite order: valid data, too, with other
/// results. Bytes stay as they are, since the meaning of a mask's byte depends on its place.
HostBytes ReversedNumbers(const Parameters &parameters, const HostBytes &payload);

/// The same inputs with every bit inverted: no byte is what it was.
HostBytes Inverted(const HostBytes &payload);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_HOST_BYTES_H_
