// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "acl/acl.h"
#include "runtime/device_memory.h"
#include "runtime/error_message.h"
#include "runtime/host_memory.h"
#include "runtime/lifecycle.h"
#include "runtime/misuse.h"
#include "runtime/stream.h"

namespace simulator {

namespace {

struct Copy {
  const char *caller;
  void *destination;
  const void *source;
  size_t bytes;
  aclrtMemcpyKind kind;
};

bool KindExpectsDeviceSource(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
}

bool KindExpectsDeviceDestination(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
}

void RequireSide(const Copy &copy, const char *side, const void *address, bool expectDevice) {
  if (IsDeviceAddress(address) == expectDevice) return;
  Misuse("{}: the kind expects {} memory as {}, but {} is {} memory; pass the right kind",
         copy.caller, expectDevice ? "device" : "host", side, address,
         expectDevice ? "host" : "device");
}

void RequireKind(const Copy &copy) {
  if (copy.kind == ACL_MEMCPY_DEFAULT) return;
  RequireSide(copy, "source", copy.source, KindExpectsDeviceSource(copy.kind));
  RequireSide(copy, "destination", copy.destination, KindExpectsDeviceDestination(copy.kind));
}

// The simulator's own address of `bytes` bytes on either side.
char *Reach(const void *address, size_t bytes, const std::string &user) {
  if (IsDeviceAddress(address)) return DeviceWindow(address, bytes, user.c_str());
  RequireHostBytes(address, bytes, user.c_str());
  return static_cast<char *>(const_cast<void *>(address));
}

void RequireBytes(const Copy &copy) {
  Reach(copy.source, copy.bytes, std::string(copy.caller) + ": source");
  Reach(copy.destination, copy.bytes, std::string(copy.caller) + ": destination");
}

void Perform(const Copy &copy) {
  const char *const from = Reach(copy.source, copy.bytes, std::string(copy.caller) + ": source");
  char *const to = Reach(copy.destination, copy.bytes, std::string(copy.caller) + ": destination");
  std::memmove(to, from, copy.bytes);
}

// The checks that the documents define as error returns.
aclError CheckCopy(const Copy &copy, size_t destMax) {
  const std::string caller = copy.caller;
  if (copy.destination == nullptr || copy.source == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, caller + ": null pointer");
  }
  if (copy.bytes > destMax) {
    return Fail(ACL_ERROR_INVALID_PARAM, caller + ": count is greater than destMax");
  }
  if (copy.kind < ACL_MEMCPY_HOST_TO_HOST || copy.kind > ACL_MEMCPY_DEFAULT) {
    return Fail(ACL_ERROR_INVALID_PARAM, caller + ": unknown kind");
  }
  return ACL_SUCCESS;
}

bool NeedsNoWait(const void *address) {
  return IsDeviceAddress(address) || IsPinnedHostAddress(address);
}

}  // namespace

}  // namespace simulator

using namespace simulator;

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                     aclrtMemcpyKind kind) {
  RequireDevice("aclrtMemcpy");
  const Copy copy{"aclrtMemcpy", dst, src, count, kind};
  const aclError status = CheckCopy(copy, destMax);
  if (status != ACL_SUCCESS || count == 0) return status;
  RequireKind(copy);
  Perform(copy);
  return ACL_SUCCESS;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  RequireDevice("aclrtMemcpyAsync");
  Stream &queue = FindStream(stream, "aclrtMemcpyAsync");
  const Copy copy{"aclrtMemcpyAsync", dst, src, count, kind};
  const aclError status = CheckCopy(copy, destMax);
  if (status != ACL_SUCCESS || count == 0) return status;
  const bool waits = !NeedsNoWait(src) || !NeedsNoWait(dst);
  const aclError waiting = waits ? WaitingStatus(queue, "aclrtMemcpyAsync") : ACL_SUCCESS;
  if (waiting != ACL_SUCCESS) return waiting;
  RequireKind(copy);
  RequireBytes(copy);
  queue.Enqueue([copy] { Perform(copy); });
  if (waits) queue.Run();
  return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
  RequireDevice("aclrtMemset");
  if (devPtr == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMemset: devPtr is null");
  if (count > maxCount) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtMemset: count is greater than maxCount");
  }
  if (count == 0) return ACL_SUCCESS;
  if (!NeedsNoWait(devPtr)) {
    Misuse("aclrtMemset: {} is neither device memory nor memory from aclrtMallocHost; use memset",
           devPtr);
  }
  std::memset(Reach(devPtr, count, "aclrtMemset: memory"), value, count);
  return ACL_SUCCESS;
}
