// SPDX-License-Identifier: Apache-2.0
#include "runtime_checks.h"

#include <algorithm>
#include <utility>

#include "runtime.h"

namespace aclnn_cts {
namespace {

// Distance of pieces in device memory, which keeps each one aligned.
constexpr int64_t kSlot = 64;
// Copies in a row of tasks; more than fit a small queue.
constexpr int64_t kCopies = 40;
// Small copies may be made in another way than large ones.
constexpr int64_t kCopiedBytes = 32;

constexpr uint8_t kBefore = 0xA5;
constexpr uint8_t kAfter = 0x3C;

using Found = std::vector<BrokenFunction>;

std::vector<uint8_t> BytesAt(const DeviceMemory &memory, int64_t position, int64_t bytes) {
  std::vector<uint8_t> read(static_cast<size_t>(bytes));
  memory.Download(position, read.data(), bytes);
  return read;
}

void CheckMemset(Found &found) {
  constexpr int64_t kRoom = 4 * kSlot;
  const std::vector<uint8_t> before(kRoom, kBefore);
  DeviceMemory memory(kRoom);
  for (const int64_t bytes : {1, 2, 3, 5, 6, 7, 31, 33, 130, 255}) {
    memory.Upload(0, before.data(), kRoom);
    memory.Fill(0, kAfter, bytes);
    std::vector<uint8_t> wanted = before;
    std::fill_n(wanted.begin(), bytes, kAfter);
    if (BytesAt(memory, 0, kRoom) != wanted) {
      found.push_back({"aclrtMemset", "set other bytes than the first " + std::to_string(bytes)});
      return;
    }
  }
}

// Each task copies what the one before it has written.
void CopyInTurn(aclrtStream stream, DeviceMemory &slots) {
  const std::vector<uint8_t> before((kCopies + 1) * kSlot, kBefore);
  const std::vector<uint8_t> first(kCopiedBytes, kAfter);
  slots.Upload(0, before.data(), static_cast<int64_t>(before.size()));
  slots.Upload(0, first.data(), kCopiedBytes);
  for (int64_t i = 0; i < kCopies; ++i) {
    RequireSuccess("aclrtMemcpyAsync on the device",
                   aclrtMemcpyAsync(slots.At((i + 1) * kSlot), kCopiedBytes, slots.At(i * kSlot),
                                    kCopiedBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
}

bool HasLastCopy(const DeviceMemory &slots) {
  return BytesAt(slots, kCopies * kSlot, kCopiedBytes) ==
         std::vector<uint8_t>(kCopiedBytes, kAfter);
}

void CheckStreams(aclrtStream stream, int32_t timeoutMs, Found &found) {
  const std::string what =
      "returned before the last of " + std::to_string(kCopies) + " copies in a row was made";
  DeviceMemory slots((kCopies + 1) * kSlot);
  CopyInTurn(stream, slots);
  RequireSuccess("aclrtSynchronizeStreamWithTimeout",
                 aclrtSynchronizeStreamWithTimeout(stream, timeoutMs));
  if (!HasLastCopy(slots)) found.push_back({"aclrtSynchronizeStreamWithTimeout", what});
  const std::pair<aclrtStream, const char *> streams[] = {{stream, "a created stream"},
                                                          {nullptr, "the default stream"}};
  for (const auto &[queue, name] : streams) {
    CopyInTurn(queue, slots);
    RequireSuccess("aclrtSynchronizeDevice", aclrtSynchronizeDevice());
    if (!HasLastCopy(slots)) found.push_back({"aclrtSynchronizeDevice", what + " on " + name});
  }
}

void CheckSystemParameter(int64_t determinism, Found &found) {
  using GetParameter = aclError (*)(aclSysParamOpt parameter, int64_t *value);
  const auto get = FindFunction<GetParameter>("aclrtCtxGetSysParamOpt");
  if (get == nullptr) return;
  const int64_t levels[] = {0, 1, 0, determinism};
  for (const int64_t wanted : levels) {
    int64_t value = -1;
    if (aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, wanted) != ACL_SUCCESS ||
        get(ACL_OPT_DETERMINISTIC, &value) != ACL_SUCCESS) {
      (void)TakeErrorMessage();
      return;
    }
    if (value != wanted) {
      found.push_back({"aclrtCtxGetSysParamOpt", "returned " + std::to_string(value) + " after " +
                                                     std::to_string(wanted) + " was set"});
      return;
    }
  }
}

void CheckErrorMessage(Found &found) {
  void *none = nullptr;
  if (aclrtMalloc(&none, 0, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
    (void)aclrtFree(none);
    return;
  }
  (void)TakeErrorMessage();
  if (!TakeErrorMessage().empty())
    found.push_back({"aclGetRecentErrMsg", "returned a message again that it had returned before"});
}

}  // namespace

Found CheckRuntime(aclrtStream stream, int32_t timeoutMs, int64_t determinism) {
  Found found;
  CheckMemset(found);
  CheckStreams(stream, timeoutMs, found);
  CheckSystemParameter(determinism, found);
  CheckErrorMessage(found);
  return found;
}

void QueuedCopies::Add(const void *output, int64_t bytes) {
  const int64_t copied = std::min(bytes, kCopiedBytes);
  if (copied == 0) return;
  auto memory = std::make_unique<DeviceMemory>(kSlot);
  memory->Fill(0, kBefore, kSlot);
  copies_.push_back({output, copied, std::move(memory), false});
}

void QueuedCopies::Enqueue(aclrtStream stream) {
  for (Copy &copy : copies_) {
    const auto size = static_cast<size_t>(copy.bytes);
    copy.queued = aclrtMemcpyAsync(copy.memory->At(0), size, copy.output, size,
                                   ACL_MEMCPY_DEVICE_TO_DEVICE, stream) == ACL_SUCCESS;
  }
}

Found QueuedCopies::Check() const {
  Found found;
  for (const Copy &copy : copies_) {
    std::vector<uint8_t> output(static_cast<size_t>(copy.bytes));
    RequireSuccess("aclrtMemcpy from the device",
                   aclrtMemcpy(output.data(), output.size(), copy.output, output.size(),
                               ACL_MEMCPY_DEVICE_TO_HOST));
    if (copy.queued && BytesAt(*copy.memory, 0, copy.bytes) != output) {
      found.push_back({"aclrtMemcpyAsync", "did not copy what the launch before it had written"});
      break;
    }
  }
  return found;
}

}  // namespace aclnn_cts
