// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_DROPOUT_GEN_MASK_V2_H_
#define SIMULATOR_OPERATORS_DROPOUT_GEN_MASK_V2_H_

#include <array>
#include <cstdint>
#include <vector>

#include "nnopbase/elements.h"

// Philox4x32-10: four random words of a counter and a key.
inline std::array<uint32_t, 4> Philox(uint64_t low, uint64_t high, uint64_t key) {
  std::array<uint32_t, 4> x{static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                            static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  auto first = static_cast<uint32_t>(key);
  auto second = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t one = uint64_t{0xD2511F53} * x[0];
    const uint64_t other = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(other >> 32) ^ x[1] ^ first, static_cast<uint32_t>(other),
         static_cast<uint32_t>(one >> 32) ^ x[3] ^ second, static_cast<uint32_t>(one)};
    first += 0x9E3779B9;
    second += 0xBB67AE85;
  }
  return x;
}

// One word per bit, which is 0 if the word is below prob.
inline void DropoutGenMaskV2(const aclTensor &out, const std::vector<int64_t> &, double prob,
                             int64_t seed, int64_t offset, aclDataType probDataType) {
  const double masked = simulator::RoundTo(probDataType, static_cast<float>(prob));
  std::vector<uint8_t> bytes(static_cast<size_t>(simulator::ElementCount(out.shape)));
  for (size_t at = 0; at < bytes.size() * 2; ++at) {
    const auto words = Philox(at, static_cast<uint64_t>(offset), static_cast<uint64_t>(seed));
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; ++i) bits |= unsigned{words[i] * 0x1p-32 >= masked} << i;
    bytes[at / 2] = static_cast<uint8_t>(bytes[at / 2] | bits << at % 2 * 4);
  }
  simulator::WriteBytes(out, bytes);
}

#endif  // SIMULATOR_OPERATORS_DROPOUT_GEN_MASK_V2_H_
