// SPDX-License-Identifier: Apache-2.0
#include "device_memory.h"

#include <algorithm>
#include <cstring>

#include "acl/acl.h"
#include "errors.h"
#include "placement.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

void Set(HostBytes &bytes, int64_t position, uint8_t value, int64_t count) {
  std::memset(bytes.Data() + position, value, static_cast<size_t>(count));
}

// Repeats the pattern of one element over `count` bytes, which hold whole elements.
void SetElements(uint8_t *to, const Pattern &pattern, int64_t elementBytes, int64_t count) {
  int64_t done = std::min({elementBytes, count, static_cast<int64_t>(pattern.size())});
  std::memcpy(to, pattern.data(), static_cast<size_t>(done));
  for (; done < count; done += std::min(done, count - done)) {
    std::memcpy(to + done, to, static_cast<size_t>(std::min(done, count - done)));
  }
}

std::string BytesOf(const char *call, int64_t bytes) {
  return std::string(call) + " of " + std::to_string(bytes) + " bytes";
}

}  // namespace

Pattern PatternOf(const TensorFacts &facts, Content content) {
  Pattern pattern{};
  if (content == Content::kZeros) return pattern;
  if (content == Content::kFirstPoison) {
    pattern.fill(facts.isOutput ? 0x7B : 0x76);
    return pattern;
  }
  // Read as float32, bfloat16, float16 or double: a NaN. 16 bytes are two doubles.
  constexpr std::array<uint8_t, 8> kOutput = {0xA5, 0xFF, 0xA5, 0xFF, 0xA5, 0xFF, 0xF5, 0xFF};
  constexpr std::array<uint8_t, 8> kInput = {0xDD, 0x7F, 0xDD, 0x7F, 0xDD, 0x7F, 0xFD, 0x7F};
  const std::array<uint8_t, 8> &half = facts.isOutput ? kOutput : kInput;
  std::copy(half.begin(), half.end(), pattern.begin());
  std::copy(half.begin(), half.end(), pattern.begin() + half.size());
  if (facts.isOutput && facts.dataType == ACL_FLOAT16) pattern[1] = 0xFD;
  return pattern;
}

DeviceMemory::DeviceMemory(int64_t bytes) : bytes_(bytes) {
  void *start = nullptr;
  RequireSuccess(BytesOf("aclrtMalloc", bytes),
                 aclrtMalloc(&start, static_cast<size_t>(bytes), ACL_MEM_MALLOC_HUGE_FIRST));
  if (reinterpret_cast<uintptr_t>(start) % 64 != 0) {
    (void)aclrtFree(start);
    throw RuntimeError(BytesOf("aclrtMalloc", bytes), ACL_SUCCESS,
                       "the memory does not start at a multiple of 64 bytes");
  }
  start_ = static_cast<uint8_t *>(start);
}

DeviceMemory::~DeviceMemory() { (void)aclrtFree(start_); }

void DeviceMemory::Upload(const HostBytes &bytes) {
  RequireSuccess(BytesOf("aclrtMemcpy to the device", bytes_),
                 aclrtMemcpy(start_, static_cast<size_t>(bytes_), bytes.Data(), bytes.Size(),
                             ACL_MEMCPY_HOST_TO_DEVICE));
}

void DeviceMemory::CopyFrom(const DeviceMemory &other, aclrtStream stream) {
  const auto size = static_cast<size_t>(bytes_);
  RequireSuccess(
      BytesOf("aclrtMemcpyAsync", bytes_),
      aclrtMemcpyAsync(start_, size, other.start_, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

void DeviceMemory::Download(int64_t position, uint8_t *to, int64_t bytes) const {
  const size_t size = static_cast<size_t>(bytes);
  RequireSuccess(BytesOf("aclrtMemcpy from the device", bytes),
                 aclrtMemcpy(to, size, At(position), size, ACL_MEMCPY_DEVICE_TO_HOST));
}

void DeviceMemory::Fill(int64_t position, uint8_t value, int64_t bytes) {
  const size_t size = static_cast<size_t>(bytes);
  RequireSuccess(BytesOf("aclrtMemset", bytes), aclrtMemset(At(position), size, value, size));
}

TensorMemory::TensorMemory(const TensorFacts &facts, const Margins &margins, const uint8_t *data,
                           Content content)
    : zones_(facts.storageBytes, margins),
      memory_(zones_.total),
      expected_(zones_.total),
      found_(zones_.total) {
  Fill(facts, data, content);
}

void TensorMemory::Fill(const TensorFacts &facts, const uint8_t *data, Content content) {
  Set(expected_, 0, kGuardByte, zones_.guard);
  if (data == nullptr || MayHaveGaps(facts)) {
    SetElements(expected_.Data() + zones_.guard, PatternOf(facts, content), facts.elementBytes,
                zones_.payload);
  }
  if (data != nullptr) Scatter(facts, data, expected_.Data() + zones_.guard);
  Set(expected_, zones_.guard + zones_.payload, kSlackByte, zones_.room - zones_.payload);
  Set(expected_, zones_.guard + zones_.room, kGuardByte, zones_.guard);
  memory_.Upload(expected_);
}

void TensorMemory::CopyFrom(const TensorMemory &other, aclrtStream stream) {
  memory_.CopyFrom(other.memory_, stream);
  std::memcpy(expected_.Data(), other.expected_.Data(), expected_.Size());
}

void TensorMemory::Download() { memory_.Download(0, found_.Data(), zones_.total); }

bool TensorMemory::IsUnchanged() const {
  return std::memcmp(expected_.Data(), found_.Data(), expected_.Size()) == 0;
}

WorkspaceMemory::WorkspaceMemory(int64_t bytes, const Margins &margins, Content content)
    : zones_(bytes, margins), memory_(zones_.total) {
  Fill(content);
}

void WorkspaceMemory::Fill(Content content) {
  memory_.Fill(0, kGuardByte, zones_.guard);
  memory_.Fill(zones_.guard, WorkspaceByteOf(content), zones_.payload);
  if (zones_.room > zones_.payload) {
    memory_.Fill(zones_.guard + zones_.payload, kSlackByte, zones_.room - zones_.payload);
  }
  memory_.Fill(zones_.guard + zones_.room, kGuardByte, zones_.guard);
}

HostBytes WorkspaceMemory::DownloadFront() const {
  HostBytes bytes(zones_.guard);
  memory_.Download(0, bytes.Data(), zones_.guard);
  return bytes;
}

HostBytes WorkspaceMemory::Download() const {
  HostBytes bytes(zones_.payload);
  memory_.Download(zones_.guard, bytes.Data(), zones_.payload);
  return bytes;
}

HostBytes WorkspaceMemory::DownloadRear() const {
  const int64_t size = zones_.room - zones_.payload + zones_.guard;
  HostBytes bytes(size);
  memory_.Download(zones_.guard + zones_.payload, bytes.Data(), size);
  return bytes;
}

}  // namespace aclnn_cts
