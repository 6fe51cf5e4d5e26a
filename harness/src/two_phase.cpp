// SPDX-License-Identifier: Apache-2.0
#include "two_phase.h"

#include <limits>

#include "runtime.h"

namespace aclnn_cts {
namespace {

// A time stamp on the device. Without events only the time is unknown, so nothing here is an error.
class TimeMark {
 public:
  explicit TimeMark(aclrtStream stream) {
    if (aclrtCreateEvent(&event_) != ACL_SUCCESS) {
      event_ = nullptr;
      (void)TakeErrorMessage();
    } else if (aclrtRecordEvent(event_, stream) == ACL_SUCCESS) {
      recorded_ = true;
    } else {
      (void)TakeErrorMessage();
    }
  }
  TimeMark(const TimeMark &) = delete;
  TimeMark &operator=(const TimeMark &) = delete;
  ~TimeMark() {
    if (event_ != nullptr) (void)aclrtDestroyEvent(event_);
  }

  // Microseconds until the other mark, or NaN. The stream must have passed both.
  double Until(const TimeMark &end) const {
    float milliseconds = 0;
    const bool known = recorded_ && end.recorded_ &&
                       aclrtEventElapsedTime(&milliseconds, event_, end.event_) == ACL_SUCCESS;
    if (known) return static_cast<double>(milliseconds) * 1000;
    (void)TakeErrorMessage();
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  aclrtEvent event_ = nullptr;
  bool recorded_ = false;
};

// No size of a workspace; shows that phase one did not set it.
constexpr uint64_t kNotSet = 0xA5A5A5A5A5A5A5A5;

}  // namespace

PlannedCall::PlannedCall(const Operator &called, const Arguments &arguments) : called_(called) {
  const Stopwatch watch;
  workspaceBytes_ = kNotSet;
  status_ = called.plan(arguments, &workspaceBytes_, &executor_);
  microseconds_ = watch.Microseconds();
  setsWorkspaceBytes_ = workspaceBytes_ != kNotSet;
  if (!setsWorkspaceBytes_) workspaceBytes_ = 0;
  if (status_ != 0) message_ = TakeErrorMessage();
}

PlannedCall::~PlannedCall() {
  // The outputs of a failed phase one are undefined, so they are not touched.
  if (status_ == 0 && executor_ != nullptr) (void)aclDestroyAclOpExecutor(executor_);
}

aclnnStatus PlannedCall::MakeRepeatable(std::string &message) {
  const aclnnStatus status = aclSetAclOpExecutorRepeatable(executor_);
  repeatable_ = status == 0;
  if (!repeatable_) message = TakeErrorMessage();
  return status;
}

LaunchResult PlannedCall::Enqueue(void *workspace, aclrtStream stream) {
  LaunchResult result = {};
  result.status = called_.launch(workspace, workspaceBytes_, executor_, stream);
  // Phase two consumes the executor, even if it fails.
  if (!repeatable_) executor_ = nullptr;
  if (result.status != 0) result.message = TakeErrorMessage();
  return result;
}

LaunchResult PlannedCall::Launch(void *workspace, aclrtStream stream, int32_t timeoutMs,
                                 const std::function<void()> &meanwhile) {
  const TimeMark begin(stream);
  const Stopwatch watch;
  LaunchResult result = Enqueue(workspace, stream);
  const TimeMark end(stream);
  meanwhile();
  result.synchronize = aclrtSynchronizeStreamWithTimeout(stream, timeoutMs);
  result.microseconds = watch.Microseconds();
  if (result.synchronize != ACL_SUCCESS) {
    result.message += TakeErrorMessage();
    result.deviceMicroseconds = std::numeric_limits<double>::quiet_NaN();
  } else {
    result.deviceMicroseconds = begin.Until(end);
  }
  return result;
}

namespace {

// The head of the list of registrations. It is initialised statically, so it exists before the
// first registration in any order of initialisation.
const Registration *newest = nullptr;

}  // namespace

Registration::Registration(const Operator &registered) noexcept
    : registered_(registered), next_(newest) {
  newest = this;
}

const Operator *FindOperator(const std::string &name) {
  for (const Registration *each = newest; each != nullptr; each = each->next_) {
    if (name == each->registered_.name) return &each->registered_;
  }
  return nullptr;
}

}  // namespace aclnn_cts
