// SPDX-License-Identifier: Apache-2.0
/// SHA-256 (FIPS 180-4): a host that runs a kit need not have a library for it.
#ifndef ACLNN_CTS_KIT_SHA256_H_
#define ACLNN_CTS_KIT_SHA256_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace aclnn_cts {

class Sha256 {
 public:
  void Add(const void *data, size_t size);
  /// The digest of all that was added; nothing may be added after it.
  std::array<uint8_t, 32> Finish();

 private:
  void Block(const uint8_t *block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> rest_ = {};
  uint64_t bytes_ = 0;
};

/// Lower-case hexadecimal digits.
std::string Hexadecimal(const std::array<uint8_t, 32> &digest);

/// The digest of a file's content. Throws InputError when it cannot be read.
std::string DigestOf(const std::string &path);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_SHA256_H_
