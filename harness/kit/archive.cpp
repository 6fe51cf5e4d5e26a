// SPDX-License-Identifier: Apache-2.0
#include "archive.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "errors.h"
#include "file_reader.h"

namespace aclnn_cts {
namespace {

constexpr size_t kStored = 65535;             // bytes of a stored block, RFC 1951, 3.2.4
constexpr int64_t kMostBytes = 077777777777;  // 11 octal digits of a tar header
constexpr off_t kSealAt = 16;
// RFC 1952: no time, no system, one extra field "AC" of 32 bytes.
constexpr uint8_t kHeader[16] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 36, 0, 'A', 'C', 32, 0};

std::array<uint32_t, 256> CrcTable() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0xedb88320u : 0u);
    table[i] = value;
  }
  return table;
}

uint32_t Crc(uint32_t crc, const uint8_t *data, size_t size) {
  static const std::array<uint32_t, 256> table = CrcTable();
  crc = ~crc;
  for (size_t i = 0; i < size; ++i) crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
  return ~crc;
}

void LittleEndian(uint8_t *to, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

// A field of a tar header: octal digits and a null.
void Octal(char *field, size_t width, uint64_t value) {
  std::snprintf(field, width, "%0*llo", static_cast<int>(width) - 1,
                static_cast<unsigned long long>(value));
}

}  // namespace

SealedArchive::SealedArchive(const std::string &path)
    : path_(path), partial_(path + ".partial"), file_(OpenForWriting(partial_)) {
  if (!file_.IsOpen()) FailToWrite(partial_);
  const uint8_t seal[32] = {};
  if (!file_.WriteAll(kHeader, sizeof kHeader) || !file_.WriteAll(seal, sizeof seal)) {
    FailToWrite(partial_);
  }
}

SealedArchive::~SealedArchive() {
  if (!finished_) (void)unlink(partial_.c_str());
}

void SealedArchive::AddText(const std::string &name, const std::string &text) {
  AddHeader(name, static_cast<int64_t>(text.size()));
  Put(text.data(), text.size());
  Pad(static_cast<int64_t>(text.size()));
}

void SealedArchive::AddFile(const std::string &name, const std::string &path) {
  FileReader file(path);
  const int64_t size = file.Size();
  AddHeader(name, size);
  int64_t left = size;
  while (const size_t count = file.Next()) {
    left -= static_cast<int64_t>(count);
    Put(file.Data(), count);
  }
  if (left != 0) throw InputError(path + ": changed while it was read; start run.sh again");
  Pad(size);
}

void SealedArchive::AddHeader(const std::string &name, int64_t size) {
  char header[512] = {};
  if (name.size() > 100 || size > kMostBytes) {
    throw InputError(name + ": does not fit an archive; pack a smaller tier");
  }
  std::memcpy(header, name.data(), name.size());
  Octal(header + 100, 8, 0644);
  Octal(header + 108, 8, 0);
  Octal(header + 116, 8, 0);
  Octal(header + 124, 12, static_cast<uint64_t>(size));
  Octal(header + 136, 12, 0);
  std::memset(header + 148, ' ', 8);
  header[156] = '0';
  std::memcpy(header + 257,
              "ustar\0"
              "00",
              8);
  unsigned sum = 0;
  for (const char each : header) sum += static_cast<unsigned char>(each);
  Octal(header + 148, 7, sum);
  Put(header, sizeof header);
}

void SealedArchive::Pad(int64_t size) {
  const uint8_t zeros[512] = {};
  Put(zeros, static_cast<size_t>((512 - size % 512) % 512));
}

void SealedArchive::Put(const void *data, size_t size) {
  const auto *next = static_cast<const uint8_t *>(data);
  while (size > 0) {
    if (block_.size() == kStored) Flush(false);
    const size_t taken = std::min(size, kStored - block_.size());
    block_.insert(block_.end(), next, next + taken);
    next += taken;
    size -= taken;
  }
}

void SealedArchive::Flush(bool last) {
  const auto size = static_cast<uint32_t>(block_.size());
  uint8_t heading[5] = {static_cast<uint8_t>(last ? 1 : 0)};
  LittleEndian(heading + 1, size, 2);
  LittleEndian(heading + 3, ~size, 2);
  Write(heading, sizeof heading);
  Write(block_.data(), block_.size());
  crc_ = Crc(crc_, block_.data(), block_.size());
  bytes_ += size;
  block_.clear();
}

void SealedArchive::Write(const void *data, size_t size) {
  if (!file_.WriteAll(data, size)) FailToWrite(partial_);
  digest_.Add(data, size);
}

void SealedArchive::Finish() {
  const uint8_t end[1024] = {};
  Put(end, sizeof end);
  Flush(true);
  uint8_t trailer[8];
  LittleEndian(trailer, crc_, 4);
  LittleEndian(trailer + 4, bytes_, 4);
  Write(trailer, sizeof trailer);
  const std::array<uint8_t, 32> seal = digest_.Finish();
  if (!file_.WriteAt(seal.data(), seal.size(), kSealAt)) FailToWrite(partial_);
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) FailToWrite(path_);
  finished_ = true;
}

}  // namespace aclnn_cts
