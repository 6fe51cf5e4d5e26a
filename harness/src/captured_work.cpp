// SPDX-License-Identifier: Apache-2.0
#include "captured_work.h"

namespace aclnn_cts {
namespace {

// ACL_MODEL_RI_CAPTURE_MODE_RELAXED: a capture forbids the runtime to no thread.
constexpr int32_t kRelaxed = 2;

using BeginCapture = aclError (*)(aclrtStream stream, int32_t mode);
using EndCapture = aclError (*)(aclrtStream stream, void **modelRI);
using ExecuteModel = aclError (*)(void *modelRI, aclrtStream stream);
using DestroyModel = aclError (*)(void *modelRI);

std::optional<FailedFunction> Unpromised(std::optional<FailedFunction> failed) {
  if (failed) failed->isPromised = false;
  return failed;
}

}  // namespace

CapturedWork::~CapturedWork() {
  if (isOpen_) (void)End();
  if (model_ != nullptr) (void)CallIfFound<DestroyModel>("aclmdlRIDestroy", model_);
}

std::optional<FailedFunction> CapturedWork::Begin() {
  const auto failed =
      Unpromised(CallIfFound<BeginCapture>("aclmdlRICaptureBegin", stream_, kRelaxed));
  isOpen_ = !failed;
  return failed;
}

std::optional<FailedFunction> CapturedWork::End() {
  isOpen_ = false;
  return Unpromised(CallIfFound<EndCapture>("aclmdlRICaptureEnd", stream_, &model_));
}

std::optional<FailedFunction> CapturedWork::Execute() const {
  return CallIfFound<ExecuteModel>("aclmdlRIExecuteAsync", model_, stream_);
}

}  // namespace aclnn_cts
