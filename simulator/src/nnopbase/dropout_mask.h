// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_DROPOUT_MASK_H_
#define SIMULATOR_NNOPBASE_DROPOUT_MASK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

// The mask has one bit per element, padded to a multiple of 128 bits.
inline int64_t MaskBytes(int64_t elements) { return (elements + 127) / 128 * 128 / 8; }

// Element k is bit k % 8 of byte k / 8.
inline bool IsKept(const std::vector<uint8_t> &mask, int64_t element) {
  return (mask[static_cast<std::size_t>(element / 8)] >> (element % 8) & 1) != 0;
}

#endif  // SIMULATOR_NNOPBASE_DROPOUT_MASK_H_
