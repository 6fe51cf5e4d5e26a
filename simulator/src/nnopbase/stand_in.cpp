// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/stand_in.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nnopbase/elements.h"

namespace simulator {

namespace {

constexpr uint64_t kStart = 0xcbf29ce484222325U;

/// FNV-1a.
template <typename Byte>
uint64_t Digest(uint64_t digest, Byte first, Byte last) {
  for (; first != last; ++first) digest = (digest ^ *first) * 0x100000001b3U;
  return digest;
}

uint64_t Digest(uint64_t digest, const aclTensor &tensor) {
  const std::vector<uint8_t> bytes = ReadBytes(tensor);
  return Digest(digest, bytes.begin(), bytes.end());
}

/// Numbers from 1 to 2 for floating types, 1 to 64 for integers, 1 for bool; each of `digests` is
/// that of as many consecutive elements.
template <typename Number>
void Write(const aclTensor &tensor, const std::vector<uint64_t> &digests) {
  std::vector<Number> elements(static_cast<size_t>(ElementCount(tensor.shape)));
  const float whole = tensor.dataType == ACL_BOOL ? 0.0F : 64.0F;
  const float range = IsInteger(tensor.dataType) ? whole : 1.0F;
  const size_t size = std::max<size_t>(elements.size() / digests.size(), 1);
  uint64_t digest = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i % size == 0) digest = digests[i / size];
    digest = digest * 6364136223846793005U + 1442695040888963407U;
    elements[i] = static_cast<Number>(1.0F + range * static_cast<float>(digest >> 57U) / 128.0F);
  }
  ElementWriter(tensor).Write(elements.data(), static_cast<int64_t>(elements.size()));
}

void WriteOne(const aclTensor &output, const std::vector<uint64_t> &digests) {
  IsInteger(output.dataType) ? Write<int64_t>(output, digests) : Write<float>(output, digests);
}

uint64_t DigestOfAll(const std::vector<aclTensor> &inputs) {
  uint64_t digest = kStart;
  for (const aclTensor &input : inputs) digest = Digest(digest, input);
  return digest;
}

bool IsBatch(const aclTensor &tensor, int64_t count) {
  return !tensor.shape.empty() && tensor.shape.front() == count;
}

}  // namespace

void StandIn(const std::vector<aclTensor> &outputs, const std::vector<aclTensor> &inputs) {
  const uint64_t digest = DigestOfAll(inputs);
  for (const aclTensor &output : outputs) WriteOne(output, {digest});
}

void StandInBySample(const std::vector<aclTensor> &outputs, const std::vector<aclTensor> &inputs) {
  const Shape &shape = inputs.front().shape;
  const int64_t count = shape.empty() ? 0 : shape.front();
  std::vector<uint64_t> digests(static_cast<size_t>(count), kStart);
  for (const aclTensor &input : count == 0 ? std::vector<aclTensor>() : inputs) {
    const std::vector<uint8_t> bytes = ReadBytes(input);
    const bool isBatch = IsBatch(input, count);
    const auto size = static_cast<int64_t>(bytes.size()) / (isBatch ? count : 1);
    for (int64_t i = 0; i < count; ++i) {
      const auto first = bytes.begin() + (isBatch ? i * size : 0);
      uint64_t &digest = digests[static_cast<size_t>(i)];
      digest = Digest(digest, first, first + size);
    }
  }
  const uint64_t whole = DigestOfAll(inputs);
  for (const aclTensor &output : outputs) {
    if (count != 0 && IsBatch(output, count)) {
      WriteOne(output, digests);
    } else {
      WriteOne(output, {whole});
    }
  }
}

}  // namespace simulator
