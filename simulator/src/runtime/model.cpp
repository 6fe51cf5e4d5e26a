// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "runtime/error_message.h"
#include "runtime/handle_table.h"
#include "runtime/lifecycle.h"
#include "runtime/stream.h"

namespace simulator {

namespace {

using Model = std::vector<std::function<void()>>;

HandleTable &Models() {
  static HandleTable *const table = new HandleTable("model", "call aclmdlRIDestroy for each",
                                                    "get a model from aclmdlRICaptureEnd");
  return *table;
}

// The threads that may end captures; no thread for those that any thread may end.
struct Captures {
  std::mutex mutex;
  std::map<aclrtStream, std::thread::id> threads;
};

Captures &AllCaptures() {
  static Captures *const captures = new Captures;
  return *captures;
}

}  // namespace

}  // namespace simulator

using namespace simulator;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  RequireDevice("aclmdlRICaptureBegin");
  Stream &captured = FindStream(stream, "aclmdlRICaptureBegin");
  if (&captured == &FindStream(nullptr, "aclmdlRICaptureBegin")) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                "aclmdlRICaptureBegin: the default stream cannot be captured");
  }
  if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureBegin: unknown mode");
  }
  if (!captured.BeginCapture()) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURED,
                "aclmdlRICaptureBegin: the stream is captured already");
  }
  const bool isRelaxed = mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  const std::lock_guard<std::mutex> lock(AllCaptures().mutex);
  AllCaptures().threads[stream] = isRelaxed ? std::thread::id() : std::this_thread::get_id();
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI) {
  RequireDevice("aclmdlRICaptureEnd");
  if (modelRI == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureEnd: modelRI is null");
  }
  Stream &captured = FindStream(stream, "aclmdlRICaptureEnd");
  if (!captured.IsCaptured()) {
    return Fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                "aclmdlRICaptureEnd: the stream is not captured; call aclmdlRICaptureBegin first");
  }
  {
    const std::lock_guard<std::mutex> lock(AllCaptures().mutex);
    const std::thread::id thread = AllCaptures().threads[stream];
    if (thread != std::thread::id() && thread != std::this_thread::get_id()) {
      return Fail(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                  "aclmdlRICaptureEnd: another thread began the capture");
    }
    AllCaptures().threads.erase(stream);
  }
  const auto model = std::make_shared<Model>(captured.EndCapture());
  Models().Add(model);
  *modelRI = model.get();
  return ACL_SUCCESS;
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  RequireDevice("aclmdlRIExecuteAsync");
  if (modelRI == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclmdlRIExecuteAsync: modelRI is null");
  }
  Models().Require(modelRI, "aclmdlRIExecuteAsync");
  Stream &queue = FindStream(stream, "aclmdlRIExecuteAsync");
  for (const std::function<void()> &work : *static_cast<Model *>(modelRI)) queue.Enqueue(work);
  return ACL_SUCCESS;
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  RequireDevice("aclmdlRIDestroy");
  if (modelRI == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclmdlRIDestroy: modelRI is null");
  }
  Models().Retire(modelRI, "aclmdlRIDestroy", "destroyed");
  return ACL_SUCCESS;
}
