// SPDX-License-Identifier: Apache-2.0
/// One call of an aclnn operator, both phases.
#ifndef ACLNN_CTS_TWO_PHASE_H_
#define ACLNN_CTS_TWO_PHASE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "aclnn_cts/program.h"

namespace aclnn_cts {

/// Measures on the host from its creation on.
class Stopwatch {
 public:
  double Microseconds() const {
    return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// What came of phase two.
struct LaunchResult {
  aclnnStatus status;    ///< of the operator's second function
  aclError synchronize;  ///< of waiting for the stream
  double microseconds;   ///< on the host, from the call until the stream was done
  double
      deviceMicroseconds;  ///< between two events around the call; NaN when the device did not tell
  std::string message;     ///< the recent error message when a status is not 0
};

/// Makes phase one when it is created. An executor that is repeatable, or not launched, is
/// destroyed.
class PlannedCall {
 public:
  PlannedCall(const Operator &called, const Arguments &arguments);
  PlannedCall(const PlannedCall &) = delete;
  PlannedCall &operator=(const PlannedCall &) = delete;
  ~PlannedCall();

  aclnnStatus Status() const { return status_; }
  /// As phase one reported it; 0 when it failed without setting it.
  uint64_t WorkspaceBytes() const { return workspaceBytes_; }
  double Microseconds() const { return microseconds_; }
  /// The recent error message when the status is not 0.
  const std::string &Message() const { return message_; }

  /// Asks for more than one launch, before the first; returns the status. `message` gets the
  /// recent error message when that is not 0.
  aclnnStatus MakeRepeatable(std::string &message);

  /// Phase two alone: the stream is not waited for, and no time is taken. Only after a phase one
  /// with status 0, and only once, unless the executor is repeatable.
  LaunchResult Enqueue(void *workspace, aclrtStream stream);
  /// Phase two, and waiting for the stream at most `timeoutMs`; the same holds. In between
  /// `meanwhile` is called, which must not throw: the device may be at work.
  LaunchResult Launch(
      void *workspace, aclrtStream stream, int32_t timeoutMs,
      const std::function<void()> &meanwhile = [] {});

 private:
  const Operator &called_;
  aclnnStatus status_ = 0;
  uint64_t workspaceBytes_ = 0;
  aclOpExecutor *executor_ = nullptr;
  bool repeatable_ = false;
  double microseconds_ = 0;
  std::string message_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_TWO_PHASE_H_
