// SPDX-License-Identifier: Apache-2.0
#include "runtime/device_memory.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "acl/acl.h"
#include "runtime/arena.h"
#include "runtime/error_message.h"
#include "runtime/free_list.h"
#include "runtime/lifecycle.h"
#include "runtime/misuse.h"
#include "runtime/product.h"

namespace simulator {

namespace {

constexpr size_t kStartAlignment = 64;

size_t AlignUp(size_t size, size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// The size of the allocation for `size` bytes by the product's aclrtMalloc.
size_t Room(size_t size) {
  const size_t slack = CurrentProduct() == Product::kAscend950 ? 0 : 32;
  return AlignUp(size, 32) + slack;
}

struct Piece {
  size_t size;
  size_t room;
};

class DeviceMemory {
 public:
  static DeviceMemory &Instance() {
    static DeviceMemory *const memory = new DeviceMemory;
    return *memory;
  }

  // Null if the device has not enough memory.
  void *Allocate(size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (size > arena_.Size() - 2 * kStartAlignment) return nullptr;
    const size_t room = Room(size);
    size_t offset = 0;
    if (!free_.Take(AlignUp(room, kStartAlignment), &offset)) return nullptr;
    pieces_[offset] = {size, room};
    freed_.erase(offset);
    void *const device = arena_.DeviceAddress(offset);
    std::memset(arena_.Window(device), kFreshDeviceByte, room);
    return device;
  }

  void Free(const void *device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!arena_.Contains(device)) {
      Misuse("aclrtFree: {} is not device memory; free only what aclrtMalloc gave", device);
    }
    const size_t offset = arena_.Offset(device);
    const auto piece = pieces_.find(offset);
    if (piece == pieces_.end()) EndForUnknownPiece(device, offset);
    free_.Give(offset, AlignUp(piece->second.room, kStartAlignment));
    pieces_.erase(piece);
    freed_.insert(offset);
  }

  void RequireBytes(const void *device, size_t bytes, const char *user) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!arena_.Contains(device)) {
      Misuse("{} {} is not device memory; pass an address from aclrtMalloc", user, device);
    }
    const size_t offset = arena_.Offset(device);
    auto piece = pieces_.upper_bound(offset);
    if (piece == pieces_.begin() ||
        offset >= std::prev(piece)->first + std::prev(piece)->second.room) {
      Misuse("{} {} is not in live device memory; it was freed, or never allocated", user, device);
    }
    --piece;
    const size_t left = piece->first + piece->second.room - offset;
    if (bytes > left) {
      Misuse("{} {} needs {} bytes but its memory {} of {} bytes ends after {}; allocate more",
             user, device, bytes, arena_.DeviceAddress(piece->first), piece->second.size, left);
    }
  }

  void RequireAllFreed() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (pieces_.empty()) return;
    Misuse(
        "aclFinalize: pieces of device memory not freed: {}, among them {} of {} bytes; call "
        "aclrtFree for each",
        pieces_.size(), arena_.DeviceAddress(pieces_.begin()->first), pieces_.begin()->second.size);
  }

  size_t FreeBytes() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return free_.Total();
  }

 private:
  DeviceMemory() : arena_(Arena::Instance()), free_(arena_.Size()) {
    AddFinalCheck([this] { RequireAllFreed(); });
  }

  [[noreturn]] void EndForUnknownPiece(const void *device, size_t offset) const {
    if (freed_.count(offset) != 0) {
      Misuse("aclrtFree: device memory {} was already freed; free each piece once", device);
    }
    Misuse("aclrtFree: {} is not the start of device memory; free what aclrtMalloc gave", device);
  }

  Arena &arena_;
  mutable std::mutex mutex_;
  FreeList free_;
  std::map<size_t, Piece> pieces_;
  std::set<size_t> freed_;
};

}  // namespace

bool IsDeviceAddress(const void *address) { return Arena::Instance().Contains(address); }

void RequireDeviceBytes(const void *device, size_t bytes, const char *user) {
  DeviceMemory::Instance().RequireBytes(device, bytes, user);
}

char *DeviceWindow(const void *device, size_t bytes, const char *user) {
  RequireDeviceBytes(device, bytes, user);
  return Arena::Instance().Window(device);
}

}  // namespace simulator

using namespace simulator;

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy) {
  RequireDevice("aclrtMalloc");
  if (devPtr == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMalloc: devPtr is null");
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMalloc: size is 0");
  void *const device = DeviceMemory::Instance().Allocate(size);
  if (device == nullptr) {
    return Fail(ACL_ERROR_BAD_ALLOC,
                Sentence("aclrtMalloc: no {} bytes of device memory left", {Text(size)}));
  }
  *devPtr = device;
  return ACL_SUCCESS;
}

aclError aclrtFree(void *devPtr) {
  RequireDevice("aclrtFree");
  if (devPtr == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtFree: devPtr is null");
  DeviceMemory::Instance().Free(devPtr);
  return ACL_SUCCESS;
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t *free, size_t *total) {
  RequireDevice("aclrtGetMemInfo");
  if (free == nullptr || total == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo: null pointer");
  }
  *free = DeviceMemory::Instance().FreeBytes();
  *total = Arena::Instance().Size();
  return ACL_SUCCESS;
}
