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

/// Result of phase two.
struct LaunchResult {
  aclnnStatus status;         ///< of the operator's second function
  aclError synchronize;       ///< of waiting for the stream
  double microseconds;        ///< time on the host, from the call until the stream was done
  double deviceMicroseconds;  ///< time between two events around the call; NaN if unknown
  std::string message;        ///< the recent error message if a status is not 0
};

/// The constructor makes phase one. A repeatable or unlaunched executor is destroyed.
class PlannedCall {
 public:
  PlannedCall(const Operator &called, const Arguments &arguments);
  PlannedCall(const PlannedCall &) = delete;
  PlannedCall &operator=(const PlannedCall &) = delete;
  ~PlannedCall();

  aclnnStatus Status() const { return status_; }
  /// As phase one reported it; 0 if it did not set it.
  uint64_t WorkspaceBytes() const { return workspaceBytes_; }
  bool SetsWorkspaceBytes() const { return setsWorkspaceBytes_; }
  double Microseconds() const { return microseconds_; }
  /// The recent error message if the status is not 0.
  const std::string &Message() const { return message_; }

  /// Only after a phase one with status 0, and before a launch that releases it.
  aclOpExecutor *Executor() const { return executor_; }

  /// Makes the executor repeatable, before the first launch; returns the status. `message` gets the
  /// recent error message if that is not 0.
  aclnnStatus MakeRepeatable(std::string &message);

  /// Makes phase two without waiting for the stream or taking times. Only after a phase one with
  /// status 0, and only once, unless the executor is repeatable.
  LaunchResult Enqueue(void *workspace, aclrtStream stream);
  /// Makes phase two, and waits for the stream at most `timeoutMs`; the same restrictions apply.
  /// Calls `meanwhile` in between, which must not throw, because the device may be busy.
  LaunchResult Launch(
      void *workspace, aclrtStream stream, int32_t timeoutMs,
      const std::function<void()> &meanwhile = [] {});

 private:
  const Operator &called_;
  aclnnStatus status_ = 0;
  uint64_t workspaceBytes_ = 0;
  bool setsWorkspaceBytes_ = false;
  aclOpExecutor *executor_ = nullptr;
  bool repeatable_ = false;
  double microseconds_ = 0;
  std::string message_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_TWO_PHASE_H_
