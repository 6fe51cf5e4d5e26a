// SPDX-License-Identifier: Apache-2.0
#include "fake_runtime.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "fake_faults.h"

namespace {

constexpr aclError kFailure = 507000;

std::map<std::string, int> live;
std::string errorMessage;
std::string takenMessage;
using Queue = std::vector<std::function<void()>>;
std::vector<Queue *> streams;
Queue defaultStream;
int64_t determinism = 0;

[[noreturn]] void Abort(const std::string &sentence) {
  std::fprintf(stderr, "fake: %s\n", sentence.c_str());
  std::abort();
}

Queue &QueueOf(aclrtStream stream) {
  return stream == nullptr ? defaultStream : *static_cast<Queue *>(stream);
}

void Run(Queue &queue) {
  for (const auto &work : std::exchange(queue, {})) work();
}

aclError Fail(const std::string &message) {
  fake::SetErrorMessage(message);
  return kFailure;
}

}  // namespace

namespace fake {

void CountLive(const char *kind, int change) {
  live[kind] += change;
  if (live[kind] < 0) Abort(std::string("one ") + kind + " too many was given back");
}

void SetErrorMessage(const std::string &message) { errorMessage = message; }

void Enqueue(void *stream, std::function<void()> work) {
  if (stream != streams.front() && HasFault("first-stream-only")) return;
  static_cast<Queue *>(stream)->push_back(std::move(work));
}

int64_t Determinism() { return determinism; }

}  // namespace fake

extern "C" {

aclError aclInit(const char *) {
  return fake::HasFault("init-fails") ? Fail("no driver") : ACL_SUCCESS;
}

aclError aclFinalize() {
  for (const auto &kind : live) {
    if (kind.second != 0) Abort(std::to_string(kind.second) + " of " + kind.first + " still live");
  }
  if (determinism != 0) Abort("determinism was left switched on");
  return ACL_SUCCESS;
}

const char *aclGetRecentErrMsg() {
  takenMessage = fake::HasFault("keep-message") ? errorMessage : std::exchange(errorMessage, "");
  return takenMessage.empty() ? nullptr : takenMessage.c_str();
}

// The older of the two version queries; the newer one is missing on purpose.
aclError aclsysGetCANNVersion(int32_t, void *version) {
  std::strcpy(static_cast<char *>(version), "1.2.fake");
  return ACL_SUCCESS;
}

const char *aclrtGetSocName() { return "Fake1"; }

aclError aclGetCannAttribute(aclCannAttr, int32_t *value) {
  *value = 1;
  return fake::HasFault("no-attribute") ? Fail("unknown attribute") : ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t device) {
  if (device > 7) return Fail("there is no such device");
  if (live["device"] > 0) Abort("a device is opened while the old one is still in use");
  fake::CountLive("device", 1);
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t) {
  fake::CountLive("device", -1);
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
  *context = &live;
  return fake::HasFault("no-context") ? Fail("no context") : ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (context != &live) Abort("there is no such context");
  return fake::HasFault("no-other-thread") ? Fail("no thread is left") : ACL_SUCCESS;
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt, int64_t value) {
  if (!fake::HasFault("ignore-parameter") || value == 0) determinism = value;
  return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt, int64_t *value) {
  *value = determinism;
  return fake::HasFault("no-parameter") ? Fail("unknown parameter") : ACL_SUCCESS;
}

aclError aclrtMalloc(void **address, size_t size, aclrtMemMallocPolicy) {
  static int64_t calls = 0;
  if (++calls == fake::FaultNumber("malloc-fails", 0)) return Fail("out of memory");
  if (size == 0 || size > (size_t{1} << 34)) return Fail("no such memory");
  *address = std::aligned_alloc(64, (size + 63) / 64 * 64);
  std::memset(*address, 0xEE, size);
  fake::CountLive("memory", 1);
  return ACL_SUCCESS;
}

aclError aclrtFree(void *address) {
  std::free(address);
  fake::CountLive("memory", -1);
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void *to, size_t room, const void *from, size_t size, aclrtMemcpyKind) {
  if (size > room) Abort("aclrtMemcpy beyond the destination");
  std::memcpy(to, from, size);
  return ACL_SUCCESS;
}

aclError aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t size, aclrtMemcpyKind,
                          aclrtStream stream) {
  if (size > room) Abort("aclrtMemcpyAsync beyond the destination");
  if (fake::HasFault("copy-fails")) return Fail("no copy");
  const auto copy = [=] { std::memcpy(to, from, size); };
  if (fake::HasFault("copy-at-once")) {
    copy();
  } else {
    QueueOf(stream).push_back(copy);
  }
  return ACL_SUCCESS;
}

aclError aclrtMemset(void *to, size_t room, int32_t value, size_t size) {
  if (size > room) Abort("aclrtMemset beyond the memory");
  std::memset(to, value, fake::HasFault("even-memset") ? size / 2 * 2 : size);
  return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream) {
  streams.push_back(new Queue);
  *stream = streams.back();
  fake::CountLive("stream", 1);
  return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream) {
  fake::CountLive("stream", -1);
  const auto place = std::find(streams.begin(), streams.end(), static_cast<Queue *>(stream));
  if (place == streams.end()) Abort("a stream that is none was destroyed");
  delete *place;
  streams.erase(place);
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  static int64_t calls = 0;
  if (++calls == fake::FaultNumber("synchronize-fails", 0)) {
    static_cast<Queue *>(stream)->clear();
    return Fail("not done after " + std::to_string(timeout) + " ms");
  }
  Run(QueueOf(stream));
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice() {
  if (!fake::HasFault("leave-default-stream")) Run(defaultStream);
  if (fake::HasFault("leave-streams")) return ACL_SUCCESS;
  for (Queue *queue : streams) Run(*queue);
  return ACL_SUCCESS;
}

// Fault `leak`: each look at it finds that much less.
aclError aclrtGetMemInfo(aclrtMemAttr, size_t *free, size_t *total) {
  static int64_t looks = 0;
  *total = size_t{1} << 36;
  *free = *total - static_cast<size_t>(++looks * fake::FaultNumber("leak", 0));
  return ACL_SUCCESS;
}

aclError aclrtCreateEvent(aclrtEvent *event) {
  if (fake::HasFault("no-events")) return Fail("events are not supported");
  *event = &live;
  fake::CountLive("event", 1);
  return ACL_SUCCESS;
}

aclError aclrtDestroyEvent(aclrtEvent) {
  fake::CountLive("event", -1);
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent, aclrtStream) { return ACL_SUCCESS; }

aclError aclrtEventElapsedTime(float *milliseconds, aclrtEvent, aclrtEvent) {
  *milliseconds = 0.25F;
  return ACL_SUCCESS;
}

}  // extern "C"
