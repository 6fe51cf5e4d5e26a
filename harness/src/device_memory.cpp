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

// Repeats the first `done` bytes.
void Continue(uint8_t *bytes, int64_t done, int64_t count) {
  for (; done < count; done += std::min(done, count - done))
    std::memcpy(bytes + done, bytes, static_cast<size_t>(std::min(done, count - done)));
}

std::string BytesOf(const char *call, int64_t bytes) {
  return std::string(call) + " of " + std::to_string(bytes) + " bytes";
}

}  // namespace

Pattern PatternOf(const TensorFacts &facts, Content content) {
  Pattern pattern{};
  if (content == Content::kZeros) return pattern;
  if (content == Content::kFirstPoison) {
    pattern.fill(facts.isInput ? 0x76 : 0x7B);
    return pattern;
  }
  // Read as float32, bfloat16, float16 or double: a NaN. 16 bytes are two doubles.
  constexpr std::array<uint8_t, 8> kOutput = {0xA5, 0xFF, 0xA5, 0xFF, 0xA5, 0xFF, 0xF5, 0xFF};
  constexpr std::array<uint8_t, 8> kInput = {0xDD, 0x7F, 0xDD, 0x7F, 0xDD, 0x7F, 0xFD, 0x7F};
  const std::array<uint8_t, 8> &half = facts.isInput ? kInput : kOutput;
  std::copy(half.begin(), half.end(), pattern.begin());
  std::copy(half.begin(), half.end(), pattern.begin() + half.size());
  if (!facts.isInput && facts.dataType == ACL_FLOAT16) pattern[1] = 0xFD;
  Continue(pattern.data(), facts.elementBytes, static_cast<int64_t>(pattern.size()));
  return pattern;
}

void Repeat(const Pattern &pattern, uint8_t *to, int64_t bytes) {
  const int64_t start = std::min(bytes, static_cast<int64_t>(pattern.size()));
  std::memcpy(to, pattern.data(), static_cast<size_t>(start));
  Continue(to, start, bytes);
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

void DeviceMemory::Upload(int64_t position, const uint8_t *from, int64_t bytes) {
  const auto size = static_cast<size_t>(bytes);
  RequireSuccess(BytesOf("aclrtMemcpy to the device", bytes),
                 aclrtMemcpy(At(position), size, from, size, ACL_MEMCPY_HOST_TO_DEVICE));
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
  if (bytes == 0) return;
  const size_t size = static_cast<size_t>(bytes);
  RequireSuccess(BytesOf("aclrtMemset", bytes), aclrtMemset(At(position), size, value, size));
}

void DeviceMemory::Fill(int64_t position, const Pattern &pattern, int64_t bytes) {
  if (bytes == 0) return;
  HostBytes piece = RoomForPiece(bytes);
  auto done = static_cast<int64_t>(piece.Size());
  Repeat(pattern, piece.Data(), done);
  Upload(position, piece.Data(), done);
  // The device copies the rest.
  for (int64_t count; done < bytes; done += count) {
    count = std::min(done, bytes - done);
    RequireSuccess(BytesOf("aclrtMemcpy on the device", count),
                   aclrtMemcpy(At(position + done), static_cast<size_t>(count), At(position),
                               static_cast<size_t>(count), ACL_MEMCPY_DEVICE_TO_DEVICE));
  }
}

void GuardedMemory::FillMargins() {
  memory_.Fill(0, kGuardByte, zones_.guard);
  memory_.Fill(zones_.guard + zones_.payload, kSlackByte, zones_.room - zones_.payload);
  memory_.Fill(zones_.guard + zones_.room, kGuardByte, zones_.guard);
}

TensorMemory::TensorMemory(const TensorFacts &facts, const Margins &margins, const ByteSource &data,
                           Content content)
    : GuardedMemory(facts.storageBytes, margins) {
  Fill(facts, data, content);
}

void TensorMemory::Fill(const TensorFacts &facts, const ByteSource &data, Content content) {
  FillMargins();
  data_ = data;
  gaps_ = PatternOf(facts, content);
  sharers_.clear();
  const int64_t start = Layout().guard;
  if (!data) {
    Memory().Fill(start, gaps_, Layout().payload);
    return;
  }
  for (const Part &part : PartsOf(facts)) {
    const int64_t bytes = part.stored * part.elementBytes;
    HostBytes storage(bytes);
    const int64_t position = part.firstElement * part.elementBytes;
    if (part.IsDense()) {
      data(position, storage.Data(), bytes);
    } else {
      HostBytes dense(part.elements * part.elementBytes);
      data(position, dense.Data(), static_cast<int64_t>(dense.Size()));
      Repeat(gaps_, storage.Data(), bytes);
      part.Scatter(dense.Data(), storage.Data());
    }
    Memory().Upload(start + part.firstStored * part.elementBytes, storage.Data(), bytes);
  }
}

void TensorMemory::Share(const TensorFacts &facts, const ByteSource &data) {
  if (facts.elements == 0) return;
  const Part part = WholeOf(facts);
  HostBytes dense(part.elements * part.elementBytes);
  HostBytes storage(Layout().payload);
  data(0, dense.Data(), static_cast<int64_t>(dense.Size()));
  Download(0, storage.Data(), Layout().payload);
  part.Scatter(dense.Data(), storage.Data());
  Memory().Upload(Layout().guard, storage.Data(), Layout().payload);
  sharers_.push_back({&facts, data});
}

void TensorMemory::CopyFrom(const TensorMemory &other, aclrtStream stream) {
  Memory().CopyFrom(other.Memory(), stream);
  data_ = other.data_;
  gaps_ = other.gaps_;
  sharers_ = other.sharers_;
}

void TensorMemory::VisitElements(
    const TensorFacts &facts,
    const std::function<void(int64_t, const uint8_t *, int64_t)> &visit) const {
  for (const Part &part : PartsOf(facts)) {
    HostBytes storage(part.stored * part.elementBytes);
    Download(part.firstStored * part.elementBytes, storage.Data(), part.stored * part.elementBytes);
    const int64_t bytes = part.elements * part.elementBytes;
    HostBytes dense(part.IsDense() ? 0 : bytes);
    if (!part.IsDense()) part.Gather(storage.Data(), dense.Data());
    const uint8_t *const elements = part.IsDense() ? storage.Data() : dense.Data();
    ForEachPiece(bytes, [&](int64_t position, int64_t count) {
      visit(part.firstElement * part.elementBytes + position, elements + position, count);
    });
  }
}

void TensorMemory::CopyFilled(int64_t position, uint8_t *to, int64_t bytes) const {
  if (data_) {
    data_(position, to, bytes);
  } else {
    Repeat(gaps_, to, bytes);
  }
}

WorkspaceMemory::WorkspaceMemory(int64_t bytes, const Margins &margins, Content content)
    : GuardedMemory(bytes, margins) {
  Fill(content);
}

void WorkspaceMemory::Fill(Content content) {
  FillMargins();
  Memory().Fill(Layout().guard, WorkspaceByteOf(content), Layout().payload);
}

}  // namespace aclnn_cts
