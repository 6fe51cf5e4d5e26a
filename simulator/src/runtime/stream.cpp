// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "runtime/error_message.h"
#include "runtime/handle_table.h"
#include "runtime/lifecycle.h"

namespace simulator {

namespace {

HandleTable &Streams() {
  static HandleTable *const table = new HandleTable("stream", "call aclrtDestroyStream for each",
                                                    "create a stream with aclrtCreateStream");
  return *table;
}

// All streams, including the default one, for synchronising the device.
struct StreamSet {
  std::mutex mutex;
  Stream defaultStream;
  std::set<Stream *> streams{&defaultStream};
};

StreamSet &AllStreams() {
  static StreamSet *const all = new StreamSet;
  return *all;
}

}  // namespace

void Stream::Enqueue(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (isCaptured_) {
    captured_.push_back(std::move(work));
    return;
  }
  work_.push_back(std::move(work));
}

bool Stream::BeginCapture() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !std::exchange(isCaptured_, true);
}

std::vector<std::function<void()>> Stream::EndCapture() {
  const std::lock_guard<std::mutex> lock(mutex_);
  isCaptured_ = false;
  return std::exchange(captured_, {});
}

bool Stream::IsCaptured() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return isCaptured_;
}

void Stream::Run() { RunUntil(Clock::time_point::max()); }

bool Stream::RunUntil(Clock::time_point deadline) {
  std::function<void()> work;
  while (Take(&work)) {
    work();
    if (Clock::now() > deadline) return false;
  }
  return true;
}

bool Stream::Take(std::function<void()> *work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (work_.empty()) return false;
  *work = std::move(work_.front());
  work_.pop_front();
  return true;
}

Stream &FindStream(aclrtStream handle, const char *caller) {
  if (handle == nullptr || handle == &AllStreams().defaultStream) return AllStreams().defaultStream;
  Streams().Require(handle, caller);
  return *static_cast<Stream *>(handle);
}

aclError WaitingStatus(const Stream &stream, const char *caller) {
  if (!stream.IsCaptured()) return ACL_SUCCESS;
  return Fail(ACL_ERROR_RT_STREAM_CAPTURED,
              std::string(caller) + ": the stream is captured; call aclmdlRICaptureEnd first");
}

void RunAllStreams() {
  std::set<Stream *> streams;
  {
    const std::lock_guard<std::mutex> lock(AllStreams().mutex);
    streams = AllStreams().streams;
  }
  for (Stream *stream : streams) stream->Run();
}

}  // namespace simulator

using namespace simulator;

aclError aclrtCreateStream(aclrtStream *stream) {
  RequireDevice("aclrtCreateStream");
  if (stream == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateStream: null pointer");
  const auto created = std::make_shared<Stream>();
  Streams().Add(created);
  const std::lock_guard<std::mutex> lock(AllStreams().mutex);
  AllStreams().streams.insert(created.get());
  *stream = created.get();
  return ACL_SUCCESS;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream) {
  RequireDevice("aclrtCtxGetCurrentDefaultStream");
  if (stream == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtCtxGetCurrentDefaultStream: null pointer");
  }
  *stream = &AllStreams().defaultStream;
  return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream) {
  RequireDevice("aclrtDestroyStream");
  if (stream == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtDestroyStream: null pointer");
  FindStream(stream, "aclrtDestroyStream").Run();
  {
    const std::lock_guard<std::mutex> lock(AllStreams().mutex);
    AllStreams().streams.erase(static_cast<Stream *>(stream));
  }
  Streams().Retire(stream, "aclrtDestroyStream", "destroyed");
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  RequireDevice("aclrtSynchronizeStream");
  Stream &queue = FindStream(stream, "aclrtSynchronizeStream");
  const aclError status = WaitingStatus(queue, "aclrtSynchronizeStream");
  if (status == ACL_SUCCESS) queue.Run();
  return status;
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  RequireDevice("aclrtSynchronizeStreamWithTimeout");
  Stream &queue = FindStream(stream, "aclrtSynchronizeStreamWithTimeout");
  if (timeout == 0 || timeout < -1) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtSynchronizeStreamWithTimeout: timeout is invalid");
  }
  const aclError status = WaitingStatus(queue, "aclrtSynchronizeStreamWithTimeout");
  if (status != ACL_SUCCESS) return status;
  if (timeout == -1) return aclrtSynchronizeStream(stream);
  if (!queue.RunUntil(Stream::Clock::now() + std::chrono::milliseconds(timeout))) {
    return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "aclrtSynchronizeStreamWithTimeout: timeout");
  }
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice(void) {
  RequireDevice("aclrtSynchronizeDevice");
  RunAllStreams();
  return ACL_SUCCESS;
}
