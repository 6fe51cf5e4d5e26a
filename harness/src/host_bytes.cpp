// SPDX-License-Identifier: Apache-2.0
#include "host_bytes.h"

#include <algorithm>
#include <cstring>

namespace aclnn_cts {

HostBytes Zeros(size_t size) {
  HostBytes bytes(static_cast<int64_t>(size));
  if (size != 0) std::memset(bytes.Data(), 0, size);
  return bytes;
}

HostBytes Inverted(const HostBytes &payload) {
  HostBytes inverted(static_cast<int64_t>(payload.Size()));
  std::transform(payload.Data(), payload.Data() + payload.Size(), inverted.Data(),
                 [](uint8_t byte) { return static_cast<uint8_t>(~byte); });
  return inverted;
}

HostBytes ReversedNumbers(const Parameters &parameters, const HostBytes &payload) {
  HostBytes reversed(static_cast<int64_t>(payload.Size()));
  if (payload.Size() != 0) std::memcpy(reversed.Data(), payload.Data(), payload.Size());
  for (const TensorFacts &facts : parameters.tensors) {
    if (facts.source != Source::kData || facts.elementBytes < 2) continue;
    const auto size = static_cast<size_t>(facts.elementBytes);
    const uint8_t *const from = payload.Data() + facts.dataOffset;
    uint8_t *const to = reversed.Data() + facts.dataOffset;
    for (int64_t i = 0; i < facts.elements; ++i) {
      std::memcpy(to + (facts.elements - 1 - i) * facts.elementBytes, from + i * facts.elementBytes,
                  size);
    }
  }
  return reversed;
}

}  // namespace aclnn_cts
