// SPDX-License-Identifier: Apache-2.0
#include "runtime/host_memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "acl/acl.h"
#include "runtime/device_memory.h"
#include "runtime/error_message.h"
#include "runtime/lifecycle.h"
#include "runtime/misuse.h"

namespace simulator {

namespace {

constexpr size_t kHostAlignment = 64;

uintptr_t AddressOf(const void *address) { return reinterpret_cast<uintptr_t>(address); }

class HostMemory {
 public:
  static HostMemory &Instance() {
    static HostMemory *const memory = new HostMemory;
    return *memory;
  }

  // Null if the host has no memory left.
  void *Allocate(size_t size) {
    void *start = nullptr;
    if (posix_memalign(&start, kHostAlignment, size) != 0) return nullptr;
    std::memset(start, kFreshDeviceByte, size);
    const std::lock_guard<std::mutex> lock(mutex_);
    sizes_[AddressOf(start)] = size;
    return start;
  }

  void Free(void *start) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (sizes_.erase(AddressOf(start)) == 0) {
      Misuse("aclrtFreeHost: {} is not live memory from aclrtMallocHost; free each piece once",
             start);
    }
    std::free(start);
  }

  // Bytes from `address` to the end of its allocation; 0 without one.
  size_t BytesLeft(const void *address) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto piece = sizes_.upper_bound(AddressOf(address));
    if (piece == sizes_.begin()) return 0;
    --piece;
    const size_t distance = AddressOf(address) - piece->first;
    return distance < piece->second ? piece->second - distance : 0;
  }

 private:
  HostMemory() {
    AddFinalCheck([this] { RequireAllFreed(); });
  }

  void RequireAllFreed() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (sizes_.empty()) return;
    Misuse(
        "aclFinalize: pieces of host memory not freed: {}, among them {} of {} bytes; call "
        "aclrtFreeHost for each",
        sizes_.size(), reinterpret_cast<const void *>(sizes_.begin()->first),
        sizes_.begin()->second);
  }

  mutable std::mutex mutex_;
  std::map<uintptr_t, size_t> sizes_;
};

}  // namespace

bool IsPinnedHostAddress(const void *address) {
  return HostMemory::Instance().BytesLeft(address) > 0;
}

void RequireHostBytes(const void *host, size_t bytes, const char *user) {
  const size_t left = HostMemory::Instance().BytesLeft(host);
  if (left > 0 && bytes > left) {
    Misuse("{} {} needs {} bytes but its memory from aclrtMallocHost ends after {}; allocate more",
           user, host, bytes, left);
  }
}

}  // namespace simulator

using namespace simulator;

aclError aclrtMallocHost(void **hostPtr, size_t size) {
  RequireDevice("aclrtMallocHost");
  if (hostPtr == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost: hostPtr is null");
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost: size is 0");
  void *const host = HostMemory::Instance().Allocate(size);
  if (host == nullptr) return Fail(ACL_ERROR_BAD_ALLOC, "aclrtMallocHost: no host memory left");
  *hostPtr = host;
  return ACL_SUCCESS;
}

aclError aclrtFreeHost(void *hostPtr) {
  RequireDevice("aclrtFreeHost");
  if (hostPtr == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtFreeHost: hostPtr is null");
  HostMemory::Instance().Free(hostPtr);
  return ACL_SUCCESS;
}
