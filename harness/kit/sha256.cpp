// SPDX-License-Identifier: Apache-2.0
#include "sha256.h"

#include <algorithm>
#include <cstring>

#include "file_reader.h"

namespace aclnn_cts {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t Rotate(uint32_t word, int by) { return word >> by | word << (32 - by); }

uint32_t BigEndian(const uint8_t *bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 |
         uint32_t{bytes[3]};
}

}  // namespace

void Sha256::Block(const uint8_t *block) {
  uint32_t words[64];
  for (int i = 0; i < 16; ++i) words[i] = BigEndian(block + 4 * i);
  for (int i = 16; i < 64; ++i) {
    const uint32_t low = words[i - 15];
    const uint32_t high = words[i - 2];
    words[i] = words[i - 16] + (Rotate(low, 7) ^ Rotate(low, 18) ^ low >> 3) + words[i - 7] +
               (Rotate(high, 17) ^ Rotate(high, 19) ^ high >> 10);
  }
  std::array<uint32_t, 8> s = state_;
  for (int i = 0; i < 64; ++i) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first = s[7] + (Rotate(s[4], 6) ^ Rotate(s[4], 11) ^ Rotate(s[4], 25)) + choice +
                           kRound[i] + words[i];
    const uint32_t second = (Rotate(s[0], 2) ^ Rotate(s[0], 13) ^ Rotate(s[0], 22)) + majority;
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (int i = 0; i < 8; ++i) state_[i] += s[i];
}

void Sha256::Add(const void *data, size_t size) {
  const auto *next = static_cast<const uint8_t *>(data);
  while (size > 0) {
    const size_t held = bytes_ % 64;
    const size_t taken = std::min(size, 64 - held);
    std::memcpy(rest_.data() + held, next, taken);
    bytes_ += taken;
    next += taken;
    size -= taken;
    if (bytes_ % 64 == 0) Block(rest_.data());
  }
}

std::array<uint8_t, 32> Sha256::Finish() {
  const uint64_t bits = bytes_ * 8;
  const uint8_t padding[64] = {0x80};
  Add(padding, 1 + (119 - bytes_ % 64) % 64);
  uint8_t length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  Add(length, sizeof length);
  std::array<uint8_t, 32> digest = {};
  for (int i = 0; i < 32; ++i)
    digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string Hexadecimal(const std::array<uint8_t, 32> &digest) {
  static const char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string DigestOf(const std::string &path) {
  Sha256 digest;
  FileReader file(path);
  while (const size_t count = file.Next()) digest.Add(file.Data(), count);
  return Hexadecimal(digest.Finish());
}

}  // namespace aclnn_cts
